import type { Language } from '#src/lib/language/language.ts'
import { requestedLanguage, defaultLanguage, isLanguage, languageStorageKey } from '#src/lib/language/language.ts'
import { deviceStorage, readCookie, writeCookie } from '../storage.ts'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const themeCookie = 'theme'

/** Preferences known to the server: `?lang=` first, then the cookies, else French. */
export function readPreferences(request: Request): { language: Language; theme: Theme } {
  const requested = requestedLanguage(new URL(request.url).search)
  const stored = cookieOf(request, languageStorageKey)
  const theme = cookieOf(request, themeCookie)
  return {
    language: requested ?? (isLanguage(stored) ? stored : defaultLanguage),
    theme: isTheme(theme) ? theme : 'auto',
  }
}

/** The same in the browser, where local storage decides. */
export function readStoredPreferences({ url }: { url: string }): { language: Language; theme: Theme } {
  const requested = requestedLanguage(new URL(url).search)
  const stored = deviceStorage.read(languageStorageKey)
  const theme = readCookie(themeCookie)
  return {
    language: requested ?? (isLanguage(stored) ? stored : defaultLanguage),
    theme: isTheme(theme) ? theme : 'auto',
  }
}

export function storeLanguage(language: Language) {
  deviceStorage.write(languageStorageKey, language)
  writeCookie(languageStorageKey, language)
}

export function storeTheme(theme: Theme) {
  writeCookie(themeCookie, theme)
}

function isTheme(value: unknown): value is Theme {
  return themes.includes(value as Theme)
}

function cookieOf(request: Request, name: string) {
  const cookies = request.headers.get('cookie')?.split('; ') ?? []
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}
