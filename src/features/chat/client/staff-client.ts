import type { StaffMessage, StaffProtocol } from '../protocol.ts'
import type { ClientOptions, Side } from './chat-client.ts'
import { createChatClient } from './chat-client.ts'

type StaffOpened = StaffProtocol['answers']['staff:open']

const staffSide: Side<StaffProtocol, number, StaffMessage, StaffOpened, StaffProtocol['answers']['staff:close']> = {
  messageEvent: 'staff:new-message',
  finalRefusals: ['unknown_chat', 'invalid', 'forbidden'],
  idOf: (message) => message.id,
  parseId: (text) => Number(text) || null,
  async open(connection, id, { after, before }) {
    const opened = await connection.request('staff:open', { id, after_seq: after, before_id: before?.id_message })
    return { messages: opened.messages, hasOlder: opened.has_older, more: opened.more, opened }
  },
  async send(connection, id, { message, client_message_id, internal, after_seq }) {
    const sent = { id, message, client_message_id }
    const answer = internal
      ? connection.request('staff:note', sent)
      : connection.request('staff:send-message', { ...sent, after_seq })
    return (await answer).message
  },
  markRead: (connection, id, seq) => connection.request('staff:read', { id, seq }),
  typing: (connection, id) => connection.request('staff:typing', { id }),
  close: (connection, id) => connection.request('staff:close', { id }),
}

/** The console's client. A conversation is named by its number; unsent texts belong to one technician. */
export const createStaffClient = (userId: number, options: ClientOptions<number, StaffOpened>) =>
  createChatClient(staffSide, '/staff', `staff/${userId}/`, options)
