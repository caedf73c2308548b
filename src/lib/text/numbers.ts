import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in decimal units (1,000 each): `12,4 Mo`, `12.4 MB`. */
export function formatBytes(bytes: number, language: Language) {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return new Intl.NumberFormat(locales[language], {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // Short, a byte has no plural in English.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

/** A number with no-break spaces and no break after its hyphens. */
export const unbroken = (number: string) => number.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060')
