import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection, trimInvisible } from '#src/lib/text/plain-text.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { eraseValues } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Mail } from '#src/server/background/mail.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { ContactInput, RequestReceipt, SupportInput } from '../contract.ts'
import { mailTexts } from '../server-texts.ts'
import type { RequestKind, RequestStatus, Trap } from '../values.ts'
import { formatReference } from '../values.ts'
import { waitBeforeTaking, countTrappedForm, findTrap } from './form-checks.ts'
import type { FileContent } from './entries.ts'
import { addEntry, findMerged } from './entries.ts'
import { acknowledge, recipientOf } from './mail-out.ts'
import { findGoals, findSettings } from './settings.ts'
import { findPagePath } from './signed-ids.ts'
import { inboxMails, requestEntries, requestEntryMails, requests } from './table.ts'

type Context = Pick<App, 'db' | 'limits' | 'mailer' | 'config' | 'findHours' | 'visits'>
/**
 * Where a form comes from: the visitor's address, their language and the path of the page. `isVouchedFor`: it came with
 * what only a page of ours has, the XSRF pair or a time that the server signed.
 */
export type Sender = {
  address: string
  language: Language
  page: string
  isVouchedFor: boolean
  headers: IncomingHttpHeaders
}
type RequestRow = typeof requests.$inferSelect
type NewRequest = Pick<typeof requests.$inferInsert, 'kind' | 'name' | 'email' | 'message' | 'language'> &
  Partial<Pick<typeof requests.$inferInsert, 'firstName' | 'lastName' | 'phone' | 'subject' | 'page' | 'chatId' | 'source'>>

const perAddress = { points: 20, seconds: 600 }

/** Takes a service call: stored with its queued mail before it is answered. */
export function submitSupport(context: Context, input: SupportInput, sender: Sender): Promise<RequestReceipt> {
  const firstName = trimInvisible(input.firstname)
  const lastName = trimInvisible(input.lastname)
  return submit(context, input, sender, {
    kind: 'support',
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    email: input.email,
    phone: trimInvisible(input.phone),
    subject: trimInvisible(input.subject),
    message: trimInvisible(input.description),
    language: input.language ?? sender.language,
    page: sender.page,
    source: input.source ?? null,
  })
}

/** Takes a message of the contact page, in the same way. */
export function submitContact(context: Context, input: ContactInput, sender: Sender): Promise<RequestReceipt> {
  return submit(context, input, sender, {
    kind: 'contact',
    name: trimInvisible(input.name),
    email: input.email,
    phone: trimInvisible(input.phone),
    message: trimInvisible(input.message),
    language: input.language ?? sender.language,
    page: sender.page,
    source: input.source ?? null,
  })
}

async function submit(context: Context, input: SupportInput | ContactInput, sender: Sender, request: NewRequest) {
  const { limits, config } = context
  await limits.take(`request-${request.kind}`, sender.address, perAddress)
  const wait = waitBeforeTaking(config.secret, input)
  if (wait > 0) await pause(wait)
  const trap = findTrap(input, sender.isVouchedFor)
  return receiveRequest(context, request, { trap, address: sender.address, clientId: input.client_id, headers: sender.headers })
}

type Arrival = { trap: Trap | null; address: string; clientId?: string | undefined; headers?: IncomingHttpHeaders }

/**
 * Stores what a visitor sent and returns its reference. The same form sent again is the same request. What a trap caught
 * is stored too, in sight of the staff: it may be a person's, whose browser filled what nobody sees.
 */
export async function receiveRequest(
  context: Omit<Context, 'limits'>,
  request: NewRequest,
  arrival: Arrival,
): Promise<RequestReceipt> {
  const { db, config } = context
  const { trap, clientId } = arrival
  const marks = clientId ? { clientId, contentHash: hashContent(request) } : null
  const known = marks && (await findSent(db, marks))
  if (known) return makeReceipt(db, known)
  if (trap && !(await countTrappedForm(db, config.secret, arrival.address)))
    return { reference: await takeReference(db, request.kind), follow: null }
  if (trap) logger.info({ kind: request.kind, trap }, 'a form caught in a trap waits for a decision')
  const { receipt, isNew } = await db.transaction(async (tx) => {
    const { row, entryId } = await insertRequest(tx, context, {
      ...request,
      ...marks,
      ...(trap && { status: 'suspected', trap }),
    })
    if (!trap && entryId) await announceRequest(tx, context, row, entryId)
    return { receipt: await makeReceipt(tx, row), isNew: entryId !== null }
  })
  if (isNew && !trap && arrival.headers) {
    const { page: path = '', language, source = null } = request
    context.visits.countSent({ kind: 'form', path, language, source, headers: arrival.headers })
  }
  return receipt
}

/** Whoever sends a form again much later may be somebody else: they get no link. */
const linkAgainMs = 3_600_000

async function makeReceipt(db: Database, row: RequestRow): Promise<RequestReceipt> {
  const isRecent = Date.now() - row.createdAt.getTime() < linkAgainMs
  return { reference: row.reference, follow: isRecent ? await findPagePath(db, row) : null }
}

type Marks = { clientId: string; contentHash: string }

/** Stores a request and its mail in the caller's transaction; the mail leaves once that commits. */
export async function createRequest(
  tx: Database,
  context: Pick<Context, 'mailer' | 'config' | 'findHours'>,
  request: NewRequest,
  { createdAt = new Date(), ...first }: FirstEntry = {},
) {
  const { row, entryId } = await insertRequest(tx, context, { ...request, createdAt }, first)
  if (!entryId) throw new Error('a request without an entry')
  await announceRequest(tx, context, row, entryId, first)
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

/** Notifies the staff and the customer of a request, in the caller's transaction. */
export async function announceRequest(
  tx: Database,
  context: Pick<Context, 'mailer' | 'config'>,
  row: RequestRow,
  entryId: number,
  { messageId, isQuiet, isOld, continues }: FirstEntry = {},
) {
  if (!isOld) await notifyStaff(tx, context, row)
  if (!isQuiet) await acknowledge(tx, context, row, entryId, { inReplyTo: messageId ?? undefined, former: continues })
}

/** Queues the mail that brings a request to the staff. */
export async function notifyStaff(tx: Database, { config, mailer }: Pick<Context, 'mailer' | 'config'>, request: RequestRow) {
  const address = config.publicUrl ? `${config.publicUrl}/admin/demandes/${request.id}` : null
  const mailId = await mailer.enqueue(tx, writeRequestMail(request, recipientOf(config, request.kind), address))
  await tx.update(requests).set({ mailId }).where(eq(requests.id, request.id))
}

/** Of two that arrive at once with the same marks, the later one finds the earlier one's row. */
async function insertRequest(
  tx: Database,
  { findHours }: Pick<Context, 'findHours'>,
  request: Omit<typeof requests.$inferInsert, 'reference'>,
  { isQuiet: _isQuiet, continues: _continues, isOld, files, ...first }: FirstEntry = {},
) {
  const reference = await takeReference(tx, request.kind)
  const createdAt = request.createdAt ?? new Date()
  // What is that old would be late, and alert, from its first minute.
  const goals = isOld ? {} : findGoals(await findSettings(tx), await findHours(tx), 'normal', createdAt)
  const [row] = await tx
    .insert(requests)
    .values({ ...goals, ...request, createdAt, reference })
    .onConflictDoNothing({ target: [requests.clientId, requests.contentHash] })
    .returning()
  if (row) {
    const { name, email, message } = row
    const entry = { requestId: row.id, kind: 'customer', author: name, authorEmail: email, text: message, createdAt } as const
    const { id } = await addEntry(tx, { ...entry, channel: channelOf[row.kind], ...first }, files)
    return { row, entryId: id }
  }
  const { clientId, contentHash } = request
  const known = clientId && contentHash ? await findSent(tx, { clientId, contentHash }) : undefined
  if (!known) throw new Error('the request was not stored')
  return { row: known, entryId: null }
}

const channelOf = { support: 'form', contact: 'form', chat: 'chat', mail: 'mail' } as const

async function findSent(db: Database, { clientId, contentHash }: Marks) {
  const [row] = await db
    .select()
    .from(requests)
    .where(and(eq(requests.clientId, clientId), eq(requests.contentHash, contentHash)))
  return row
}

function hashContent({ kind, name, firstName, lastName, email, phone, subject, message }: NewRequest) {
  const content = JSON.stringify([kind, name, firstName, lastName, email, phone, subject, message])
  return createHash('sha256').update(content).digest('base64url')
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
  const year = dayIn(company.hours.timeZone, new Date()).slice(0, 4)
  return formatReference(kind, year, Number(row?.number))
}

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
