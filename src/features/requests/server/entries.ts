import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound, Problem } from '#src/server/problems.ts'
import type { RequestEntry, RequestEvent } from '../contract.ts'
import type { Delivery } from '../values.ts'
import { requestEntries, requestEntryMails, requestFilePieces, requestFiles, requests } from './table.ts'

export type FileContent = { name: string; type: string; bytes: Uint8Array }
type NewEntry = typeof requestEntries.$inferInsert

/** Adds to the thread of a request, in the caller's transaction. */
export async function addEntry(tx: Database, entry: NewEntry, files: FileContent[] = []) {
  const [row] = await addEntries(tx, [entry])
  if (!row) throw new Error('the entry was not stored')
  return { ...row, files: await addFiles(tx, row.id, files) }
}

/** Adds an entry to the thread of each of several requests. */
export async function addEntries(tx: Database, entries: NewEntry[]) {
  if (entries.length === 0) return []
  return tx
    .insert(requestEntries)
    .values(entries.map((entry) => ({ chatDue: isForChat(entry), ...entry })))
    .returning()
}

export async function addFiles(tx: Database, entryId: number, files: FileContent[]) {
  const stored = []
  for (const file of files) stored.push(await storeFile(tx, entryId, file))
  return stored
}

/** What either side wrote elsewhere belongs into the conversation that the request was made from. */
function isForChat({ requestId, kind, channel }: NewEntry) {
  if ((kind !== 'customer' && kind !== 'staff') || channel === 'chat') return false
  return sql`exists (
    with recursive own as (
      select one.id, one.chat_id from ${requests} as one where one.id = ${requestId}
      union all select one.id, one.chat_id from ${requests} as one join own on one.merged_into_id = own.id
    ) select 1 from own where chat_id is not null)`
}

type Actor = { userId: number | null; name: string }

/** Records a change of state in the thread. */
export function addEvent(tx: Database, requestId: number, author: Actor, event: RequestEvent) {
  return addEntry(tx, { requestId, kind: 'event', channel: 'page', userId: author.userId, author: author.name, text: '', event })
}

export const pieceBytes = 512 * 1024
const nameMax = 150

async function storeFile(tx: Database, entryId: number, { name, type, bytes }: FileContent) {
  const [file] = await tx
    .insert(requestFiles)
    .values({ entryId, name: cleanFileName(name), type: cleanType(type), size: bytes.length })
    .returning()
  if (!file) throw new Error('the file was not stored')
  for (const { position, bytes: piece } of cutPieces(bytes)) {
    await tx.insert(requestFilePieces).values({ fileId: file.id, position, bytes: piece })
  }
  return file
}

export function cutPieces(bytes: Uint8Array) {
  const count = Math.ceil(bytes.length / pieceBytes)
  return Array.from({ length: count }, (_, position) => ({
    position,
    bytes: bytes.subarray(position * pieceBytes, (position + 1) * pieceBytes),
  }))
}

/** No path, no control or direction characters: the name of a download. */
export function cleanFileName(name: string) {
  const last = (name.split(/[/\\]/).at(-1) ?? '').normalize('NFC').toWellFormed()
  const clean = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}"*:<>?|%]/gu, '').trim()
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(clean)?.[0] ?? ''
  return clean.slice(0, clean.length - ending.length).slice(0, nameMax) + ending || 'fichier'
}

const cleanType = (type: string) =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,90}$/.test(type) ? type.toLowerCase() : 'application/octet-stream'

/** Reads a file piece by piece, for a download or a mail. */
export async function* readFilePieces(db: Database, fileId: number) {
  const positions = await db
    .select({ position: requestFilePieces.position })
    .from(requestFilePieces)
    .where(eq(requestFilePieces.fileId, fileId))
    .orderBy(asc(requestFilePieces.position))
  for (const { position } of positions) {
    await setImmediate()
    const [piece] = await db
      .select({ bytes: requestFilePieces.bytes })
      .from(requestFilePieces)
      .where(and(eq(requestFilePieces.fileId, fileId), eq(requestFilePieces.position, position)))
    if (!piece) throw new Error(`file ${fileId} was deleted while it was being sent`)
    yield piece.bytes
  }
}

const [copyPauseMs, mostCopyPauses] = [200, 100]

/**
 * A file with its request; `isPublic`: only of entries that the customer sees. Waits for one that is still being copied from a
 * conversation.
 */
export async function findFile(
  db: Database,
  fileId: number,
  requestId: number,
  isPublic = false,
  pauses = 0,
): Promise<typeof requestFiles.$inferSelect> {
  const [row] = await db
    .select({ file: requestFiles, kind: requestEntries.kind })
    .from(requestFiles)
    .innerJoin(requestEntries, eq(requestEntries.id, requestFiles.entryId))
    .where(and(eq(requestFiles.id, fileId), eq(requestEntries.requestId, requestId)))
  if (!row || (isPublic && row.kind === 'internal')) throw new NotFound('There is no such file.')
  if (row.file.chatFileId === null) return row.file
  if (pauses >= mostCopyPauses) throw new Problem(503, 'Not ready', 'This file is still being copied. Try again in a moment.')
  await pause(copyPauseMs)
  return findFile(db, fileId, requestId, isPublic, pauses + 1)
}

/** Headers of a download: never shown as a page, whatever the file is. */
export function downloadHeaders({ name, size }: { name: string; size: number }) {
  return {
    'content-type': 'application/octet-stream',
    'content-length': size,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'cache-control': 'private, no-store',
  }
}

/** The thread of a request with files and mails, oldest first. */
export const findEntries = (db: Database, requestId: number) => readEntries(db, eq(requestEntries.requestId, requestId))

/** What a customer wrote or was answered before their request was merged into another customer's, and what they wrote since. */
export async function findOwnEntries(db: Database, { id, email }: { id: number; email: string }) {
  const own = [id, ...(await findMerged(db, [id]))]
  const since = and(
    inArray(requestEntries.requestId, await findTargets(db, id)),
    eq(requestEntries.kind, 'customer'),
    eq(sql`lower(${requestEntries.authorEmail})`, email.toLowerCase()),
  )
  return readEntries(db, or(inArray(requestEntries.mergedFromId, own), since))
}

/** The requests that one was merged into, the first one first. */
async function findTargets(db: Database, id: number): Promise<number[]> {
  const [row] = await db.select({ into: requests.mergedIntoId }).from(requests).where(eq(requests.id, id))
  return row?.into ? [row.into, ...(await findTargets(db, row.into))] : []
}

async function readEntries(db: Database, isWanted: SQL | undefined): Promise<RequestEntry[]> {
  const rows = await db
    .select()
    .from(requestEntries)
    .where(isWanted)
    .orderBy(asc(requestEntries.createdAt), asc(requestEntries.id))
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const files = await db.select().from(requestFiles).where(inArray(requestFiles.entryId, ids)).orderBy(asc(requestFiles.id))
  const sent = await db
    .select({ link: requestEntryMails, mail: mails })
    .from(requestEntryMails)
    .innerJoin(mails, eq(mails.id, requestEntryMails.mailId))
    .where(inArray(requestEntryMails.entryId, ids))
    .orderBy(asc(mails.id))
  const filesOf = Map.groupBy(files, ({ entryId }) => entryId)
  const mailsOf = Map.groupBy(sent, ({ link }) => link.entryId)
  return rows.map((row) => {
    const entryMails = (mailsOf.get(row.id) ?? []).map(({ link, mail }) => ({
      recipient: mail.recipient,
      purpose: link.purpose,
      delivery: deliveryOf(mail.state, link.bouncedAt),
      error: link.bounceReason ?? mail.lastError,
      sent_at: mail.sentAt?.toISOString() ?? null,
    }))
    const worst = entryMails.toSorted((one, other) => severity[other.delivery] - severity[one.delivery])[0]
    return {
      id_entry: row.id,
      kind: row.kind,
      channel: row.channel,
      id_user: row.userId,
      author: row.author,
      text: row.text,
      quoted: row.quoted,
      html: row.html,
      files: (filesOf.get(row.id) ?? []).map(({ id, name, type, size }) => ({ id_file: id, name, type, size })),
      event: row.event,
      at: row.createdAt.toISOString(),
      delivery: worst?.delivery ?? null,
      error: worst?.error ?? null,
      mails: entryMails,
      message_id: row.messageId ?? sent.find(({ link }) => link.entryId === row.id)?.mail.messageId ?? null,
    }
  })
}

/** The mails that the entries of requests led to; the caller adds the condition. */
export const selectEntryMails = (db: Database) =>
  db
    .select({
      mailId: mails.id,
      requestId: requestEntries.requestId,
      purpose: requestEntryMails.purpose,
      recipient: mails.recipient,
      state: mails.state,
      heldUntil: mails.heldUntil,
      bouncedAt: requestEntryMails.bouncedAt,
    })
    .from(requestEntryMails)
    .innerJoin(mails, eq(mails.id, requestEntryMails.mailId))
    .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
    .$dynamic()

const severity: Record<Delivery, number> = { sent: 0, queued: 1, bounced: 2, failed: 3 }

export function deliveryOf(state: 'waiting' | 'sent' | 'failed', bouncedAt: Date | null): Delivery {
  if (bouncedAt) return 'bounced'
  return state === 'waiting' ? 'queued' : state
}

/** The requests that were merged into these, also by way of others. */
export async function findMerged(tx: Database, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .select({ id: requests.id })
    .from(requests)
    .where(inArray(requests.mergedIntoId, [...ids]))
  const found = rows.map(({ id }) => id)
  return [...found, ...(await findMerged(tx, found))]
}

/** Gives the mails of requests the hold that these have: those of their threads, and the notices to the staff. */
export async function holdMails(tx: Database, requestIds: readonly number[]) {
  for (const id of requestIds) {
    const ofThread = tx
      .select({ id: requestEntryMails.mailId })
      .from(requestEntryMails)
      .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
      .where(eq(requestEntries.requestId, id))
    const notice = tx.select({ id: requests.mailId }).from(requests).where(eq(requests.id, id))
    const onHold = sql`(select ${requests.onHold} from ${requests} where ${requests.id} = ${id})`
    await tx
      .update(mails)
      .set({ onHold })
      .where(or(inArray(mails.id, ofThread), inArray(mails.id, notice)))
  }
}
