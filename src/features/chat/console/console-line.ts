import type { ConsoleAction, ConsoleState, UnsentStaffMessage } from './console-state.ts'
import { lastWholeSeq } from './console-state.ts'
import type { Ask, StaffSocket } from './staff-socket.ts'
import { StaffRefusal } from './staff-socket.ts'
import { isNoteDraft, keepDraft, readDraft } from './drafts.ts'

const ackTimeout = 8_000
const typingEvery = 2_000

/** What a technician asks of the server; each throws `StaffRefusal` where it says no. */
export function createConsoleLine(
  socket: () => StaffSocket | undefined,
  latest: () => ConsoleState,
  dispatch: (action: ConsoleAction) => void,
) {
  const opened = new Set<number>()
  const claiming = new Set<number>()
  let lastTyping = 0

  const ask: Ask = async (call) => {
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
    // What was pushed of a chat that was never opened is only its end.
    if (!latest().pages[id]) return loadPage(id)
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

  /** The newest messages of a chat, or those before one of them. */
  async function loadPage(id: number, beforeId?: number) {
    const before = beforeId === undefined ? {} : { before_id: beforeId }
    const { chat, messages, has_older: hasOlder } = await ask((line) => line.emitWithAck('staff:open', { id, ...before }))
    dispatch({ type: 'chat', chat })
    dispatch({ type: 'page', id, messages, hasOlder })
  }

  return {
    ...createStaffSender({ ask, open, latest, dispatch }),
    open,
    isClaiming: (id: number) => claiming.has(id),
    /** After a lost connection: the lists, and what was said meanwhile in the chats that are in sight. */
    async catchUp() {
      await load()
      for (const id of opened) await open(id)
    },
    leaveChat: (id: number) => void opened.delete(id),
    loadPage,
    async loadOlder(before: string) {
      const { chats, more } = await ask((line) => line.emitWithAck('staff:chats', { scope: 'all', before }))
      dispatch({ type: 'older', chats, more })
    },
    async search(words: string) {
      return ask((line) => line.emitWithAck('staff:chats', { scope: 'all', search: words }))
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

type Desk = {
  ask: Ask
  open: (id: number) => Promise<void>
  latest: () => ConsoleState
  dispatch: (action: ConsoleAction) => void
}

/** Sends what a technician wrote; what a colleague was faster with comes back into the field. */
function createStaffSender({ ask, open, latest, dispatch }: Desk) {
  async function deliver(id: number, unsent: UnsentStaffMessage) {
    const { client_message_id, message, internal, after_seq } = unsent
    dispatch({ type: 'unsent-state', id, client_message_id, state: 'sending' })
    try {
      const answer = await ask((line) =>
        internal
          ? line.emitWithAck('staff:note', { id, message, client_message_id })
          : line.emitWithAck('staff:send-message', { id, message, client_message_id, after_seq }),
      )
      const { message: stored } = answer
      dispatch({ type: 'messages', id: stored.id, messages: [stored] })
      // The conversation was full, and goes on in another.
      if (stored.id !== id) dispatch({ type: 'moved', id, client_message_id })
    } catch (error) {
      if (!(error instanceof StaffRefusal) || (error.code !== 'taken' && error.code !== 'answered')) {
        dispatch({ type: 'unsent-state', id, client_message_id, state: 'failed' })
        throw error
      }
      const { code, userName } = error
      keepDraft(id, [message, readDraft(id)].filter(Boolean).join('\n'), isNoteDraft(id))
      dispatch({ type: 'returned', id, answer: { client_message_id, code, userName } })
      await open(id)
    }
  }

  return {
    deliver,
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
  }
}
