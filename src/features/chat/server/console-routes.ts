import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { eq, asc, and, desc, ne, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Routes, App } from '#src/server/types.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { addressInLanguage } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { Invalid, NotFound, Conflict } from '#src/server/problems.ts'
import { users } from '#src/features/people/server/table.ts'
import {
  block,
  blockInput,
  chatContext,
  chatMailInput,
  chatRequestInput,
  idParams,
  linkedRequest,
  ownStart,
  suggestion,
  suggestionQuery,
  testMail,
  visitorChange,
  cannedReply,
  cannedInput,
} from '../contract.ts'
import { blockVisitor, findBlocks, liftBlock, purgeBlocks, isBlocked } from './blocks.ts'
import { broadcastOf } from './broadcast.ts'
import type {
  TestMail,
  CannedInput,
  CannedReply,
  ChatContext,
  ChatMailInput,
  ChatRequestInput,
  LinkedRequest,
  OwnStart,
  Suggestion,
} from '../contract.ts'
import { mailTexts } from './mail-texts.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { etagOf, shareResponse } from '#src/server/cache/shared-responses.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { chat as feature } from '../feature.ts'
import { cannedPairs } from '../values.ts'
import { cannedReplies, chats, pushDevices, technicians } from './table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { replyTo } from '../../requests/server/reply.ts'
import { createRequest, findRequestsAbout } from '../../requests/server/service.ts'
import { correctVisitor } from './contact.ts'
import { addFilesToRequest } from './files.ts'
import { markOf, writeConversation } from './request-replies.ts'
import type { ChatRow } from './service.ts'
import { findOlderStaffMessages, findVisitorMessages, readPublicTechnician } from './service.ts'
import { mixSuggestions, mostSuggested, suggestReplies } from '../suggest-replies.ts'

const canRead = { config: { access: 'chat read_only' } } as const
const canWrite = { config: { access: 'chat read_write' } } as const
const byId = { params: idParams }
const nothing = { 204: z.null() }

/** `/api/chat`: what technicians do outside the socket. */
export const consoleRoutes: Routes = async (app) => {
  const { db } = app

  app.queue.schedule('chat-blocks-over', '40 3 * * *', () => purgeBlocks(db))

  app.get('/chats/:id/context', { ...canRead, schema: { ...byId, response: { 200: chatContext } } }, (request) =>
    findChatContext(db, request.params.id),
  )
  app.put('/chats/:id', { ...canWrite, schema: { ...byId, body: visitorChange, response: nothing } }, async (request, reply) => {
    const { author, params, body } = request
    await correctVisitor(db, author, params.id, body)
    await broadcastOf(app).chat(params.id)
    return reply.code(204).send(null)
  })
  app.post(
    '/chats/:id/request',
    { ...canWrite, schema: { ...byId, body: chatRequestInput, response: { 201: linkedRequest } } },
    async (request, reply) => {
      const { author, params, body } = request
      return reply.code(201).send(await db.transaction((tx) => turnIntoRequest(tx, app, author, params.id, body)))
    },
  )

  app.post(
    '/chats/:id/mail',
    { ...canWrite, schema: { ...byId, body: chatMailInput, response: { 201: linkedRequest } } },
    async ({ author, params, body }, reply) => reply.code(201).send(await mailAnswer(app, author, params.id, body)),
  )

  app.get('/me', { ...canWrite, schema: { response: { 200: ownStart } } }, (request) => findOwnStart(app, request.actor.userId))

  app.get('/blocks', { ...canRead, schema: { response: { 200: z.array(block) } } }, () => findBlocks(db))
  app.post('/blocks', { ...canWrite, schema: { body: blockInput, response: { 201: block } } }, async (request, reply) => {
    const { block: made, closed } = await blockVisitor(db, request.author, request.body)
    for (const chat of closed) broadcastOf(app).closed(chat)
    return reply.code(201).send(made)
  })
  app.delete('/blocks/:id', { ...canWrite, schema: { ...byId, response: nothing } }, async (request, reply) => {
    await liftBlock(db, request.author, request.params.id)
    return reply.code(204).send(null)
  })

  app.get(
    '/suggestions',
    { ...canWrite, schema: { querystring: suggestionQuery, response: { 200: z.array(suggestion) } } },
    (request) => findSuggestions(app, request.query.chat, requestOrigin(request)),
  )

  app.post('/test_mail', { ...canWrite, schema: { response: { 201: testMail } } }, async (request, reply) =>
    reply.code(201).send(await sendTestMail(app, request.actor.userId)),
  )
  app.get('/test_mail/:id', { ...canWrite, schema: { ...byId, response: { 200: testMail } } }, (request) =>
    findTestMail(app, request.actor.userId, request.params.id),
  )
}

const cannedPageSize = 50
/** Without a page: all of them, which a console searches as a shortcut is typed. */
const cannedQuery = z.strictObject({ page: z.coerce.number().int().min(1).max(1_000_000_000).optional() })

/** `/api/chat/canned_replies`. */
export const cannedRoutes: Routes = async (app) => {
  const access = { read: 'chat read_only', write: 'chat read_write' } as const
  const schema = { querystring: cannedQuery, response: { 200: z.array(cannedReply) } }
  app.get('/', { config: { access: access.read }, schema }, async (request, reply) => {
    const { page } = request.query
    const all = await cannedContent.findAll(app.db)
    const shown = page === undefined ? all : all.slice((page - 1) * cannedPageSize, page * cannedPageSize)
    void reply.header('x-total-count', all.length)
    // Consoles ask for them with each shortcut that is typed.
    const isKnown = shareResponse(request, reply, etagOf(JSON.stringify(shown)), false)
    return isKnown ? (reply as FastifyReply).code(304).send() : reply.send(shown)
  })
  registerContentRoutes(app, {
    content: cannedContent,
    output: cannedReply,
    access,
  })
}

async function findOwnStart(app: App, userId: number): Promise<OwnStart> {
  const { db } = app
  const [person, device_count, stays] = await Promise.all([
    readPublicTechnician(app, userId),
    db.$count(pushDevices, eq(pushDevices.userId, userId)),
    db.$count(technicians, eq(technicians.userId, userId)),
  ])
  return { ...person, device_count, was_available: stays > 0 }
}

const perPerson = { points: 5, seconds: 600 }

/** Sends a mail to the technician in the same way as an escalation. */
async function sendTestMail(app: App, userId: number): Promise<TestMail> {
  await app.limits.take('chat-test-mail', String(userId), perPerson)
  const email = await findAddress(app, userId)
  if (email === '') throw new Invalid('Your profile has no email address.')
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  const values = { company: company.name }
  const id = await app.db.transaction((tx) =>
    app.mailer.enqueue(tx, {
      to: email,
      subject: `${fr('testSubject', values)} / ${en('testSubject', values)}`,
      body: `${fr('test', values)}\n\n---\n\n${en('test', values)}\n`,
    }),
  )
  return findTestMail(app, userId, id)
}

/** Its delivery state; only of a mail to one's own address. */
async function findTestMail(app: App, userId: number, id: number): Promise<TestMail> {
  const [mail] = await app.db.select().from(mails).where(eq(mails.id, id))
  if (!mail || mail.recipient !== (await findAddress(app, userId))) throw new NotFound('This email does not exist.')
  return { id_mail: mail.id, recipient: mail.recipient, state: mail.state, can_send: app.mailer.canSend }
}

async function findAddress(app: App, userId: number) {
  const [user] = await app.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? ''
}

export const cannedContent = defineContent<typeof cannedReplies, CannedReply, CannedInput>({
  entry: feature.entries[1],
  isInternal: true,
  input: cannedInput,
  idKey: 'id_canned',
  nameOf: (canned) => canned.shortcut,
  table: cannedReplies,
  orderBy: [asc(cannedReplies.shortcut), asc(cannedReplies.id)],
  pairs: cannedPairs,
  toEntity: (row) => ({
    id_canned: row.id,
    shortcut: row.shortcut,
    reply: row.reply,
    reply_en: row.replyEn,
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({ shortcut: input.shortcut, reply: input.reply, replyEn: input.reply_en }),
  /** Two responses under one shortcut. */
  explain: (error) =>
    isUniqueViolation(error) ? new Invalid('Another reply has this shortcut.', [{ path: 'shortcut', message: 'taken' }]) : error,
})

/** Longest text of a visitor that is searched. */
const longestAsked = 1_000

/** Saved replies and articles about what the visitor wrote last; an article only where every stranger may read it. */
async function findSuggestions(app: App, id: number, origin: string): Promise<Suggestion[]> {
  const [chat] = await app.db.select({ language: chats.language }).from(chats).where(eq(chats.id, id))
  if (!chat) throw new NotFound('This conversation does not exist.')
  const { language } = chat
  const { messages } = await findOlderStaffMessages(app.db, id)
  const sent = messages.filter(({ internal }) => !internal)
  const asked = sent
    .slice(sent.findLastIndex(({ bz_staff: isStaff }) => isStaff) + 1)
    .map(({ message }) => message)
    .join('\n')
    .slice(-longestAsked)
  const replies = suggestReplies(await cannedContent.findAll(app.db), { draft: '', asked })
  const articles = await app.siteSearch.find(asked, language, mostSuggested, ({ kind }) => kind === 'article')
  return mixSuggestions(
    replies.map(({ id_canned, shortcut, reply, reply_en }) => ({
      kind: 'reply' as const,
      id: String(id_canned),
      title: `/${shortcut}`,
      text: (language === 'en' && reply_en) || reply,
      url: null,
    })),
    articles.map(({ key, title, url }) => ({
      kind: 'article' as const,
      id: key,
      title,
      text: `${title}\n${origin}${language === 'en' ? addressInLanguage(url, language) : url}`,
      url,
    })),
  )
}

const otherChats = 5

/** Turns a chat into a request with its messages, in the caller's transaction; throws where it is one already. */
export async function turnIntoRequest(
  tx: Database,
  app: App,
  author: Author,
  id: number,
  input: ChatRequestInput,
  { isQuiet = false } = {},
): Promise<LinkedRequest> {
  const [chat] = await tx.select().from(chats).where(eq(chats.id, id)).for('update')
  if (!chat) throw new NotFound('This conversation does not exist.')
  const current = await findRequestOf(tx, chat)
  if (current) throw new Conflict('This conversation has already been converted to a request.', { current })
  const messages = await findVisitorMessages(tx, chat)
  const request = {
    kind: 'chat',
    chatId: id,
    name: chat.clientName,
    email: chat.clientEmail,
    subject: input.subject.trim(),
    message: [input.summary.trim(), writeConversation(chat, messages)].filter(Boolean).join('\n\n'),
    language: chat.language,
    page: chat.page,
    source: chat.source,
  } as const
  const made = await createRequest(tx, app, request, { clientId: markOf(chat, chat.lastSeq), isQuiet })
  await addFilesToRequest(tx, messages, made.entryId)
  await recordChange(tx, author, {
    area: 'chat',
    action: 'turn into request',
    entryId: id,
    after: { reference: made.reference },
  })
  return { id_request: made.id, reference: made.reference, status: 'new', is_from_chat: true }
}

/** Mails a technician's answer to a visitor who left: the conversation goes on as the request that it was turned into. */
async function mailAnswer(app: App, author: Author, id: number, { text, client_id }: ChatMailInput): Promise<LinkedRequest> {
  if (!app.mailer.canSend) throw new Conflict('No mail server is configured.', { reason: 'no mail' })
  const made = await app.db.transaction(async (tx) => {
    const [chat] = await tx.select().from(chats).where(eq(chats.id, id)).for('update')
    if (!chat) throw new NotFound('This conversation does not exist.')
    if (chat.status !== 'closed' && chat.goneAt === null) throw new Conflict('The visitor is in this conversation: reply there.')
    const subject = translator(mailTexts, chat.language)('continuedSubject')
    // The answer itself brings number and link.
    const found = await findRequestOf(tx, chat)
    return found ?? turnIntoRequest(tx, app, author, id, { subject, summary: '' }, { isQuiet: true })
  })
  const { status } = await replyTo(app, author, made.id_request, { text, client_id, files: [], cc: [] })
  return status === 'suspected' ? made : { ...made, status }
}

/** The request that a chat was turned into. */
export async function findRequestOf(db: Database, { id, clientEmail }: Pick<ChatRow, 'id' | 'clientEmail'>) {
  return (await findRequestsAbout(db, { chatId: id, email: clientEmail })).find((one) => one.is_from_chat)
}

/** The visitor's requests, other chats and blocks. */
export async function findChatContext(db: Database, id: number): Promise<ChatContext> {
  const [chat] = await db.select().from(chats).where(eq(chats.id, id))
  if (!chat) throw new NotFound('This conversation does not exist.')
  const others = await db
    .select({ id: chats.id, created_at: chats.createdAt, user_name: users.displayName })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .where(and(eq(sql`lower(${chats.clientEmail})`, chat.clientEmail.toLowerCase()), ne(chats.id, id)))
    .orderBy(desc(chats.id))
    .limit(otherChats)
  return {
    requests: await findRequestsAbout(db, { chatId: id, email: chat.clientEmail }),
    chats: others.map((other) => ({ ...other, created_at: other.created_at.toISOString() })),
    has_address: chat.clientAddress !== '',
    is_blocked: await isBlocked(db, { email: chat.clientEmail, address: chat.clientAddress }),
  }
}
