import type { Pair } from '#src/lib/language/english-older.ts'

/** Subjects with a label in both languages; any other text is shown as it was typed. */
export const knownCategories = [
  'telephonie',
  'courriel',
  'securite',
  'fichiers',
  'reseau',
  'impression',
  'postes',
  'demenagement',
  'facturation',
] as const
export type KnownCategory = (typeof knownCategories)[number]

export const isKnownCategory = (category: string): category is KnownCategory =>
  knownCategories.includes(category as KnownCategory)

export const articlePairs = [
  ['titre', 'titre_en'],
  ['corps', 'corps_en'],
  ['mots_cles', 'mots_cles_en'],
] as const satisfies readonly Pair[]

export const slugMax = 80
export const articlesPerPage = 100
export const pictureMaxBytes = 8 * 1024 * 1024

/** Address of an article in a language, without `?lang=`. */
export const pathOfArticle = (language: 'fr' | 'en', { slug, slug_en }: { slug: string; slug_en: string }) =>
  `/aide/${(language === 'en' && slug_en) || slug}`

/** The title of the page is its first heading, so `h3` and `h4` of the text become `h2` and `h3`; no level is skipped. */
export function raiseHeadings(html: string) {
  let hasSection = false
  return html.replaceAll(/<(\/?)h([34])>/g, (_, end: string, level: string) => {
    if (level === '3') hasSection = true
    return `<${end}h${level === '3' || !hasSection ? 2 : 3}>`
  })
}
