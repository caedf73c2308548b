import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { and, asc, count, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, isLanguage } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { isBlank, tidyText } from '#src/lib/text/plain-text.ts'
import { company } from '#company/company.ts'
import { users } from '#src/features/people/server/table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Limited, NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import { z } from 'zod'
import type { CustomerPage, CustomerPageNotice, CustomerPageProblem, RequestEntry } from '../contract.ts'
import { customerPage, customerPageInput } from '../contract.ts'
import { outcomeTexts } from '../server-texts.ts'
import { pageDays, replyFilesMax, replyFilesMaxBytes, replyMax } from '../values.ts'
import { addEntry, downloadHeaders, findEntries, findFile, findOwnEntries, readFilePieces } from './entries.ts'
import { addChangeEvent, nextState } from './follow-up.ts'
import { receiveFromCustomer, reopens } from './from-customer.ts'
import { findPublishedIncident } from './incidents.ts'
import { findPublicNames, mailNewLink } from './mail-out.ts'
import { findSettings } from './settings.ts'
import { findPagePath, hashToken, renewLink } from './signed-ids.ts'
import { requestEntries, requestEntryMails, requestLinks, requests } from './table.ts'

type RequestRow = typeof requests.$inferSelect
type PageContext = Pick<App, 'db' | 'findTeamRecord'>

const dayMs = 86_400_000
const newLinksPerDay = 3

/** What the customer sees of their request; throws `NotFound` for an unknown token, after the same work as for a known one. */
export async function findCustomerPage(app: PageContext, token: string, now = new Date()): Promise<CustomerPage> {
  const { db } = app
  const row = await findByToken(db, token)
  const shown = row && (await followMerge(db, row))
  const isOfAnother = shown !== undefined && shown.mergedIntoId !== null
  const entries = isOfAnother ? await findOwnEntries(db, shown) : await findEntries(db, shown?.id ?? 0)
  const names = await findPublicNames(db, [shown?.assignedTo ?? 0, ...entries.map(({ id_user: userId }) => userId)])
  const { reopen_days: reopenDays } = await findSettings(db)
  const neighbours = await findNeighbours(db, shown ?? { id: 0, email: '' })
  if (!row || !shown) throw new NotFound('There is no such request.')
  const { reference, language } = row
  if (isExpired(row, now)) return { state: 'expired', reference, language }
  return {
    state: 'open',
    reference,
    language,
    subject: shown.subject,
    status: shown.status === 'suspected' ? 'new' : shown.status,
    created_at: shown.createdAt.toISOString(),
    taken_at: entries.find(({ event }) => event?.status?.to === 'open' || event?.assignee)?.at ?? null,
    done_at: shown.doneAt?.toISOString() ?? null,
    assignee: shown.assignedTo === null ? null : await describeAssignee(app, shown.assignedTo, names.get(shown.assignedTo)),
    incident: await findPublishedIncident(db, shown.incidentId),
    reopens: reopens(shown, reopenDays, now),
    ...neighbours,
    client_id: crypto.randomUUID(),
    entries: entries.flatMap((entry) => publicPart(entry, names.get(entry.id_user)) ?? []),
  }
}

/** The request that this one goes on with, and the latest that goes on with this one, where they are the same customer's. */
async function findNeighbours(db: Database, row: Pick<RequestRow, 'id' | 'email'>) {
  const isSameCustomer = and(
    eq(requestLinks.continues, true),
    isNull(requests.removedAt),
    eq(sql`lower(${requests.email})`, row.email.toLowerCase()),
  )
  const [former] = await db
    .select({ reference: requests.reference })
    .from(requestLinks)
    .innerJoin(requests, eq(requests.id, requestLinks.otherId))
    .where(and(eq(requestLinks.requestId, row.id), isSameCustomer))
  const [next] = await db
    .select({ request: requests })
    .from(requestLinks)
    .innerJoin(requests, eq(requests.id, requestLinks.requestId))
    .where(and(eq(requestLinks.otherId, row.id), isSameCustomer))
    .orderBy(desc(requests.id))
    .limit(1)
  return {
    continues: former?.reference ?? null,
    continued_by: next ? { reference: next.request.reference, path: await findPagePath(db, next.request) } : null,
  }
}

/** With the title of their team record, as in the chat. */
async function describeAssignee({ db, findTeamRecord }: PageContext, userId: number, name = company.name) {
  const [user] = await db.select({ employeeId: users.employeeId }).from(users).where(eq(users.id, userId))
  const record = user?.employeeId ? await findTeamRecord(user.employeeId) : null
  return { name, title: record?.title ?? '', title_en: record?.title_en ?? '' }
}

function publicPart({ id_entry, kind, channel, author, text, quoted, files, at }: RequestEntry, name: string | undefined) {
  if (kind !== 'customer' && kind !== 'staff') return null
  return { id_entry, kind, channel, author: name ?? author, text, quoted, files, at }
}

async function findByToken(db: Database, token: string): Promise<RequestRow | undefined> {
  const [row] = await db
    .select()
    .from(requests)
    .where(and(eq(requests.linkHash, hashToken(token)), isNull(requests.removedAt)))
  return row
}

/** The page of a merged request shows the one it was merged into, also by way of others, where that is the same customer's. */
async function followMerge(db: Database, row: RequestRow) {
  let target = row
  while (target.mergedIntoId !== null) {
    const [next] = await db.select().from(requests).where(eq(requests.id, target.mergedIntoId))
    if (!next) break
    target = next
  }
  return target.email.toLowerCase() === row.email.toLowerCase() ? target : row
}

function isExpired({ doneAt, linkMadeAt }: RequestRow, now: Date) {
  if (!doneAt) return false
  const since = Math.max(doneAt.getTime(), linkMadeAt?.getTime() ?? 0)
  return since + pageDays * dayMs < now.getTime()
}

const postsPerAddress = { points: 30, seconds: 600 }
const readsPerAddress = { points: 300, seconds: 60 }
const params = z.strictObject({ token: z.string().max(100) })
const fileOfPage = z.strictObject({ token: z.string().max(100), file: z.coerce.number().int().positive().max(2_147_483_647) })

/** `/suivi`: the form of the customer's page, which is a page post with and without JavaScript, and its files. */
export const customerPageRoutes: Routes = async (app) => {
  const { db, limits } = app
  await app.register(multipart, {
    limits: { fileSize: replyFilesMaxBytes, files: replyFilesMax, fields: 10, fieldSize: 100_000 },
  })

  const config = { access: 'public', protection: 'secret', upload: true } as const
  app.post('/:token', { config, schema: { params, hide: true } }, async (request, reply) => {
    const { token } = request.params
    const { form, problem } = await readForm(request)
    const taken = problem ?? (await takePost(app, request, token, form))
    // A message that began another request leads to the page of that one.
    const { path, outcome } =
      typeof taken === 'string'
        ? { path: `/suivi/${encodeURIComponent(token)}`, outcome: taken }
        : { ...taken, outcome: 'nouvelle' }
    const language = form.fields.get('lang')
    const address = `${path}?${new URLSearchParams({ etat: outcome })}#reponse`
    return reply
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .redirect(isLanguage(language) && language !== 'fr' ? addressInLanguage(address, language) : address, 303)
  })
  app.get(
    '/:token/fichiers/:file',
    { config: { access: 'public' }, schema: { params: fileOfPage, hide: true } },
    async (request, reply) => {
      await limits.take('customer-page-file', request.ip, readsPerAddress)
      const row = await findByToken(db, request.params.token)
      if (!row || isExpired(row, new Date())) throw new NotFound('There is no such file.')
      const shown = await followMerge(db, row)
      const file = await findFile(db, request.params.file, shown.id, true)
      const headers = { ...downloadHeaders(file), 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
      return reply.headers(headers).send(Readable.from(readFilePieces(db, file.id), { objectMode: false }))
    },
  )
}

/** `/public_api/requests`: the data of the page, for a navigation in the browser; the token is in the body. */
export const customerPageApi: Routes = async (app) => {
  app.post(
    '/page',
    { config: { access: 'public' }, schema: { body: customerPageInput, response: { 200: customerPage } } },
    async (request) => {
      await app.limits.take('customer-page', request.ip, readsPerAddress)
      return findCustomerPage(app, request.body.token)
    },
  )
}

type Form = { fields: Map<string, string>; files: { name: string; type: string; bytes: Buffer }[] }
/** The path: that of the request that a message began. */
type Outcome = CustomerPageProblem | 'envoye' | 'regle' | 'lien' | { path: string }
const successes = new Set(['envoye', 'nouvelle', 'regle', 'lien'])

/** What the page says after a post, in every language; null without one. */
export function describeOutcome(outcome: string | null): CustomerPageNotice | null {
  const key = (Object.keys(outcomeTexts.fr) as (keyof typeof outcomeTexts.fr)[]).find((one) => one === outcome)
  if (!key) return null
  const values = (language: Language) => ({ max: replyMax, size: formatBytes(replyFilesMaxBytes, language) })
  const text = { fr: translator(outcomeTexts, 'fr')(key, values('fr')), en: translator(outcomeTexts, 'en')(key, values('en')) }
  return { is_good: successes.has(key), text }
}

async function readForm(request: FastifyRequest): Promise<{ form: Form; problem?: CustomerPageProblem }> {
  const form: Form = { fields: new Map(), files: [] }
  try {
    let size = 0
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') form.fields.set(part.fieldname, part.value.replaceAll('\r\n', '\n'))
        continue
      }
      const bytes = await buffer(part.file)
      size += bytes.length
      if (size > replyFilesMaxBytes || part.file.truncated) return { form, problem: 'fichiers' }
      // A file field that was left empty.
      if (part.filename || bytes.length > 0) form.files.push({ name: part.filename, type: part.mimetype, bytes })
    }
    return { form }
  } catch (error) {
    const isTooMuch = /^FST_(?:REQ_FILE_TOO_LARGE|FILES_LIMIT|PARTS_LIMIT|FIELDS_LIMIT)$/.test(
      (error as { code?: string }).code ?? '',
    )
    request.log.info({ err: error }, 'the form of a customer’s page could not be read')
    return { form, problem: isTooMuch ? 'fichiers' : 'erreur' }
  }
}

async function takePost(app: App, request: FastifyRequest, token: string, form: Form): Promise<Outcome> {
  try {
    await app.limits.take('customer-page-post', request.ip, postsPerAddress)
    return await app.db.transaction((tx) => handlePost(tx, app, token, form))
  } catch (error) {
    if (error instanceof Limited) return 'limite'
    // The page shows that there is no such request.
    if (error instanceof NotFound) return 'erreur'
    logger.error({ err: error, reqId: request.id }, 'an answer on a customer’s page was not stored')
    return 'erreur'
  }
}

async function handlePost(tx: Database, app: App, token: string, { fields, files }: Form): Promise<Outcome> {
  const found = await findByToken(tx, token)
  if (!found) throw new NotFound()
  const shown = await followMerge(tx, found)
  const [row] = await tx.select().from(requests).where(eq(requests.id, shown.id)).for('update')
  if (!row) throw new NotFound()
  const action = fields.get('action')
  if (isExpired(found, new Date())) return action === 'lien' ? sendNewLink(tx, app, found) : 'erreur'
  if (action === 'regle') {
    const next = nextState(row, 'done', await app.findHours(tx))
    await tx
      .update(requests)
      .set({ ...next, version: row.version + 1, updatedAt: new Date() })
      .where(eq(requests.id, row.id))
    await addChangeEvent(tx, { userId: null, name: row.name }, row, { ...row, ...next })
    return 'regle'
  }
  const text = tidyText(fields.get('text') ?? '')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
  if (isBlank(text) && files.length === 0) return 'vide'
  if (text.length > replyMax) return 'long'
  const clientId = z.uuid().safeParse(fields.get('client_id')).data ?? null
  if (clientId) {
    const begun = tx
      .select({ id: requestLinks.requestId })
      .from(requestLinks)
      .where(and(eq(requestLinks.otherId, row.id), eq(requestLinks.continues, true)))
    const isHere = or(eq(requestEntries.requestId, row.id), inArray(requestEntries.requestId, begun))
    const [known] = await tx
      .select({ requestId: requestEntries.requestId })
      .from(requestEntries)
      .where(and(isHere, eq(requestEntries.clientId, clientId)))
    if (known) return describeStored(tx, known.requestId, row.id)
  }
  if (row.status === 'suspected') {
    // It wakes nobody until somebody looked at it.
    await addEntry(
      tx,
      { requestId: row.id, kind: 'customer', channel: 'page', author: row.name, authorEmail: row.email, text, clientId },
      files,
    )
    return 'envoye'
  }
  const written = { channel: 'page', author: row.name, authorEmail: row.email, text, clientId, files } as const
  const { requestId } = await receiveFromCustomer(tx, app, row, written)
  return describeStored(tx, requestId, row.id)
}

async function describeStored(tx: Database, requestId: number, formerId: number): Promise<Outcome> {
  if (requestId === formerId) return 'envoye'
  const [begun] = await tx.select().from(requests).where(eq(requests.id, requestId))
  return begun ? { path: await findPagePath(tx, begun) } : 'envoye'
}

/** The former links end; at most three mails a day leave, and the page shows the same for each. */
async function sendNewLink(tx: Database, app: App, found: RequestRow): Promise<Outcome> {
  const [sent] = await tx
    .select({ count: count() })
    .from(requestEntryMails)
    .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
    .innerJoin(mails, eq(mails.id, requestEntryMails.mailId))
    .where(
      and(
        eq(requestEntries.requestId, found.id),
        eq(requestEntryMails.purpose, 'link'),
        gt(mails.createdAt, new Date(Date.now() - dayMs)),
      ),
    )
  const [first] = await tx
    .select({ id: requestEntries.id })
    .from(requestEntries)
    .where(or(eq(requestEntries.requestId, found.id), eq(requestEntries.mergedFromId, found.id)))
    .orderBy(asc(requestEntries.id))
    .limit(1)
  if (!first || (sent?.count ?? 0) >= newLinksPerDay) return 'lien'
  const [locked] = await tx.select().from(requests).where(eq(requests.id, found.id)).for('update')
  if (locked) await mailNewLink(tx, app, await renewLink(tx, locked), first.id)
  return 'lien'
}
