import { z } from 'zod'
import { eq } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Routes, App } from '#src/server/types.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { translator } from '#src/lib/language/texts.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import { users } from '#src/features/people/users/server/table.ts'
import { block, blockInput, chatContext, chatRequestInput, idParams, linkedRequest, testMail, cannedReply } from '../contract.ts'
import { blockVisitor, findBlocks, liftBlock, purgeBlocks } from './blocks.ts'
import { broadcastOf } from './broadcast.ts'
import { findChatContext, turnIntoRequest } from './chat-requests.ts'
import { cannedContent } from './canned-service.ts'
import type { TestMail } from '../contract.ts'
import { mailTexts } from './mail-texts.ts'

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
  app.post(
    '/chats/:id/request',
    { ...canWrite, schema: { ...byId, body: chatRequestInput, response: { 201: linkedRequest } } },
    async (request, reply) => reply.code(201).send(await turnIntoRequest(app, request.author, request.params.id, request.body)),
  )

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

  app.post('/test_mail', { ...canWrite, schema: { response: { 201: testMail } } }, async (request, reply) =>
    reply.code(201).send(await sendTestMail(app, request.actor.userId)),
  )
  app.get('/test_mail/:id', { ...canWrite, schema: { ...byId, response: { 200: testMail } } }, (request) =>
    findTestMail(app, request.actor.userId, request.params.id),
  )
}

/** `/api/chat/canned_replies`. */
export const cannedRoutes: Routes = async (app) => {
  const access = { read: 'chat read_only', write: 'chat read_write' } as const
  app.get('/', { config: { access: access.read }, schema: { response: { 200: z.array(cannedReply) } } }, () =>
    cannedContent.findAll(app.db),
  )
  registerContentRoutes(app, {
    content: cannedContent,
    output: cannedReply,
    access,
  })
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
