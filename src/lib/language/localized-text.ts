import type { Language } from './language.ts'
import { languages } from './language.ts'
import type { Texts } from './texts.ts'
import { translator } from './texts.ts'

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
