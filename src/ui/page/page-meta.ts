import type { MetaDescriptor } from 'react-router'
import { company } from '#company/company.ts'
import type { Company } from '#src/lib/company-schema.ts'
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

/** What the office wrote for a page; on the server each request has its own, in the browser one page is open. */
function ownOf(matches: Matches, path: string) {
  if (!import.meta.env.SSR) return company.pages?.[path]
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { facts?: Partial<Company> | null } | undefined
  return root?.facts?.pages?.[path]
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

/** A title as the tab and search results show it. */
export const titleWithCompany = (title: string) => (title.includes(company.name) ? title : `${title} | ${company.name}`)

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
  const own = ownOf(matches, path)
  const shownTitle = own?.title[language] || title
  const shownDescription = own?.description?.[language] || description
  const fullTitle = titleWithCompany(shownTitle)
  const shownPicture = own?.picture ? { path: own.picture, alt: fullTitle } : picture
  return [
    { title: fullTitle },
    { name: 'description', content: shownDescription },
    { tagName: 'link', rel: 'canonical', href: addressInLanguage(language) },
    ...languages.map((one) => ({ tagName: 'link' as const, rel: 'alternate', hrefLang: one, href: addressInLanguage(one) })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: addressInLanguage(defaultLanguage) },
    ...(onServer?.shareTags(language, fullTitle, shownDescription, origin, addressInLanguage(language), shownPicture) ?? []),
  ]
}

/** Tags of a missing or failed page: not to be indexed. */
export function missingPageTags(matches: Matches, title: 'notFoundPage' | 'errorTitle' = 'notFoundPage'): MetaDescriptor[] {
  const t = translator(texts, languageOf(matches))
  return [{ title: `${t(title)} | ${company.name}` }, { name: 'robots', content: 'noindex' }]
}
