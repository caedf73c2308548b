import type { MetaDescriptor } from 'react-router'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language.ts'
import { defaultLanguage, isLanguage, languages, locales } from '#src/lib/language.ts'
import type { Texts } from '#src/lib/texts.ts'
import { translator } from '#src/lib/texts.ts'

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

/** The language the root loader chose, for `meta` functions, which have no hooks. */
export function languageOf(matches: Matches): Language {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { language?: unknown } | undefined
  return isLanguage(root?.language) ? root.language : defaultLanguage
}

/** Title, description, canonical and the two languages of a page. */
export function describePage<C extends Texts>(
  matches: Matches,
  catalogue: C,
  title: Extract<keyof C['fr'], string>,
  description: Extract<keyof C['fr'], string>,
  path: string,
): MetaDescriptor[] {
  const language = languageOf(matches)
  const t = translator(catalogue, language)
  return pageTags(language, t(title), t(description), path)
}

/** The same with words that come from the page's data. */
export function pageTags(language: Language, title: string, description: string, path: string): MetaDescriptor[] {
  const fullTitle = title.includes(company.name) ? title : `${title} | ${company.name}`
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: addressIn(language, path) },
    ...languages.map((one) => ({ tagName: 'link' as const, rel: 'alternate', hrefLang: locales[one], href: addressIn(one, path) })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: addressIn(defaultLanguage, path) },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:locale', content: locales[language].replace('-', '_') },
  ]
}

function addressIn(language: Language, path: string) {
  return language === defaultLanguage ? path : `${path}?lang=${language}`
}
