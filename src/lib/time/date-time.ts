import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

/** Cached: creating a formatter takes a hundred times longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

type Options = { month?: 'short' | 'long'; timeZone?: string | undefined }

/** Formats a date and time (2 h 03, 2:03 AM) in a time zone, by default the reader's; `at` is ISO 8601. */
export function formatDateTime(at: string, language: Language, { month = 'short', timeZone }: Options = {}) {
  return format(at, language, { ...time, year: 'numeric', month, day: 'numeric', timeZone })
}

/** Formats the time only, in a time zone, by default the reader's. */
export function formatTime(at: string | number, language: Language, timeZone?: string) {
  return format(at, language, { ...time, timeZone })
}

// Separate fields, because the French `timeStyle` writes 02 h 03.
const time = { hour: 'numeric', minute: '2-digit' } as const

function format(at: string | number, language: Language, fields: Intl.DateTimeFormatOptions) {
  const key = `${language} ${fields.month} ${fields.timeZone}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locales[language], fields)
  formats.set(key, known)
  return withoutZero(known.format(new Date(at))).replace(/(?<=\d) h (?=\d)/, '\u00a0h\u00a0')
}

/** Firefox writes 02 h 03 whatever it is asked for, where the server and other browsers write 2 h 03. */
export const withoutZero = (frenchTime: string) => frenchTime.replace(/\b0(?=\d h)/, '')
