import { and, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { ContactChange, RequestDetail } from '../contract.ts'
import type { contactParts } from '../values.ts'
import { addEvent, selectEntryMails } from './entries.ts'
import { findRequest } from './lookup.ts'
import { exists } from './service.ts'
import { findPagePath, renewLink } from './signed-ids.ts'
import { requestEntries, requestEntryMails, requests } from './table.ts'

type Context = Pick<App, 'db' | 'mailer' | 'config'>
type Row = typeof requests.$inferSelect

/**
 * Corrects the contact of a request in the caller's transaction, which holds the lock of the row; returns what changes in the
 * row. The audit log alone keeps the former values, until the person or the request is erased.
 */
export async function correctContact(tx: Database, author: Author, row: Row, contact: ContactChange, reason: string) {
  const [firstName, lastName] = [contact.firstname.trim(), contact.lastname.trim()]
  const hasParts = row.firstName !== '' || row.lastName !== ''
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const next = {
    name,
    ...(hasParts && { firstName, lastName }),
    email: contact.email,
    phone: contact.phone.trim(),
  }
  const corrected = (['name', 'email', 'phone'] as const).filter((part) => next[part] !== row[part])
  if (corrected.length === 0) return {}
  await correctEntries(tx, row, next)
  if (corrected.includes('email')) await correctAddress(tx, row, next.email)
  await addEvent(tx, row.id, author, { contact: corrected satisfies (typeof contactParts)[number][] })
  const pick = (from: Record<(typeof corrected)[number], string>) =>
    Object.fromEntries(corrected.map((part) => [part, from[part]]))
  await recordChange(tx, author, {
    area: 'requests',
    action: 'rectify',
    entryId: row.id,
    before: pick(row),
    after: { reference: row.reference, corrected, ...pick(next), reason },
    about: [row.email, next.email],
  })
  return next
}

/** The thread keeps no former name nor address. */
async function correctEntries(tx: Database, row: Row, next: { name: string; email: string }) {
  const isTheirs = and(
    eq(requestEntries.requestId, row.id),
    eq(requestEntries.kind, 'customer'),
    eq(sql`lower(${requestEntries.authorEmail})`, row.email.toLowerCase()),
  )
  await tx
    .update(requestEntries)
    .set({ author: next.name })
    .where(and(isTheirs, eq(requestEntries.author, row.name)))
  await tx.update(requestEntries).set({ authorEmail: next.email }).where(isTheirs)
}

/** Mail that has not left goes to the corrected address; a link that somebody else may have received ends. */
async function correctAddress(tx: Database, row: Row, email: string) {
  const toCustomer = await selectEntryMails(tx)
    .where(
      and(
        eq(requestEntries.requestId, row.id),
        ne(requestEntryMails.purpose, 'copy'),
        eq(sql`lower(${mails.recipient})`, row.email.toLowerCase()),
      ),
    )
    // None begins to leave to the former address meanwhile.
    .for('update', { of: mails })
  const current = { ...row, email }
  const mayHaveBeenRead = toCustomer.some(({ state, heldUntil, bouncedAt }) => {
    const isLeaving = state === 'waiting' && heldUntil !== null
    return isLeaving || (state === 'sent' && bouncedAt === null)
  })
  const linked = mayHaveBeenRead ? await renewLink(tx, current) : current
  for (const { mailId, state } of toCustomer) if (state === 'waiting') await readdress(tx, linked, mailId)
}

/** The link of any request's page, in a mail. */
const pageLink = /\/suivi\/[\w-]{22}(?![\w-])/g

/** Gives a mail to the customer the address and the link that their request has now. */
async function readdress(tx: Database, row: Row, mailId: number) {
  const [mail] = await tx.select().from(mails).where(eq(mails.id, mailId))
  if (!mail) return
  const path = await findPagePath(tx, row)
  const { headers } = mail
  await tx
    .update(mails)
    .set({
      recipient: row.email,
      headers: headers.to ? { ...headers, to: [row.email] } : headers,
      body: mail.body.replaceAll(pageLink, path),
      html: mail.html?.replaceAll(pageLink, path) ?? null,
    })
    .where(eq(mails.id, mailId))
}

/** Sends the mails of an entry that did not arrive again, to the address that the customer has now. */
export async function retryEntry(context: Context, author: Author, id: number, entryId: number): Promise<RequestDetail> {
  const { db, mailer } = context
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(requests).where(exists(id)).for('update')
    const sent = await selectEntryMails(tx).where(
      and(
        eq(requestEntries.requestId, id),
        eq(requestEntries.id, entryId),
        or(ne(mails.state, 'sent'), isNotNull(requestEntryMails.bouncedAt)),
      ),
    )
    if (!row) throw new NotFound('This request does not exist.')
    if (sent.length === 0) throw await refusal(tx, entryId)
    for (const { mailId, purpose, recipient } of sent) {
      if (purpose !== 'copy' && recipient !== row.email) await readdress(tx, row, mailId)
      await mailer.resend(tx, mailId)
    }
    const ids = sent.map(({ mailId }) => mailId)
    await tx.update(requestEntryMails).set({ bouncedAt: null, bounceReason: null }).where(inArray(requestEntryMails.mailId, ids))
    await recordChange(tx, author, { area: 'requests', action: 'mail_retry', entryId: id })
  })
  return findRequest(context, id)
}

async function refusal(tx: Database, entryId: number) {
  const [any] = await tx
    .select({ id: requestEntryMails.mailId })
    .from(requestEntryMails)
    .where(eq(requestEntryMails.entryId, entryId))
  return any ? new Conflict('This email has already been sent.') : new NotFound('There is no such email.')
}
