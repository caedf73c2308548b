import type { Language } from './language/language.ts'
import { locales } from './language/language.ts'

/** A total stops here: it means “more than 10,000”. */
export const mostCounted = 10_001

export const formatCount = (count: number, language: Language) => new Intl.NumberFormat(locales[language]).format(count)

/** The total of a list in words: `count`, or `countMore` where counting stopped. */
export function describeTotal(t: (key: 'count' | 'countMore', values: { count: number }) => string, total: number) {
  return total >= mostCounted ? t('countMore', { count: mostCounted - 1 }) : t('count', { count: total })
}

/** Normalizes a text for search: without capitals, accents, hyphens or apostrophes, of which keyboards write several. */
export function searchable(text: string) {
  return withoutAccents(text).replaceAll(/[-‐-―'‘’ʼ´`]/g, ' ')
}

const telephones = /[+(]*\d[\d\s().-]{5,}\d/g
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

export function withoutAccents(text: string) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Rows that contain every word of the filter; a telephone number is found however it is written. */
export function filterRows<Row>(rows: readonly Row[], filter: string, textOf: (row: Row) => string) {
  const splitWords = (text: string) => searchable(text).split(/\s+/).filter(Boolean)
  const words = splitWords(filter)
  if (words.length === 0) return rows
  // Digits may be one number, or several beside each other.
  const readings = [splitWords(filter.replaceAll(telephones, digitsOf)), words]
  return rows.filter((row) => {
    const text = textOf(row)
    const found = `${searchable(text)} ${text.replaceAll(telephones, digitsOf)}`
    return readings.some((reading) => reading.every((word) => found.includes(word)))
  })
}

/** Sorts rows by the collation of the language; the sort is stable. */
export function sortRows<Row>(rows: readonly Row[], valueOf: (row: Row) => string, descending: boolean, language: Language) {
  const { compare } = new Intl.Collator(locales[language], { numeric: true, sensitivity: 'base' })
  const sorted = rows.toSorted((one, other) => compare(valueOf(one), valueOf(other)))
  return descending ? sorted.toReversed() : sorted
}

/** The named parameters that are present and not empty. */
export function pickQuery(query: URLSearchParams, names: readonly string[]) {
  const named = names.flatMap((name) => {
    const value = query.get(name)?.trim()
    return value ? [[name, value]] : []
  })
  return named.length === 0 ? '' : `?${new URLSearchParams(named).toString()}`
}

/** A copy with these values changed; null removes one. */
export function changeQuery(query: URLSearchParams, changes: Record<string, string | null>) {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}
