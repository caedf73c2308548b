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

/** The sample content by table, each with what knows its entries. */
async function readSample({ db, contents, sampleParts }: Holder) {
  const rows = await db.select().from(sampleRows).orderBy(sampleRows.place, sampleRows.rowId)
  return [...Map.groupBy(rows, ({ place }) => place)].map(([place, marked]) => ({
    marked,
    content: contents.find(({ table }) => getTableName(table) === place),
    part: sampleParts.find(({ table }) => getTableName(table) === place),
  }))
}

type Sample = Awaited<ReturnType<typeof readSample>>[number]

/** How many entries of the sample content the site still shows as they came. */
export async function countSample(app: Holder) {
  const counts = (await readSample(app)).map(async ({ marked, content, part }) => {
    if (!content)
      return (
        (
          await part?.findExisting?.(
            app.db,
            marked.map(({ rowId }) => rowId),
          )
        )?.length ?? 0
      )
    const versions = new Map((await content.findVersions(app.db)).map(({ id, version }) => [id, version]))
    return marked.filter(({ rowId, version }) => versions.get(rowId) === version).length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/**
 * Removes the sample content, each entry as a deletion of the audit log, which can restore it. What the company has edited or put
 * to use stays, and is its own from then on.
 */
export async function emptySample(app: Holder, author: Author): Promise<SampleEmptied> {
  const { db } = app
  let removed = 0
  const kept: string[] = []
  for (const sample of await readSample(app)) {
    const used = (await sample.part?.findUsed?.(db)) ?? []
    for (const row of sample.marked) {
      const outcome = used.includes(row.rowId) ? 'kept' : await removeRow(app, author, sample, row)
      if (outcome === 'removed') removed += 1
      if (outcome === 'kept') kept.push(await nameOf(db, sample, row))
      // One by one: what breaks off is gone on with by the next press.
      await db.delete(sampleRows).where(and(eq(sampleRows.place, row.place), eq(sampleRows.rowId, row.rowId)))
    }
  }
  app.events.changed('company')
  return { removed, kept }
}

/** `gone`: somebody deleted it before. */
async function removeRow(app: Holder, author: Author, { content, part }: Sample, { rowId, version }: SampleRow) {
  try {
    if (content) await content.remove(app, author, rowId, version)
    else await part?.remove?.(app, author, rowId)
    return 'removed'
  } catch (error) {
    if (error instanceof NotFound) return 'gone'
    if (error instanceof Conflict) return 'kept'
    throw error
  }
}

async function nameOf(db: Database, { content }: Sample, { place, rowId }: SampleRow) {
  const [words] = (await content?.findWords(db, [rowId])) ?? []
  return words?.title.fr || words?.title.en || `${place} ${rowId}`
}
