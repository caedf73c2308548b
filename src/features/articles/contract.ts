import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import {
  englishOlder,
  englishReviewed,
  entryVersion,
  id,
  idParam,
  limits,
  requiredLine,
  richText,
  text,
} from '#src/lib/schemas.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { slugMax } from './values.ts'

/** Lowercase words joined by hyphens; empty: made from the title. */
const slug = text(slugMax).regex(/^(?:[a-z\d]+(?:-[a-z\d]+)*)?$/, 'lowercase letters, digits and hyphens')
const line = (max: number) => text(max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')

const fields = z.strictObject({
  slug: slug.default(''),
  slug_en: slug.default(''),
  titre: line(limits.title).default(''),
  titre_en: line(limits.title).default(''),
  corps: richText.default(''),
  corps_en: richText.default(''),
  categorie: line(60).default(''),
  /** False: for staff only. */
  public: z.boolean().default(true),
  publie: z.boolean().default(true),
  mots_cles: text(500).default(''),
  mots_cles_en: text(500).default(''),
  a_revoir_le: z.iso.date().nullable().default(null),
})

export const articleInput = fields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type ArticleInput = z.infer<typeof articleInput>

export const article = fields.extend({
  id_article: id,
  created_at: z.string(),
  updated_at: z.string(),
  english_older: englishOlder,
  version: z.int(),
})
export type Article = z.infer<typeof article>

/** Without the texts: for lists of many. `minutes` is the time it takes to read. */
export const articleTitle = article
  .pick({
    id_article: true,
    slug: true,
    slug_en: true,
    titre: true,
    titre_en: true,
    categorie: true,
    public: true,
    publie: true,
    a_revoir_le: true,
    updated_at: true,
  })
  .extend({ minutes: z.int(), minutes_en: z.int(), helpful: z.int(), not_helpful: z.int() })
export type ArticleTitle = z.infer<typeof articleTitle>

export const articleQuery = z.strictObject({ page: idParam.default(1) })
export const slugParams = z.strictObject({ slug: slug.min(1) })
export const idParams = z.strictObject({ id: idParam })

export const articlePicture = z.object({ url: z.string(), width: z.int(), height: z.int() })
export const helpfulInput = z.strictObject({ helpful: z.boolean() })

/** Why an article is kept as a draft whatever was chosen; null where it may be published. French comes first. */
export function reasonForDraft({ titre, corps }: Pick<ArticleInput, 'titre' | 'corps'>) {
  if (titre.trim() === '') return 'title'
  return isBlankHtml(corps) && !corps.includes('<img') ? 'text' : null
}

const term = requiredLine(100)
const glossaryFields = z.strictObject({ terme: term, terme_en: term })
export const glossaryInput = glossaryFields.extend({ version: entryVersion })
export type GlossaryInput = z.infer<typeof glossaryInput>
export const glossaryPair = glossaryFields.extend({ id_terme: id, created_at: z.string(), version: z.int() })
export type GlossaryPair = z.infer<typeof glossaryPair>

export const searchQuery = z.strictObject({
  q: z.string().default(''),
  language: z.enum(languages).default('fr'),
  limit: z
    .string()
    .regex(/^(?:1\d?|20|[2-9])$/, 'a number from 1 to 20')
    .transform(Number)
    .default(8),
})

export const searchMiss = z.object({ words: z.string(), language: z.enum(languages), count: z.int(), last: z.string() })
export type SearchMiss = z.infer<typeof searchMiss>
