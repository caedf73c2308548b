import { createHmac } from 'node:crypto'
import { and, asc, eq, gt, isNotNull, ne, notLike, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import { chatBlocks, chats } from './table.ts'

/** No IP address begins like this. */
const mark = 'h:'

/** What is kept of a visitor's IP address: enough to compare it with that of a block, and nobody can read it. */
export function hashAddress(db: Database, address: string) {
  if (address === '') return ''
  return mark + createHmac('sha256', keyFor(db, 'addresses')).update(address).digest('base64url').slice(0, 22)
}

const part = 500

/** Hashes what versions before stored in full; also what comes with an older backup. Repeats until nothing is left. */
export async function hashStoredAddresses(db: Database) {
  for (let after = 0; ;) {
    const isOld = and(gt(chats.id, after), ne(chats.clientAddress, ''), notLike(chats.clientAddress, `${mark}%`))
    const rows = await db
      .select({ id: chats.id, address: chats.clientAddress })
      .from(chats)
      .where(isOld)
      .orderBy(asc(chats.id))
      .limit(part)
    const last = rows.at(-1)
    if (!last) break
    const values = rows.map(({ id, address }) => sql`(${id}::int, ${hashAddress(db, address)}::text)`)
    await db.execute(sql`update ${chats} set client_address = hashed.address
      from (values ${sql.join(values, sql`, `)}) as hashed (id, address) where ${chats.id} = hashed.id`)
    after = last.id
  }
  const blocks = await db
    .select({ id: chatBlocks.id, address: chatBlocks.address })
    .from(chatBlocks)
    .where(and(isNotNull(chatBlocks.address), notLike(chatBlocks.address, `${mark}%`)))
  for (const { id, address } of blocks)
    await db
      .update(chatBlocks)
      .set({ address: hashAddress(db, address ?? '') })
      .where(eq(chatBlocks.id, id))
}
