import type { ChatErrorCode, StaffChat, StaffMessage, StaffPresence } from '../values.ts'

/** What a technician wrote and the server has not acknowledged yet. */
export type UnsentStaffMessage = {
  client_message_id: string
  message: string
  internal: boolean
  written_at: string
  state: 'sending' | 'failed'
}

export type ConsoleState = {
  link: 'connecting' | 'up' | 'down'
  /** Why the server does not let this person in. */
  refusal: ChatErrorCode | null
  available: boolean
  users: StaffPresence[]
  closingAt: string | null
  chats: StaffChat[]
  messages: Record<number, StaffMessage[]>
  unsent: Record<number, UnsentStaffMessage[]>
  /** Since when a visitor is typing, by chat. */
  typing: Record<number, number>
}

export type ConsoleAction =
  | { type: 'link'; link: ConsoleState['link'] }
  | { type: 'refused'; code: ChatErrorCode }
  | { type: 'listed'; chats: StaffChat[]; users: StaffPresence[]; available: boolean }
  | { type: 'chat'; chat: StaffChat }
  | { type: 'messages'; id: number; messages: StaffMessage[] }
  | { type: 'presence'; users: StaffPresence[] }
  | { type: 'availability'; available: boolean }
  | { type: 'closing'; closesAt: string | null }
  | { type: 'typing'; id: number; at: number }
  | { type: 'written'; id: number; message: UnsentStaffMessage }
  | { type: 'unsent-state'; id: number; client_message_id: string; state: 'sending' | 'failed' }

export const emptyConsole: ConsoleState = {
  link: 'connecting',
  refusal: null,
  available: false,
  users: [],
  closingAt: null,
  chats: [],
  messages: {},
  unsent: {},
  typing: {},
}

export function reduceConsole(state: ConsoleState, action: ConsoleAction): ConsoleState {
  switch (action.type) {
    case 'link':
      return { ...state, link: action.link, refusal: action.link === 'up' ? null : state.refusal }
    case 'refused':
      return { ...state, refusal: action.code }
    case 'listed':
      return { ...state, chats: action.chats, users: action.users, available: action.available }
    case 'chat':
      return { ...state, chats: [...state.chats.filter((one) => one.id !== action.chat.id), action.chat] }
    case 'messages':
      return receive(state, action.id, action.messages)
    case 'presence':
      return { ...state, users: action.users }
    case 'availability':
      return { ...state, available: action.available, closingAt: null }
    case 'closing':
      return { ...state, closingAt: action.closesAt }
    case 'typing':
      return { ...state, typing: { ...state.typing, [action.id]: action.at } }
    case 'written':
      return { ...state, unsent: { ...state.unsent, [action.id]: [...(state.unsent[action.id] ?? []), action.message] } }
    case 'unsent-state': {
      const changed = (state.unsent[action.id] ?? []).map((one) =>
        one.client_message_id === action.client_message_id ? { ...one, state: action.state } : one,
      )
      return { ...state, unsent: { ...state.unsent, [action.id]: changed } }
    }
  }
}

/** The same message may come as an acknowledgement, a push and a catch-up: it is kept once, in the order of its number. */
function receive(state: ConsoleState, id: number, incoming: StaffMessage[]): ConsoleState {
  const byId = new Map((state.messages[id] ?? []).map((one) => [one.id_message, one]))
  for (const one of incoming) byId.set(one.id_message, one)
  const messages = [...byId.values()].toSorted((one, other) => one.seq - other.seq || one.id_message - other.id_message)
  const stored = new Set(messages.map((one) => one.client_message_id))
  const unsent = (state.unsent[id] ?? []).filter((one) => !stored.has(one.client_message_id))
  const { [id]: _typed, ...typing } = state.typing
  return { ...state, messages: { ...state.messages, [id]: messages }, unsent: { ...state.unsent, [id]: unsent }, typing }
}

export type Tab = 'waiting' | 'mine' | 'all'

/** The chats of one tab: who has waited longest comes first in the queue, the newest elsewhere. */
export function chatsOf(chats: readonly StaffChat[], tab: Tab, userId: number) {
  if (tab === 'waiting') {
    return chats
      .filter((one) => one.status === 'waiting')
      .toSorted((one, other) => one.created_at.localeCompare(other.created_at))
  }
  const own = tab === 'mine' ? chats.filter((one) => one.status === 'claimed' && one.id_user === userId) : chats
  return own.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))
}

/** Where a catch-up starts: before the first hole. */
export function lastWholeSeq(messages: readonly StaffMessage[] | undefined) {
  let last = 0
  for (const { seq } of messages ?? []) {
    if (seq > last + 1) return last
    last = Math.max(last, seq)
  }
  return last
}
