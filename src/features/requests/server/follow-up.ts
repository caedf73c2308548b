import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestChange, RequestDetail } from '../contract.ts'
import { findAssignees, findRequest } from './lookup.ts'
import { auditFactsOf, removeSuspected, settleLater } from './suspected.ts'
import { requestComments, requests } from './table.ts'

type Context = Pick<App, 'db' | 'mailer' | 'queue'>

const area = 'requests'

/** Changes the status or the assignee; a save made from an older version is a `Conflict` with the stored request. */
export async function changeRequest(context: Context, author: Author, id: number, change: RequestChange): Promise<RequestDetail> {
  const { id_user: assignedTo, status } = change
  if (assignedTo && !(await findAssignees(context.db)).some(({ id_user }) => id_user === assignedTo)) {
    throw new Invalid('Requests cannot be assigned to this user.', [{ path: 'id_user', message: 'invalid' }])
  }
  const isStale = await context.db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(isThere(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    const isTaken = row.status === 'suspected'
    if (isTaken && status !== 'new') {
      throw new Invalid('A suspected form becomes a request first.', [{ path: 'status', message: 'invalid' }])
    }
    if (change.version !== undefined && change.version !== row.version) return true
    const next = {
      status: status ?? row.status,
      assignedTo: assignedTo === undefined ? row.assignedTo : assignedTo,
      doneAt: (status ?? row.status) === 'done' ? (row.doneAt ?? new Date()) : null,
    }
    const takenAt = isTaken ? new Date() : row.takenAt
    await tx
      .update(requests)
      .set({ ...next, takenAt, version: row.version + 1, updatedAt: new Date() })
      .where(eq(requests.id, id))
    if (takenAt && isTaken) await settleLater(context.queue, tx, id, takenAt)
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
    await tx.insert(requestComments).values({ requestId: id, userId: author.userId, userName: author.name, body: body.trim() })
    // The comment's text stays out of the audit log, which cannot be erased.
    await recordChange(tx, author, { area, action: 'comment', entryId: id })
  })
  return findRequest(context, id)
}

/** Gives the mail of a request another chance at once. */
export async function retryRequestMail(context: Context, author: Author, id: number): Promise<RequestDetail> {
  const [row] = await context.db.select({ mailId: requests.mailId }).from(requests).where(isThere(id))
  if (!row) throw new NotFound('This request does not exist.')
  if (row.mailId === null || !(await context.mailer.retry(row.mailId))) throw new Conflict('This email has already been sent.')
  await context.db.transaction((tx) => recordChange(tx, author, { area, action: 'mail_retry', entryId: id }))
  return findRequest(context, id)
}

/** Erases a request with its comments and its mail; a suspected one can be brought back for a few seconds. */
export async function removeRequest({ db, queue }: Context, author: Author, id: number, mayRemoveRequests: boolean) {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(isThere(id)).for('update')
    if (!row) throw new NotFound('This request does not exist.')
    if (row.status === 'suspected') return removeSuspected(queue, tx, author, row)
    if (!mayRemoveRequests) throw new Forbidden()
    await tx.delete(requests).where(eq(requests.id, id))
    if (row.mailId !== null) await tx.delete(mails).where(eq(mails.id, row.mailId))
    await recordChange(tx, author, { area, action: 'delete', entryId: id, before: auditFactsOf(row) })
  })
}

/** Not one that was thrown away a moment ago. */
const isThere = (id: number) => and(eq(requests.id, id), isNull(requests.removedAt))

async function refuseUnknown(tx: Database, id: number) {
  const [row] = await tx.select({ id: requests.id }).from(requests).where(isThere(id)).for('update')
  if (!row) throw new NotFound('This request does not exist.')
}
