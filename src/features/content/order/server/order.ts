import { eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Area } from '#src/lib/rights.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import type { AnyContent, ContentContext } from '../../server/content.ts'
import { keepRefused, RefusedVersion } from '../../server/refused-version.ts'
import type { StoredSettings } from '../../versions/server/routes.ts'
import type { EntryOrder, EntryOrderInput } from '../contract.ts'
import { entryOrder, entryOrderInput } from '../contract.ts'
import { entryOrders } from './table.ts'

/** The place that staff gave an entry, for `order by`; `others`: where the entries without one are. */
export const placeIn = (area: Area, column: PgColumn, others: 'first' | 'last') =>
  sql`array_position((select ${entryOrders.ids} from ${entryOrders} where ${entryOrders.area} = ${area}), ${column})
    ${sql.raw(`nulls ${others}`)}`

type Ordered = Pick<AnyContent, 'area' | 'findWords'>

/** Entries that were deleted keep their place, in case they are restored, and are not told. */
async function readOrder(db: Database, { area, findWords }: Ordered): Promise<EntryOrder> {
  const [row] = await db.select().from(entryOrders).where(eq(entryOrders.area, area))
  if (!row) return { version: 0, id_ordre: [], ordre: [] }
  return { version: row.version, ...(await nameIn(db, findWords, row.ids)) }
}

async function nameIn(db: Database, findWords: Ordered['findWords'], wanted: readonly number[]) {
  const names = new Map((await findWords(db, wanted)).map(({ id, title }) => [id, title.fr || title.en]))
  const ids = wanted.filter((id) => names.has(id))
  return { id_ordre: ids, ordre: ids.map((id) => names.get(id) ?? '') }
}

async function saveOrder({ db, events }: ContentContext, content: Ordered, author: Author, input: EntryOrderInput) {
  const { area } = content
  const save = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('entry_orders'), hashtext(${area}))`)
    const before = await readOrder(tx, content)
    if (before.version !== input.version) {
      const refused = { version: before.version, ...(await nameIn(tx, content.findWords, input.id_ordre)) }
      throw await RefusedVersion.of(tx, author, { area, entryId: 'settings', before, after: refused })
    }
    const row = { version: before.version + 1, ids: input.id_ordre }
    await tx
      .insert(entryOrders)
      .values({ area, ...row })
      .onConflictDoUpdate({ target: entryOrders.area, set: row })
    const saved = await readOrder(tx, content)
    await recordChange(tx, author, { area, action: 'update', entryId: 'settings', before, after: saved })
    return saved
  }
  const after = await db.transaction(save).catch(keepRefused(db))
  events.changed(area)
  return after
}

/** The order of a kind of content as settings, so that the audit log can take over a former one. */
export const orderSettings = (content: Ordered): StoredSettings => ({
  area: content.area,
  input: entryOrderInput,
  read: ({ db }) => readOrder(db, content),
  save: (app, author, input) => saveOrder(app, content, author, input),
})

/** `GET` and `PUT /order`, before the routes of single entries. */
export function registerOrderRoutes(app: App, content: Ordered) {
  const config = { access: `${content.area} read_write` } as const
  const response = { 200: entryOrder }
  app.get('/order', { config, schema: { response } }, () => readOrder(app.db, content))
  app.put('/order', { config, schema: { body: entryOrderInput, response } }, (request) =>
    saveOrder(app, content, request.author, request.body),
  )
}
