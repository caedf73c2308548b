import { suspectedDays } from '#src/lib/suspected.ts'
import { sourceText } from '#src/lib/visit-source.ts'
import type { SQL } from 'drizzle-orm'
import { and, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import { addEvent, findMerged, holdMails } from './entries.ts'
import { eraseOldCounts } from './form-checks.ts'
import { hasWords, pickSearched } from './search-requests.ts'
import { deleteRequests, exists } from './service.ts'
import { inboxMails, requestBlocks, requestEntries, requestFiles, requests } from './table.ts'

const isFrom = (email: string) => eq(sql`lower(${requests.email})`, email)

/** What somebody wrote in the request of another person, such as a colleague of theirs who answered its mail. */
const isWrittenBy = (email: string) =>
  and(
    eq(sql`lower(${requestEntries.authorEmail})`, email),
    eq(requestEntries.kind, 'customer'),
    ne(sql`lower(${requests.email})`, email),
  )

/** Service calls, contact messages, mails and pages of a person, with their threads and files. */
export const requestData: PersonalDataKind = {
  kind: 'requests',
  addresses: [requests.email, requestEntries.authorEmail, requestBlocks.email],
  async find(db, email) {
    return [...(await describe(db, isFrom(email))), ...(await findEntriesBy(db, email)), ...(await findBlocksOf(db, email))]
  },
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx.select({ id: requests.id, reference: requests.reference }).from(requests).where(isFrom(email))
    const chosen = own.filter(({ reference }) => isChosen(reference)).map(({ id }) => id)
    const erased = await deleteRequests(tx, inArray(requests.id, chosen))
    const isBlocked = and(eq(requestBlocks.email, email), isNull(requestBlocks.requestId))
    const lifted = isChosen(email)
      ? await tx.delete(requestBlocks).where(isBlocked).returning({ email: requestBlocks.email })
      : []
    return erased + lifted.length + (await deleteEntriesBy(tx, email, isChosen))
  },
  async findHeld(db, email) {
    const rows = await db
      .selectDistinct({ reference: requests.reference })
      .from(requests)
      .leftJoin(requestEntries, eq(requestEntries.requestId, requests.id))
      .where(and(eq(requests.onHold, true), or(isFrom(email), isWrittenBy(email))))
      .orderBy(requests.reference)
    return rows.map(({ reference }) => reference)
  },
  candidates: {
    ids: requests.reference,
    async search(db, text, most) {
      const rows = await db
        .select({ reference: requests.reference })
        .from(requests)
        .where(hasWords(text, await pickSearched(db, text)) ?? sql`false`)
        .orderBy(desc(requests.id))
        .limit(most)
      return rows.map(({ reference }) => reference)
    },
    describe: (db, ids) => describe(db, inArray(requests.reference, [...ids])),
    erase: (tx, ids) => deleteRequests(tx, inArray(requests.reference, [...ids])),
  },
  retention: { purge: eraseOldRequests },
}

/** Requests with their threads. */
async function describe(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(requests).where(where).orderBy(requests.id)
  const threads = await findThreads(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.reference,
    at: row.createdAt.toISOString(),
    fields: {
      ...numbered(threads.get(row.id) ?? []),
      name: row.name,
      email: row.email,
      phone: row.phone,
      subject: row.subject,
      message: row.message,
      language: row.language,
      page: row.page,
      source: sourceText(row.source),
      status: row.status,
      on_hold: row.onHold,
    },
  }))
}

const numbered = (entries: string[]) => Object.fromEntries(entries.map((entry, index) => [`entry_${index + 1}`, entry]))

async function findEntriesBy(db: Database, email: string): Promise<Finding[]> {
  const rows = await db
    .select({ id: requestEntries.id, requestId: requests.id, reference: requests.reference, at: requestEntries.createdAt })
    .from(requestEntries)
    .innerJoin(requests, eq(requests.id, requestEntries.requestId))
    .where(isWrittenBy(email))
    .orderBy(requestEntries.id)
  const byRequest = Map.groupBy(rows, ({ requestId }) => requestId)
  const findings = []
  for (const [requestId, entries] of byRequest) {
    const ids = new Set(entries.map(({ id }) => id))
    const texts = (await findThreads(db, [requestId], [...ids])).get(requestId) ?? []
    const [first] = entries
    if (first) findings.push({ id: first.reference, at: first.at.toISOString(), fields: { ...numbered(texts), email } })
  }
  return findings
}

async function findBlocksOf(db: Database, email: string): Promise<Finding[]> {
  const rows = await db
    .select()
    .from(requestBlocks)
    .where(and(eq(requestBlocks.email, email), isNull(requestBlocks.requestId)))
  return rows.map((row) => ({ id: row.email, at: row.createdAt.toISOString(), fields: { email: row.email, blocked: true } }))
}

/** Deletes what a person wrote in the requests of others, with its files and the mails that it came by. */
async function deleteEntriesBy(tx: Database, email: string, isChosen: (reference: string) => boolean) {
  const rows = await tx
    .select({ id: requestEntries.id, reference: requests.reference })
    .from(requestEntries)
    .innerJoin(requests, eq(requests.id, requestEntries.requestId))
    .where(and(isWrittenBy(email), eq(requests.onHold, false)))
  const ids = rows.filter(({ reference }) => isChosen(reference)).map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx.delete(inboxMails).where(inArray(inboxMails.entryId, ids))
  await tx.delete(requestEntries).where(inArray(requestEntries.id, ids))
  return ids.length
}

/** The entries of these requests, or those among them, as one text each: date, author, words, and files with their address. */
async function findThreads(db: Database, requestIds: number[], entryIds?: number[]) {
  if (requestIds.length === 0) return new Map<number, string[]>()
  const entries = await db
    .select()
    .from(requestEntries)
    .where(
      and(
        inArray(requestEntries.requestId, requestIds),
        ne(requestEntries.kind, 'event'),
        entryIds && inArray(requestEntries.id, entryIds),
      ),
    )
    .orderBy(requestEntries.createdAt, requestEntries.id)
  const files = await db
    .select({ id: requestFiles.id, entryId: requestFiles.entryId, name: requestFiles.name })
    .from(requestFiles)
    .innerJoin(requestEntries, eq(requestEntries.id, requestFiles.entryId))
    .where(inArray(requestEntries.requestId, requestIds))
    .orderBy(requestFiles.id)
  const filesOf = Map.groupBy(files, ({ entryId }) => entryId)
  const grouped = Map.groupBy(entries, ({ requestId }) => requestId)
  return new Map(
    [...grouped].map(([requestId, all]) => [
      requestId,
      all.map(({ id, createdAt, author, kind, text, quoted }) =>
        [
          `${createdAt.toISOString()} ${author} (${kind})`,
          text,
          quoted,
          ...(filesOf.get(id) ?? []).map((file) => `[${file.name}] /api/requests/requests/${requestId}/files/${file.id}`),
        ]
          .filter(Boolean)
          .join('\n'),
      ),
    ]),
  )
}

/** Erases old requests, with their mails, and what was suspected and nobody took. */
export async function eraseOldRequests(db: Database, before: Date, limit: number) {
  return db.transaction(async (tx) => {
    const isForgotten = and(
      eq(requests.status, 'suspected'),
      lt(requests.createdAt, sql`now() - make_interval(days => ${suspectedDays})`),
    )
    const erased = await deleteRequests(tx, or(lt(requests.createdAt, before), isForgotten), limit)
    await eraseOldCounts(tx)
    return erased
  })
}

/** Places a request on legal hold, with everything that belongs to it, or lifts the hold. */
export async function holdRequest(db: Database, author: Author, id: number, onHold: boolean) {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    if (row.status === 'suspected') throw new Conflict('A suspected form becomes a request first.')
    if (row.mergedIntoId !== null) throw new Conflict('This request was merged into another one: its thread is there.')
    if (row.onHold === onHold) return
    const merged = await findMerged(tx, [id])
    await tx
      .update(requests)
      .set({ onHold, version: sql`${requests.version} + 1`, updatedAt: new Date() })
      .where(inArray(requests.id, [id, ...merged]))
    await holdMails(tx, [id, ...merged])
    await addEvent(tx, id, author, { hold: onHold })
    const facts = { reference: row.reference }
    await recordChange(tx, author, {
      area: 'requests',
      action: onHold ? 'hold' : 'release',
      entryId: id,
      before: { ...facts, on_hold: row.onHold },
      after: { ...facts, on_hold: onHold },
    })
  })
}
