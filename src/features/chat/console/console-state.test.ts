import { describe, expect, test } from 'vitest'
import type { StaffChat, StaffMessage } from '../values.ts'
import { chatsOf, countCalls, emptyConsole, lastWholeSeq, reduceConsole } from './console-state.ts'

const message = (seq: number, more: Partial<StaffMessage> = {}): StaffMessage => ({
  id_message: seq,
  seq,
  id: 1,
  message: `Message ${seq}`,
  bz_staff: false,
  tech_id_user: null,
  user_name: 'Annie',
  image_url: null,
  color: null,
  sent_at: '2026-11-20T14:02:00.000Z',
  client_message_id: null,
  internal: false,
  ...more,
})

const chat = (id: number, more: Partial<StaffChat> = {}): StaffChat => ({
  id,
  client_name: 'Annie',
  client_email: 'annie@example.com',
  client_business: '',
  language: 'fr',
  page: '/',
  status: 'waiting',
  id_user: null,
  user_name: null,
  last_seq: 0,
  unread: 0,
  last_message: '',
  visitor_online: true,
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
  test('shows a message once, however often and in whatever order it comes', () => {
    const first = reduceConsole(emptyConsole, { type: 'messages', id: 1, messages: [message(2), message(1)] })
    const again = reduceConsole(first, { type: 'messages', id: 1, messages: [message(1), message(3)] })
    expect(again.messages[1]?.map((one) => one.seq)).toEqual([1, 2, 3])
  })

  test('a note stands after the message whose number it repeats', () => {
    const note = message(2, { id_message: 9, internal: true })
    const state = reduceConsole(emptyConsole, { type: 'messages', id: 1, messages: [note, message(3), message(2), message(1)] })
    expect(state.messages[1]?.map((one) => one.id_message)).toEqual([1, 2, 9, 3])
  })

  test('what was written is unsent until the server has it', () => {
    const own = {
      client_message_id: 'a',
      message: 'Oui',
      internal: false,
      after_seq: 0,
      written_at: '',
      state: 'sending' as const,
    }
    const written = reduceConsole(emptyConsole, { type: 'written', id: 1, message: own })
    expect(written.unsent[1]).toHaveLength(1)
    const failed = reduceConsole(written, { type: 'unsent-state', id: 1, client_message_id: 'a', state: 'failed' })
    expect(failed.unsent[1]?.[0]?.state).toBe('failed')
    const stored = reduceConsole(failed, { type: 'messages', id: 1, messages: [message(1, { client_message_id: 'a' })] })
    expect(stored.unsent[1]).toEqual([])
  })

  test('the queue begins with who has waited longest; mine are those I claimed', () => {
    const chats = [chat(3), chat(1), chat(2, { status: 'claimed', id_user: 7 })]
    expect(chatsOf(chats, 'waiting', 7).map((one) => one.id)).toEqual([1, 3])
    expect(chatsOf(chats, 'mine', 7).map((one) => one.id)).toEqual([2])
    expect(chatsOf(chats, 'all', 7).map((one) => one.id)).toEqual([3, 2, 1])
  })

  test('a catch-up starts before the first hole', () => {
    expect(lastWholeSeq(undefined)).toBe(0)
    expect(lastWholeSeq([message(1), message(1, { internal: true }), message(2), message(4)])).toBe(2)
  })
})

test('a chat told late, as it was before, does not undo what is known since', () => {
  const claimed = chat(1, { status: 'claimed', id_user: 7, updated_at: '2026-11-20T14:05:00.000Z' })
  const known = reduceConsole(emptyConsole, { type: 'chat', chat: claimed })
  expect(reduceConsole(known, { type: 'chat', chat: chat(1) }).chats).toEqual([claimed])
  const gone = { ...claimed, visitor_online: false }
  expect(reduceConsole(known, { type: 'chat', chat: gone }).chats).toEqual([gone])
})

test('a list that was long on its way undoes nothing that was told meanwhile', () => {
  const claimed = chat(1, { status: 'claimed', id_user: 7, updated_at: '2026-11-20T14:05:00.000Z' })
  const arrived = chat(6)
  const told = [claimed, arrived, chat(2)].reduce((state, one) => reduceConsole(state, { type: 'chat', chat: one }), emptyConsole)
  const list = { chats: [chat(1), chat(3)], more: false, users: [], available: true, until: null }
  // The second, older than what the list holds, is no more: it was erased.
  expect(reduceConsole(told, { ...list, type: 'listed' }).chats).toEqual([claimed, chat(3), arrived])
})

test('calls count who waits, and own visitors who wrote', () => {
  const chats = [
    chat(1),
    chat(2, { status: 'claimed', id_user: 7, unread: 2 }),
    chat(3, { status: 'claimed', id_user: 8, unread: 1 }),
  ]
  expect(countCalls(chats, 7)).toBe(2)
})
