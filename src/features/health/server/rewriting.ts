import { company } from '#company/company.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import { languages, locales } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import type { App } from '#src/server/types.ts'
import { rewritingTexts } from '../texts.ts'

/** A night may be missed. */
const lateMs = 3 * 86_400_000

/** What of deleted rows the files of the database still hold, and until when. */
export function findRewritingHealth({ upkeep }: Pick<App, 'upkeep'>, now = Date.now()): HealthReport {
  const { since = null, last = null } = upkeep?.find() ?? {}
  const begun = last?.at ?? since
  const isLate = begun !== null && now - Date.parse(begun) > lateMs
  const lines: LocalizedText[] = []
  if (!upkeep) lines.push(translateAll(rewritingTexts, 'postgres'))
  else if (last) lines.push(describe(last.failed.length > 0 ? 'failed' : 'last', last))
  else lines.push(translateAll(rewritingTexts, 'none'))
  if (isLate) lines.push(translateAll(rewritingTexts, 'late'))
  return {
    label: translateAll(rewritingTexts, 'label'),
    status: isLate || last?.failed.length ? 'ERROR' : 'OK',
    lines,
    advice: {
      text: translateAll(rewritingTexts, 'advice'),
      link: translateAll(rewritingTexts, 'link'),
      path: '/admin/etat#work',
    },
  }
}

type Outcome = { at: string; tables: number; longestMs: number; failed: string[] }

function describe(key: 'last' | 'failed', { at, tables: count, longestMs, failed }: Outcome) {
  const described = languages.map((language) => {
    const values = {
      at: formatDateTime(at, language, { timeZone: company.hours.timeZone }),
      count,
      seconds: (longestMs / 1_000).toLocaleString(locales[language], { maximumFractionDigits: 1 }),
      tables: failed.join(', '),
    }
    return [language, translateAll(rewritingTexts, key, values)[language]] as const
  })
  return Object.fromEntries(described) as LocalizedText
}
