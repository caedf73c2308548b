import { isNoteDraft, keepDraft, readDraft } from './console-drafts.ts'
import type { ConsoleAction, ConsoleState, UnsentStaffMessage } from './console-state.ts'
import type { Ask } from './staff-socket.ts'
import { StaffRefusal } from './staff-socket.ts'

type Desk = {
  ask: Ask
  open: (id: number) => Promise<void>
  latest: () => ConsoleState
  dispatch: (action: ConsoleAction) => void
}

/** Sends what a technician wrote; what a colleague was faster with comes back into the field. */
export function createStaffSender({ ask, open, latest, dispatch }: Desk) {
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
