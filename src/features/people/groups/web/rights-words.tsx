import { useFeatures } from '#src/features/content/web/use-features.ts'
import { areaLabel, areasOf } from '#src/lib/feature.ts'
import { locales } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { groupTexts } from '../texts.ts'
import type { Level, Rights } from '#src/lib/rights.ts'

const sentences = { administrator: 'administers', read_write: 'writes', read_only: 'sees' } as const

type RightsWordsProps = { rights: Rights; enabled: boolean; requiresTotp: boolean }

/** What a set of rights means, said in sentences as it is chosen. */
export function RightsWords({ rights, enabled, requiresTotp }: RightsWordsProps) {
  const t = useTexts(groupTexts)
  const language = useLanguage()
  const features = useFeatures()
  const list = new Intl.ListFormat(locales[language])
  const withLevel = (level: Level) =>
    areasOf(features)
      .filter((area) => rights[area] === level)
      .map((area) => areaLabel(features, area)[language])
  const byLevel = (['administrator', 'read_write', 'read_only'] as const)
    .map((level) => ({ level, names: withLevel(level) }))
    .filter(({ names }) => names.length > 0)
  return (
    <section className="card content-start self-start p-6" aria-live="polite">
      <h2 className="mb-3 text-xl">{t('canDo')}</h2>
      {!enabled && <p className="mb-3 font-bold text-warn">{t('canNothingDisabled')}</p>}
      {byLevel.length === 0 && <p className="text-ink-2">{t('canNothing')}</p>}
      <ul className="grid gap-3">
        {byLevel.map(({ level, names }) => (
          <li key={level}>{t(sentences[level], { areas: list.format(names) })}</li>
        ))}
      </ul>
      {requiresTotp && <p className="mt-3 text-ink-2">{t('canAfterTotp')}</p>}
    </section>
  )
}
