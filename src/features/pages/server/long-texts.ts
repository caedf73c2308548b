import { asc } from 'drizzle-orm'
import { z } from 'zod'
import { defineContent } from '#src/features/content/server/content.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import type { Language } from '#src/lib/language/language.ts'
import { idParam } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import type { LongText, LongTextInput, PageText, TextName } from '../contract.ts'
import {
  isTutorial,
  longText,
  longTextHelp,
  longTextInput,
  longTextPairs,
  renderedTexts,
  textNames,
  textPaths,
} from '../contract.ts'
import { pages } from '../feature.ts'
import type { TextSource } from './markdown.ts'
import type { Site } from './service.ts'
import { longTexts } from './table.ts'
import type { TextKey } from './texts.ts'
import { findPlaceholders, readSupplied, renderSource } from './texts.ts'

type Row = typeof longTexts.$inferSelect
type Fields = Omit<LongTextInput, 'name' | 'version' | 'english_reviewed'>

export const longTextContent = defineContent<typeof longTexts, LongText, LongTextInput>({
  entry: pages.entries[0],
  input: longTextInput,
  idKey: 'id_text',
  nameOf: (text) => text.titre,
  table: longTexts,
  orderBy: [asc(longTexts.id)],
  pairs: longTextPairs,
  reviewOf: (text) => (isTutorial(text.name) ? null : { pairs: longTextPairs, fields: text }),
  toEntity: (row) => ({
    id_text: row.id,
    name: row.name,
    path: textPaths[row.name],
    ...fieldsOf(row),
    is_default: row.french === null,
    english_older: row.englishOlder,
    updated_at: row.updatedAt.toISOString(),
    version: row.version,
  }),
  toRow: (input) => {
    checkText(input)
    const { french, english } = sourcesOf(input)
    // The text of the file is not stored, so that it goes on following the file.
    const isSupplied =
      JSON.stringify(fieldsOf({ name: input.name, french, english })) === JSON.stringify(suppliedFields(input.name))
    return isSupplied ? { french: null, english: null } : { french, english }
  },
  afterCommit: async ({ db }) => {
    await applyStoredTexts(db)
  },
})

const sites = new WeakMap<Database, { site: Site; last: Promise<unknown> }>()

/** Shows the stored texts from now on; a text that has no row yet gets one. */
export async function openStoredTexts(db: Database, site: Site) {
  sites.set(db, { site, last: Promise.resolve() })
  const names = await db.select({ name: longTexts.name }).from(longTexts)
  const missing = textNames.filter((name) => !names.some((row) => row.name === name))
  if (missing.length > 0)
    await db
      .insert(longTexts)
      .values(missing.map((name) => ({ name })))
      .onConflictDoNothing()
  await applyStoredTexts(db)
}

/** Reads what is stored; returns whether it is news. One after the other, so that an older row never replaces a newer one. */
export async function applyStoredTexts(db: Database) {
  const opened = sites.get(db)
  if (!opened) return false
  const next = opened.last
    .catch(() => undefined)
    .then(async () => {
      const stored = new Map<TextKey, TextSource>()
      for (const { name, french, english } of await db.select().from(longTexts).orderBy(asc(longTexts.id))) {
        if (french) stored.set(`fr/${name}`, french)
        if (english) stored.set(`en/${name}`, english)
      }
      return opened.site.showStored(stored)
    })
  opened.last = next
  return next
}

const toFields = (french: TextSource, english: TextSource | null): Fields => ({
  titre: french.title,
  titre_en: english?.title ?? '',
  description: french.description,
  description_en: english?.description ?? '',
  introduction: french.lead,
  introduction_en: english?.lead ?? '',
  texte: french.body.trim(),
  texte_en: english?.body.trim() ?? '',
})

const nothing: TextSource = { title: '', description: '', lead: '', body: '' }

const suppliedFields = (name: TextName) => toFields(readSupplied(name, 'fr') ?? nothing, readSupplied(name, 'en'))

const fieldsOf = ({ name, french, english }: Pick<Row, 'name' | 'french' | 'english'>) =>
  french ? toFields(french, english) : suppliedFields(name)

function sourcesOf(input: LongTextInput): { french: TextSource; english: TextSource | null } {
  const { titre, titre_en, description, description_en, introduction, introduction_en, texte, texte_en } = input
  return {
    french: { title: titre, description, lead: introduction, body: texte },
    english: isTutorial(input.name)
      ? null
      : { title: titre_en, description: description_en, lead: introduction_en, body: texte_en },
  }
}

/** Renders both texts as their page shows them; throws `Invalid` with the field that cannot be shown. */
function checkText(input: LongTextInput): Record<Language, PageText | null> {
  const { french, english } = sourcesOf(input)
  const check = (source: TextSource, language: Language) => {
    const end = language === 'en' ? '_en' : ''
    const parts = { title: 'titre', description: 'description', lead: 'introduction', body: 'texte' } as const
    const errors = Object.entries(parts).flatMap(([part, field]) => {
      const message = findFault({ ...nothing, [part]: source[part as keyof TextSource] }, input.name, language)
      return message ? [{ path: `${field}${end}`, message }] : []
    })
    if (errors.length > 0) throw new Invalid('This text cannot be shown.', errors)
    return renderSource(source, input.name, language)
  }
  return { fr: check(french, 'fr'), en: english && check(english, 'en') }
}

function findFault(source: TextSource, name: TextName, language: Language) {
  try {
    renderSource(source, name, language)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const params = z.strictObject({ id: idParam })
const read = { access: 'company read_only' } as const
const write = { access: 'company read_write' } as const
/** Two texts at their limit, in characters of several bytes. */
const bodyLimit = 512 * 1024

/** `/api/site/long_texts`: the long texts, each over its file. */
export const longTextRoutes: Routes = async (app) => {
  const { db, events, site } = app
  await openStoredTexts(db, site)
  events.onChanged((area) => {
    if (area !== 'company') return
    site.readTextsAgain()
    // Another instance saved: what was cached since shows the former text.
    applyStoredTexts(db)
      .then((isNew) => isNew && events.changed('company'))
      .catch((error: unknown) => app.log.error({ err: error }, 'the long texts were not read again'))
  })
  app.get('/', { config: read, schema: { response: { 200: z.array(longText) } } }, () => longTextContent.findAll(db))
  app.get('/:id/help', { config: read, schema: { params, response: { 200: longTextHelp } } }, async (request) => {
    const { name } = await longTextContent.find(db, request.params.id)
    return { supplied: suppliedFields(name), placeholders: findPlaceholders() }
  })
  app.post(
    '/preview',
    { config: write, bodyLimit, schema: { body: longTextInput, response: { 200: renderedTexts } } },
    async (request) => checkText(request.body),
  )
  registerContentRoutes(app, {
    content: longTextContent,
    output: longText,
    access: { read: 'company read_only', write: 'company read_write' },
    isFixed: true,
    bodyLimit,
    async prepare(_db, input, id) {
      const { name } = await longTextContent.find(db, id ?? 0)
      if (name !== input.name) throw new Invalid('This is another text.', [{ path: 'name', message: 'another text' }])
      return input
    },
  })
}
