import { undoMs } from '#src/lib/suspected.ts'
import { and, eq, isNull, count, gt, lte, min, ne, sql } from 'drizzle-orm'
import type { Holding } from '#src/features/content/server/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { translator } from '#src/lib/language/texts.ts'
import { logger } from '#src/server/log.ts'
import { users } from '#src/features/people/server/table.ts'
import type { RequestChange, RequestDetail, RequestEvent, SuspectedSummary } from '../contract.ts'
import { mailTexts } from '../server-texts.ts'
import type { Priority } from '../values.ts'
import { findAssignees, findRequest, isLate } from './lookup.ts'
import { correctContact } from './contact.ts'
import { findUndoable, scheduleSettling, settleLater, undoneState } from '#src/server/background/decisions.ts'
import { addEntry, addEvent } from './entries.ts'
import { findPublishedIncident, refuseUnknownIncident } from './incidents.ts'
import { recipientOf } from './mail-out.ts'
import { announceRequests, deleteRequests, exists } from './service.ts'
import { findGoals, findSettings, postponeByPauses, postponeGoal } from './settings.ts'
import { requestEntries, requests } from './table.ts'
import { findNotStored } from './form-checks.ts'

type Context = Pick<App, 'db' | 'mailer' | 'queue' | 'config' | 'findHours'>

const area = 'requests'

/** Changes the status or the assignee; a save made from an older version is a `Conflict` with the stored request. */
export async function changeRequest(context: Context, author: Author, id: number, change: RequestChange): Promise<RequestDetail> {
  const { id_user: assignedTo, status } = change
  if (assignedTo && !(await findAssignees(context.db)).some(({ id_user }) => id_user === assignedTo)) {
    throw new Invalid('Requests cannot be assigned to this user.', [{ path: 'id_user', message: 'invalid' }])
  }
  await refuseUnknownIncident(context.db, change.id_incident)
  const { contact, reason = '' } = change
  const isStale = await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    const isTaken = row.status === 'suspected'
    if (isTaken && status !== 'new') {
      throw new Invalid('A suspected form becomes a request first.', [{ path: 'status', message: 'invalid' }])
    }
    if (change.version !== undefined && change.version !== row.version) return true
    const hours = await context.findHours(tx)
    const prioritized = await changePriority(tx, hours, row, change.priority)
    const next = {
      ...prioritized,
      ...nextState({ ...row, ...prioritized }, status ?? row.status, hours),
      assignedTo: assignedTo === undefined ? row.assignedTo : assignedTo,
      incidentId: change.id_incident === undefined ? row.incidentId : change.id_incident,
    }
    const takenAt = isTaken ? new Date() : row.takenAt
    const corrected = contact && !isTaken ? await correctContact(tx, author, row, contact, reason) : {}
    await tx
      .update(requests)
      .set({ ...next, ...corrected, takenAt, version: row.version + 1, updatedAt: new Date() })
      .where(eq(requests.id, id))
    if (takenAt && isTaken) await settleLater(context, tx, settling, id, takenAt)
    else await addChangeEvent(tx, author, row, { ...row, ...next })
    await recordChange(tx, author, {
      area,
      action: 'update',
      entryId: id,
      before: auditFactsOf(row),
      after: auditFactsOf({ ...row, ...next }),
    })
    return false
  })
  const current = await findRequest(context, id)
  if (isStale) throw new Conflict('Someone else changed this request in the meantime.', { current })
  return current
}

export async function addComment(context: Context, author: Author, id: number, body: string): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    await refuseUnknown(tx, id)
    await addEntry(tx, {
      requestId: id,
      kind: 'internal',
      channel: 'page',
      userId: author.userId,
      author: author.name,
      text: body.trim(),
    })
    // Without the text of the comment: the entry outlives the request.
    await recordChange(tx, author, { area, action: 'comment', entryId: id })
  })
  return findRequest(context, id)
}

type Row = typeof requests.$inferSelect

type StateFacts = Pick<Row, 'status' | 'doneAt' | 'waitingSince' | 'respondBy' | 'resolveBy'>

/** What changes with the status: the end, and the time for which nothing was due, by which the goals are postponed. */
export function nextState(row: StateFacts, status: Row['status'], hours: BusinessHours, now = new Date()) {
  const isWaiting = status === 'waiting'
  const pausedSince = status === row.status ? null : (row.waitingSince ?? row.doneAt)
  return {
    status,
    doneAt: status === 'done' ? (row.doneAt ?? now) : null,
    waitingSince: isWaiting ? (row.waitingSince ?? now) : null,
    respondBy: postponeGoal(hours, row.respondBy, pausedSince, now),
    resolveBy: postponeGoal(hours, row.resolveBy, pausedSince, now),
  }
}

/** The goals of another priority count from the arrival on, without the times for which nothing was due. */
async function changePriority(tx: Database, hours: BusinessHours, row: Row, priority: Priority | undefined) {
  if (!priority || priority === row.priority) return {}
  const goals = findGoals(await findSettings(tx), hours, priority, row.createdAt)
  const isOwnEvent = and(
    eq(requestEntries.requestId, row.id),
    eq(requestEntries.kind, 'event'),
    isNull(requestEntries.mergedFromId),
  )
  const events = await tx
    .select({ at: requestEntries.createdAt, event: requestEntries.event })
    .from(requestEntries)
    .where(isOwnEvent)
    .orderBy(requestEntries.createdAt, requestEntries.id)
  const changes = events.flatMap(({ at, event }) => (event?.status ? { at, to: event.status.to } : []))
  return {
    priority,
    respondBy: postponeByPauses(hours, goals.respondBy, changes),
    resolveBy: postponeByPauses(hours, goals.resolveBy, changes),
    lateNoticeAt: null,
  }
}

/** Records in the thread what a save changed, if anything. */
export async function addChangeEvent(tx: Database, author: { userId: number | null; name: string }, before: Row, after: Row) {
  const event: RequestEvent = {
    ...(before.status !== after.status && { status: { from: before.status, to: after.status } }),
    ...(before.assignedTo !== after.assignedTo && { assignee: await findUserName(tx, after.assignedTo) }),
    ...(before.priority !== after.priority && { priority: after.priority }),
    ...(before.incidentId !== after.incidentId && {
      incident: (await findPublishedIncident(tx, after.incidentId))?.number ?? null,
    }),
  }
  if (Object.keys(event).length > 0) await addEvent(tx, before.id, author, event)
}

async function findUserName(tx: Database, id: number | null) {
  if (id === null) return null
  const [user] = await tx.select({ name: users.displayName }).from(users).where(eq(users.id, id))
  return user?.name ?? null
}

/** Gives the mail of a request another chance at once. */
export async function retryRequestMail(context: Context, author: Author, id: number): Promise<RequestDetail> {
  const [row] = await context.db.select({ mailId: requests.mailId }).from(requests).where(exists(id))
  if (!row) throw new NotFound('This request does not exist.')
  if (row.mailId === null || !(await context.mailer.retry(row.mailId))) throw new Conflict('This email has already been sent.')
  await context.db.transaction((tx) => recordChange(tx, author, { area, action: 'mail_retry', entryId: id }))
  return findRequest(context, id)
}

/** Erases a request with its comments and its mail; a suspected one can be brought back for a few seconds. */
export async function removeRequest(context: Context, author: Author, id: number, mayRemoveRequests: boolean) {
  await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    if (row.status === 'suspected') return removeSuspected(context, tx, author, row)
    if (!mayRemoveRequests) throw new Forbidden()
    if (row.onHold) throw new Conflict('This request is under a legal hold.')
    await deleteRequests(tx, eq(requests.id, id))
    await recordChange(tx, author, { area, action: 'delete', entryId: id, before: auditFactsOf(row) })
  })
}

async function refuseUnknown(tx: Database, id: number) {
  const [row] = await tx.select({ id: requests.id }).from(requests).where(exists(id)).for('update')
  if (!row) throw new NotFound('This request does not exist.')
}

type MailContext = Context & Pick<App, 'config'>

const settling = 'requests-settle'
const dayMs = 86_400_000

const isWaiting = and(eq(requests.status, 'suspected'), isNull(requests.removedAt))

/** Entries of the audit log outlive the request, so their facts contain nothing about the sender. */
export function auditFactsOf({ reference, kind, status, priority, assignedTo, incidentId }: Row) {
  return { reference, kind, status, priority, id_user: assignedTo, id_incident: incidentId }
}

export function scheduleSuspected(app: MailContext) {
  scheduleSettling(app, settling, () => settleDecisions(app))
  app.queue.schedule('requests-late', '*/5 * * * *', () => noticeLate(app))
  app.queue.schedule('requests-suspected-mail', '0 8 * * *', () => mailSuspected(app))
}

/** Hides a suspected form; it is deleted once the time to undo is over. */
async function removeSuspected(context: Context, tx: Database, author: Author, row: Row) {
  const removedAt = new Date()
  await tx.update(requests).set({ removedAt }).where(eq(requests.id, row.id))
  await settleLater(context, tx, settling, row.id, removedAt)
  await recordChange(tx, author, { area, action: 'delete', entryId: row.id, before: auditFactsOf(row) })
}

/** Takes back that a suspected form became a request, or that it was deleted. */
export async function undoDecision(context: MailContext, author: Author, id: number, now = new Date()): Promise<RequestDetail> {
  await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(eq(requests.id, id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    const decision = findUndoable(row, now)
    if (!decision) throw new Conflict('It is too late to undo this.')
    const [isTaken, next] = [decision === 'taken', undoneState(row, now)]
    await tx.update(requests).set(next).where(eq(requests.id, id))
    const after = auditFactsOf({ ...row, ...next })
    const before = isTaken ? auditFactsOf(row) : undefined
    await recordChange(tx, author, { area, action: isTaken ? 'update' : 'restore', entryId: id, before, after })
  })
  return findRequest(context, id)
}

/** Deletes what was thrown away, and notifies the staff of what was taken, once neither can be undone. */
export async function settleDecisions(context: MailContext, now = new Date()) {
  const before = new Date(now.getTime() - undoMs)
  await context.db.transaction(async (tx) => {
    await deleteRequests(tx, lte(requests.removedAt, before))
    const taken = await tx
      .select()
      .from(requests)
      .where(
        and(isNull(requests.mailId), lte(requests.takenAt, before), isNull(requests.removedAt), ne(requests.status, 'suspected')),
      )
      .for('update', { skipLocked: true })
    for (const row of taken) {
      const [first] = await tx
        .select({ id: requestEntries.id })
        .from(requestEntries)
        .where(eq(requestEntries.requestId, row.id))
        .orderBy(requestEntries.id)
        .limit(1)
      const [mailId = null] = first ? await context.mailer.takeIds(tx, 1) : []
      await tx.update(requests).set({ takenAt: null, mailId }).where(eq(requests.id, row.id))
      if (first) await announceRequests(tx, context, [{ row: { ...row, mailId }, entryId: first.id }])
    }
  })
}

export async function summarizeSuspected(db: Database): Promise<SuspectedSummary> {
  const email = sql`lower(${requests.email})`
  const wrote = sql`exists (select 1 from ${requests} as earlier where lower(earlier.email) = ${email}
    and earlier.status <> 'suspected' and earlier.removed_at is null)`
  const [waiting] = await db
    .select({ count: count(), oldest: min(requests.createdAt), known: sql<number>`(count(*) filter (where ${wrote}))::int` })
    .from(requests)
    .where(isWaiting)
  return {
    count: waiting?.count ?? 0,
    oldest_at: waiting?.oldest?.toISOString() ?? null,
    known: waiting?.known ?? 0,
    not_stored: await findNotStored(db),
  }
}

/** One mail a day at most, and only where something came since the day before. */
export async function mailSuspected({ db, config, mailer }: MailContext, now = new Date()) {
  const [recent] = await db
    .select({ count: count() })
    .from(requests)
    .where(and(isWaiting, gt(requests.createdAt, new Date(now.getTime() - dayMs))))
  if (!recent?.count) return
  const { count: waiting } = await summarizeSuspected(db)
  const address = config.publicUrl ? `${config.publicUrl}/admin/demandes?status=suspected` : ''
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  const values = { count: waiting, address }
  await db.transaction((tx) =>
    mailer.enqueue(tx, {
      to: recipientOf(config, 'support'),
      subject: `${fr('suspectedSubject', values)} / ${en('suspectedSubject', values)}`,
      body: [fr, en].map((t) => `${t('suspectedBody', values)}\n${address}\n`).join('\n---\n\n'),
    }),
  )
  logger.info({ waiting }, 'the staff were written to about what waits for a decision')
}

/** Writes once to whoever has a request, or else to the address that gets the requests, that it is past its goal. */
export async function noticeLate({ db, config, mailer }: MailContext) {
  const needsNotice = and(
    isLate,
    isNull(requests.lateNoticeAt),
    isNull(requests.removedAt),
    isNull(requests.mergedIntoId),
    isNull(requests.spamAt),
  )
  const late = await db.select({ id: requests.id }).from(requests).where(needsNotice).orderBy(requests.id).limit(50)
  // One transaction for all would hold up every page of the embedded database.
  for (const { id } of late) {
    await db.transaction(async (tx) => {
      const [request] = await tx
        .update(requests)
        .set({ lateNoticeAt: new Date() })
        .where(and(eq(requests.id, id), needsNotice))
        .returning()
      if (!request) return
      const [assignee] = request.assignedTo === null ? [] : await tx.select().from(users).where(eq(users.id, request.assignedTo))
      const t = translator(mailTexts, 'fr')
      const values = { reference: request.reference }
      const address = config.publicUrl ? t('link', { address: `${config.publicUrl}/admin/demandes/${id}` }) : ''
      await mailer.enqueue(tx, {
        to: assignee?.email || recipientOf(config, request.kind),
        subject: `${t('lateSubject', values)} / ${translator(mailTexts, 'en')('lateSubject', values)}`,
        body: `${[t('lateIntro', values), translator(mailTexts, 'en')('lateIntro', values), address].filter(Boolean).join('\n\n')}\n`,
      })
    })
  }
}

/** Unfinished requests of a user. */
const heldBy = (userId: number) =>
  and(eq(requests.assignedTo, userId), ne(requests.status, 'done'), isNull(requests.removedAt), isNull(requests.mergedIntoId))

/** Unfinished requests go to the chosen colleague; without a choice they stay with a locked user, and lose a deleted one. */
export const heldRequests: Holding = {
  kind: 'requests',
  describe: (total) => ({
    fr: total < 2 ? `${total} demande à terminer` : `${total} demandes à terminer`,
    en: total === 1 ? '1 unfinished request' : `${total} unfinished requests`,
  }),
  fate: { fr: 'Au collègue choisi ci-dessous.', en: 'To the colleague chosen below.' },
  findTakers: findAssignees,
  async find({ db }, userId, { rights }) {
    const rows = await db
      .select({ id: requests.id, reference: requests.reference, subject: requests.subject })
      .from(requests)
      .where(heldBy(userId))
      .orderBy(requests.id)
    const label = ({ reference, subject }: (typeof rows)[number]) => [reference, subject].filter(Boolean).join(' · ')
    const mayRead = hasRight(rights, 'requests', 'read_only')
    return {
      count: rows.length,
      rows: mayRead ? rows.map((row) => ({ label: label(row), path: `/admin/demandes/${row.id}` })) : [],
    }
  },
  async release(_app, tx, author, { userId, isDeleted, giveTo }) {
    if (giveTo === undefined && !isDeleted) return async () => {}
    const assignedTo = giveTo ?? null
    const held = await tx.select().from(requests).where(heldBy(userId)).orderBy(requests.id).for('update')
    for (const row of held) {
      const next = { ...row, assignedTo, version: row.version + 1, updatedAt: new Date() }
      const { version, updatedAt } = next
      await tx.update(requests).set({ assignedTo, version, updatedAt }).where(eq(requests.id, row.id))
      await addChangeEvent(tx, author, row, next)
      const facts = { before: auditFactsOf(row), after: auditFactsOf(next) }
      await recordChange(tx, author, { area, action: 'update', entryId: row.id, ...facts })
    }
    return async () => {}
  },
}
