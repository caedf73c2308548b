import type { ChatMessage } from '../values.ts'

/** A text of the visitor's that the server has not acknowledged yet. */
export type UnsentMessage = {
  client_message_id: string
  message: string
  written_at: string
  /** `waiting`: not tried yet, or again when the connection is back. */
  state: 'sending' | 'waiting' | 'failed'
}

export type Conversation = {
  /** What the server holds, by `seq`. */
  messages: ChatMessage[]
  /** What only this browser holds, in the order of writing. */
  unsent: UnsentMessage[]
  /** How far the technicians have read. */
  staffReadSeq: number
  /** Number of the first message that was not asked for afterwards, as an older one. */
  liveSeq: number
}

export type ConversationAction =
  | { type: 'restored'; unsent: UnsentMessage[] }
  | { type: 'written'; message: UnsentMessage }
  | { type: 'sending' | 'waiting' | 'failed'; client_message_id: string }
  | { type: 'received'; messages: ChatMessage[] }
  /** The newest messages after those that are here, in the order of writing. */
  | { type: 'joined'; messages: ChatMessage[] }
  | { type: 'read'; seq: number }

export const emptyConversation: Conversation = { messages: [], unsent: [], staffReadSeq: 0, liveSeq: 0 }

/** The same message may come as an acknowledgement, a push and a catch-up, in any order: it is shown once. */
export function reduceConversation(state: Conversation, action: ConversationAction): Conversation {
  switch (action.type) {
    case 'restored':
      return { ...state, unsent: mergeUnsent(state, action.unsent) }
    case 'written':
      return { ...state, unsent: mergeUnsent(state, [action.message]) }
    case 'sending':
    case 'waiting':
    case 'failed':
      return {
        ...state,
        unsent: state.unsent.map((one) =>
          one.client_message_id === action.client_message_id ? { ...one, state: action.type } : one,
        ),
      }
    case 'received':
      return receive(state, action.messages)
    case 'joined':
      return join(state, action.messages)
    case 'read':
      return action.seq > state.staffReadSeq ? { ...state, staffReadSeq: action.seq } : state
  }
}

/** Where a catch-up starts: before the first hole, so that what a lost push left out comes too. */
export function lastWholeSeq({ messages, liveSeq }: Pick<Conversation, 'messages' | 'liveSeq'>) {
  let last = Math.min(messages[0]?.seq ?? 1, liveSeq || 1) - 1
  for (const { seq } of messages) {
    if (seq !== last + 1) return last
    last = seq
  }
  return last
}

/** More was said than one answer holds: what is before the hole goes, and comes back when it is scrolled to. */
function join(state: Conversation, newest: ChatMessage[]): Conversation {
  const [first] = newest
  if (!first) return state
  const isWhole = state.messages.length > 0 && first.seq <= lastWholeSeq(state) + 1
  const messages = isWhole ? state.messages : state.messages.filter((one) => one.seq > first.seq)
  return receive({ ...state, messages, liveSeq: isWhole ? state.liveSeq : first.seq }, newest)
}

function receive(state: Conversation, incoming: ChatMessage[]): Conversation {
  const byId = new Map(state.messages.map((one) => [one.id_message, one]))
  for (const one of incoming) byId.set(one.id_message, one)
  const messages = [...byId.values()].sort((a, b) => a.seq - b.seq)
  const stored = new Set(messages.map((one) => one.client_message_id))
  return { ...state, messages, unsent: state.unsent.filter((one) => !stored.has(one.client_message_id)) }
}

function mergeUnsent(state: Conversation, added: UnsentMessage[]) {
  const known = new Set([...state.messages, ...state.unsent].map((one) => one.client_message_id))
  const merged = [...state.unsent]
  for (const one of added) {
    if (known.has(one.client_message_id)) continue
    known.add(one.client_message_id)
    merged.push(one)
  }
  return merged
}
