import type { TechArticle } from 'schema-dts'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, locales, pickVariant } from '#src/lib/language/language.ts'
import type { Article } from '../contract.ts'

type Described = Pick<Article, 'titre' | 'titre_en' | 'created_at' | 'updated_at'>
type Place = { origin: string; path: string; language: Language; description: string }

/** Structured data of an article for search engines. */
export function describeArticle(article: Described, { origin, path, language, description }: Place) {
  const title = pickVariant(language, article.titre, article.titre_en)
  const organization = { '@type': 'Organization' as const, name: company.legalName, url: origin }
  return {
    '@type': 'TechArticle',
    headline: title.text,
    description,
    inLanguage: title.lang ?? locales[language],
    datePublished: article.created_at,
    dateModified: article.updated_at,
    mainEntityOfPage: origin + (language === defaultLanguage ? path : addressInLanguage(path, language)),
    author: organization,
    publisher: { ...organization, logo: { '@type': 'ImageObject', url: `${origin}/icon-512.png` } },
  } satisfies TechArticle
}
