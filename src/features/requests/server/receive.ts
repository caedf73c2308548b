import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Language } from '#src/lib/language/language.ts'
import { trimInvisible } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { createGroupCommit } from '#src/server/database/group-commit.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { ContactInput, RequestReceipt, SupportInput } from '../contract.ts'
import type { Trap } from '../values.ts'
import { countTrappedForm, findTrap, waitBeforeTaking } from './form-checks.ts'
import type { NewRequest, RequestRow } from './service.ts'
import { announceRequests, findSent, insertRequests, takeReference } from './service.ts'
import { pagePathOf, storeLinks } from './signed-ids.ts'
import type { requests } from './table.ts'

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
  const arrival = { trap, address: sender.address, clientId: input.client_id, headers: sender.headers }
  return receiveRequest(context, request, arrival).catch(async (error: unknown) => {
    // A page sends it again until it is stored, and would be refused for what the server could not do.
    await limits
      .refund(`request-${request.kind}`, sender.address, perAddress)
      .catch((failure: unknown) => logger.warn({ err: failure }, 'a form that failed counts as sent'))
    throw error
  })
}

type Arrival = { trap: Trap | null; address: string; clientId?: string | undefined; headers?: IncomingHttpHeaders }

/**
 * Stores what a visitor sent and returns its reference. The same form sent again is the same request. What a trap caught
 * is stored too, in sight of the staff: it may be a person's, whose browser filled what nobody sees.
 */
export async function receiveRequest(context: ReceiveContext, request: NewRequest, arrival: Arrival): Promise<RequestReceipt> {
  const { db, config } = context
  const { trap, clientId } = arrival
  const marks = clientId ? { clientId, contentHash: hashContent(request) } : null
  if (trap) {
    const [known] = await storeLinks(db, marks ? await findSent(db, [marks]) : [])
    if (known) return receiptOf(db, known)
    if (!(await countTrappedForm(db, config.secret, arrival.address)))
      return { reference: await takeReference(db, request.kind), follow: null }
    logger.info({ kind: request.kind, trap }, 'a form caught in a trap waits for a decision')
  }
  const form: Form = { ...request, ...marks, ...(trap && { status: 'suspected', trap }) }
  const { receipt, isNew } = await storeTogether(db, { context, form })
  if (isNew && !trap && arrival.headers) {
    const { page: path = '', language, source = null } = request
    context.visits.countSent({ kind: 'form', path, language, source, headers: arrival.headers })
  }
  return receipt
}

type ReceiveContext = Omit<Context, 'limits'>
type Form = Omit<typeof requests.$inferInsert, 'reference'>
type Stored = { receipt: RequestReceipt; isNew: boolean }

/** Forms that arrive at once share a transaction: alone, the statements of each allow some dozens a second. */
const storeTogether = createGroupCommit<{ context: ReceiveContext; form: Form }, Stored>({
  // Statements for more would hold up everything else on the embedded database.
  most: 32,
  store: (db, items) => db.transaction((tx) => storeForms(tx, items)),
  nameOf: ({ form: { clientId, contentHash } }) => (clientId ? `${clientId} ${contentHash}` : null),
})

async function storeForms(tx: Database, items: { context: ReceiveContext; form: Form }[]): Promise<Stored[]> {
  const context = items[0]?.context
  if (!context) return []
  const stored = await insertRequests(
    tx,
    context,
    items.map(({ form: request }) => ({ request })),
  )
  const rows = await storeLinks(
    tx,
    stored.map(({ row }) => row),
  )
  const taken = rows.map((row, at) => ({ row, entryId: stored[at]?.entryId ?? null }))
  const announced = taken.flatMap(({ row, entryId }) => (entryId !== null && !row.trap ? [{ row, entryId }] : []))
  await announceRequests(tx, context, announced)
  return taken.map(({ row, entryId }) => ({ receipt: receiptOf(tx, row), isNew: entryId !== null }))
}

/** Whoever sends a form again much later may be somebody else: they get no link. */
const linkAgainMs = 3_600_000

/** Of a request whose link is stored. */
function receiptOf(db: Database, row: RequestRow): RequestReceipt {
  const isRecent = Date.now() - row.createdAt.getTime() < linkAgainMs
  return { reference: row.reference, follow: isRecent ? pagePathOf(db, row) : null }
}

function hashContent({ kind, name, firstName, lastName, email, phone, subject, message }: NewRequest) {
  const content = JSON.stringify([kind, name, firstName, lastName, email, phone, subject, message])
  return createHash('sha256').update(content).digest('base64url')
}
