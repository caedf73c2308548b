import { defineTexts } from '#src/lib/language/texts.ts'
import { useState } from 'react'
import { locales } from '#src/lib/language/language.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { areaLabel, pathOfEntry } from '#src/lib/feature.ts'
import { useFeatures, useRights } from '../../web/admin-context.ts'
import type { Translation } from '../contract.ts'

export const texts = defineTexts({
  fr: {
    title: 'Traductions anglaises à mettre à jour',
    lead: 'Ces fiches n’ont pas de version anglaise, ou leur texte français a changé depuis la traduction.',
    missing: 'Anglais manquant',
    older: 'Français modifié le {date}',
    unnamed: 'Sans nom',
    all: 'Afficher les {count} fiches',
  },
  en: {
    title: 'English translations to update',
    lead: 'These entries have no English version, or their French text has changed since it was translated.',
    missing: 'English missing',
    older: 'French changed on {date}',
    unnamed: 'Unnamed',
    all: 'Show all {count} entries',
  },
})

const shownAtFirst = 8

/** On the panel: entries whose English needs review; renders nothing when there are none. */
export function TranslationList({ found }: { found: readonly Translation[] }) {
  const t = useTexts(texts)
  const features = useFeatures()
  const rights = useRights()
  const language = useLanguage()
  const [isWhole, setWhole] = useState(false)
  if (found.length === 0) return null
  const shown = isWhole ? found : found.slice(0, shownAtFirst)
  const kindOf = ({ kind }: Translation) =>
    features.flatMap(({ entries = [] }) => entries).find((entry) => (entry.kind ?? entry.area) === kind)
  /** The only entry of its kind has the name of the kind. */
  const placeOf = (one: Translation) => {
    const kind = kindOf(one)
    const label = kind && !kind.label.fr.includes('{id}') ? kind.label : areaLabel(features, kind?.area ?? one.kind)
    return label[language]
  }
  const dates = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium' })
  return (
    <section aria-labelledby="translations" className="card counter-card">
      <header>
        <h2 id="translations">{t('title')}</h2>
        <p className="text-sm text-ink-2">{t('lead')}</p>
      </header>
      <ul>
        {shown.map((one) => (
          <li key={`${one.kind}-${one.id}`} className="border-t border-line first:border-t-0">
            <Link
              to={pathOfEntry(kindOf(one), one.id, rights) ?? '/admin/panel'}
              className="group flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3"
            >
              <span className="w-40 text-sm text-ink-2">{placeOf(one)}</span>
              <span className="grow font-bold group-hover:text-brand group-hover:underline">{one.name || t('unnamed')}</span>
              <Badge tone="warn">
                {one.missing ? t('missing') : t('older', { date: dates.format(new Date(one.older_since ?? '')) })}
              </Badge>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <Button variant="link" className="mx-5 mb-3" onClick={() => setWhole(true)}>
          {t('all', { count: found.length })}
        </Button>
      )}
    </section>
  )
}
