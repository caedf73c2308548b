import { desc, eq, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/dates.ts'
import type { Language } from '#src/lib/language.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { ContactInput, RequestReceipt, SupportInput } from '../contract.ts'
import type { RequestKind } from '../values.ts'
import { formatReference } from '../values.ts'
import { writeRequestMail } from './request-mail.ts'
import { isTrapped } from './shown-at.ts'
import { requests } from './table.ts'

type Context = Pick<App, 'db' | 'limits' | 'mailer' | 'config'>
/** Where a form comes from: the visitor's address, their language and the path of the page. */
export type Sender = { address: string; language: Language; page: string }
export type NewRequest = Pick<typeof requests.$inferInsert, 'kind' | 'name' | 'email' | 'message' | 'language'> &
  Partial<Pick<typeof requests.$inferInsert, 'firstName' | 'lastName' | 'phone' | 'subject' | 'page' | 'chatId'>>

const perAddress = { points: 20, seconds: 600 }

/** Takes a service call: stored with its queued mail before it is answered. */
export function submitSupport(context: Context, input: SupportInput, sender: Sender): Promise<RequestReceipt> {
  const firstName = input.firstname.trim()
  const lastName = input.lastname.trim()
  return submit(context, input, sender, {
    kind: 'support',
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    email: input.email,
    phone: input.phone.trim(),
    subject: input.subject.trim(),
    message: input.description.trim(),
    language: input.language ?? sender.language,
    page: sender.page,
  })
}

/** Takes a message of the contact page, in the same way. */
export function submitContact(context: Context, input: ContactInput, sender: Sender): Promise<RequestReceipt> {
  return submit(context, input, sender, {
    kind: 'contact',
    name: input.name.trim(),
    email: input.email,
    phone: input.phone.trim(),
    message: input.message.trim(),
    language: input.language ?? sender.language,
    page: sender.page,
  })
}

/** Stores a request and its mail in the caller's transaction; the mail leaves once that commits. */
export async function createRequest(tx: Database, context: Pick<Context, 'mailer' | 'config'>, request: NewRequest) {
  const reference = await takeReference(tx, request.kind)
  const [stored] = await tx
    .insert(requests)
    .values({ ...request, reference })
    .returning()
  if (!stored) throw new Error('the request was not stored')
  const { config, mailer } = context
  const address = config.publicUrl ? `${config.publicUrl}/admin/demandes/${stored.id}` : null
  const mailId = await mailer.enqueue(tx, writeRequestMail(stored, recipientOf(config, request.kind), address))
  await tx.update(requests).set({ mailId }).where(eq(requests.id, stored.id))
  return { id: stored.id, reference }
}

/** What a person asked for, newest first, with what was made from one chat of theirs. */
export async function findRequestsAbout(db: Database, { email, chatId }: { email: string; chatId: number }) {
  const rows = await db
    .select({ id: requests.id, reference: requests.reference, status: requests.status, chatId: requests.chatId })
    .from(requests)
    .where(or(eq(requests.chatId, chatId), eq(sql`lower(${requests.email})`, email.toLowerCase())))
    .orderBy(desc(requests.id))
    .limit(10)
  return rows.map((row) => ({
    id_request: row.id,
    reference: row.reference,
    status: row.status,
    is_from_chat: row.chatId === chatId,
  }))
}

async function submit(context: Context, input: SupportInput | ContactInput, sender: Sender, request: NewRequest) {
  const { db, limits, config } = context
  await limits.take(`request-${request.kind}`, sender.address, perAddress)
  if (isTrapped(config.secret, input)) {
    logger.info({ kind: request.kind }, 'a form caught in a trap was dropped')
    // Answered as any other, with a number of the same run: a robot learns nothing.
    return { reference: await takeReference(db, request.kind) }
  }
  const { reference } = await db.transaction((tx) => createRequest(tx, context, request))
  return { reference }
}

/** The next number of a kind; one that was taken for nothing leaves a gap. */
export async function takeReference(db: Pick<Database, 'execute'>, kind: RequestKind) {
  const taken = await db.execute(sql`select nextval(${`request_numbers_${kind}`}) as number`)
  const [row] = (taken as { rows: { number: string | number }[] }).rows
  const year = dayIn(company.hours.timeZone, new Date()).slice(0, 4)
  return formatReference(kind, year, Number(row?.number))
}

function recipientOf(config: Context['config'], kind: RequestKind) {
  const chosen = kind === 'contact' ? config.mailContactTo : config.mailSupportTo
  return chosen ?? company.emails.support
}

/** The telephone numbers that a person left with their requests. */
export async function findPhonesOf(db: Database, email: string) {
  const rows = await db
    .selectDistinct({ phone: requests.phone })
    .from(requests)
    .where(eq(sql`lower(${requests.email})`, email.toLowerCase()))
  return rows.map(({ phone }) => phone).filter(Boolean)
}
