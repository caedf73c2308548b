import type { ShareCard } from '#src/features/content/server/share-picture.ts'
import { shareColors } from '#src/features/content/server/share-picture.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { statusDrawings } from '#src/ui/components/status-drawings.ts'
import { nameTouched } from '../status-html.ts'
import { statusTexts } from '../status-texts.ts'
import { findPublished } from './overview.ts'
import { readNetworks } from './service.ts'

const colors = { OK: '#15703f', WARNING: '#a04c00', ERROR: '#b3261e' }

/** What a link to an outage shows elsewhere. */
export async function findShareCard(reader: Reader, id: number, language: Language): Promise<ShareCard> {
  const [incident, networks] = await Promise.all([findPublished(reader, id), readNetworks(reader)])
  const t = translator(statusTexts, language)
  const status = incident.resolved_at ? 'OK' : incident.severity
  const { shape, mark } = statusDrawings[status]
  const color = colors[status]
  return {
    label: t('outage', { number: incident.number }),
    title: pickText(language, incident.title, incident.title_en),
    lines: [nameTouched(incident, networks, language).join(', ')],
    color,
    foot: t(incident.phase),
    sign: `<path fill="${color}" stroke="${color}" stroke-width="2" d="${shape}"/><path fill="none" stroke="${shareColors.paper}" stroke-width="2.5" d="${mark}"/>`,
  }
}
