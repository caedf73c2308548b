import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatMessage } from '../values.ts'
import type { Conversation, UnsentMessage } from './conversation.ts'
import { emptyConversation, reduceConversation } from './conversation.ts'
import type { SendRefusal } from './visitor-sender.ts'
import { createSender } from './visitor-sender.ts'
import { ChatError } from './visitor-socket.ts'
import type { VisitorSocket } from './visitor-socket.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const unsent = (id: string): UnsentMessage => ({
  client_message_id: id,
  message: id,
  written_at: '2026-11-20T14:04:00.000Z',
  state: 'sending',
})

function createDesk(answers: (Error | null)[]) {
  let conversation: Conversation = { ...emptyConversation, unsent: ['a', 'b', 'c'].map(unsent) }
  let refusal: SendRefusal | null = null
  let isClosed = false
  const sent: string[] = []
  const talk: Parameters<typeof createSender>[0]['talk'] = (action) => {
    conversation = reduceConversation(conversation, action)
  }
  const socket = {
    isUp: () => true,
    send: async (input: { message: string; client_message_id?: string }) => {
      const failure = answers.shift() ?? null
      if (failure) throw failure
      sent.push(input.message)
      const { message, client_message_id = null } = input
      return { message: { seq: sent.length, id_message: sent.length, message, client_message_id } as ChatMessage }
    },
  }
  const sender = createSender({
    conversation: () => conversation,
    idChat: () => 'k'.repeat(32),
    socket: () => socket as unknown as VisitorSocket,
    talk,
    receive: (message) => talk({ type: 'received', messages: [message] }),
    onRefused: (now) => {
      refusal = now
    },
    onClosed: () => {
      isClosed = true
    },
  })
  return {
    sender,
    sent,
    states: () => conversation.unsent.map((one) => one.state),
    refusal: () => refusal,
    isClosed: () => isClosed,
  }
}

describe('createSender', () => {
  it('sends in the order of writing', async () => {
    const { sender, sent, states } = createDesk([])
    await sender.flush()
    expect(sent).toEqual(['a', 'b', 'c'])
    expect(states()).toEqual([])
  })

  it('lets nothing overtake a message that got no answer', async () => {
    const { sender, sent, states } = createDesk([null, new ChatError('silent')])
    await sender.flush()
    expect(sent).toEqual(['a'])
    expect(states()).toEqual(['failed', 'waiting'])
    await sender.flush()
    expect(sent).toEqual(['a', 'b', 'c'])
  })

  it('says that a limit was met, and sends again by itself once it is over', async () => {
    const { sender, sent, states, refusal } = createDesk([new ChatError('limited', 7)])
    await sender.flush()
    expect(refusal()).toEqual({ code: 'limited', wait: 7 })
    expect(states()).toEqual(['failed', 'waiting', 'waiting'])
    await vi.advanceTimersByTimeAsync(7_000)
    expect(sent).toEqual(['a', 'b', 'c'])
    expect(refusal()).toBeNull()
  })

  it('keeps a text that is refused, and goes on with the others', async () => {
    const { sender, sent, states } = createDesk([new ChatError('invalid')])
    await sender.flush()
    expect(sent).toEqual(['b', 'c'])
    expect(states()).toEqual(['failed'])
  })

  it('stops where the conversation is closed', async () => {
    const { sender, sent, isClosed } = createDesk([new ChatError('closed')])
    await sender.flush()
    expect(isClosed()).toBe(true)
    expect(sent).toEqual([])
  })
})
