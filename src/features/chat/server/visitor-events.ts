import type { App } from '#src/server/types.ts'
import { chatOfRoom, chatRoom, countTechnicians } from './namespaces.ts'
import type { ChatRefused } from '../protocol.ts'
import type { StaffNamespace, VisitorNamespace, VisitorSocket } from './namespaces.ts'
import type { StaffNews } from './staff-news.ts'
import type { WaitingLine } from './waiting-queue.ts'
import { visitorRequests } from '../protocol.ts'
import { findContinuation, appendVisitorMessage, moveToContinuation } from './messages.ts'
import { canMailTranscript } from './transcript.ts'
import { answering, ChatRefusal } from './refusal.ts'
import {
  findChatByKey,
  findVisitorPage,
  startChat,
  closeChat,
  markReadByVisitor,
  toStaffMessage,
  toVisitorMessage,
} from './service.ts'
import { refuseBlocked } from './blocks.ts'
import { findAvailability } from './availability.ts'

type Sides = Omit<VisitorSide, 'app' | 'socket'>

/**
 * The visitor's side: events and payloads of spec.md 7, each acknowledged (contract.md 5). Opening the chat and typing
 * record nothing: a conversation begins with `chat:connect`, when the visitor sends the form with their name, under the
 * line that says what is kept and for how long.
 */
export function serveVisitors(app: App, sides: Sides) {
  const { visitors, news, queue } = sides
  visitors.on('connection', (socket) => {
    serveArrivals({ app, socket, ...sides })
    serveConversation({ app, socket, ...sides })
    socket.on('disconnecting', () => {
      for (const room of socket.rooms) {
        const id = chatOfRoom(room)
        if (id) news.tell(id)
        if (id) queue.tell()
      }
    })
  })
}

/** One visitor's connection, and who is told of what comes from it. */
type VisitorSide = {
  app: App
  socket: VisitorSocket
  visitors: VisitorNamespace
  staff: StaffNamespace
  queue: WaitingLine
  news: StaffNews
}

/** Tells a client that gave no callback that it was refused. */
function emitError(socket: VisitorSocket, { code, message }: ChatRefused) {
  socket.emit('chat:error', { code, message })
}

const chatsPerAddress = { points: 60, seconds: 60 }
const chatsInAll = { points: 3_000, seconds: 60 }
const joinsPerAddress = { points: 300, seconds: 60 }

/** A visitor begins a conversation, or comes back to it. */
function serveArrivals({ app, socket, staff, queue, news }: VisitorSide) {
  const { db, limits } = app
  const address = app.realtime.addressOf(socket)

  async function tellNobody() {
    try {
      const { auto_reply } = await findAvailability(db, staff)
      socket.emit('chat:connected', { id_chat: null, user_count: 0, auto_reply })
    } catch (error) {
      app.log.warn({ err: error }, 'a visitor was not told that nobody is there')
    }
  }

  socket.on(
    'chat:connect',
    answering(
      'chat:connect',
      visitorRequests['chat:connect'].input,
      async (input) => {
        await limits.take('chat-start', address, chatsPerAddress)
        await limits.take('chat-start-all', '', chatsInAll)
        const { user_count, auto_reply, attachments_enabled } = await findAvailability(db, staff)
        if (user_count === 0) throw new ChatRefusal('no_users', 'No technician is available.')
        await refuseBlocked(db, { email: input.client_email, address })
        const chat = await startChat(db, { ...input, address })
        await socket.join(chatRoom(chat.id))
        news.tell(chat.id)
        queue.tell(chat.id)
        return { id_chat: chat.key, user_count, auto_reply, can_attach: attachments_enabled }
      },
      {
        withoutCallback: {
          tell: (connected) => socket.emit('chat:connected', connected),
          refuse(error) {
            if (error.code === 'no_users') void tellNobody()
            else emitError(socket, error)
          },
        },
      },
    ),
  )

  socket.on(
    'chat:client-join',
    answering(
      'chat:client-join',
      visitorRequests['chat:client-join'].input,
      async ({ id_chat: key, after_seq: afterSeq, before_seq: beforeSeq }) => {
        await limits.take('chat-join', address, joinsPerAddress)
        const chat = await findChatByKey(db, key)
        const isClosed = chat.status === 'closed'
        // Joined before it reads: a message that commits in between comes twice rather than never.
        await socket.join(chatRoom(chat.id))
        const page = await findVisitorPage(db, chat, afterSeq, beforeSeq)
        const { attachments_enabled } = await findAvailability(db, staff)
        const next = isClosed ? await findContinuation(db, chat.id) : null
        if (!isClosed && beforeSeq === undefined) {
          news.tell(chat.id)
          queue.tell(chat.id)
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
          tell: (joined) => socket.emit('chat:client-joined', joined),
          refuse(error, input) {
            if (error.code !== 'unknown_chat') return emitError(socket, error)
            const { id_chat } = input as { id_chat: string }
            socket.emit('chat:client-joined', { id_chat, user_count: countTechnicians(staff), messages: [] })
          },
        },
      },
    ),
  )
}

/** Of one conversation, whatever the number of its tabs. */
const messagesPerChat = { points: 60, seconds: 10 }
/** Keys tried on one connection count, known or not. */
const messagesPerSocket = { points: 60, seconds: 10, here: true } as const
/** Of everybody together: a flood from many places stops here, before the database. */
const messagesInAll = { points: 50_000, seconds: 10 }
const hintsPerSocket = { points: 60, seconds: 10, here: true } as const

/** What a visitor sends from a conversation: messages, that they are typed, that they are read, and its end. */
function serveConversation({ app, socket, visitors, staff, queue, news }: VisitorSide) {
  const { db, limits } = app
  // Sent again, it may come from an instance that died between its commit and its word to the others.
  const isRetold = !app.cluster.isAlone
  const refuse = (error: ChatRefused) => emitError(socket, error)

  socket.on(
    'chat:send-message',
    answering(
      'chat:send-message',
      visitorRequests['chat:send-message'].input,
      async ({ id_chat: key, ...sent }) => {
        await limits.take('chat-message', socket.id, messagesPerSocket)
        await limits.take('chat-message-chat', key, messagesPerChat)
        await limits.take('chat-message-all', '', messagesInAll)
        const { chat, message, isNew, continued } = await appendVisitorMessage(db, key, sent)
        if (continued?.isFirst) {
          moveToContinuation(visitors, staff, continued.from, chat)
          news.tell(continued.from.id)
        }
        if (continued) await socket.join(chatRoom(chat.id))
        const seen = toVisitorMessage(message, chat.key)
        if (isNew || isRetold) {
          socket.to(chatRoom(chat.id)).emit('chat:new-message', seen)
          staff.emit('staff:new-message', toStaffMessage(message))
          news.tell(chat.id)
          if (message.seq === 1) queue.tell(chat.id)
        }
        return { message: seen }
      },
      {
        onDone: (milliseconds) => app.metrics.messageTook('visitor', milliseconds),
        withoutCallback: { tell: ({ message }) => socket.emit('chat:new-message', message), refuse },
      },
    ),
  )

  socket.on(
    'chat:typing',
    answering(
      'chat:typing',
      visitorRequests['chat:typing'].input,
      async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        staff.in(chatRoom(chat.id)).emit('staff:typing', { id: chat.id })
      },
      { withoutCallback: { refuse } },
    ),
  )

  socket.on(
    'chat:read',
    answering(
      'chat:read',
      visitorRequests['chat:read'].input,
      async ({ id_chat: key, seq }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        await markReadByVisitor(db, chat.id, seq)
        news.tell(chat.id)
      },
      { withoutCallback: { refuse } },
    ),
  )

  socket.on(
    'chat:close',
    answering(
      'chat:close',
      visitorRequests['chat:close'].input,
      async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        const closed = await closeChat(db, chat.id)
        const transcript = await canMailTranscript(db, chat)
        if (closed) {
          socket.to(chatRoom(chat.id)).emit('chat:closed', { id_chat: key, transcript })
          news.tell(chat.id)
          queue.tell()
        }
        return { transcript }
      },
      { withoutCallback: { refuse } },
    ),
  )
}
