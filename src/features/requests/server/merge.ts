import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestDetail } from '../contract.ts'
import { addEvent, findMerged, holdMails } from './entries.ts'
import { findRequest } from './lookup.ts'
import { createRequest, exists } from './service.ts'
import { inboxMails, requestEntries, requestEntryMails, requestFiles, requestLinks, requests } from './table.ts'

type Context = Pick<App, 'db' | 'mailer' | 'config' | 'findHours'>
type Row = typeof requests.$inferSelect

const area = 'requests'

/** Moves the thread of one request into another; the former number keeps leading there. */
export async function mergeRequest(context: Context, author: Author, id: number, into: number): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    const { row, other: target } = await lockTwo(tx, id, into)
    if (row.mergedIntoId !== null || target.mergedIntoId !== null) throw new Conflict('One of these requests is merged already.')
    await tx
      .update(requestEntries)
      .set({ mergedFromId: id })
      .where(and(eq(requestEntries.requestId, id), isNull(requestEntries.mergedFromId)))
    await tx.update(requestEntries).set({ requestId: into }).where(eq(requestEntries.requestId, id))
    // A legal hold of either is one of both.
    const onHold = row.onHold || target.onHold
    await tx
      .update(requests)
      .set({ mergedIntoId: into, onHold, ...touched(row) })
      .where(eq(requests.id, id))
    await tx
      .update(requests)
      .set({ onHold, ...touched(target) })
      .where(eq(requests.id, into))
    if (onHold) await holdMails(tx, [id, into, ...(await findMerged(tx, [id]))])
    await addEvent(tx, into, author, { merged: row.reference })
    await recordChange(tx, author, {
      area,
      action: 'merge',
      entryId: id,
      after: { reference: row.reference, into: target.reference },
    })
  })
  return findRequest(context, into)
}

/** Gives a merged request its own thread back. */
export async function unmergeRequest(context: Context, author: Author, id: number): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    const [found] = await tx.select({ into: requests.mergedIntoId }).from(requests).where(exists(id))
    if (!found) throw new NotFound('This request does not exist.')
    if (found.into === null) throw new Conflict('This request is not merged.')
    // The thread lies in the last request of a row of merges.
    const { row, other: target } = await lockTwo(tx, id, await findLast(tx, found.into))
    // What was merged into this one before goes back with it.
    const own = [id, ...(await findMerged(tx, [id]))]
    await tx.update(requestEntries).set({ requestId: id }).where(inArray(requestEntries.mergedFromId, own))
    await tx.update(requestEntries).set({ mergedFromId: null }).where(eq(requestEntries.mergedFromId, id))
    await tx
      .update(requests)
      .set({ mergedIntoId: null, ...touched(row) })
      .where(eq(requests.id, id))
    await tx.update(requests).set(touched(target)).where(eq(requests.id, target.id))
    await addEvent(tx, target.id, author, { unmerged: row.reference })
    await recordChange(tx, author, {
      area,
      action: 'unmerge',
      entryId: id,
      after: { reference: row.reference, from: target.reference },
    })
  })
  return findRequest(context, id)
}

async function findLast(tx: Database, id: number): Promise<number> {
  const [row] = await tx.select({ into: requests.mergedIntoId }).from(requests).where(eq(requests.id, id))
  return row?.into ? findLast(tx, row.into) : id
}

/** Notes that two requests belong together. */
export async function linkRequests(context: Context, author: Author, id: number, to: number): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    const { row, other } = await lockTwo(tx, id, to)
    const pair = { requestId: Math.min(id, to), otherId: Math.max(id, to) }
    const stored = await tx.insert(requestLinks).values(pair).onConflictDoNothing().returning()
    if (stored.length === 0) return
    await addEvent(tx, id, author, { linked: other.reference })
    await addEvent(tx, to, author, { linked: row.reference })
    await recordChange(tx, author, {
      area,
      action: 'link',
      entryId: id,
      after: { reference: row.reference, to: other.reference },
    })
  })
  return findRequest(context, id)
}

/** Makes a request of its own from what a customer wrote in another one; returns the new one. */
export async function splitEntry(context: Context, author: Author, id: number, entryId: number): Promise<RequestDetail> {
  const made = await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    const all = await tx
      .select()
      .from(requestEntries)
      .where(eq(requestEntries.requestId, id))
      .orderBy(requestEntries.createdAt, requestEntries.id)
    const entry = all.find((one) => one.id === entryId)
    if (!row || !entry) throw new NotFound('There is no such entry.')
    if (entry.kind !== 'customer' || all[0]?.id === entryId) {
      throw new Invalid('Only what the customer added can be split off.', [{ path: 'entry', message: 'invalid' }])
    }
    const { kind, firstName, lastName, phone, subject, language } = row
    const isSame = entry.authorEmail.toLowerCase() === row.email.toLowerCase() || entry.authorEmail === ''
    const person = isSame
      ? { name: row.name, email: row.email, firstName, lastName, phone }
      : { name: entry.author, email: entry.authorEmail }
    const { quoted, html, messageId, createdAt } = entry
    const first = { quoted, html, messageId, createdAt, isQuiet: true }
    const created = await createRequest(tx, context, { kind, subject, language, ...person, message: entry.text }, first)
    await tx.update(requests).set({ onHold: row.onHold }).where(eq(requests.id, created.id))
    const to = { entryId: created.entryId }
    await tx.update(requestFiles).set(to).where(eq(requestFiles.entryId, entryId))
    await tx.update(requestEntryMails).set(to).where(eq(requestEntryMails.entryId, entryId))
    await tx.update(inboxMails).set(to).where(eq(inboxMails.entryId, entryId))
    await tx.delete(requestEntries).where(eq(requestEntries.id, entryId))
    await holdMails(tx, [created.id])
    await tx.insert(requestLinks).values({ requestId: id, otherId: created.id })
    await tx.update(requests).set(touched(row)).where(eq(requests.id, id))
    await addEvent(tx, created.id, author, { split: row.reference })
    await addEvent(tx, id, author, { linked: created.reference })
    await recordChange(tx, author, {
      area,
      action: 'split',
      entryId: id,
      after: { reference: row.reference, to: created.reference },
    })
    return created
  })
  return findRequest(context, made.id)
}

const touched = ({ version }: Row) => ({ version: version + 1, updatedAt: new Date() })

/** Locks in the order of the ids, so that two merges at once do not wait for each other. */
async function lockTwo(tx: Database, id: number, otherId: number) {
  if (id === otherId) throw new Invalid('These are the same request.', [{ path: 'id_request', message: 'invalid' }])
  const rows = await tx
    .select()
    .from(requests)
    .where(and(inArray(requests.id, [id, otherId]), isNull(requests.removedAt)))
    .orderBy(requests.id)
    .for('update')
  const [row, other] = [rows.find((one) => one.id === id), rows.find((one) => one.id === otherId)]
  if (!row || !other) throw new NotFound('This request does not exist.')
  if (row.status === 'suspected' || other.status === 'suspected') throw new Conflict('A suspected form becomes a request first.')
  return { row, other }
}
