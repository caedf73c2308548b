import { z } from 'zod'
import type { App } from '#src/server/types.ts'
import { leftMessageInput, leftMessageReceipt, ratingInput, transcriptInput } from '../../contract.ts'
import { leaveMessage, rateChat } from './afterwards.ts'
import { known } from '../known.ts'
import type { StaffNamespace } from '../namespaces.ts'
import { findStaffChat } from '../staff/staff-chats.ts'
import { mailTranscript, writeTranscriptPage } from '../messages/transcript.ts'

const transcriptsPerAddress = { points: 20, seconds: 600 }
const ratingsPerAddress = { points: 30, seconds: 600 }
const messagesPerAddress = { points: 20, seconds: 600 }
const nothing = { 204: z.null() }
const config = { access: 'public', protection: 'visitor' } as const

/** What a visitor does at the end of a conversation, or where there is none. */
export function serveAfterwards(app: App, staff: StaffNamespace, isOnline: (id: number) => boolean) {
  const { db, limits } = app

  app.post('/transcript', { config, schema: { body: transcriptInput, response: nothing } }, async (request, reply) => {
    await limits.take('transcript', request.ip, transcriptsPerAddress)
    await known(mailTranscript(app, request.body.id_chat, request.body.language))
    return reply.code(204).send(null)
  })

  app.post('/transcript-page', { config, schema: { body: transcriptInput } }, async (request, reply) => {
    await limits.take('transcript', request.ip, transcriptsPerAddress)
    const { name, html } = await known(writeTranscriptPage(db, request.body.id_chat, request.body.language))
    return reply.type('text/html; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(html)
  })

  app.post('/rating', { config, schema: { body: ratingInput, response: nothing } }, async (request, reply) => {
    await limits.take('chat-rating', request.ip, ratingsPerAddress)
    const id = await known(rateChat(db, request.body))
    staff.emit('staff:chat', await findStaffChat(db, id, isOnline(id)))
    return reply.code(204).send(null)
  })

  app.post('/message', { config, schema: { body: leftMessageInput, response: { 200: leftMessageReceipt } } }, async (request) => {
    await limits.take('chat-left-message', request.ip, messagesPerAddress)
    return known(leaveMessage(app, request.body, request.ip))
  })
}
