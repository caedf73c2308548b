import type { MetaDescriptor } from 'react-router'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, isLanguage, languages } from '#src/lib/language/language.ts'
import type { Texts } from '#src/lib/language/texts.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { SharePicture } from './share-tags.ts'
import { texts } from './site-texts.ts'

const onServer = import.meta.env.SSR ? await import('./share-tags.ts') : null

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

/** The language the root loader chose, for `meta` functions, which have no hooks. */
export function languageOf(matches: Matches): Language {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { language?: unknown } | undefined
  return isLanguage(root?.language) ? root.language : defaultLanguage
}

/** The site's origin, from the root loader: search engines need absolute addresses. */
function originOf(matches: Matches) {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin?: unknown } | undefined
  return typeof root?.origin === 'string' ? root.origin : ''
}

/** Title, description, canonical and the two languages of a page. */
export function describePage<C extends Texts>(
  matches: Matches,
  catalogue: C,
  title: Extract<keyof C['fr'], string>,
  description: Extract<keyof C['fr'], string>,
  path: string,
): MetaDescriptor[] {
  const t = translator(catalogue, languageOf(matches))
  return pageTags(matches, t(title), t(description), path)
}

/** The same with texts from the page's data. */
export function pageTags(
  matches: Matches,
  title: string,
  description: string,
  path: string,
  picture?: SharePicture,
): MetaDescriptor[] {
  const language = languageOf(matches)
  const origin = originOf(matches)
  const addressInLanguage = (one: Language) => origin + path + (one === defaultLanguage ? '' : `?lang=${one}`)
  const fullTitle = title.includes(company.name) ? title : `${title} | ${company.name}`
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: addressInLanguage(language) },
    ...languages.map((one) => ({ tagName: 'link' as const, rel: 'alternate', hrefLang: one, href: addressInLanguage(one) })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: addressInLanguage(defaultLanguage) },
    ...(onServer?.shareTags(language, fullTitle, description, origin, addressInLanguage(language), picture) ?? []),
  ]
}

/** Tags of a missing or failed page: not to be indexed. */
export function missingPageTags(matches: Matches, title: 'notFoundPage' | 'errorTitle' = 'notFoundPage'): MetaDescriptor[] {
  const t = translator(texts, languageOf(matches))
  return [{ title: `${t(title)} | ${company.name}` }, { name: 'robots', content: 'noindex' }]
}
