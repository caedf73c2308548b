import type { Language } from './language/language.ts'
import { locales } from './language/language.ts'

/** Normalizes a text for search: without capitals, accents or hyphens. */
export function searchable(text: string) {
  return withoutAccents(text).replaceAll(/[-’']/g, ' ')
}

export function withoutAccents(text: string) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Rows that contain every word of the filter. */
export function filterRows<Row>(rows: readonly Row[], filter: string, textOf: (row: Row) => string) {
  const words = searchable(filter).split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = searchable(textOf(row))
    return words.every((word) => text.includes(word))
  })
}

/** Sorts rows by the collation of the language; the sort is stable. */
export function sortRows<Row>(rows: readonly Row[], valueOf: (row: Row) => string, descending: boolean, language: Language) {
  const { compare } = new Intl.Collator(locales[language], { numeric: true, sensitivity: 'base' })
  const sorted = rows.toSorted((one, other) => compare(valueOf(one), valueOf(other)))
  return descending ? sorted.toReversed() : sorted
}
