import type { ChatError, Link } from '../client/connection.ts'
import type { ChatErrorCode, OwnAvailability, ReleaseReason, StaffChat, StaffMessage, StaffPresence } from '../protocol.ts'
import { tabStorage } from '#src/ui/storage.ts'

export type ConsoleState = {
  link: Link
  /** Why the server refuses the connection. */
  refusal: ChatErrorCode | null
  available: boolean
  /** The closing time that ends one's availability. */
  until: string | null
  users: StaffPresence[]
  closingAt: string | null
  chats: StaffChat[]
  /** The chats were read over this connection; before that nothing is sure, and others may be known. */
  isListed: boolean
  /** Older chats can be loaded. */
  more: boolean
  /** Since when a visitor is typing, by chat. */
  typing: Record<number, number>
  /** Which colleague is writing to the visitor, and since when, by chat. */
  answering: Record<number, { name: string; at: number }>
  /** The colleague whose answer refused one's own, which is in the field again. */
  returned: Record<number, string>
  /** Why one lost a chat, and who has it since. */
  released: Record<number, { reason: ReleaseReason; userName: string }>
  /** This device does not store what is unsent. */
  isUnstored: boolean
  /** After so long without an answer a visitor's wait is a warning. */
  silenceMs: number
  /** What the server is working on: `operationKey`. */
  pending: readonly string[]
  /** The operation that failed last, until it is dismissed. */
  failure: ConsoleFailure | null
}

/** What a technician can ask of the server. */
export type Operation =
  | 'availability'
  | 'claim'
  | 'takeOver'
  | 'transfer'
  | 'accept'
  | 'decline'
  | 'reopen'
  | 'close'
  | 'tags'
  | 'send'
  | 'read'
export type ConsoleFailure = { operation: Operation; error: ChatError }

/** Names an operation on a chat (0: on none) while it is under way; an `answer` waits for its claim, a `mail` for the server. */
export const operationKey = (operation: Operation | 'answer' | 'mail', id = 0) => `${operation} ${id}`

export type ConsoleAction =
  | { type: 'link'; link: Link; refusal: ChatErrorCode | null }
  | { type: 'failed'; failure: ConsoleFailure | null }
  | { type: 'started' | 'ended'; key: string }
  | { type: 'unstored' }
  | { type: 'silence'; seconds: number }
  | ({ type: 'listed'; chats: StaffChat[]; more: boolean; users: StaffPresence[] } & OwnAvailability)
  | { type: 'older'; chats: StaffChat[]; more: boolean }
  | { type: 'chat'; chat: StaffChat }
  | { type: 'erased'; id: number }
  /** A message arrived, so that nobody types any more. */
  | { type: 'written'; id: number }
  | { type: 'presence'; users: StaffPresence[] }
  | ({ type: 'availability' } & OwnAvailability)
  | { type: 'closing'; closesAt: string | null }
  | { type: 'typing'; id: number; at: number }
  | { type: 'answering'; id: number; name: string; at: number }
  | { type: 'returned'; id: number; userName: string }
  | { type: 'released'; id: number; reason: ReleaseReason; userName: string }

export const emptyConsole: ConsoleState = {
  link: 'connecting',
  refusal: null,
  available: false,
  until: null,
  users: [],
  closingAt: null,
  chats: [],
  isListed: false,
  more: false,
  typing: {},
  answering: {},
  returned: {},
  released: {},
  pending: [],
  isUnstored: false,
  silenceMs: 30_000,
  failure: null,
}

export function reduceConsole(state: ConsoleState, action: ConsoleAction): ConsoleState {
  switch (action.type) {
    case 'link': {
      const isUp = action.link === 'up'
      const refusal = isUp ? null : (action.refusal ?? state.refusal)
      return { ...state, link: action.link, refusal, isListed: isUp && state.isListed }
    }
    case 'failed':
      return { ...state, failure: action.failure }
    case 'listed':
      return {
        ...state,
        ...pick(action),
        chats: freshest(state.chats, action.chats),
        isListed: true,
        // What the server did of a request without an answer is in the list.
        failure: state.failure?.error.code === 'silent' ? null : state.failure,
        more: action.more,
        users: action.users,
      }
    case 'older':
      return { ...state, chats: merge(state.chats, action.chats), more: action.more }
    case 'chat':
      // A chat that was read earlier may arrive later: it must not overwrite a newer claim.
      if (state.chats.some((known) => known.id === action.chat.id && known.updated_at > action.chat.updated_at)) return state
      return { ...state, chats: merge(state.chats, [action.chat]) }
    case 'erased':
      return { ...state, chats: state.chats.filter(({ id }) => id !== action.id) }
    case 'written': {
      const { [action.id]: _ended, ...typing } = state.typing
      return { ...state, typing }
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
    case 'returned':
      return { ...state, returned: { ...state.returned, [action.id]: action.userName } }
    case 'released': {
      const { id, reason, userName } = action
      return { ...state, released: { ...state.released, [id]: { reason, userName } } }
    }
    case 'unstored':
      return { ...state, isUnstored: true }
    case 'silence':
      return { ...state, silenceMs: action.seconds * 1_000 }
    case 'started':
      return { ...state, pending: [...state.pending, action.key] }
    case 'ended':
      return { ...state, pending: state.pending.filter((key) => key !== action.key) }
  }
}

const pick = ({ available, until }: OwnAvailability) => ({ available, until })

/** The list, with the chats that were pushed while it was read where those are newer. */
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

/**
 * What an answer in this chat would meet: `own`, it is sent; `free`, the chat is taken first; otherwise it cannot be sent.
 */
export type AnswerPlace = 'own' | 'free' | 'other' | 'closed' | 'forbidden'

export function answerPlace(
  { status, id_user: owner }: StaffChat,
  { userId, canWrite, users }: { userId: number; canWrite: boolean; users: readonly StaffPresence[] },
): AnswerPlace {
  if (!canWrite) return 'forbidden'
  if (status === 'closed') return 'closed'
  if (status !== 'claimed') return 'free'
  if (owner === userId) return 'own'
  return users.some((user) => user.id_user === owner) ? 'other' : 'free'
}

const shortName = (chat: StaffChat) => chat.client_business || chat.client_name

/** What tells a conversation apart from another open one of the same name; empty where there is none. */
export function markOf(chat: StaffChat, chats: readonly StaffChat[], numberOf: (id: number) => string) {
  const same = chats.filter((one) => one.id !== chat.id && one.status !== 'closed' && shortName(one) === shortName(chat))
  if (same.length === 0) return ''
  const isOther = chat.client_business && same.every((one) => one.client_name !== chat.client_name)
  return `(${isOther ? chat.client_name : numberOf(chat.id)})`
}

/** The company or the person, with the mark among conversations of the same name. */
export const nameOf = (...[chat, chats, numberOf]: Parameters<typeof markOf>) =>
  `${shortName(chat)} ${markOf(chat, chats, numberOf)}`.trim()

export type Tab = 'waiting' | 'mine' | 'all'

/** The chats of one tab: the queue by waiting time, the others newest first. */
export function chatsOf(chats: readonly StaffChat[], tab: Tab, userId: number) {
  if (tab === 'waiting') {
    return chats
      .filter((one) => one.status === 'waiting')
      .toSorted((one, other) => one.waiting_since.localeCompare(other.waiting_since) || one.id - other.id)
  }
  const own = tab === 'mine' ? ownChats(chats, userId) : chats
  return own.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))
}

export const isOwnChat = (chat: StaffChat, userId: number) => chat.status === 'claimed' && chat.id_user === userId

/** Whether this person serves visitors in the language of the conversation; assumed of those who are not listed. */
export function speaks(users: readonly StaffPresence[], userId: number, { language }: Pick<StaffChat, 'language'>) {
  return users.find(({ id_user }) => id_user === userId)?.languages?.includes(language) ?? true
}

/** A colleague offers it, and waits for an answer. */
const isOffered = (chat: StaffChat, userId: number) => chat.offer?.to.id_user === userId && chat.status !== 'closed'

export type Section = 'offered' | 'own' | 'others'
export const sectionOf = (chat: StaffChat, userId: number): Section =>
  isOffered(chat, userId) ? 'offered' : isOwnChat(chat, userId) ? 'own' : 'others'

/** What a list shows, whatever the tab: first the chats that are offered to one, then one's own in the order of claiming. */
export function listOf(chats: readonly StaffChat[], tab: Tab, userId: number) {
  const offered = chats.filter((one) => isOffered(one, userId))
  const own = ownChats(chats, userId).filter((one) => !isOffered(one, userId))
  const others = tab === 'mine' ? [] : chatsOf(chats, tab, userId).filter((one) => sectionOf(one, userId) === 'others')
  return [...offered, ...own, ...others]
}

type Sent = Pick<StaffMessage, 'bz_staff' | 'internal' | 'sent_at'>

/** What the visitor wrote after staff's last message. */
export function unanswered<M extends Sent>(messages: readonly M[]) {
  const sent = messages.filter((one) => !one.internal)
  return sent.slice(sent.findLastIndex((one) => one.bz_staff) + 1)
}

/** Since when a visitor waits for an answer: their first message after staff's last one. */
export const unansweredSince = (messages: readonly Sent[]) => unanswered(messages)[0]?.sent_at ?? null

/** One's own chats in the order of claiming, for the keyboard. */
export function ownChats(chats: readonly StaffChat[], userId: number) {
  return chats
    .filter((one) => isOwnChat(one, userId))
    .toSorted((one, other) => (one.claimed_at ?? '').localeCompare(other.claimed_at ?? '') || one.id - other.id)
}

/** One's own chats that nobody would answer after a step away: not one whose end the server is working on. */
export function chatsLeftBehind({ chats, pending }: Pick<ConsoleState, 'chats' | 'pending'>, userId: number) {
  return ownChats(chats, userId).filter(({ id }) => !pending.includes(operationKey('close', id)))
}

/** How many conversations wait for this person: nobody's, those that are offered, and their own with unread messages. */
export function countPending(chats: readonly StaffChat[], userId: number) {
  return chats.filter((one) => {
    if (one.status === 'waiting' || isOffered(one, userId)) return true
    return isOwnChat(one, userId) && one.unread > 0
  }).length
}

/** The median wait of today's claimed chats in seconds; null where there are none. */
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

/** Of the element that shows a conversation. */
export const paneId = (id: number) => `chat-${id}`

const openKey = 'chat_console_open'

export type OpenChats = {
  /** In the order of opening. */
  ids: number[]
  /** The last used first. */
  recent: number[]
}

/** The chats that were open side by side before a reload; the one of a link is in front, whether it was open or not. */
export function readOpenChats(linked: number | null): OpenChats {
  const stored = (tabStorage.read(openKey) ?? '').split(',').map(Number)
  const link = linked ? [linked] : []
  const ids = [...new Set([...stored.filter((id) => Number.isInteger(id) && id > 0), ...link])]
  return { ids, recent: [...new Set([...link, ...ids.toReversed()])] }
}

export function storeOpenChats(ids: readonly number[]) {
  tabStorage.write(openKey, ids.join(','))
}
