import { visitorInputs } from '../../contract.ts'
import { findContinuation } from '../messages/continuation.ts'
import { canMailTranscript } from '../messages/transcript.ts'
import { chatRoom, countTechnicians } from '../namespaces.ts'
import { answering, ChatRefusal } from '../refusal.ts'
import { findChatByKey, findVisitorPage, startChat } from '../service.ts'
import { refuseBlocked } from '../staff/blocks.ts'
import { findAvailability } from '../staff/technicians.ts'
import type { VisitorSide } from './visitor-side.ts'
import { emitError } from './visitor-side.ts'

const chatsPerAddress = { points: 60, seconds: 60 }
const chatsInAll = { points: 3_000, seconds: 60 }
const joinsPerAddress = { points: 300, seconds: 60 }

/** A visitor begins a conversation, or comes back to it. */
export function serveArrivals({ app, socket, staff, queue, news }: VisitorSide) {
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
      visitorInputs['chat:connect'],
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
      visitorInputs['chat:client-join'],
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
