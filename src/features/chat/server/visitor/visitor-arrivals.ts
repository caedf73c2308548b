import { visitorInputs } from '../../contract.ts'
import { chatRoom } from '../namespaces.ts'
import { answering, ChatRefusal } from '../refusal.ts'
import { findChatByKey, findVisitorMessages, startChat } from '../service.ts'
import { refuseBlocked } from '../staff/blocks.ts'
import { findAvailability } from '../staff/technicians.ts'
import type { VisitorSide } from './visitor-side.ts'

const chatsPerAddress = { points: 60, seconds: 60 }
const chatsInAll = { points: 3_000, seconds: 60 }
const joinsPerAddress = { points: 300, seconds: 60 }

/** A visitor begins a conversation, or comes back to it. */
export function serveArrivals({ app, socket, staff, queue, news }: VisitorSide) {
  const { db, limits } = app
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
}
