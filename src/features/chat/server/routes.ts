import { z } from 'zod'
import { eq } from 'drizzle-orm'
import { countInRoom } from '#src/server/cluster/remote-sockets.ts'
import type { Routes, App } from '#src/server/types.ts'
import { registerCors } from '#src/server/http/cors.ts'
import type { Database } from '#src/server/database/database.ts'
import { translator } from '#src/lib/language/texts.ts'
import {
  chatAvailability,
  chatKeyInput,
  leftMessageInput,
  leftMessageReceipt,
  ratingInput,
  transcriptInput,
} from '../contract.ts'
import { findChatOrigins } from './embed-routes.ts'
import {
  findChatState,
  watchAvailability,
  findAvailability,
  watchClosing,
  watchColleagues,
  watchRights,
  watchSignOff,
} from './availability.ts'
import { broadcastOf } from './broadcast.ts'
import { serveVisitorFiles } from './files.ts'
import { asHttpProblem } from './refusal.ts'
import { chatRoom } from './namespaces.ts'
import type { ChatRow } from './service.ts'
import { countWaitingChats, findChatByKey, markVisitors } from './service.ts'
import { watchCalls } from './on-call.ts'
import { watchUnanswered } from './escalation.ts'
import { chatSettingsName, forgetChatSettings } from './settings.ts'
import { serveStaff } from './staff-events.ts'
import { serveVisitors } from './visitor-events.ts'
import { startFormerFigures } from './figures.ts'
import { watchConversations } from './sweep.ts'
import { mailTranscript, writeTranscriptPage } from './transcript.ts'
import { receiveRequest } from '../../requests/server/receive.ts'
import { findRequestsAbout } from '../../requests/server/service.ts'
import { hashStoredAddresses } from './addresses.ts'
import { watchEmptyChats } from './empty-chats.ts'
import { mailTexts } from './mail-texts.ts'
import { chats } from './table.ts'

const nothing = { 204: z.null() }

/** `/public_api/chat` and the sockets of both sides. */
export const chatRoutes: Routes = async (app) => {
  registerCors(app, () => findChatOrigins(app))
  const broadcast = broadcastOf(app)
  const { staff, visitors } = broadcast
  app.events.onOutdated(chatSettingsName, () => forgetChatSettings(app.db))
  // In `onReady`: the key of the hash is known, and no visitor is there yet.
  app.addHook('onReady', () => hashStoredAddresses(app.db))
  watchEmptyChats(app)
  serveVisitors(app)
  serveStaff(app)
  watchClosing(app, staff, broadcast.presence)
  watchRights(app, staff, broadcast.presence)
  watchColleagues(app, staff, broadcast.presence)
  watchUnanswered(app, staff)
  watchCalls(app, staff, visitors)
  watchConversations(app)
  startFormerFigures(app)
  watchAvailability(app, staff, broadcast.presence)
  watchSignOff(app, staff, broadcast.presence)
  app.metrics.gauge('guichet_chats_waiting', 'Chats nobody has taken', () => countWaitingChats(app.db))

  app.get('/available-users', { config: { access: 'public' }, schema: { response: { 200: chatAvailability } } }, async () => {
    // One look at who is there: two could contradict each other.
    const { state, emergency, user_count, next_opening, expected_minutes } = await findChatState(app, staff)
    const open = state === 'open'
    return { ...(await findAvailability(app.db, staff)), user_count, open, state, emergency, next_opening, expected_minutes }
  })

  const leaving = {
    config: { access: 'public', protection: 'beacon' },
    schema: { body: chatKeyInput, response: nothing },
  } as const
  app.post('/client-leave', leaving, async (request, reply) => {
    const chat = await asHttpProblem(findChatByKey(app.db, request.body.id_chat))
    await leaveChat(app, chat)
    return reply.code(204).send(null)
  })

  serveAfterwards(app)
  serveVisitorFiles(app)
}

/** A page of the visitor is closing; where it was the last one, they are gone. */
async function leaveChat(app: App, chat: ChatRow) {
  const broadcast = broadcastOf(app)
  const { adapter, sockets } = broadcast.visitors
  // Its own socket is still connected.
  if (countInRoom(broadcast.visitors, chatRoom(chat.id)) > 1) return
  await markVisitors(app.db, [chat], () => false)
  await broadcast.chat(chat.id, false)
  // A WebSocket closes with its page; of long polling the server would not hear for ten seconds.
  for (const id of adapter.rooms.get(chatRoom(chat.id)) ?? []) {
    const socket = sockets.get(id)
    if (socket?.conn.transport.name === 'polling') socket.disconnect(true)
  }
}

const transcriptsPerAddress = { points: 20, seconds: 600 }
const ratingsPerAddress = { points: 30, seconds: 600 }
const messagesPerAddress = { points: 20, seconds: 600 }
const config = { access: 'public', protection: 'visitor' } as const

/** Transcript, rating, and a message left where nobody answers. */
function serveAfterwards(app: App) {
  const { db, limits } = app

  app.post('/transcript', { config, schema: { body: transcriptInput, response: nothing } }, async (request, reply) => {
    await limits.take('transcript', request.ip, transcriptsPerAddress)
    await asHttpProblem(mailTranscript(app, request.body.id_chat, request.body.language))
    return reply.code(204).send(null)
  })

  app.post('/transcript-page', { config, schema: { body: transcriptInput } }, async (request, reply) => {
    await limits.take('transcript', request.ip, transcriptsPerAddress)
    const { name, html } = await asHttpProblem(writeTranscriptPage(db, request.body.id_chat, request.body.language))
    return reply.type('text/html; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(html)
  })

  app.post('/rating', { config, schema: { body: ratingInput, response: nothing } }, async (request, reply) => {
    await limits.take('chat-rating', request.ip, ratingsPerAddress)
    broadcastOf(app).chatSoon(await asHttpProblem(rateChat(db, request.body)))
    return reply.code(204).send(null)
  })

  app.post('/message', { config, schema: { body: leftMessageInput, response: { 200: leftMessageReceipt } } }, async (request) => {
    await limits.take('chat-left-message', request.ip, messagesPerAddress)
    return asHttpProblem(leaveMessage(app, request.body, request.ip))
  })
}

/** Stores the rating; a later one replaces it. */
async function rateChat(db: Database, { id_chat: key, rating, comment }: z.infer<typeof ratingInput>) {
  const chat = await findChatByKey(db, key)
  await db.update(chats).set({ rating, ratingComment: comment.trim(), ratedAt: new Date() }).where(eq(chats.id, chat.id))
  return chat.id
}

/** A message left where nobody answers becomes a request, linked to its conversation unless that is a request already. */
async function leaveMessage(app: App, input: z.infer<typeof leftMessageInput>, address: string) {
  const chat = input.id_chat ? await findChatByKey(app.db, input.id_chat) : null
  const trap = input.honey === '' ? null : 'honey'
  const related = chat ? await findRequestsAbout(app.db, { chatId: chat.id, email: input.email }) : []
  // A conversation becomes one request, and a suspected spam is not one yet.
  const isFirst = chat !== null && trap === null && !related.some((one) => one.is_from_chat)
  const request = {
    kind: 'chat' as const,
    name: input.name.trim(),
    email: input.email,
    phone: input.phone.trim(),
    subject: translator(mailTexts, input.language)('leftSubject'),
    message: input.message.trim(),
    language: input.language,
    page: input.page,
    ...(isFirst ? { chatId: chat.id } : {}),
  }
  return { reference: (await receiveRequest(app, request, { trap, address, clientId: input.client_id })).reference }
}
