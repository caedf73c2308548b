import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { block, blockInput, chatContext, chatRequestInput, idParams, linkedRequest, testMail } from '../../console-contract.ts'
import { blockVisitor, findBlocks, liftBlock, purgeBlocks } from './blocks.ts'
import { findChatContext, turnIntoRequest } from './chat-requests.ts'
import type { StaffNamespace, VisitorNamespace } from '../namespaces.ts'
import { chatRoom } from '../namespaces.ts'
import { findStaffChat } from './staff-chats.ts'
import { findTestMail, sendTestMail } from './test-mail.ts'

const canRead = { config: { access: 'chat read_only' } } as const
const canWrite = { config: { access: 'chat read_write' } } as const
const byId = { params: idParams }
const nothing = { 204: z.null() }

/** `/api/chat`: what technicians do beside the conversation itself. */
export const consoleRoutes: Routes = async (app) => {
  const { db } = app
  const visitors: VisitorNamespace = app.realtime.io.of('/')
  const staff: StaffNamespace = app.realtime.io.of('/staff')

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
    for (const { id, key } of closed) {
      visitors.in(chatRoom(id)).emit('chat:closed', { id_chat: key })
      staff.emit('staff:chat', await findStaffChat(db, id, false))
    }
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
