import type { Language } from './language.ts'
import { locales } from './language.ts'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago something was, in words. */
export function formatAgo(then: Date, now: Date, language: Language) {
  const words = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' })
  const seconds = (now.getTime() - then.getTime()) / 1000
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? (['second', 1] as const)
  return words.format(unit === 'second' ? 0 : -Math.floor(seconds / length), unit)
}
