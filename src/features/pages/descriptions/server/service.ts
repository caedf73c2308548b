import { asc, eq, sql } from 'drizzle-orm'
import { keyOfPath, pageNames, pathOfKey } from '#src/features/content/page-names.ts'
import { isStoredPicture } from '#src/features/content/server/pictures.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { PageDescriptions } from '#src/lib/company-schema.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { pageDescriptions as table } from '../../server/table.ts'
import type { DescriptionInput, ListedPage, PageDescription, ShownTags } from '../contract.ts'
import { suppliedParameter } from '../values.ts'
import { readTags } from './read-tags.ts'

type Row = typeof table.$inferSelect
type OwnPages = { all: PageDescriptions; titles: PageDescriptions }

const read = new WeakMap<Database, { shown: OwnPages; last: Promise<unknown> }>()
const nothing: OwnPages = { all: {}, titles: {} }

/** What pages show instead of their own texts. */
export const findOwnPages = (db: Database) => read.get(db)?.shown ?? nothing

/** What an open page needs of it: its own, and the titles of those it leads to. Null where nothing was written. */
export function findForPage(db: Database, path: string, language: Language): PageDescriptions | null {
  const { all, titles } = findOwnPages(db)
  if (Object.keys(all).length === 0) return null
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  // An article has another address in English, and is known by the French one.
  const isOpen = (one: string) => one === path || (language === 'en' && folder !== '/' && one.startsWith(folder))
  return { ...titles, ...Object.fromEntries(Object.entries(all).filter(([one]) => isOpen(one))) }
}

/** Reads what is stored; returns whether it is news. One after the other, so that older rows never replace newer ones. */
export async function applyDescriptions(db: Database): Promise<boolean> {
  const known = read.get(db) ?? { shown: nothing, last: Promise.resolve() }
  read.set(db, known)
  const next = known.last
    .catch(() => undefined)
    .then(async () => {
      const rows = await db.select().from(table).orderBy(asc(table.path))
      const shown = shownOf(rows)
      const isNew = JSON.stringify(shown.all) !== JSON.stringify(known.shown.all)
      known.shown = shown
      return isNew
    })
  known.last = next
  return next
}

function shownOf(stored: readonly Row[]): OwnPages {
  const titleOf = (row: Row) => ({ fr: row.title, en: row.titleEn })
  // What was emptied leaves its version behind.
  const rows = stored.filter((row) => row.title || row.titleEn || row.description || row.descriptionEn || row.picture)
  return {
    all: Object.fromEntries(
      rows.map((row) => {
        const description = { fr: row.description, en: row.descriptionEn }
        return [row.path, { title: titleOf(row), description, picture: row.picture }]
      }),
    ),
    titles: Object.fromEntries(
      rows.flatMap((row) => (row.title || row.titleEn ? [[row.path, { title: titleOf(row) }] as const] : [])),
    ),
  }
}

/** The pages of the site that can be described: those at fixed addresses, and entries that visitors see. */
export async function listPages(app: App): Promise<ListedPage[]> {
  const [addresses, entries] = await Promise.all([app.findPageAddresses(), app.findEntryAddresses()])
  const titles = new Map(entries.map(({ path, title }) => [path, title]))
  const own = findOwnPages(app.db).all
  return addresses.flatMap((page) => {
    const path = typeof page === 'string' ? page : page.fr
    const title = path === undefined ? undefined : (pageNames[path] ?? titles.get(path))
    return path === undefined || !title?.fr ? [] : { key: keyOfPath(path), path, title, has_own: path in own }
  })
}

/** Throws `NotFound` for what is no page of the site. */
async function checkPage(app: App, key: string) {
  const path = pathOfKey(key)
  const [addresses, entries] = await Promise.all([app.findPageAddresses(), app.findEntryAddresses()])
  const isShown = addresses.some((page) => (typeof page === 'string' ? page : page.fr) === path)
  if (!isShown && !entries.some((entry) => entry.path === path)) throw new NotFound('There is no such page.')
  return path
}

async function findStored(db: Database, path: string) {
  const [row] = await db.select().from(table).where(eq(table.path, path))
  return {
    title: row?.title ?? '',
    title_en: row?.titleEn ?? '',
    description: row?.description ?? '',
    description_en: row?.descriptionEn ?? '',
    picture: row?.picture ?? '',
    version: row?.version ?? 0,
  }
}

export const findDescription = async (app: App, key: string) => describePage(app, key, await checkPage(app, key))

async function describePage(app: App, key: string, path: string): Promise<PageDescription> {
  const [stored, fr, en] = await Promise.all([
    findStored(app.db, path),
    readSupplied(app, path, 'fr'),
    readSupplied(app, path, 'en'),
  ])
  return { key, path, ...stored, supplied: { fr, en } }
}

/** The page's own title, description and picture, read from its HTML as a search engine does; null unless it returns 200. */
async function readSupplied(app: App, path: string, language: Language): Promise<ShownTags | null> {
  // Requests of robots are not counted as visits.
  const headers = { accept: 'text/html', 'user-agent': 'bot', host: new URL(app.config.publicUrl ?? app.listeningOrigin).host }
  const response = await app.inject({ url: `${path}?lang=${language}&${suppliedParameter}=1`, headers })
  return response.statusCode === 200 ? readTags(response.body) : null
}

/** Pages show it at once. Throws `Conflict` where the version is not the last. */
export async function saveDescription(app: App, author: Author, key: string, input: DescriptionInput): Promise<PageDescription> {
  const { db, events } = app
  const path = await checkPage(app, key)
  const { version, ...fields } = input
  if (fields.picture && !(await isStoredPicture(db, fields.picture)))
    throw new Invalid('This picture is not stored here.', [{ path: 'picture', message: 'not a picture of this product' }])
  const save = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`page_description ${path}`}))`)
    const before = await findStored(tx, path)
    const after = { ...fields, version: before.version + 1 }
    if (version !== undefined && version !== before.version)
      throw await RefusedVersion.of(tx, author, { area: 'company', entryId: `page/${key}`, before, after })
    const row = {
      title: fields.title,
      titleEn: fields.title_en,
      description: fields.description,
      descriptionEn: fields.description_en,
      picture: fields.picture,
      version: after.version,
      updatedAt: new Date(),
    }
    await tx
      .insert(table)
      .values({ path, ...row })
      .onConflictDoUpdate({ target: table.path, set: row })
    await recordChange(tx, author, { area: 'company', action: 'update', entryId: `page/${key}`, before, after })
  }
  await db.transaction(save).catch(keepRefused(db))
  await applyDescriptions(db)
  events.changed('company')
  return describePage(app, key, path)
}
