import type { Language } from './language/language.ts'
import { languages } from './language/language.ts'
import type { Texts } from './language/texts.ts'
import { translator } from './language/texts.ts'

/** Validation messages by field. */
export type FormErrors = Record<string, LocalizedText>
/** Result shown after submitting: received, or failed. */
export type FormOutcome = {
  status: 'success' | 'error'
  lines: LocalizedText[]
  /** Reference number, shown on its own line. */
  reference?: string
  /** Path of the page that follows it. */
  follow?: string
  /** Cause of the failure, if known. */
  cause?: 'cookies' | 'stopped'
}
export type FormResult = { errors: FormErrors; outcome: FormOutcome | null }

/** A text in every language, for a page whose language may change while the text is shown. */
export type LocalizedText = Record<Language, string>

export function translateAll<C extends Texts>(
  catalogue: C,
  key: Extract<keyof C['fr'], string>,
  values?: Record<string, string | number>,
): LocalizedText {
  return Object.fromEntries(
    languages.map((language) => [language, translator(catalogue, language)(key, values)]),
  ) as LocalizedText
}
