import type { Language } from '#src/lib/language/language.ts'
import type { App } from '#src/server/types.ts'
import type { ChatRefused } from '../protocol.ts'
import { visitorRequests } from '../protocol.ts'
import { countTechnicians, findAvailability } from './availability.ts'
import { hashAddress } from './addresses.ts'
import { refuseBlocked } from './blocks.ts'
import { broadcastOf } from './broadcast.ts'
import { appendVisitorMessage, findContinuation } from './messages.ts'
import type { VisitorSocket } from './namespaces.ts'
import { chatOfRoom, chatRoom } from './namespaces.ts'
import { ChatRefusal, handleEvent } from './refusal.ts'
import { closeConversation } from './request-replies.ts'
import { findChatByKey, findVisitorPage, markReadByVisitor, toVisitorMessage } from './service.ts'
import { findStarted, startChat } from './starts.ts'
import { canMailTranscript } from './transcript.ts'

/**
 * What a visitor's page sends. Opening the widget records nothing: a conversation begins with `chat:connect`, when the
 * visitor sends the form, below the notice of what is stored and for how long.
 */
export function serveVisitors(app: App) {
  const broadcast = broadcastOf(app)
  broadcast.visitors.on('connection', (socket) => {
    serveStart(app, socket)
    serveConversation(app, socket)
    socket.on('disconnecting', () => {
      for (const room of socket.rooms) {
        const id = chatOfRoom(room)
        if (id) broadcast.chatSoon(id)
        if (id) broadcast.queue()
      }
    })
  })
}

/** Refuses a client that gave no callback. */
function emitError(socket: VisitorSocket, { code, message }: ChatRefused) {
  socket.emit('chat:error', { code, message })
}

const chatsPerAddress = { points: 60, seconds: 60 }
const chatsInAll = { points: 3_000, seconds: 60 }
const joinsPerAddress = { points: 300, seconds: 60 }

/** What the visitor read, of what every stranger may read; a conversation begins without it where the search fails. */
async function findRead(app: App, { read, language }: { read: string[]; language: Language }) {
  if (read.length === 0) return []
  try {
    return await app.siteSearch.findTitles(read, language)
  } catch (error) {
    app.log.error({ err: error }, 'what a visitor read is not known')
    return []
  }
}

/** A conversation begins, or a page comes back to it. */
function serveStart(app: App, socket: VisitorSocket) {
  const { db, limits } = app
  const broadcast = broadcastOf(app)
  const { staff } = broadcast
  const address = app.realtime.addressOf(socket)

  async function emitNobodyAvailable() {
    try {
      const { auto_reply } = await findAvailability(db, staff)
      socket.emit('chat:connected', { id_chat: null, user_count: 0, auto_reply })
    } catch (error) {
      app.log.warn({ err: error }, 'a visitor did not receive that nobody is available')
    }
  }

  socket.on(
    'chat:connect',
    handleEvent(
      'chat:connect',
      visitorRequests['chat:connect'].input,
      async (input) => {
        await limits.take('chat-start', address, chatsPerAddress)
        await limits.take('chat-start-all', '', chatsInAll)
        const { user_count, auto_reply, attachments_enabled } = await findAvailability(db, staff)
        const started = await findStarted(db, input)
        if (!started) {
          if (user_count === 0) throw new ChatRefusal('no_users', 'No technician is available.')
          await refuseBlocked(db, { email: input.client_email, address: hashAddress(db, address) })
        }
        const { chat, isNew } = started
          ? { chat: started, isNew: false }
          : await startChat(db, { ...input, read: await findRead(app, input), address })
        await socket.join(chatRoom(chat.id))
        broadcast.chatSoon(chat.id)
        broadcast.queue(chat.id)
        const { page: path, language, source = null } = input
        if (isNew) app.visits.countSent({ kind: 'chat', path, language, source, headers: socket.handshake.headers })
        return { id_chat: chat.key, user_count, auto_reply, can_attach: attachments_enabled, is_new: isNew }
      },
      {
        withoutCallback: {
          reply: (connected) => socket.emit('chat:connected', connected),
          refuse(error) {
            if (error.code === 'no_users') void emitNobodyAvailable()
            else emitError(socket, error)
          },
        },
      },
    ),
  )

  socket.on(
    'chat:client-join',
    handleEvent(
      'chat:client-join',
      visitorRequests['chat:client-join'].input,
      async ({ id_chat: key, after_seq: afterSeq, before_seq: beforeSeq }) => {
        await limits.take('chat-join', address, joinsPerAddress)
        const chat = await findChatByKey(db, key)
        const isClosed = chat.status === 'closed'
        // Join before reading: a message that commits in between comes twice rather than never.
        await socket.join(chatRoom(chat.id))
        const page = await findVisitorPage(db, chat, afterSeq, beforeSeq)
        const { attachments_enabled } = await findAvailability(db, staff)
        const next = isClosed ? await findContinuation(db, chat.id) : null
        if (!isClosed && beforeSeq === undefined) {
          broadcast.chatSoon(chat.id)
          broadcast.queue(chat.id)
        }
        return {
          id_chat: key,
          user_count: countTechnicians(staff),
          ...page,
          closed: isClosed,
          staff_read_seq: chat.staffReadSeq,
          can_attach: attachments_enabled,
          ...(next ? { continued_in: next.key } : {}),
          ...(isClosed ? { transcript: await canMailTranscript(db, chat) } : {}),
        }
      },
      {
        withoutCallback: {
          reply: (joined) => socket.emit('chat:client-joined', joined),
          refuse(error, input) {
            const { id_chat } = (input ?? {}) as { id_chat?: unknown }
            // An id of any other shape is unknown too.
            const isUnknown = error.code === 'unknown_chat' || (error.code === 'invalid' && error.fields?.join() === 'id_chat')
            if (!isUnknown || typeof id_chat !== 'string') return emitError(socket, error)
            const shown = id_chat.slice(0, 100)
            socket.emit('chat:client-joined', { id_chat: shown, user_count: countTechnicians(staff), messages: [] })
          },
        },
      },
    ),
  )
}

/** Of one conversation, whatever the number of its tabs. */
const messagesPerChat = { points: 60, seconds: 10 }
/** Keys tried on one connection count, valid or not. */
const messagesPerSocket = { points: 60, seconds: 10, here: true } as const
/** Of all visitors: a flood from many addresses stops here, before the database. */
const messagesInAll = { points: 50_000, seconds: 10 }
const receiptsPerSocket = { points: 60, seconds: 10, here: true } as const

/** Within a conversation: messages, typing, how far was read, and the end. */
function serveConversation(app: App, socket: VisitorSocket) {
  const { db, limits } = app
  const broadcast = broadcastOf(app)
  const refuse = (error: ChatRefused) => emitError(socket, error)

  socket.on(
    'chat:send-message',
    handleEvent(
      'chat:send-message',
      visitorRequests['chat:send-message'].input,
      async ({ id_chat: key, ...sent }) => {
        await limits.take('chat-message', socket.id, messagesPerSocket)
        await limits.take('chat-message-chat', key, messagesPerChat)
        await limits.take('chat-message-all', '', messagesInAll)
        const appended = await appendVisitorMessage(db, key, sent)
        broadcast.message(appended, [socket.id])
        // A client may write on a new connection before it joins, or without doing so.
        const room = chatRoom(appended.chat.id)
        if (!socket.rooms.has(room)) await socket.join(room)
        return { message: toVisitorMessage(appended.message, appended.chat.key) }
      },
      {
        onDone: (milliseconds) => app.metrics.messageTook('visitor', milliseconds),
        withoutCallback: { reply: ({ message }) => socket.emit('chat:new-message', message), refuse },
      },
    ),
  )

  socket.on(
    'chat:typing',
    handleEvent(
      'chat:typing',
      visitorRequests['chat:typing'].input,
      async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, receiptsPerSocket)
        const chat = await findChatByKey(db, key)
        broadcast.staff.in(chatRoom(chat.id)).emit('staff:typing', { id: chat.id })
      },
      { withoutCallback: { refuse } },
    ),
  )

  socket.on(
    'chat:read',
    handleEvent(
      'chat:read',
      visitorRequests['chat:read'].input,
      async ({ id_chat: key, seq }) => {
        await limits.take('chat-hint', socket.id, receiptsPerSocket)
        const chat = await findChatByKey(db, key)
        await markReadByVisitor(db, chat.id, seq)
        broadcast.chatSoon(chat.id)
      },
      { withoutCallback: { refuse } },
    ),
  )

  socket.on(
    'chat:close',
    handleEvent(
      'chat:close',
      visitorRequests['chat:close'].input,
      async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, receiptsPerSocket)
        const chat = await findChatByKey(db, key)
        const closed = await closeConversation(app, chat.id)
        const transcript = await canMailTranscript(db, chat)
        if (closed) broadcast.closed(chat, { transcript }, [socket.id])
        return { transcript }
      },
      { withoutCallback: { refuse } },
    ),
  )
}
