import type { App } from '#src/server/types.ts'
import { visitorInputs } from '../../contract.ts'
import { appendVisitorMessage } from '../messages/append.ts'
import { refuseBlocked } from '../staff/blocks.ts'
import { chatOfRoom, chatRoom } from '../namespaces.ts'
import type { StaffNamespace, VisitorNamespace, VisitorSocket } from '../namespaces.ts'
import type { WaitingLine } from './waiting-line.ts'
import { answering, ChatRefusal } from '../refusal.ts'
import {
  closeChat,
  findChatByKey,
  findVisitorMessages,
  markReadByVisitor,
  startChat,
  toStaffMessage,
  toVisitorMessage,
} from '../service.ts'
import type { StaffNews } from '../staff/staff-news.ts'
import { findAvailability } from '../staff/technicians.ts'

const chatsPerAddress = { points: 60, seconds: 60 }
/** Of one conversation, whatever the number of its tabs. */
const messagesPerChat = { points: 60, seconds: 10 }
/** Keys tried on one connection count, known or not. */
const messagesPerSocket = { points: 60, seconds: 10, here: true } as const
/** Of everybody together: a flood from many places stops here, before the database. */
const messagesInAll = { points: 50_000, seconds: 10 }
const chatsInAll = { points: 3_000, seconds: 60 }
const hintsPerSocket = { points: 60, seconds: 10, here: true } as const
const joinsPerAddress = { points: 300, seconds: 60 }

type Sides = { visitors: VisitorNamespace; staff: StaffNamespace; queue: WaitingLine; news: StaffNews }

/**
 * The visitor's side: events and payloads of spec.md 7, each acknowledged (contract.md 5). Opening the chat and typing
 * record nothing: a conversation begins with `chat:connect`, when the visitor sends the form with their name, under the
 * line that says what is kept and for how long.
 */
export function serveVisitors(app: App, { visitors, staff, queue, news }: Sides) {
  const { db, limits } = app
  // Sent again, it may come from an instance that died between its commit and its word to the others.
  const isRetold = !app.cluster.isAlone

  visitors.on('connection', (socket: VisitorSocket) => {
    const address = app.realtime.addressOf(socket)

    socket.on(
      'chat:connect',
      answering('chat:connect', visitorInputs['chat:connect'], async (input) => {
        await limits.take('chat-start', address, chatsPerAddress)
        await limits.take('chat-start-all', '', chatsInAll)
        const { user_count, auto_reply, attachments_enabled } = await findAvailability(db, staff)
        if (user_count === 0) throw new ChatRefusal('no_users', 'No technician is available.')
        await refuseBlocked(db, { email: input.client_email, address })
        const chat = await startChat(db, { ...input, address })
        await socket.join(chatRoom(chat.id))
        const connected = { id_chat: chat.key, user_count, auto_reply, can_attach: attachments_enabled }
        socket.emit('chat:connected', connected)
        news.tell(chat.id)
        queue.tell(chat.id)
        return connected
      }),
    )

    socket.on(
      'chat:client-join',
      answering('chat:client-join', visitorInputs['chat:client-join'], async ({ id_chat: key, after_seq: afterSeq }) => {
        await limits.take('chat-join', address, joinsPerAddress)
        const chat = await findChatByKey(db, key)
        // Joined before it reads: a message that commits in between comes twice rather than never.
        await socket.join(chatRoom(chat.id))
        const messages = await findVisitorMessages(db, chat, afterSeq)
        const { user_count, attachments_enabled } = await findAvailability(db, staff)
        const joined = {
          id_chat: key,
          user_count,
          messages,
          closed: chat.status === 'closed',
          staff_read_seq: chat.staffReadSeq,
          can_attach: attachments_enabled,
        }
        socket.emit('chat:client-joined', joined)
        if (!joined.closed) news.tell(chat.id)
        if (!joined.closed) queue.tell(chat.id)
        return joined
      }),
    )

    socket.on(
      'chat:send-message',
      answering(
        'chat:send-message',
        visitorInputs['chat:send-message'],
        async ({ id_chat: key, ...sent }) => {
          await limits.take('chat-message', socket.id, messagesPerSocket)
          await limits.take('chat-message-chat', key, messagesPerChat)
          await limits.take('chat-message-all', '', messagesInAll)
          const { chat, message, isNew } = await appendVisitorMessage(db, key, sent)
          const seen = toVisitorMessage(message, key)
          if (isNew || isRetold) {
            socket.to(chatRoom(chat.id)).emit('chat:new-message', seen)
            staff.emit('staff:new-message', toStaffMessage(message))
            news.tell(chat.id)
            if (message.seq === 1) queue.tell(chat.id)
          }
          return { message: seen }
        },
        (milliseconds) => app.metrics.messageTook('visitor', milliseconds),
      ),
    )

    socket.on(
      'chat:typing',
      answering('chat:typing', visitorInputs['chat:typing'], async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        staff.in(chatRoom(chat.id)).emit('staff:typing', { id: chat.id })
      }),
    )

    socket.on(
      'chat:read',
      answering('chat:read', visitorInputs['chat:read'], async ({ id_chat: key, seq }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        await markReadByVisitor(db, chat.id, seq)
        news.tell(chat.id)
      }),
    )

    socket.on(
      'chat:close',
      answering('chat:close', visitorInputs['chat:close'], async ({ id_chat: key }) => {
        await limits.take('chat-hint', socket.id, hintsPerSocket)
        const chat = await findChatByKey(db, key)
        const closed = await closeChat(db, chat.id)
        if (!closed) return
        socket.to(chatRoom(chat.id)).emit('chat:closed', { id_chat: key })
        news.tell(chat.id)
        queue.tell()
      }),
    )

    socket.on('disconnecting', () => {
      for (const room of socket.rooms) {
        const id = chatOfRoom(room)
        if (id) news.tell(id)
        if (id) queue.tell()
      }
    })
  })
}
