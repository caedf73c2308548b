import { visitorInputs } from '../../contract.ts'
import type { ChatRefused } from '../../values.ts'
import { appendVisitorMessage } from '../messages/append.ts'
import { moveToContinuation } from '../messages/continuation.ts'
import { canMailTranscript } from '../messages/transcript.ts'
import { chatRoom } from '../namespaces.ts'
import { answering } from '../refusal.ts'
import { closeChat, findChatByKey, markReadByVisitor, toStaffMessage, toVisitorMessage } from '../service.ts'
import type { VisitorSide } from './visitor-side.ts'
import { emitError } from './visitor-side.ts'

/** Of one conversation, whatever the number of its tabs. */
const messagesPerChat = { points: 60, seconds: 10 }
/** Keys tried on one connection count, known or not. */
const messagesPerSocket = { points: 60, seconds: 10, here: true } as const
/** Of everybody together: a flood from many places stops here, before the database. */
const messagesInAll = { points: 50_000, seconds: 10 }
const hintsPerSocket = { points: 60, seconds: 10, here: true } as const

/** What a visitor sends from a conversation: messages, that they are typed, that they are read, and its end. */
export function serveConversation({ app, socket, visitors, staff, queue, news }: VisitorSide) {
  const { db, limits } = app
  // Sent again, it may come from an instance that died between its commit and its word to the others.
  const isRetold = !app.cluster.isAlone
  const refuse = (error: ChatRefused) => emitError(socket, error)

  socket.on(
    'chat:send-message',
    answering(
      'chat:send-message',
      visitorInputs['chat:send-message'],
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
      visitorInputs['chat:typing'],
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
      visitorInputs['chat:read'],
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
      visitorInputs['chat:close'],
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
