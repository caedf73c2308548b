import type { Language } from './language.ts'
import { locales } from './language.ts'

type Values = Record<string, string | number>
type Catalogue<K extends string> = Record<Language, Record<K, string>>

/** Interface texts of one feature: the French keys are the reference, the English must have the same. */
export function defineTexts<K extends string>(catalogue: Catalogue<K>): Catalogue<K> {
  return catalogue
}

export type Texts = Catalogue<string>
export type Translate<K extends string> = (key: K, values?: Values) => string

/** Created on first use: loading the plural rules blocks the main thread of a slow phone. */
const pluralRules = new Map<Language, Intl.PluralRules>()

/**
 * Returns a function that reads a catalogue in one language. `{name}` is replaced by a value, `{count}` and `{max}` as amounts
 * (1 300); `{count|form for one|form for others}` chooses by the plural rules of the language. A missing key is returned as is; a
 * missing language throws.
 */
export function translator<K extends string>(catalogue: Catalogue<K>, language: Language): Translate<K> {
  const texts = catalogue[language]
  if (!texts) throw new Error(`No translation for language: ${language as string}`)
  return (key, values) => fill(texts[key] ?? key, values ?? {}, language)
}

function fill(text: string, values: Values, language: Language) {
  return text.replaceAll(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one = '', other = '') => {
    const value = values[name]
    if (value === undefined) return whole
    const isPlural = one + other !== ''
    // No other value is sure to be an amount: a year is none.
    if (!isPlural) return name === 'count' || name === 'max' ? value.toLocaleString(locales[language]) : String(value)
    return isOne(Number(value), language) ? one : other
  })
}

function isOne(count: number, language: Language) {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(locales[language])
  pluralRules.set(language, rules)
  return rules.select(count) === 'one'
}

const fixed = '\u00a0'

/**
 * Applies typographic apostrophes and, in French, the spacing of Quebec: no space before ; ! ? and no-break spaces around : « »
 * and units.
 */
export function setTypography(text: string, language: Language) {
  const curly = text.replaceAll(/(?<=[\p{L}\d])'(?=[\p{L}\d])/gu, '’')
  if (language !== 'fr') return curly
  return curly
    .replaceAll(/(?<=\S)[ \u00a0](?=[;!?])/g, '')
    .replaceAll(/ (?=[:»%$])/g, fixed)
    .replaceAll('« ', `«${fixed}`)
    .replaceAll(
      /(?<=[\d}]) (?=(?:\d{3}|h|min|s|ms|mois|ans?|jours?|heures?|minutes?|secondes?|[KMGT]o|[KMG]bit\/s)(?![\p{L}\d]))/gu,
      fixed,
    )
    .replaceAll(/(?<=\dh|\d\u00a0h|\}\u00a0h) (?=\d|\{)/g, fixed)
}
