import type { ChatJoined, ChatMessage, VisitorProtocol } from '../protocol.ts'
import type { ClientOptions, Side } from './chat-client.ts'
import { createChatClient } from './chat-client.ts'

const visitorSide: Side<VisitorProtocol, string, ChatMessage, ChatJoined, { transcript: boolean }> = {
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

/** The widget's client. A conversation is named by the visitor's key. */
export const createVisitorClient = (options: ClientOptions<string, ChatJoined>) => createChatClient(visitorSide, '', '', options)
export type VisitorClient = ReturnType<typeof createVisitorClient>
