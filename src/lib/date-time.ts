import type { Language } from './language.ts'
import { locales } from './language.ts'

/** Making one takes a hundred times longer than using it. */
const formats = new Map<Language, Intl.DateTimeFormat>()

/** A day and its time in words, on the reader's clock; `at` is ISO 8601. */
export function formatDateTime(at: string, language: Language) {
  const format = formats.get(language) ?? new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' })
  formats.set(language, format)
  return format.format(new Date(at))
}
