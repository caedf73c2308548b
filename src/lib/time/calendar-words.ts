import type { Language } from '../language/language.ts'

type Words = Record<Language, readonly string[]>

/**
 * What `Intl` says, which a test holds them to: the first `Intl.DateTimeFormat` of a page costs a telephone a fifth of a
 * second, and every public page would pay it before it answers.
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
