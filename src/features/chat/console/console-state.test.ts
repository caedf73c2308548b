import { describe, expect, test } from 'vitest'
import { ChatError } from '../client/connection.ts'
import type { StaffChat } from '../protocol.ts'
import { holdOrder } from './chat-list.tsx'
import {
  answerPlace,
  chatsLeftBehind,
  chatsOf,
  countPending,
  emptyConsole,
  listOf,
  nameOf,
  operationKey,
  readOpenChats,
  reduceConsole,
  speaks,
  storeOpenChats,
  unansweredSince,
} from './console-state.ts'

const chat = (id: number, more: Partial<StaffChat> = {}): StaffChat => ({
  id,
  client_name: 'Annie',
  client_email: 'annie@example.com',
  client_business: '',
  language: 'fr',
  page: '/',
  source: null,
  time_zone: '',
  read: [],
  status: 'waiting',
  id_user: null,
  user_name: null,
  last_seq: 0,
  unread: 0,
  last_message: '',
  visitor_online: true,
  visitor: 'here',
  gone_at: null,
  waiting_since: '2026-11-20T14:00:00.000Z',
  released: null,
  offer: null,
  tags: [],
  visitor_read_seq: 0,
  created_at: `2026-11-20T14:0${id}:00.000Z`,
  updated_at: `2026-11-20T14:0${id}:00.000Z`,
  claimed_at: null,
  rating: null,
  rating_comment: '',
  continues: null,
  continued_in: null,
  ...more,
})

describe('the console', () => {
  test('a message ends the typing of its writer', () => {
    const typing = reduceConsole(emptyConsole, { type: 'typing', id: 1, at: 5 })
    expect(reduceConsole(typing, { type: 'written', id: 1 }).typing).toEqual({})
  })

  test('keeps why the server refused the connection until it stands', () => {
    const refused = reduceConsole(emptyConsole, { type: 'link', link: 'lost', refusal: 'not_connected' })
    const lost = reduceConsole(refused, { type: 'link', link: 'lost', refusal: null })
    expect([refused.refusal, lost.refusal]).toEqual(['not_connected', 'not_connected'])
    expect(reduceConsole(lost, { type: 'link', link: 'up', refusal: null }).refusal).toBeNull()
  })

  test('the queue begins with who has waited longest; mine are those I claimed', () => {
    const chats = [chat(3), chat(1), chat(2, { status: 'claimed', id_user: 7 })]
    expect(chatsOf(chats, 'waiting', 7).map((one) => one.id)).toEqual([1, 3])
    expect(chatsOf(chats, 'mine', 7).map((one) => one.id)).toEqual([2])
    expect(chatsOf(chats, 'all', 7).map((one) => one.id)).toEqual([3, 2, 1])
  })
})

test('a list shows what came of a request that the server did not answer, so that its failure goes; a refusal stays', () => {
  const failed = (code: 'silent' | 'taken') =>
    reduceConsole(emptyConsole, { type: 'failed', failure: { operation: 'availability', error: new ChatError(code) } })
  const listed = { type: 'listed' as const, chats: [], users: [], more: false, available: true, until: null }
  expect(reduceConsole(failed('silent'), listed).failure).toBeNull()
  expect(reduceConsole(failed('taken'), listed).failure).not.toBeNull()
})

test('a chat that arrives late does not undo what is known since', () => {
  const claimed = chat(1, { status: 'claimed', id_user: 7, updated_at: '2026-11-20T14:05:00.000Z' })
  const known = reduceConsole(emptyConsole, { type: 'chat', chat: claimed })
  expect(reduceConsole(known, { type: 'chat', chat: chat(1) }).chats).toEqual([claimed])
  const gone = { ...claimed, visitor_online: false }
  expect(reduceConsole(known, { type: 'chat', chat: gone }).chats).toEqual([gone])
})

test('a slow list undoes nothing that was pushed meanwhile', () => {
  const claimed = chat(1, { status: 'claimed', id_user: 7, updated_at: '2026-11-20T14:05:00.000Z' })
  const arrived = chat(6)
  const state = [claimed, arrived, chat(2)].reduce(
    (state, one) => reduceConsole(state, { type: 'chat', chat: one }),
    emptyConsole,
  )
  const list = { chats: [chat(1), chat(3)], more: false, users: [], available: true, until: null }
  // The second, older than what the list holds, is no more: it was erased.
  expect(reduceConsole(state, { ...list, type: 'listed' }).chats).toEqual([claimed, chat(3), arrived])
})

test('pending are the waiting chats, and own ones with unread messages', () => {
  const chats = [
    chat(1),
    chat(2, { status: 'claimed', id_user: 7, unread: 2 }),
    chat(3, { status: 'claimed', id_user: 8, unread: 1 }),
  ]
  expect(countPending(chats, 7)).toBe(2)
})

test('a step away asks about one’s own chats, but not about one that is just being ended', () => {
  const chats = [1, 2].map((id) => chat(id, { status: 'claimed', id_user: 7 })).concat(chat(3))
  const leftBehind = (pending: string[]) => chatsLeftBehind({ chats, pending }, 7).map(({ id }) => id)
  expect([leftBehind([operationKey('availability')]), leftBehind([operationKey('close', 1)])]).toEqual([[1, 2], [2]])
})

test('one’s own chats stand above the others, whatever the tab', () => {
  const own = chat(5, { status: 'claimed', id_user: 7, claimed_at: '2026-11-20T14:05:00.000Z' })
  const earlier = chat(2, { status: 'claimed', id_user: 7, claimed_at: '2026-11-20T14:02:00.000Z' })
  const others = [chat(1, { waiting_since: '2026-11-20T14:09:00.000Z' }), chat(3), chat(4, { status: 'closed' })]
  const ids = (tab: 'waiting' | 'mine' | 'all') => listOf([own, ...others, earlier], tab, 7).map((one) => one.id)
  expect([ids('waiting'), ids('mine'), ids('all')]).toEqual([
    [2, 5, 3, 1],
    [2, 5],
    [2, 5, 4, 3, 1],
  ])
})

test('a list under the pointer keeps its rows in their places, and counts what came above them', () => {
  const [quin, zoe, gone, fresh, last] = [1, 2, 3, 4, 5].map((id) => chat(id)) as [
    StaffChat,
    StaffChat,
    StaffChat,
    StaffChat,
    StaffChat,
  ]
  const all = [quin, zoe, gone, fresh, last]
  const order = holdOrder([2, 1, 3], [fresh, quin, zoe, last], all)
  expect([order.shown.map((one) => one.id), order.above]).toEqual([[2, 1, 3, 5], 1])
  expect(holdOrder([], [fresh, quin], all)).toEqual({ shown: [fresh, quin], above: 0 })
})

test('an answer goes to the visitor only where the chat is one’s own or nobody’s', () => {
  const users = [{ id_user: 8, user_name: 'Zoé', available: true, can_answer: true, on_call: false, chats: 1 }]
  const place = (more: Partial<StaffChat>, canWrite = true) => answerPlace(chat(1, more), { userId: 7, canWrite, users })
  expect(place({ status: 'claimed', id_user: 7 })).toBe('own')
  expect([place({}), place({ status: 'away' }), place({ status: 'claimed', id_user: 9 })]).toEqual(['free', 'free', 'free'])
  expect(place({ status: 'claimed', id_user: 8 })).toBe('other')
  expect(place({ status: 'closed', id_user: 7 })).toBe('closed')
  expect(place({ status: 'claimed', id_user: 7 }, false)).toBe('forbidden')
})

test('silence counts from the visitor’s first message without an answer; a note answers nobody', () => {
  const sent = (minute: number, more = {}) => ({
    bz_staff: false,
    internal: false,
    sent_at: `2026-11-20T14:0${minute}:00.000Z`,
    ...more,
  })
  expect(unansweredSince([])).toBeNull()
  expect(unansweredSince([sent(1), sent(2, { bz_staff: true })])).toBeNull()
  const note = sent(5, { bz_staff: true, internal: true })
  expect(unansweredSince([sent(1), sent(2, { bz_staff: true }), sent(3), sent(4), note])).toBe('2026-11-20T14:03:00.000Z')
})

test('what a colleague offers stands first in every tab, and calls as one who waits does', () => {
  const person = (id_user: number) => ({ id_user, user_name: 'Zoé' })
  const offer = { from: person(8), to: person(7), note: '', until: '2026-11-20T14:10:00.000Z' }
  const chats = [
    chat(1),
    chat(2, { status: 'claimed', id_user: 7 }),
    chat(3, { status: 'claimed', id_user: 8, offer }),
    chat(4, { status: 'claimed', id_user: 8, offer: { ...offer, to: person(9) } }),
  ]
  const idsOf = (tab: 'waiting' | 'mine' | 'all') => listOf(chats, tab, 7).map((one) => one.id)
  expect([idsOf('waiting'), idsOf('mine'), idsOf('all')]).toEqual([
    [3, 2, 1],
    [3, 2],
    [3, 2, 4, 1],
  ])
  expect(countPending(chats, 7)).toBe(2)
})

test('two open conversations of one name are told apart, by the person or else by their number', () => {
  const number = (id: number) => `n° ${id}`
  const [one, other, closed] = [chat(1), chat(2), chat(3, { status: 'closed' })]
  expect([one, other].map((twin) => nameOf(twin, [one, other, closed], number))).toEqual(['Annie (n° 1)', 'Annie (n° 2)'])
  expect([one, closed].map((twin) => nameOf(twin, [one, closed], number))).toEqual(['Annie', 'Annie (n° 3)'])
  const [annie, zoe] = [chat(4, { client_business: 'Clinique' }), chat(5, { client_business: 'Clinique', client_name: 'Zoé' })]
  expect([annie, zoe].map((twin) => nameOf(twin, [annie, zoe], number))).toEqual(['Clinique (Annie)', 'Clinique (Zoé)'])
  expect(nameOf(annie, [annie, one], number)).toBe('Clinique')
})

test('the conversation of a link is in front, also where it was open behind another', () => {
  storeOpenChats([3, 5])
  expect(readOpenChats(null)).toEqual({ ids: [3, 5], recent: [5, 3] })
  expect(readOpenChats(3)).toEqual({ ids: [3, 5], recent: [3, 5] })
  expect(readOpenChats(7)).toEqual({ ids: [3, 5, 7], recent: [7, 5, 3] })
  storeOpenChats([])
})

test('a language is foreign only to who is listed without it', () => {
  const zoe = { id_user: 8, user_name: 'Zoé', available: true, can_answer: true, on_call: false, chats: 1 }
  const [french, english] = [chat(1, { language: 'fr' }), chat(2, { language: 'en' })]
  const listed = [{ ...zoe, languages: ['fr' as const] }]
  expect([speaks(listed, 8, french), speaks(listed, 8, english), speaks(listed, 7, english)]).toEqual([true, false, true])
  // From an instance of the former version.
  expect(speaks([zoe], 8, english)).toBe(true)
})
