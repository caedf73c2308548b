import { foldText } from '#src/lib/text/plain-text.ts'

/* What the values of an entry are found by once they are encrypted: it is stored beside their key, and ends with it. */

const addressEnds = /[\s"'<>(),;:\\]+/
const longestAddress = 320
const longestWord = 60
/** Its length is bounded: an expression must not overflow its stack on a long text. */
const phone = /\+?\d[\d\s().-]{5,25}\d/g
/** Of a number: without the country's. */
const phoneDigits = 10

/** The e-mail addresses in these values, in lower case. */
export function addressesIn(values: unknown): string[] {
  const words = textsIn(values)
    .filter((text) => text.includes('@'))
    .flatMap((text) => text.toLowerCase().split(addressEnds))
  return unique(words.map((word) => word.replace(/\.+$/, '')).filter((word) => /.@./.test(word) && word.length <= longestAddress))
}

/** The words of these values without case and accents, and the digits of phone numbers whatever their writing. */
export function wordsIn(values: unknown): string[] {
  return unique(textsIn(values).flatMap((text) => [...splitWords(text), ...phonesIn(text)]))
}

/** What an entry must have in its words for a search; empty where the search has no word. */
export function searchedWords(search: string): string[] {
  const phones = phonesIn(search)
  return unique([...phones, ...splitWords(phones.length > 0 ? search.replaceAll(phone, ' ') : search)])
}

const splitWords = (text: string) =>
  foldText(text.replaceAll(/<[^<>]*>/g, ' '))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word.length <= longestWord)

const phonesIn = (text: string) =>
  (text.match(phone) ?? []).map((found) => found.replaceAll(/\D/g, '').slice(-phoneDigits)).filter((digits) => digits.length >= 7)

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

const unique = (words: string[]) => [...new Set(words)]
