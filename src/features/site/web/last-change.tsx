import type { Language } from '#src/lib/language.ts'
import { locales } from '#src/lib/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'

export type Changed = { at: string; name: string }

/** Who saved an entry last, and how long ago. */
export function LastChange({ section, change }: { section: string; change: Changed | null }) {
  const e = useTexts(entryTexts)
  const language = useLanguage()
  if (!change) return section
  const { at, name } = change
  return (
    <>
      {section} · <time dateTime={at}>{e('changedBy', { when: agoOf(new Date(at), new Date(), language), name })}</time>
    </>
  )
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago, in words. */
export function agoOf(then: Date, now: Date, language: Language) {
  const words = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' })
  const seconds = (now.getTime() - then.getTime()) / 1000
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? (['second', 1] as const)
  return words.format(unit === 'second' ? 0 : -Math.floor(seconds / length), unit)
}
