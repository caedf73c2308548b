import type { SQL } from 'drizzle-orm'
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import { email as emailSchema } from '#src/lib/schemas.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { runInWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { findByWords } from '#src/server/search/stored-texts.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'
import type { InboxState } from '../values.ts'
import { addEntry, cutPieces } from './entries.ts'
import { followMerge, receiveFromCustomer } from './from-customer.ts'
import type { Bounce, IncomingMail } from './mail-in.ts'
import { readMail } from './mail-in.ts'
import { createRequest } from './service.ts'
import { findSettings } from './settings.ts'
import { findSignedIds } from './signed-ids.ts'
import { inboxMails, inboxPieces, requestBlocks, requestEntries, requestEntryMails, requests } from './table.ts'

type Context = Pick<App, 'db' | 'mailer' | 'config' | 'findHours'>
export type Place = { uidValidity: number; uid: number; receivedAt: Date; size: number }
/** What the server tells of a mail that cannot be read. */
type Facts = { from: string; subject: string }
type Verdict = { state: InboxState; reason?: string; entryId?: number }

/** The largest mail that is taken, in bytes. */
export const mailMaxBytes = 25 * 1024 * 1024
const inlineBytes = 50_000
const perHour = 30
const hourMs = 3_600_000
/** A first start finds old mail: its senders no longer wait for a number, and the staff are notified of all of it once. */
export const oldMailMs = 2 * 86_400_000

/**
 * Stores a mail and what it leads to in one transaction; the same mail again leads to nothing. Returns the state that decides
 * where the mail goes in the mailbox.
 */
export async function takeMail(context: Context, place: Place, source: Uint8Array, facts: Facts): Promise<InboxState> {
  const mail = await parse(source).catch((error: unknown) => {
    logger.warn({ err: error, uid: place.uid }, 'a mail cannot be read: it stays in the mailbox')
    if (error instanceof TooMuch) return error.message
    return error instanceof WorkerLimit ? `too much for its ${error.limit}` : 'broken'
  })
  if (typeof mail === 'string') return noteUnreadable(context.db, place, mail, facts)
  return context.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(inboxMails)
      .values({
        ...place,
        digest: mail.digest,
        state: 'waiting',
        messageId: mail.messageId,
        fromAddress: mail.fromAddress.toLowerCase().slice(0, 320),
        fromName: mail.fromName,
        subject: mail.subject,
      })
      .onConflictDoNothing()
      .returning({ id: inboxMails.id })
    if (!row) return findKnownState(tx, mail.digest, place)
    const verdict = await decide(tx, context, mail, place)
    await tx
      .update(inboxMails)
      .set({ state: verdict.state, reason: verdict.reason ?? null, entryId: verdict.entryId ?? null })
      .where(eq(inboxMails.id, row.id))
    for (const { position, bytes } of cutPieces(source)) await tx.insert(inboxPieces).values({ mailId: row.id, position, bytes })
    return verdict.state
  })
}

/** Small mails here; a large one, or a broken one, must not hold pages up. */
async function parse(source: Uint8Array): Promise<IncomingMail> {
  refuseHostile(source)
  if (source.length <= inlineBytes) return readMail(source)
  const file = import.meta.url.endsWith('.ts') ? './mail-worker.ts' : './mail-worker.js'
  return runInWorker<IncomingMail>(new URL(file, import.meta.url), source, { timeMs: 60_000, memoryMb: 600 })
}

/** Throws `TooMuch` for a mail that its parser would take too long for. */
export function refuseHostile(source: Uint8Array) {
  const { lines, parts } = countLines(source)
  if (lines > linesMax) throw new TooMuch('too many lines')
  if (parts > partsMax) throw new TooMuch('too many parts')
}

export class TooMuch extends Error {}

/** The parser takes half a kilobyte for each line; 25 MB have no more lines than this unless they are very short. */
const linesMax = 600_000
/** It compares each line with each part. */
const partsMax = 1_000

/** Lines of a mail, and those that may begin a part. */
function countLines(source: Uint8Array) {
  let [lines, parts] = [0, 0]
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] !== 10) continue
    lines += 1
    if (source[at + 1] === 45 && source[at + 2] === 45) parts += 1
  }
  return { lines, parts }
}

async function findKnownState(tx: Database, digest: string, { uidValidity, uid }: Place) {
  const isHere = and(eq(inboxMails.uidValidity, uidValidity), eq(inboxMails.uid, uid))
  const [known] = await tx
    .select({ state: inboxMails.state })
    .from(inboxMails)
    .where(or(isHere, eq(inboxMails.digest, digest)))
  return known?.state ?? 'ours'
}

/** Names a mail that is left in the mailbox. */
export async function noteUnreadable(db: Database, place: Place, reason: string, { from, subject }: Facts): Promise<InboxState> {
  await db
    .insert(inboxMails)
    .values({
      ...place,
      state: 'unreadable',
      reason,
      fromAddress: from.toLowerCase().slice(0, 320),
      subject: subject.slice(0, 200),
    })
    .onConflictDoNothing()
  return 'unreadable'
}

async function decide(tx: Database, context: Context, mail: IncomingMail, place: Place): Promise<Verdict> {
  if (mail.messageId && (await isOurs(tx, mail.messageId))) return { state: 'ours' }
  if (mail.bounce) return markBounce(tx, context, mail.bounce)
  if (!emailSchema.safeParse(mail.fromAddress).success) return { state: 'waiting', reason: 'no sender' }
  const sender = mail.fromAddress.toLowerCase()
  const [blocked] = await tx.select().from(requestBlocks).where(eq(requestBlocks.email, sender))
  if (blocked) return { state: 'dismissed', reason: 'blocked sender' }
  if (await isFlood(tx, sender, place.receivedAt)) return { state: 'waiting', reason: 'too many' }
  const request = await findRequestOf(tx, mail, sender)
  if (request) return join(tx, context, request, mail)
  if (mail.isAutomatic) return { state: 'waiting', reason: mail.isList ? 'list' : 'automatic' }
  const { unknown_mail: unknown } = await findSettings(tx)
  if (unknown === 'review') return { state: 'waiting', reason: 'unknown sender' }
  return makeRequest(tx, context, mail, place.receivedAt)
}

/** A copy of what the product sent, such as a notice to an address that is read into the requests itself. */
async function isOurs(tx: Database, messageId: string) {
  const [own] = await tx.select({ id: mails.id }).from(mails).where(eq(mails.messageId, messageId))
  return own !== undefined
}

async function markBounce(tx: Database, { mailer }: Context, { messageIds, isFinal, reason }: Bounce): Promise<Verdict> {
  // Message-IDs of other mails are random, so a bounce of one can be trusted too.
  if (isFinal && (await mailer.noteBounce(tx, messageIds, reason)) > 0) return { state: 'bounce' }
  const signed = messageIds.filter((id) => findSignedIds(tx, id).length > 0)
  const about = signed.length === 0 ? [] : await tx.select({ id: mails.id }).from(mails).where(inArray(mails.messageId, signed))
  if (about.length === 0) return { state: 'waiting', reason: 'unknown bounce' }
  if (!isFinal) return { state: 'bounce', reason: 'delayed' }
  await tx
    .update(requestEntryMails)
    .set({ bouncedAt: new Date(), bounceReason: reason })
    .where(
      inArray(
        requestEntryMails.mailId,
        about.map(({ id }) => id),
      ),
    )
  return { state: 'bounce' }
}

async function isFlood(tx: Database, sender: string, at: Date) {
  const [counted] = await tx
    .select({ count: count() })
    .from(inboxMails)
    .where(
      and(
        eq(inboxMails.fromAddress, sender),
        gt(inboxMails.receivedAt, new Date(at.getTime() - hourMs)),
        lte(inboxMails.receivedAt, at),
      ),
    )
  return (counted?.count ?? 0) > perHour
}

const referenceInSubject = /\b(?:AS|CT|CL|CO)-\d{4}-\d{6,}\b/i

/** By an id that we signed; else by the reference in the subject, from the address of the request alone. */
async function findRequestOf(tx: Database, mail: IncomingMail, sender: string) {
  for (const { reference, entryId } of findSignedIds(tx, mail.references)) {
    const [entry] = await tx
      .select({ requestId: requestEntries.requestId })
      .from(requestEntries)
      .where(eq(requestEntries.id, entryId))
    const isIt = entry ? eq(requests.id, entry.requestId) : eq(requests.reference, reference)
    const [row] = await tx
      .select()
      .from(requests)
      .where(and(isIt, isNull(requests.removedAt)))
      .for('update')
    if (row) return row
  }
  const reference = referenceInSubject.exec(mail.subject)?.[0].toUpperCase()
  if (!reference) return null
  const isSender = eq(sql`lower(${requests.email})`, sender)
  const [row] = await tx
    .select()
    .from(requests)
    .where(and(eq(requests.reference, reference), isSender, isNull(requests.removedAt)))
    .for('update')
  return row && row.status !== 'suspected' ? row : null
}

async function join(tx: Database, context: Context, row: typeof requests.$inferSelect, mail: IncomingMail): Promise<Verdict> {
  const author = mail.fromName || mail.fromAddress
  const { text, quoted, html, messageId, files } = mail
  const written = { channel: 'mail', author, authorEmail: mail.fromAddress, text, quoted, html, messageId } as const
  if (mail.isAutomatic) {
    // An absence notice opens nothing and wakes nobody.
    const { id: requestId } = await followMerge(tx, row)
    const entry = await addEntry(tx, { ...written, requestId, kind: 'customer', chatDue: false }, files)
    return { state: 'joined', reason: 'automatic', entryId: entry.id }
  }
  const received = await receiveFromCustomer(tx, context, row, { ...written, files })
  return { state: received.isNew ? 'created' : 'joined', entryId: received.entryId }
}

async function makeRequest(tx: Database, context: Context, mail: IncomingMail, receivedAt: Date): Promise<Verdict> {
  const { text, quoted, html, messageId, files, subject, language } = mail
  const name = mail.fromName || mail.fromAddress
  const isOld = Date.now() - receivedAt.getTime() > oldMailMs
  const request = {
    kind: 'mail',
    name,
    email: mail.fromAddress,
    subject: withoutPrefix(subject),
    message: text,
    language,
  } as const
  const first = { quoted, html, messageId, files, createdAt: receivedAt, isQuiet: mail.isAutomatic || isOld, isOld }
  const { entryId } = await createRequest(tx, context, request, first)
  return { state: 'created', entryId }
}

export const withoutPrefix = (subject: string) => subject.replace(/^(?:\s*(?:re|ref?|tr|fwd?|aw)\s*:\s*)+/i, '').trim()

/** What waits for a person, and what could not be read, the latest first. */
export async function findInbox(db: Database) {
  const rows = await db
    .select()
    .from(inboxMails)
    .where(inArray(inboxMails.state, ['waiting', 'unreadable']))
    .orderBy(desc(inboxMails.id))
    .limit(100)
  return rows.map((row) => ({
    id_mail: row.id,
    state: row.state,
    reason: row.reason,
    from_name: row.fromName,
    from_address: row.fromAddress,
    subject: row.subject,
    size: row.size,
    received_at: row.receivedAt.toISOString(),
  }))
}

/** Makes a request of a mail that waits, or dismisses it; the mail itself stays in the mailbox. */
export async function settleMail(context: Context, author: Author, id: number, isAccepted: boolean) {
  // Read before the transaction, which holds up every page of the embedded database.
  const mail = isAccepted ? await parse(await readSource(context.db, id)) : null
  return context.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(inboxMails)
      .where(and(eq(inboxMails.id, id), eq(inboxMails.state, 'waiting')))
      .for('update')
    if (!row) return false
    const verdict: Verdict = mail
      ? await makeRequest(tx, context, { ...mail, isAutomatic: true }, row.receivedAt)
      : { state: 'dismissed' }
    await tx
      .update(inboxMails)
      .set({ state: verdict.state, entryId: verdict.entryId ?? null })
      .where(eq(inboxMails.id, id))
    const action = isAccepted ? 'mail accept' : 'mail dismiss'
    await recordChange(tx, author, { area: 'requests', action, entryId: `inbox/${id}` })
    return true
  })
}

async function readSource(tx: Database, mailId: number) {
  const pieces = await tx.select().from(inboxPieces).where(eq(inboxPieces.mailId, mailId)).orderBy(inboxPieces.position)
  return Buffer.concat(pieces.map(({ bytes }) => bytes))
}

/** Mail that led to no request, by its sender; what led to one is found with the request. */
export const inboxData: PersonalDataKind = {
  kind: 'inbox',
  addresses: [inboxMails.fromAddress],
  find: (db, email) => describeLoose(db, isLooseMailOf(email) ?? sql`false`),
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx.select({ id: inboxMails.id }).from(inboxMails).where(isLooseMailOf(email))
    const ids = own.map(({ id }) => id).filter((id) => isChosen(String(id)))
    const erased = await tx.delete(inboxMails).where(inArray(inboxMails.id, ids)).returning({ id: inboxMails.id })
    return erased.length
  },
  candidates: {
    ids: inboxMails.id,
    search: (db, text, most) => {
      const { id, fromName, fromAddress, subject, entryId } = inboxMails
      return findByWords(db, { id, columns: [fromName, fromAddress, subject], where: isNull(entryId) }, text, most)
    },
    describe: (db, ids) => describeLoose(db, inArray(inboxMails.id, ids.map(Number))),
    erase: async (tx, ids) =>
      (
        await tx
          .delete(inboxMails)
          .where(inArray(inboxMails.id, ids.map(Number)))
          .returning({ id: inboxMails.id })
      ).length,
  },
  retention: {
    async purge(db, before) {
      const held = db
        .select({ id: requestEntries.id })
        .from(requestEntries)
        .innerJoin(requests, eq(requests.id, requestEntries.requestId))
        .where(eq(requests.onHold, true))
      const isFree = or(isNull(inboxMails.entryId), notInArray(inboxMails.entryId, held))
      const erased = await db
        .delete(inboxMails)
        .where(and(lt(inboxMails.receivedAt, before), isFree))
        .returning({ id: inboxMails.id })
      return erased.length
    },
  },
}

const isLooseMailOf = (email: string) => and(eq(inboxMails.fromAddress, email), isNull(inboxMails.entryId))

async function describeLoose(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(inboxMails).where(where).orderBy(inboxMails.id)
  return rows.map(({ id, receivedAt, fromName, fromAddress, subject, state }) => ({
    id: String(id),
    at: receivedAt.toISOString(),
    fields: { name: fromName, email: fromAddress, subject, state },
  }))
}
