import { and, desc, eq, gt, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import type { Block, BlockInput } from '../contract.ts'
import { chatBlocks, chats } from './table.ts'
import { storeFigures } from './figures.ts'
import { ChatRefusal } from './refusal.ts'

const area = 'chat'
/** `address`: its hash. */
type Visitor = { email: string; address: string }

/** The active blocks, newest first. */
export async function findBlocks(db: Database): Promise<Block[]> {
  const rows = await db.select().from(chatBlocks).where(isActive()).orderBy(desc(chatBlocks.id))
  return rows.map(toBlock)
}

/** Throws for a blocked visitor; the message does not name the reason. */
export async function refuseBlocked(db: Database, visitor: Visitor) {
  if (await isBlocked(db, visitor)) throw new ChatRefusal('blocked', 'Live chat is not available to you at the moment.')
}

export async function isBlocked(db: Database, { email, address }: Visitor) {
  const isTheirs = or(eq(chatBlocks.email, email.toLowerCase()), address ? eq(chatBlocks.address, address) : undefined)
  const [row] = await db.select({ id: chatBlocks.id }).from(chatBlocks).where(and(isActive(), isTheirs)).limit(1)
  return row !== undefined
}

/** Blocks the visitor of a chat and closes their open chats, which it returns. */
export async function blockVisitor(db: Database, author: Author, input: BlockInput) {
  return db.transaction(async (tx) => {
    const [chat] = await tx.select().from(chats).where(eq(chats.id, input.id_chat))
    if (!chat) throw new NotFound('This conversation does not exist.')
    const email = input.by_email ? chat.clientEmail.toLowerCase() : null
    const address = input.by_address ? chat.clientAddress : null
    if (address === '') throw new Invalid('The IP address is not known.', [{ path: 'by_address', message: 'invalid' }])
    const until = input.hours === null ? null : new Date(Date.now() + input.hours * 3_600_000)
    const [row] = await tx
      .insert(chatBlocks)
      .values({ email, address, reason: input.reason.trim(), until, userId: author.userId, userName: author.name })
      .returning()
    if (!row) throw new Error('the block was not stored')
    const theirs = or(
      eq(chats.id, chat.id),
      email ? eq(sql`lower(${chats.clientEmail})`, email) : undefined,
      address ? eq(chats.clientAddress, address) : undefined,
    )
    const closed = await tx
      .update(chats)
      .set({ status: 'closed', closedAt: new Date(), updatedAt: new Date() })
      .where(and(theirs, ne(chats.status, 'closed')))
      .returning({ id: chats.id, key: chats.key })
    await storeFigures(
      tx,
      closed.map(({ id }) => id),
    )
    await recordChange(tx, author, { area, action: 'block', entryId: `blocks/${row.id}`, after: withoutPersonalData(row) })
    return { block: toBlock(row), closed }
  })
}

export async function liftBlock(db: Database, author: Author, id: number) {
  await db.transaction(async (tx) => {
    const [row] = await tx.delete(chatBlocks).where(eq(chatBlocks.id, id)).returning()
    if (!row) throw new NotFound('This block does not exist.')
    await recordChange(tx, author, { area, action: 'unblock', entryId: `blocks/${id}`, before: withoutPersonalData(row) })
  })
}

/** Deletes expired blocks. */
export async function purgeBlocks(db: Database, now = new Date()) {
  await db.delete(chatBlocks).where(and(isNotNull(chatBlocks.until), lt(chatBlocks.until, now)))
}

function isActive() {
  return or(isNull(chatBlocks.until), gt(chatBlocks.until, new Date()))
}

/** For the audit log, whose entries outlive the block: without personal data. */
function withoutPersonalData({ reason, until, email, address }: typeof chatBlocks.$inferSelect) {
  return { reason, until: until?.toISOString() ?? null, by_email: email !== null, by_address: address !== null }
}

function toBlock(row: typeof chatBlocks.$inferSelect): Block {
  return {
    id_block: row.id,
    email: row.email,
    by_address: row.address !== null,
    reason: row.reason,
    until: row.until?.toISOString() ?? null,
    user_name: row.userName,
    created_at: row.createdAt.toISOString(),
  }
}
