/** The languages of the site. French comes first: it is the default. */
export const languages = ['fr', 'en'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'fr'

/** Local storage key of the visitor's choice; a cookie of the same name mirrors it for the server. */
export const languageStorageKey = 'application_default_language'

/** BCP 47 tags used for `lang` and `Intl`; `hreflang` has the language alone. */
export const locales: Record<Language, string> = { fr: 'fr-CA', en: 'en-US' }

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** Returns the language; throws for an unknown one. */
export function parseLanguage(value: unknown): Language {
  if (isLanguage(value)) return value
  throw new Error(`Unknown language: ${JSON.stringify(value)}`)
}

export function otherLanguage(language: Language): Language {
  return language === 'fr' ? 'en' : 'fr'
}

/** Picks the text for a language; French is the fallback where the English is empty. */
export function pickText(language: Language, french: string, english: string | null | undefined) {
  return language === 'en' && english?.trim() ? english : french
}

/** Like `pickText`, with the `lang` attribute where the text is not in the language of the page (fallback to French). */
export function pickVariant(language: Language, french: string, english: string | null | undefined) {
  const text = pickText(language, french, english)
  return { text, lang: language === 'en' && text === french && text !== english ? locales.fr : undefined }
}

/** The language of the `lang` parameter, in any case; null where there is none. */
export function requestedLanguage(search: string): Language | null {
  const requested = new URLSearchParams(search).get('lang')?.toLowerCase()
  return isLanguage(requested) ? requested : null
}

/** Sets the `lang` parameter of an address; null removes it. */
export function addressInLanguage(address: string, language: Language | null) {
  const [, path = '', query, hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(address) ?? []
  const parameters = new URLSearchParams(query)
  if (language) parameters.set('lang', language)
  else parameters.delete('lang')
  return `${path}${parameters.size ? '?' : ''}${parameters}${hash}`
}
