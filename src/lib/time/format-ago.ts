import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'
import { defineTexts, translator } from '../language/texts.ts'

const texts = defineTexts({ fr: { justNow: 'à l’instant' }, en: { justNow: 'just now' } })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats a relative time, such as `2 hours ago`. */
export function formatAgo(then: Date, now: Date, language: Language) {
  const seconds = (now.getTime() - then.getTime()) / 1000
  const found = units.find(([, size]) => seconds >= size)
  if (!found) return translator(texts, language)('justNow')
  const [unit, length] = found
  return new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' }).format(-Math.floor(seconds / length), unit)
}
