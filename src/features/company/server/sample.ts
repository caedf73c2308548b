import { and, eq, getTableName } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { SampleEmptied } from '../contract.ts'
import { sampleRows } from './sample-table.ts'

type Place = { name: string; versions: Map<number, number> }

/** What the places of sample content hold, to tell afterwards what came. */
export async function readPlaces(db: Database, contents: App['contents']): Promise<Place[]> {
  const places: Place[] = []
  for (const { table, findVersions } of contents) {
    const versions = new Map((await findVersions(db)).map(({ id, version }) => [id, version]))
    places.push({ name: getTableName(table), versions })
  }
  return places
}

/** Remembers as sample content what is there now and was not before. */
export async function markSample(db: Database, before: Place[], after: Place[]) {
  const known = new Map(before.map(({ name, versions }) => [name, versions]))
  const rows = after.flatMap(({ name: place, versions }) =>
    [...versions].filter(([id]) => !known.get(place)?.has(id)).map(([rowId, version]) => ({ place, rowId, version })),
  )
  if (rows.length > 0) await db.insert(sampleRows).values(rows).onConflictDoNothing()
}

type Holder = Pick<App, 'db' | 'events' | 'contents' | 'sampleParts'>
type SampleRow = typeof sampleRows.$inferSelect

/** How many entries of the sample content the site still shows as they came. */
export async function countSample(app: Holder) {
  const rows = await app.db.select().from(sampleRows)
  let count = 0
  for (const place of new Set(rows.map((row) => row.place))) {
    const versions = await findVersions(app, place)
    count += rows.filter((row) => row.place === place && versions.get(row.rowId) === row.version).length
  }
  return count
}

/** The version of each row of a place; of calls, which are never edited, always 1. */
async function findVersions({ db, contents, sampleParts }: Holder, place: string) {
  const content = contents.find(({ table }) => getTableName(table) === place)
  if (content) return new Map((await content.findVersions(db)).map(({ id, version }) => [id, version]))
  const part = sampleParts.find(({ table }) => getTableName(table) === place)
  return new Map(((await part?.findAll?.(db)) ?? []).map((id) => [id, 1]))
}

/**
 * Removes the sample content, each entry as a deletion of the audit log, which can restore it. What the company has edited or put
 * to use stays, and is its own from then on.
 */
export async function emptySample(app: Holder, author: Author): Promise<SampleEmptied> {
  const { db } = app
  let removed = 0
  const kept: string[] = []
  const rows = await db.select().from(sampleRows).orderBy(sampleRows.place, sampleRows.rowId)
  for (const row of rows) {
    const outcome = await removeRow(app, author, row)
    if (outcome === 'removed') removed += 1
    else if (outcome) kept.push(outcome)
    // One by one: what breaks off is gone on with by the next press.
    await db.delete(sampleRows).where(and(eq(sampleRows.place, row.place), eq(sampleRows.rowId, row.rowId)))
  }
  app.events.changed('company')
  return { removed, kept }
}

/** `removed`, the name of an entry that stays, or null where it was gone already. */
async function removeRow(app: Holder, author: Author, { place, rowId, version }: SampleRow) {
  const { db, contents, sampleParts } = app
  const content = contents.find(({ table }) => getTableName(table) === place)
  const part = sampleParts.find(({ table }) => getTableName(table) === place)
  const used = (await part?.findUsed?.(db)) ?? []
  const nameOf = async () => {
    const [words] = (await content?.findWords(db, [rowId])) ?? []
    return words?.title.fr || words?.title.en || `${place} ${rowId}`
  }
  if (used.includes(rowId)) return nameOf()
  try {
    if (content) await content.remove(app, author, rowId, version)
    else await part?.remove?.(app, author, rowId)
    return 'removed'
  } catch (error) {
    if (error instanceof NotFound) return null
    if (error instanceof Conflict) return nameOf()
    throw error
  }
}
