import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../values.ts'
import type { UnsentMessage } from './conversation.ts'
import { emptyConversation, lastWholeSeq, reduceConversation } from './conversation.ts'

const stored = (seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id_message: 100 + seq,
  seq,
  id_chat: 'k'.repeat(32),
  message: `message ${seq}`,
  bz_staff: false,
  tech_id_user: null,
  user_name: 'Annie',
  image_url: null,
  color: null,
  sent_at: '2026-11-20T14:03:00.000Z',
  client_message_id: null,
  ...more,
})
const unsent = (id: string): UnsentMessage => ({
  client_message_id: id,
  message: id,
  written_at: '2026-11-20T14:04:00.000Z',
  state: 'sending',
})

describe('reduceConversation', () => {
  it('keeps the order of the server whatever the order of arrival', () => {
    let state = reduceConversation(emptyConversation, { type: 'received', messages: [stored(3)] })
    state = reduceConversation(state, { type: 'received', messages: [stored(1), stored(2)] })
    expect(state.messages.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('shows a message once when push, acknowledgement and catch-up all bring it', () => {
    let state = reduceConversation(emptyConversation, { type: 'written', message: unsent('a') })
    for (let time = 0; time < 3; time += 1) {
      state = reduceConversation(state, { type: 'received', messages: [stored(1, { client_message_id: 'a' })] })
    }
    expect(state.messages).toHaveLength(1)
    expect(state.unsent).toEqual([])
  })

  it('keeps what is unsent in the order of writing and says which one failed', () => {
    let state = reduceConversation(emptyConversation, { type: 'written', message: unsent('a') })
    state = reduceConversation(state, { type: 'written', message: unsent('b') })
    state = reduceConversation(state, { type: 'failed', client_message_id: 'b' })
    expect(state.unsent.map((one) => [one.client_message_id, one.state])).toEqual([
      ['a', 'sending'],
      ['b', 'failed'],
    ])
    state = reduceConversation(state, { type: 'sending', client_message_id: 'b' })
    expect(state.unsent[1]?.state).toBe('sending')
  })

  it('does not bring back from the outbox what the server already holds', () => {
    let state = reduceConversation(emptyConversation, { type: 'received', messages: [stored(1, { client_message_id: 'a' })] })
    state = reduceConversation(state, { type: 'restored', unsent: [unsent('a'), unsent('b'), unsent('b')] })
    expect(state.unsent.map((one) => one.client_message_id)).toEqual(['b'])
  })

  it('ignores a late failure of an acknowledged message', () => {
    let state = reduceConversation(emptyConversation, { type: 'written', message: unsent('a') })
    state = reduceConversation(state, { type: 'received', messages: [stored(1, { client_message_id: 'a' })] })
    state = reduceConversation(state, { type: 'failed', client_message_id: 'a' })
    expect(state.unsent).toEqual([])
  })

  it('never takes a reading back', () => {
    let state = reduceConversation(emptyConversation, { type: 'read', seq: 4 })
    state = reduceConversation(state, { type: 'read', seq: 2 })
    expect(state.staffReadSeq).toBe(4)
  })
})

describe('lastWholeSeq', () => {
  it('stops before the first hole', () => {
    const whole = (seqs: number[], liveSeq = 0) => lastWholeSeq({ messages: seqs.map((seq) => stored(seq)), liveSeq })
    expect(whole([])).toBe(0)
    expect(whole([1, 2, 4])).toBe(2)
    expect(whole([2])).toBe(0)
    expect(whole([51, 52, 54], 51)).toBe(52)
    expect(whole([41, 42, 51], 51)).toBe(42)
  })
})

describe('a page of a long conversation', () => {
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => stored(first + index))
  const seqs = (state: { messages: { seq: number }[] }) => state.messages.map(({ seq }) => seq)

  it('is taken for its end, whatever was pushed meanwhile', () => {
    const pushed = reduceConversation(emptyConversation, { type: 'received', messages: [stored(101)] })
    const joined = reduceConversation(pushed, { type: 'joined', messages: range(51, 100) })
    expect(seqs(joined)).toEqual(range(51, 101).map(({ seq }) => seq))
    expect(lastWholeSeq(joined)).toBe(101)
    expect(joined.liveSeq).toBe(51)
  })

  it('goes before those that are here, and after a long absence takes their place', () => {
    const joined = reduceConversation(emptyConversation, { type: 'joined', messages: range(51, 100) })
    const back = reduceConversation(joined, { type: 'received', messages: range(1, 50) })
    expect(seqs(back)).toEqual(range(1, 100).map(({ seq }) => seq))
    expect(back.liveSeq).toBe(51)
    const caughtUp = reduceConversation(back, { type: 'joined', messages: range(101, 120) })
    expect(seqs(caughtUp)).toHaveLength(120)
    const late = reduceConversation(back, { type: 'joined', messages: range(151, 200) })
    expect(seqs(late)).toEqual(range(151, 200).map(({ seq }) => seq))
    expect(late.liveSeq).toBe(151)
  })
})
