import type { ChatErrorCode, OwnAvailability, StaffChat, StaffMessage, StaffPresence } from '../values.ts'

/** What a technician wrote and the server has not acknowledged yet. */
export type UnsentStaffMessage = {
  client_message_id: string
  message: string
  internal: boolean
  /** What its writer had read: a colleague's answer after that holds it back. */
  after_seq: number
  written_at: string
  state: 'sending' | 'failed'
}

export type ConsoleState = {
  link: 'connecting' | 'up' | 'down'
  /** Why the server does not let this person in. */
  refusal: ChatErrorCode | null
  available: boolean
  /** The closing time that ends one's availability. */
  until: string | null
  users: StaffPresence[]
  closingAt: string | null
  chats: StaffChat[]
  /** True where older chats were not asked for yet. */
  more: boolean
  messages: Record<number, StaffMessage[]>
  /** Of the chats that were opened: where what was asked for first begins, and whether there is more before it. */
  pages: Record<number, { liveFrom: number; hasOlder: boolean }>
  unsent: Record<number, UnsentStaffMessage[]>
  /** Since when a visitor is typing, by chat. */
  typing: Record<number, number>
  /** Which colleague is writing to the visitor, and since when, by chat. */
  answering: Record<number, { name: string; at: number }>
  /** An answer the server refused because of a colleague: its text goes back under the hand. */
  returned: Record<number, ReturnedAnswer>
}

export type ReturnedAnswer = { client_message_id: string; code: 'taken' | 'answered'; userName: string; isSeen?: boolean }

export type ConsoleAction =
  | { type: 'link'; link: ConsoleState['link'] }
  | { type: 'refused'; code: ChatErrorCode }
  | ({ type: 'listed'; chats: StaffChat[]; more: boolean; users: StaffPresence[] } & OwnAvailability)
  | { type: 'older'; chats: StaffChat[]; more: boolean }
  | { type: 'chat'; chat: StaffChat }
  | { type: 'messages'; id: number; messages: StaffMessage[] }
  | { type: 'page'; id: number; messages: StaffMessage[]; hasOlder: boolean }
  | { type: 'moved'; id: number; client_message_id: string }
  | { type: 'presence'; users: StaffPresence[] }
  | ({ type: 'availability' } & OwnAvailability)
  | { type: 'closing'; closesAt: string | null }
  | { type: 'typing'; id: number; at: number }
  | { type: 'answering'; id: number; name: string; at: number }
  | { type: 'returned'; id: number; answer: ReturnedAnswer }
  | { type: 'written'; id: number; message: UnsentStaffMessage }
  | { type: 'unsent-state'; id: number; client_message_id: string; state: 'sending' | 'failed' }

export const emptyConsole: ConsoleState = {
  link: 'connecting',
  refusal: null,
  available: false,
  until: null,
  users: [],
  closingAt: null,
  chats: [],
  more: false,
  messages: {},
  pages: {},
  unsent: {},
  typing: {},
  answering: {},
  returned: {},
}

export function reduceConsole(state: ConsoleState, action: ConsoleAction): ConsoleState {
  switch (action.type) {
    case 'link':
      return { ...state, link: action.link, refusal: action.link === 'up' ? null : state.refusal }
    case 'refused':
      return { ...state, refusal: action.code }
    case 'listed':
      return { ...state, ...pick(action), chats: freshest(state.chats, action.chats), more: action.more, users: action.users }
    case 'older':
      return { ...state, chats: merge(state.chats, action.chats), more: action.more }
    case 'chat':
      // Read before what is known here, and told after it: a claim must not seem undone.
      if (state.chats.some((known) => known.id === action.chat.id && known.updated_at > action.chat.updated_at)) return state
      return { ...state, chats: merge(state.chats, [action.chat]) }
    case 'messages':
      return receive(state, action.id, action.messages)
    case 'page': {
      const { id, messages, hasOlder } = action
      const liveFrom = state.pages[id]?.liveFrom ?? messages[0]?.id_message ?? 0
      return { ...receive(state, id, messages), pages: { ...state.pages, [id]: { liveFrom, hasOlder } } }
    }
    case 'moved': {
      const { id, client_message_id } = action
      const unsent = (state.unsent[id] ?? []).filter((one) => one.client_message_id !== client_message_id)
      return { ...state, unsent: { ...state.unsent, [id]: unsent } }
    }
    case 'presence':
      return { ...state, users: action.users }
    case 'availability':
      return { ...state, ...pick(action), closingAt: null }
    case 'closing':
      return { ...state, closingAt: action.closesAt }
    case 'typing':
      return { ...state, typing: { ...state.typing, [action.id]: action.at } }
    case 'answering':
      return { ...state, answering: { ...state.answering, [action.id]: { name: action.name, at: action.at } } }
    case 'returned': {
      const { id, answer } = action
      const unsent = (state.unsent[id] ?? []).filter((one) => one.client_message_id !== answer.client_message_id)
      return { ...state, unsent: { ...state.unsent, [id]: unsent }, returned: { ...state.returned, [id]: answer } }
    }
    case 'written': {
      const { id, message } = action
      const seen = state.returned[id] && { ...state.returned[id], isSeen: true }
      return {
        ...state,
        unsent: { ...state.unsent, [id]: [...(state.unsent[id] ?? []), message] },
        returned: seen ? { ...state.returned, [id]: seen } : state.returned,
      }
    }
    case 'unsent-state': {
      const changed = (state.unsent[action.id] ?? []).map((one) =>
        one.client_message_id === action.client_message_id ? { ...one, state: action.state } : one,
      )
      return { ...state, unsent: { ...state.unsent, [action.id]: changed } }
    }
  }
}

const pick = ({ available, until }: OwnAvailability) => ({ available, until })

/** A list as it was asked for; what was pushed of its chats, or of newer ones, while it was on its way stands. */
function freshest(known: StaffChat[], listed: StaffChat[]) {
  const before = new Map(known.map((one) => [one.id, one]))
  const ids = new Set(listed.map((one) => one.id))
  const newest = listed.reduce((last, one) => (one.updated_at > last ? one.updated_at : last), '')
  return [
    ...listed.map((one) => {
      const pushed = before.get(one.id)
      return pushed && pushed.updated_at > one.updated_at ? pushed : one
    }),
    ...known.filter((one) => !ids.has(one.id) && one.updated_at > newest),
  ]
}

function merge(known: StaffChat[], incoming: StaffChat[]) {
  const fresh = new Set(incoming.map((one) => one.id))
  return [...known.filter((one) => !fresh.has(one.id)), ...incoming]
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

/** One's own chats, in the order in which they were taken: what the keyboard goes through. */
export function ownChats(chats: readonly StaffChat[], userId: number) {
  return chats
    .filter((one) => one.status === 'claimed' && one.id_user === userId)
    .toSorted((one, other) => (one.claimed_at ?? '').localeCompare(other.claimed_at ?? '') || one.id - other.id)
}

/** How many visitors want this person: those whom nobody has taken, and their own who wrote. */
export function countCalls(chats: readonly StaffChat[], userId: number) {
  return chats.filter((one) => one.status === 'waiting').length + ownChats(chats, userId).filter((one) => one.unread > 0).length
}

/** Half of today's visitors who were answered waited less than this, in seconds; null where nobody was yet. */
export function medianWait(chats: readonly StaffChat[], now: Date) {
  const day = now.toDateString()
  const waits = chats
    .flatMap(({ created_at, claimed_at }) =>
      claimed_at && new Date(created_at).toDateString() === day ? [Date.parse(claimed_at) - Date.parse(created_at)] : [],
    )
    .toSorted((one, other) => one - other)
  const middle = waits[Math.floor((waits.length - 1) / 2)]
  return middle === undefined ? null : Math.max(0, Math.round(middle / 1_000))
}

/** Where a catch-up starts: before the first hole. */
export function lastWholeSeq(messages: readonly StaffMessage[] | undefined) {
  let last = 0
  for (const { seq } of messages ?? []) {
    if (last > 0 && seq > last + 1) return last
    last = Math.max(last, seq)
  }
  return last
}
