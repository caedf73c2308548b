/** The languages of the site. French comes first: it is the default. */
export const languages = ['fr', 'en'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'fr'

/** Local storage key of the visitor's choice; a cookie of the same name mirrors it for the server. */
export const languageStorageKey = 'application_default_language'

/** BCP 47 tags used for `lang` and `Intl`; `hreflang` says the language alone. */
export const locales: Record<Language, string> = { fr: 'fr-CA', en: 'en-US' }

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** Answers the language, or throws for one the product does not speak. */
export function parseLanguage(value: unknown): Language {
  if (isLanguage(value)) return value
  throw new Error(`Unknown language: ${JSON.stringify(value)}`)
}

export function otherLanguage(language: Language): Language {
  return language === 'fr' ? 'en' : 'fr'
}

/** The variant of a bilingual content for a language; French stands in where the English is empty. */
export function pickText(language: Language, french: string, english: string | null | undefined) {
  return language === 'en' && english?.trim() ? english : french
}

/** The same with the `lang` of the text where it is not that of the page: French that stands in for a missing English. */
export function pickVariant(language: Language, french: string, english: string | null | undefined) {
  const text = pickText(language, french, english)
  return { text, lang: language === 'en' && text === french && text !== english ? locales.fr : undefined }
}

/** The language that an address asks for with `lang`, in capitals too. */
export function requestedLanguage(search: string): Language | null {
  const asked = new URLSearchParams(search).get('lang')?.toLowerCase()
  return isLanguage(asked) ? asked : null
}

/** The address with this language, in place of another or of none; null takes it out. */
export function addressInLanguage(address: string, language: Language | null) {
  const [, path = '', query, hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(address) ?? []
  const parameters = new URLSearchParams(query)
  if (language) parameters.set('lang', language)
  else parameters.delete('lang')
  return `${path}${parameters.size ? '?' : ''}${parameters}${hash}`
}
