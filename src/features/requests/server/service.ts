import type { SQL } from 'drizzle-orm'
import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { eraseValues } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Mail } from '#src/server/background/mail.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { mailTexts } from '../server-texts.ts'
import type { RequestKind, RequestStatus } from '../values.ts'
import { formatReference } from '../values.ts'
import type { FileContent } from './entries.ts'
import { addEntries, addFiles, findMerged } from './entries.ts'
import { acknowledge, recipientOf } from './mail-out.ts'
import { findGoals, findSettings } from './settings.ts'
import { hashLink } from './signed-ids.ts'
import { inboxMails, requestEntries, requestEntryMails, requests } from './table.ts'

type Context = Pick<App, 'mailer' | 'config' | 'findHours'>
export type RequestRow = typeof requests.$inferSelect
export type NewRequest = Pick<typeof requests.$inferInsert, 'kind' | 'name' | 'email' | 'message' | 'language'> &
  Partial<Pick<typeof requests.$inferInsert, 'firstName' | 'lastName' | 'phone' | 'subject' | 'page' | 'chatId' | 'source'>>

type Marks = { clientId: string; contentHash: string }

/** Stores a request and its mail in the caller's transaction; the mail leaves once that commits. */
export async function createRequest(
  tx: Database,
  context: Context,
  request: NewRequest,
  { createdAt = new Date(), ...first }: FirstEntry = {},
) {
  const [stored] = await insertRequests(tx, context, [{ request: { ...request, createdAt }, first }])
  if (!stored?.entryId) throw new Error('a request without an entry')
  const { row, entryId } = stored
  await announceRequests(tx, context, [{ row, entryId, first }])
  return { id: row.id, reference: row.reference, entryId }
}

/**
 * What a mail or a conversation adds to the first entry; `isQuiet`: the sender must not be answered by a machine; `isOld`: the
 * staff need no notice of it; `continues`: the number of the ended request in which it was written.
 */
type FirstEntry = Partial<
  Pick<typeof requestEntries.$inferInsert, 'channel' | 'quoted' | 'html' | 'messageId' | 'clientId' | 'createdAt'>
> & {
  isQuiet?: boolean
  isOld?: boolean
  continues?: string
  files?: FileContent[]
}

type MailContext = Pick<Context, 'mailer' | 'config'>

/** Notifies the staff and the customers of requests, in the caller's transaction. The rows name the staff's mails already. */
export async function announceRequests(
  tx: Database,
  context: MailContext,
  stored: { row: RequestRow; entryId: number; first?: FirstEntry }[],
) {
  const forStaff = stored.filter(({ first }) => !first?.isOld)
  await notifyStaff(
    tx,
    context,
    forStaff.map(({ row }) => row),
  )
  const answered = stored.filter(({ first }) => !first?.isQuiet)
  await acknowledge(
    tx,
    context,
    answered.map(({ row, entryId, first }) => ({
      request: row,
      entryId,
      inReplyTo: first?.messageId ?? undefined,
      former: first?.continues,
    })),
  )
}

/** Queues the mails that bring requests to the staff. */
async function notifyStaff(tx: Database, { config, mailer }: MailContext, rows: RequestRow[]) {
  if (rows.length === 0) return
  const written = rows.map((request) => {
    const address = config.publicUrl ? `${config.publicUrl}/admin/demandes/${request.id}` : null
    return { id: request.mailId, ...writeRequestMail(request, recipientOf(config, request.kind), address) }
  })
  await mailer.enqueueAll(tx, written)
}

type Incoming = { request: Omit<typeof requests.$inferInsert, 'reference'>; first?: FirstEntry }

/** Stores requests, each with its first entry. What was sent before is the row of before, without an entry of its own. */
export async function insertRequests(tx: Database, context: Pick<Context, 'findHours' | 'mailer'>, incoming: Incoming[]) {
  const known = await findSent(tx, incoming.flatMap(marksOf))
  const fresh = incoming.filter((one) => !findSame(known, one))
  const added = await addRequests(tx, fresh, context)
  const entryOf = await addFirstEntries(tx, added)
  // Of two that arrive at once, the later one finds the row of the earlier one.
  const late = fresh.filter((one) => added.every(({ incoming: { request } }) => request !== one.request))
  known.push(...(await findSent(tx, late.flatMap(marksOf))))
  return incoming.map((one) => {
    const row = added.find(({ incoming: { request } }) => request === one.request)?.row ?? findSame(known, one)
    if (!row) throw new Error('the request was not stored')
    return { row, entryId: entryOf.get(one.request) ?? null }
  })
}

const marksOf = ({ request: { clientId, contentHash } }: Incoming) => (clientId && contentHash ? [{ clientId, contentHash }] : [])
const findSame = (rows: RequestRow[], { request }: Incoming) =>
  rows.find((row) => row.clientId === request.clientId && row.contentHash === request.contentHash)

type Added = { row: RequestRow; incoming: Incoming }

/** Stores what was not sent before, and leaves out what another transaction stored meanwhile. */
async function addRequests(
  tx: Database,
  fresh: Incoming[],
  { findHours, mailer }: Pick<Context, 'findHours' | 'mailer'>,
): Promise<Added[]> {
  if (fresh.length === 0) return []
  const numbers = await takeNumbers(
    tx,
    fresh.map(({ request }) => request.kind),
  )
  const mailIds = await mailer.takeIds(tx, fresh.length)
  const [settings, hours, now] = [await findSettings(tx), await findHours(tx), new Date()]
  const goalsFromNow = findGoals(settings, hours, 'normal', now)
  const goalsOf = ({ request: { createdAt }, first }: Incoming) => {
    // What is that old would be late, and alert, from its first minute.
    if (first?.isOld) return {}
    return createdAt ? findGoals(settings, hours, 'normal', createdAt) : goalsFromNow
  }
  const values = fresh.map((one, at) => {
    const { request, first } = one
    const { id = 0, reference = '' } = numbers[at] ?? {}
    // Set now, because a later update would write the row to all indexes again.
    const mailId = first?.isOld || request.trap ? null : mailIds[at]
    return {
      ...goalsOf(one),
      ...request,
      id,
      reference,
      createdAt: request.createdAt ?? now,
      mailId,
      linkHash: hashLink(tx, id),
      linkMadeAt: now,
    }
  })
  const rows = await tx
    .insert(requests)
    .values(values)
    .onConflictDoNothing({ target: [requests.clientId, requests.contentHash] })
    .returning()
  return fresh.flatMap((incoming, at) => rows.filter(({ id }) => id === numbers[at]?.id).map((row) => ({ row, incoming })))
}

/** Returns the id of the entry of each request. */
async function addFirstEntries(tx: Database, added: Added[]) {
  const written = added.map(({ row, incoming: { first = {} } }) => {
    const { isQuiet: _isQuiet, isOld: _isOld, continues: _continues, files: _files, ...own } = first
    const { id, name, email, message, createdAt } = row
    const entry = { requestId: id, kind: 'customer', author: name, authorEmail: email, text: message, createdAt } as const
    // What no conversation led to belongs into none.
    return { ...entry, channel: channelOf[row.kind], ...(row.chatId === null && { chatDue: false }), ...own }
  })
  const stored = new Map((await addEntries(tx, written)).map(({ id, requestId }) => [requestId, id]))
  const entryOf = new Map<Incoming['request'], number>()
  for (const { row, incoming } of added) {
    const id = stored.get(row.id) ?? 0
    entryOf.set(incoming.request, id)
    await addFiles(tx, id, incoming.first?.files ?? [])
  }
  return entryOf
}

const channelOf = { support: 'form', contact: 'form', chat: 'chat', mail: 'mail' } as const

/** The requests that were stored with these marks. */
export async function findSent(db: Database, marks: Marks[]) {
  if (marks.length === 0) return []
  return db
    .select()
    .from(requests)
    .where(or(...marks.map((one) => and(eq(requests.clientId, one.clientId), eq(requests.contentHash, one.contentHash)))))
}

/** Not one that was thrown away a moment ago. */
export const exists = (id: number) => and(eq(requests.id, id), isNull(requests.removedAt))

/** A request: nothing that waits in « À vérifier », nor what was thrown away from there. */
export const isDecided = and(ne(requests.status, 'suspected'), isNull(requests.removedAt))

/** Ids of the mails that these requests led to, which are deleted with them. */
export async function findMailIds(tx: Database, requestIds: number[]) {
  if (requestIds.length === 0) return []
  const rows = await tx
    .select({ id: requestEntryMails.mailId })
    .from(requestEntryMails)
    .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
    .where(inArray(requestEntries.requestId, requestIds))
  return rows.map(({ id }) => id)
}

/** Deletes requests with their threads, files and mails, the oldest first, but none under a legal hold; returns how many. */
export async function deleteRequests(tx: Database, condition: SQL | undefined, limit?: number) {
  const matching = tx
    .select({ id: requests.id, mailId: requests.mailId })
    .from(requests)
    .where(and(condition, eq(requests.onHold, false)))
    .$dynamic()
  // One whose deletion is undone at this moment is not deleted.
  const found = await (limit === undefined ? matching : matching.orderBy(requests.createdAt).limit(limit)).for('update')
  const chosen = found.map(({ id }) => id)
  if (chosen.length === 0) return 0
  // Of what was merged into them nothing but a number is left, which would lead nowhere.
  const ids = [...new Set([...chosen, ...(await findMerged(tx, chosen))])]
  const mailIds = [...(await findMailIds(tx, ids)), ...found.flatMap(({ mailId }) => mailId ?? [])]
  const entryIds = tx.select({ id: requestEntries.id }).from(requestEntries).where(inArray(requestEntries.requestId, ids))
  await tx.delete(inboxMails).where(inArray(inboxMails.entryId, entryIds))
  await eraseValues(tx, 'requests', ids)
  await tx.delete(requests).where(inArray(requests.id, ids))
  if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
  return chosen.length
}

/** The requests of a person, newest first, with those made from a chat of theirs. */
export async function findRequestsAbout(db: Database, { email, chatId }: { email: string; chatId: number }) {
  const rows = await db
    .select({ id: requests.id, reference: requests.reference, status: requests.status, chatId: requests.chatId })
    .from(requests)
    .where(and(isDecided, or(eq(requests.chatId, chatId), eq(sql`lower(${requests.email})`, email.toLowerCase()))))
    .orderBy(desc(requests.id))
    .limit(10)
  return rows.map((row) => ({
    id_request: row.id,
    reference: row.reference,
    status: row.status as RequestStatus,
    is_from_chat: row.chatId === chatId,
  }))
}

/** The conversations with these ids are deleted: the requests made from them stay. */
export async function unlinkChats(tx: Database, chatIds: readonly number[]) {
  if (chatIds.length > 0)
    await tx
      .update(requests)
      .set({ chatId: null })
      .where(inArray(requests.chatId, [...chatIds]))
}

/** The next number of a kind; one that was taken for nothing leaves a gap. */
export async function takeReference(db: Pick<Database, 'execute'>, kind: RequestKind) {
  const taken = await db.execute(sql`select nextval(${`request_numbers_${kind}`}) as number`)
  const [row] = (taken as { rows: { number: string | number }[] }).rows
  return referenceOf(kind, row?.number)
}

/** The id and the number of each of several requests that are stored next. */
async function takeNumbers(tx: Database, kinds: RequestKind[]) {
  const sequences = kinds.map((kind) => `request_numbers_${kind}`)
  const taken = await tx.execute(sql`select nextval('requests_id_seq')::int as id, nextval(wanted.name::regclass) as number
    from unnest(${sql.param(sequences)}::text[]) with ordinality as wanted(name, place) order by place`)
  const { rows } = taken as { rows: { id: number; number: string | number }[] }
  return rows.map(({ id, number }, at) => ({ id, reference: referenceOf(kinds[at] ?? 'support', number) }))
}

const referenceOf = (kind: RequestKind, number: string | number | undefined) =>
  formatReference(kind, dayIn(company.hours.timeZone, new Date()).slice(0, 4), Number(number))

/** The phone numbers that a visitor left with their requests. */
export async function findPhonesOf(db: Database, email: string) {
  const rows = await db
    .selectDistinct({ phone: requests.phone })
    .from(requests)
    .where(and(isDecided, eq(sql`lower(${requests.email})`, email.toLowerCase())))
  return rows.map(({ phone }) => phone).filter(Boolean)
}

type RequestFacts = Pick<
  typeof requests.$inferSelect,
  'kind' | 'chatId' | 'reference' | 'name' | 'email' | 'phone' | 'subject' | 'message' | 'language'
>

/** Notifies the staff of a request by email; `reply-to` is the visitor. */
function writeRequestMail(request: RequestFacts, to: string, address: string | null): Mail {
  const t = translator(mailTexts, request.language)
  const { reference, email, phone } = request
  const [name, subject] = [isolateDirection(request.name), isolateDirection(request.subject)]
  const message = request.message.split('\n').map(isolateDirection).join('\n')
  const origin = request.chatId === null ? request.kind : 'fromChat'
  const facts = [
    t('reference', { reference }),
    t('name', { name }),
    t('email', { email }),
    phone && t('phone', { phone }),
    t('language'),
    subject && t('subject', { subject }),
  ].filter(Boolean)
  const foot = [t('answer'), address && t('link', { address })].filter(Boolean)
  return {
    to,
    replyTo: email,
    subject: t(`${origin}Subject`, { reference, subject, name }),
    body: [t(`${origin}Intro`), facts.join('\n'), message, `--\n${foot.join('\n')}`].join('\n\n') + '\n',
  }
}
