import type { Language } from '#src/lib/language.ts'
import { locales } from '#src/lib/language.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in the unit in which it is read: `1,5 Go`. */
export function formatBytes(bytes: number, language: Language) {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return new Intl.NumberFormat(locales[language], {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago something was, from a negative number of milliseconds. */
export function formatAge(milliseconds: number, language: Language) {
  const format = new Intl.RelativeTimeFormat(locales[language], { numeric: 'always' })
  const [unit, length] = spans.find(([, span]) => -milliseconds >= span) ?? spans[2]
  return format.format(Math.round(milliseconds / length), unit)
}
