import type { Socket } from 'socket.io-client'
import type { ChatAnswer, ChatErrorCode, StaffEvents, StaffPushes } from '../../values.ts'
import type { ConsoleAction, ConsoleState, UnsentStaffMessage } from './console-state.ts'
import { keepDraft, readDraft } from './console-drafts.ts'
import { lastWholeSeq } from './console-state.ts'

const ackTimeout = 8_000
const typingEvery = 2_000

export type StaffLine = Socket<StaffPushes, StaffEvents>

export class StaffRefusal extends Error {
  readonly code: ChatErrorCode
  /** The colleague it is about; empty where it is about nobody. */
  readonly userName: string

  constructor(code: ChatErrorCode, userName = '') {
    super(code)
    this.code = code
    this.userName = userName
  }
}

/** What a technician asks of the server; each throws `StaffRefusal` where it says no. */
export function createConsoleLine(
  socket: () => StaffLine | undefined,
  latest: () => ConsoleState,
  dispatch: (action: ConsoleAction) => void,
) {
  const opened = new Set<number>()
  const claiming = new Set<number>()
  let lastTyping = 0

  async function ask<T>(call: (line: ReturnType<StaffLine['timeout']>) => Promise<ChatAnswer<T>>): Promise<T> {
    const line = socket()
    if (!line?.connected) throw new StaffRefusal('not_connected')
    const answer = await call(line.timeout(ackTimeout))
    if (!answer.ok) throw new StaffRefusal(answer.error.code, answer.error.user_name)
    return answer
  }

  async function load() {
    const listed = await ask((line) => line.emitWithAck('staff:chats', { scope: 'all' }))
    dispatch({ ...listed, type: 'listed' })
  }

  async function open(id: number) {
    opened.add(id)
    let after = lastWholeSeq(latest().messages[id])
    for (let isOver = false; !isOver;) {
      const from = after
      const { chat, messages, more } = await ask((line) => line.emitWithAck('staff:open', { id, after_seq: from }))
      dispatch({ type: 'chat', chat })
      dispatch({ type: 'messages', id, messages })
      after = messages.at(-1)?.seq ?? after
      isOver = !more || after === from
    }
  }

  async function deliver(id: number, unsent: UnsentStaffMessage) {
    const { client_message_id, message, internal, after_seq } = unsent
    dispatch({ type: 'unsent-state', id, client_message_id, state: 'sending' })
    try {
      const answer = await ask((line) =>
        internal
          ? line.emitWithAck('staff:note', { id, message, client_message_id })
          : line.emitWithAck('staff:send-message', { id, message, client_message_id, after_seq }),
      )
      dispatch({ type: 'messages', id, messages: [answer.message] })
    } catch (error) {
      if (!(error instanceof StaffRefusal) || (error.code !== 'taken' && error.code !== 'answered')) {
        dispatch({ type: 'unsent-state', id, client_message_id, state: 'failed' })
        throw error
      }
      const { code, userName } = error
      keepDraft(id, [message, readDraft(id)].filter(Boolean).join('\n'))
      dispatch({ type: 'returned', id, answer: { client_message_id, code, userName } })
      await open(id)
    }
  }

  return {
    open,
    deliver,
    isClaiming: (id: number) => claiming.has(id),
    /** After a lost connection: the lists, and what was said meanwhile in the chats that are in sight. */
    async catchUp() {
      await load()
      for (const id of opened) await open(id)
    },
    leaveChat: (id: number) => void opened.delete(id),
    async loadOlder(before: string) {
      const { chats, more } = await ask((line) => line.emitWithAck('staff:chats', { scope: 'all', before }))
      dispatch({ type: 'older', chats, more })
    },
    async search(words: string) {
      return ask((line) => line.emitWithAck('staff:chats', { scope: 'all', search: words }))
    },
    async send(id: number, message: string, internal: boolean) {
      const unsent: UnsentStaffMessage = {
        client_message_id: crypto.randomUUID(),
        message,
        internal,
        after_seq: latest().messages[id]?.at(-1)?.seq ?? 0,
        written_at: new Date().toISOString(),
        state: 'sending',
      }
      dispatch({ type: 'written', id, message: unsent })
      await deliver(id, unsent)
    },
    /** A prepared message, which no answer of a colleague makes needless; under one id it is stored once. */
    async announce(id: number, message: string, client_message_id: string) {
      const answer = await ask((line) => line.emitWithAck('staff:send-message', { id, message, client_message_id }))
      dispatch({ type: 'messages', id, messages: [answer.message] })
    },
    async setAvailable(available: boolean) {
      const own = await ask((line) => line.emitWithAck('staff:availability', { available }))
      dispatch({ type: 'availability', available: own.available, until: own.until })
    },
    async claim(id: number) {
      claiming.add(id)
      try {
        const { chat } = await ask((line) => line.emitWithAck('staff:claim', { id }))
        dispatch({ type: 'chat', chat })
      } finally {
        claiming.delete(id)
      }
    },
    async close(id: number) {
      const { chat } = await ask((line) => line.emitWithAck('staff:close', { id }))
      dispatch({ type: 'chat', chat })
    },
    async transfer(id: number, userId: number) {
      const { chat } = await ask((line) => line.emitWithAck('staff:transfer', { id, id_user: userId }))
      dispatch({ type: 'chat', chat })
    },
    markRead: (id: number, seq: number) => void socket()?.emit('staff:read', { id, seq }),
    tellTyping(id: number) {
      if (Date.now() - lastTyping < typingEvery) return
      lastTyping = Date.now()
      socket()?.emit('staff:typing', { id })
    },
  }
}

export type ConsoleLine = ReturnType<typeof createConsoleLine>
