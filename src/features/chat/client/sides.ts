import type { AnyProtocol, ChatJoined, ChatMessage, StaffMessage, StaffProtocol, VisitorProtocol } from '../protocol.ts'
import type { Connection } from './connection.ts'
import type { Unsent } from './outbox.ts'

/** What differs between the two namespaces: the names of the events, and what names a conversation. */
export type Side<P extends AnyProtocol, Id, M, Opened, Closed> = {
  messageEvent: keyof P['events'] & string
  /** Refusals of `open` after which it is not tried again. */
  finalRefusals: readonly string[]
  idOf: (message: M) => Id
  open: (connection: Connection<P>, id: Id, range: { after?: number; before?: M }) => Promise<Page<M> & { opened: Opened }>
  send: (connection: Connection<P>, id: Id, unsent: Unsent) => Promise<M>
  markRead: (connection: Connection<P>, id: Id, seq: number) => Promise<unknown>
  typing: (connection: Connection<P>, id: Id) => Promise<unknown>
  close: (connection: Connection<P>, id: Id) => Promise<Closed>
}
type Page<M> = { messages: readonly M[]; hasOlder: boolean; more: boolean }

export const visitorSide: Side<VisitorProtocol, string, ChatMessage, ChatJoined, { transcript: boolean }> = {
  messageEvent: 'chat:new-message',
  // A newer or older server may refuse what another takes: only an unknown conversation is over.
  finalRefusals: ['unknown_chat'],
  idOf: (message) => message.id_chat,
  async open(connection, id_chat, { after = 0, before }) {
    const range = before ? { before_seq: before.seq } : { after_seq: after }
    const joined = await connection.request('chat:client-join', { id_chat, ...range })
    return { messages: joined.messages, hasOlder: joined.has_older, more: false, opened: joined }
  },
  async send(connection, id_chat, { message, client_message_id }) {
    return (await connection.request('chat:send-message', { id_chat, message, client_message_id })).message
  },
  markRead: (connection, id_chat, seq) => connection.request('chat:read', { id_chat, seq }),
  typing: (connection, id_chat) => connection.request('chat:typing', { id_chat }),
  close: (connection, id_chat) => connection.request('chat:close', { id_chat }),
}

export type StaffOpened = StaffProtocol['answers']['staff:open']

export const staffSide: Side<StaffProtocol, number, StaffMessage, StaffOpened, StaffProtocol['answers']['staff:close']> = {
  messageEvent: 'staff:new-message',
  finalRefusals: ['unknown_chat', 'invalid', 'forbidden'],
  idOf: (message) => message.id,
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
