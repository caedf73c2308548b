import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq, inArray, isNull, ne, or, sql, lt } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection, trimInvisible } from '#src/lib/text/plain-text.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Mail } from '#src/server/background/mail.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'
import type { ContactInput, RequestReceipt, SupportInput } from '../contract.ts'
import { mailTexts } from '../server-texts.ts'
import type { RequestKind, RequestStatus, Trap } from '../values.ts'
import { formatReference, suspectedDays } from '../values.ts'
import { waitBeforeTaking, countTrappedForm, findTrap, eraseOldCounts } from './form-checks.ts'
import { requests } from './table.ts'

type Context = Pick<App, 'db' | 'limits' | 'mailer' | 'config'>
/**
 * Where a form comes from: the visitor's address, their language and the path of the page. `isVouchedFor`: it came with
 * what only a page of ours has, the XSRF pair or a time that the server signed.
 */
export type Sender = { address: string; language: Language; page: string; isVouchedFor: boolean }
type RequestRow = typeof requests.$inferSelect
type NewRequest = Pick<typeof requests.$inferInsert, 'kind' | 'name' | 'email' | 'message' | 'language'> &
  Partial<Pick<typeof requests.$inferInsert, 'firstName' | 'lastName' | 'phone' | 'subject' | 'page' | 'chatId'>>

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
  })
}

async function submit(context: Context, input: SupportInput | ContactInput, sender: Sender, request: NewRequest) {
  const { limits, config } = context
  await limits.take(`request-${request.kind}`, sender.address, perAddress)
  const wait = waitBeforeTaking(config.secret, input)
  if (wait > 0) await pause(wait)
  const trap = findTrap(input, sender.isVouchedFor)
  return { reference: await receiveRequest(context, request, { trap, address: sender.address, clientId: input.client_id }) }
}

type Arrival = { trap: Trap | null; address: string; clientId?: string | undefined }

/**
 * Stores what a visitor sent and returns its reference. The same form sent again is the same request. What a trap caught
 * is stored too, in sight of the staff: it may be a person's, whose browser filled what nobody sees.
 */
export async function receiveRequest(context: Omit<Context, 'limits'>, request: NewRequest, arrival: Arrival): Promise<string> {
  const { db, config } = context
  const { trap, clientId } = arrival
  const marks = clientId ? { clientId, contentHash: hashContent(request) } : null
  const known = marks && (await findSent(db, marks))
  if (known) return known.reference
  if (trap && !(await countTrappedForm(db, config.secret, arrival.address))) return takeReference(db, request.kind)
  if (trap) logger.info({ kind: request.kind, trap }, 'a form caught in a trap waits for a decision')
  const stored = await db.transaction<{ reference: string }>((tx) =>
    trap ? insertRequest(tx, { ...request, ...marks, status: 'suspected', trap }) : createRequest(tx, context, request, marks),
  )
  return stored.reference
}

type Marks = { clientId: string; contentHash: string }

/** Stores a request and its mail in the caller's transaction; the mail leaves once that commits. */
export async function createRequest(
  tx: Database,
  context: Pick<Context, 'mailer' | 'config'>,
  request: NewRequest,
  marks: Marks | null = null,
) {
  const { row, isNew } = await insertRequest(tx, { ...request, ...marks })
  if (isNew) await notifyStaff(tx, context, row)
  return { id: row.id, reference: row.reference }
}

/** Queues the mail that brings a request to the staff. */
export async function notifyStaff(tx: Database, { config, mailer }: Pick<Context, 'mailer' | 'config'>, request: RequestRow) {
  const address = config.publicUrl ? `${config.publicUrl}/admin/demandes/${request.id}` : null
  const mailId = await mailer.enqueue(tx, writeRequestMail(request, recipientOf(config, request.kind), address))
  await tx.update(requests).set({ mailId }).where(eq(requests.id, request.id))
}

/** Of two that arrive at once with the same marks, the later one finds the earlier one's row. */
async function insertRequest(tx: Database, request: Omit<typeof requests.$inferInsert, 'reference'>) {
  const reference = await takeReference(tx, request.kind)
  const [row] = await tx
    .insert(requests)
    .values({ ...request, reference })
    .onConflictDoNothing({ target: [requests.clientId, requests.contentHash] })
    .returning()
  if (row) return { row, reference, isNew: true }
  const { clientId, contentHash } = request
  const known = clientId && contentHash ? await findSent(tx, { clientId, contentHash }) : undefined
  if (!known) throw new Error('the request was not stored')
  return { row: known, reference: known.reference, isNew: false }
}

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

/** A request: nothing that waits in « À vérifier », nor what was thrown away from there. */
export const isDecided = and(ne(requests.status, 'suspected'), isNull(requests.removedAt))

/** What a person asked for, newest first, with what was made from one chat of theirs. */
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

/** The next number of a kind; one that was taken for nothing leaves a gap. */
async function takeReference(db: Pick<Database, 'execute'>, kind: RequestKind) {
  const taken = await db.execute(sql`select nextval(${`request_numbers_${kind}`}) as number`)
  const [row] = (taken as { rows: { number: string | number }[] }).rows
  const year = dayIn(company.hours.timeZone, new Date()).slice(0, 4)
  return formatReference(kind, year, Number(row?.number))
}

export function recipientOf(config: Context['config'], kind: RequestKind) {
  const chosen = kind === 'contact' ? config.mailContactTo : config.mailSupportTo
  return chosen ?? company.emails.support
}

/** The phone numbers that a visitor left with their requests. */
export async function findPhonesOf(db: Database, email: string) {
  const rows = await db
    .selectDistinct({ phone: requests.phone })
    .from(requests)
    .where(and(isDecided, eq(sql`lower(${requests.email})`, email.toLowerCase())))
  return rows.map(({ phone }) => phone).filter(Boolean)
}

const isFrom = (email: string) => eq(sql`lower(${requests.email})`, email)

/** Service calls and contact messages of a person, with their mails. */
export const requestData: PersonalDataKind = {
  kind: 'requests',
  async find(db, email) {
    const rows = await db.select().from(requests).where(isFrom(email)).orderBy(requests.id)
    return rows.map((row) => ({
      id: row.reference,
      at: row.createdAt.toISOString(),
      fields: {
        name: row.name,
        email: row.email,
        phone: row.phone,
        subject: row.subject,
        message: row.message,
        language: row.language,
        page: row.page,
        status: row.status,
      },
    }))
  },
  async erase(tx, email) {
    const erased = await tx.delete(requests).where(isFrom(email)).returning({ mailId: requests.mailId })
    const mailIds = erased.flatMap(({ mailId }) => mailId ?? [])
    if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
    return erased.length
  },
  retention: {
    months: company.retention.requestMonths,
    purge: (db) => eraseOldRequests(db, company.retention.requestMonths),
  },
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

/**
 * Erases the requests older than the company says it keeps them (`retention.requestMonths`), with their mails, and what
 * was suspected and nobody took.
 */
export async function eraseOldRequests(db: Database, months: number) {
  return db.transaction(async (tx) => {
    const isOld = lt(requests.createdAt, sql`now() - make_interval(months => ${months})`)
    const isForgotten = and(
      eq(requests.status, 'suspected'),
      lt(requests.createdAt, sql`now() - make_interval(days => ${suspectedDays})`),
    )
    const erased = await tx.delete(requests).where(or(isOld, isForgotten)).returning({ mailId: requests.mailId })
    const mailIds = erased.flatMap(({ mailId }) => mailId ?? [])
    if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
    await eraseOldCounts(tx)
    return erased.length
  })
}
