import { createContext, useContext, useMemo } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { parseLanguage } from '#src/lib/language/language.ts'
import type { Texts, Translate } from '#src/lib/language/texts.ts'
import { translator } from '#src/lib/language/texts.ts'

const LanguageContext = createContext<Language | null>(null)

export const LanguageProvider = LanguageContext.Provider

/** The language of the page; throws outside a `LanguageProvider`. */
export function useLanguage(): Language {
  return parseLanguage(useContext(LanguageContext))
}

/** Reads a feature's texts in the language of the page. */
export function useTexts<C extends Texts>(catalogue: C): Translate<Extract<keyof C['fr'], string>> {
  const language = useLanguage()
  return useMemo(() => translator(catalogue, language), [catalogue, language])
}
