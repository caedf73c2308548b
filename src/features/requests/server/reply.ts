import { and, desc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import type { Presence, ReplyInput, RequestDetail } from '../contract.ts'
import { replyFilesMaxBytes } from '../values.ts'
import { addEntry, findMerged } from './entries.ts'
import { followMerge, receiveFromCustomer } from './from-customer.ts'
import { addChangeEvent, nextState } from './follow-up.ts'
import { findRequest } from './lookup.ts'
import { mailReply } from './mail-out.ts'
import { exists } from './service.ts'
import { requestEntries, requestPresence, requests } from './table.ts'

/** What the chat needs to know of merges. */
export { findMerged, followMerge }

type Reply = Omit<ReplyInput, 'files'> & { files: { name: string; bytes: Buffer }[] }
type Context = Pick<App, 'db' | 'mailer' | 'queue' | 'config' | 'findHours'>

/**
 * Stores a reply and queues its mails in one transaction. The same `client_id` with the same text is the same reply; with
 * another text it was changed after an attempt whose answer was lost, which is a conflict.
 */
export async function replyTo(context: Context, author: Author, id: number, input: Reply): Promise<RequestDetail> {
  const files = input.files.map((file) => ({ ...file, type: '' }))
  if (files.reduce((total, { bytes }) => total + bytes.length, 0) > replyFilesMaxBytes) {
    throw new Invalid('The files are over 10 MB in all.', [{ path: 'files', message: 'too large' }])
  }
  const hasNews = await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    if (row.status === 'suspected') throw new Conflict('A suspected form becomes a request first.')
    if (row.mergedIntoId !== null) throw new Conflict('This request was merged into another one: reply there.')
    const isSame = and(eq(requestEntries.requestId, id), eq(requestEntries.clientId, input.client_id))
    const [known] = await tx.select({ text: requestEntries.text }).from(requestEntries).where(isSame)
    const text = input.text.trim()
    if (known) return known.text !== text
    if (input.last_entry && (await hasNewer(tx, id, input.last_entry, author))) return true
    const written = { requestId: id, kind: 'staff', channel: 'mail', userId: author.userId, author: author.name, text } as const
    const entry = await addEntry(tx, { ...written, clientId: input.client_id }, files)
    await mailReply(tx, context, row, entry, input.cc)
    const next = {
      ...nextState(row, input.status ?? (row.status === 'new' ? 'open' : row.status), await context.findHours(tx)),
      firstReplyAt: row.firstReplyAt ?? new Date(),
    }
    await tx
      .update(requests)
      .set({ ...next, version: row.version + 1, updatedAt: new Date() })
      .where(eq(requests.id, id))
    await addChangeEvent(tx, author, row, { ...row, ...next })
    // Without the text: the entry outlives the request.
    await recordChange(tx, author, {
      area: 'requests',
      action: 'reply',
      entryId: id,
      after: { reference: row.reference, status: next.status },
    })
    return false
  })
  const current = await findRequest(context, id)
  if (hasNews) throw new Conflict('Somebody wrote in this request in the meantime.', { current })
  return current
}

/** Adds what both sides wrote in the chat after it became this request; what is unanswered opens the request again. */
export async function addFromChat(
  tx: Database,
  context: Context,
  row: typeof requests.$inferSelect,
  written: { author: string; authorEmail: string; text: string; clientId: string },
  isAnswered: boolean,
) {
  const entry = { ...written, channel: 'chat' } as const
  if (!isAnswered) return (await receiveFromCustomer(tx, context, row, { ...entry, files: [] })).entryId
  const { id: requestId } = await followMerge(tx, row)
  return (await addEntry(tx, { ...entry, requestId, kind: 'customer' })).id
}

/** Whether the customer or a colleague wrote after the entry that the author saw last. */
async function hasNewer(tx: Database, requestId: number, lastEntry: number, author: Author) {
  const newer = await tx
    .select({ userId: requestEntries.userId })
    .from(requestEntries)
    .where(
      and(
        eq(requestEntries.requestId, requestId),
        gt(requestEntries.id, lastEntry),
        inArray(requestEntries.kind, ['customer', 'staff']),
      ),
    )
  return newer.some(({ userId }) => userId === null || userId !== author.userId)
}

const presentMs = 15_000

/** Notes who has the request open, and returns who else has, and whether something changed. */
export async function notePresence(db: Database, userId: number, id: number, isWriting: boolean): Promise<Presence> {
  const [row] = await db.select({ version: requests.version }).from(requests).where(exists(id))
  if (!row) throw new NotFound('This request does not exist.')
  const now = new Date()
  const presence = { lastSeenAt: now, writingAt: isWriting ? now : null }
  await db
    .insert(requestPresence)
    .values({ requestId: id, userId, ...presence })
    .onConflictDoUpdate({ target: [requestPresence.requestId, requestPresence.userId], set: presence })
  const [last] = await db
    .select({ id: requestEntries.id })
    .from(requestEntries)
    .where(eq(requestEntries.requestId, id))
    .orderBy(desc(requestEntries.id))
    .limit(1)
  const [written] = await db
    .select({ author: requestEntries.author })
    .from(requestEntries)
    .where(
      and(
        eq(requestEntries.requestId, id),
        ne(requestEntries.kind, 'event'),
        or(isNull(requestEntries.userId), ne(requestEntries.userId, userId)),
      ),
    )
    .orderBy(desc(requestEntries.id))
    .limit(1)
  const others = await db
    .select({ id_user: users.id, display_name: users.displayName, writingAt: requestPresence.writingAt })
    .from(requestPresence)
    .innerJoin(users, eq(users.id, requestPresence.userId))
    .where(
      and(
        eq(requestPresence.requestId, id),
        ne(requestPresence.userId, userId),
        gt(requestPresence.lastSeenAt, new Date(now.getTime() - presentMs)),
      ),
    )
    .orderBy(users.id)
  return {
    version: row.version,
    last_entry: last?.id ?? null,
    last_author: written?.author ?? null,
    others: others.map(({ writingAt, ...user }) => ({
      ...user,
      is_writing: writingAt !== null && now.getTime() - writingAt.getTime() < presentMs,
    })),
  }
}
