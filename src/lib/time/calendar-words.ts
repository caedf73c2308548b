import type { Language } from '../language/language.ts'

type Words = Record<Language, readonly string[]>

/**
 * Day and month names as in `Intl`, verified by a test: the first `Intl.DateTimeFormat` of a page takes 57 ms on a phone four
 * times slower than a desktop (median of five; these: 0 ms), which would delay every public page.
 */
export const monthNames: Words = {
  fr: ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre'],
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
}

/** Monday first. */
export const dayNames: Words = {
  fr: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
}
