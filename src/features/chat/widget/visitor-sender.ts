import type { ChatMessage } from '../values.ts'
import type { Conversation, ConversationAction, UnsentMessage } from './conversation.ts'
import { dropUnsent, keepUnsent } from './visitor-outbox.ts'
import { ChatError } from './visitor-socket.ts'
import type { VisitorSocket } from './visitor-socket.ts'

/** Why the server did not take a message: the text stays, and goes again by itself after `wait` seconds. */
export type SendRefusal = { code: 'limited' | 'invalid' | 'broken'; wait: number }

type Desk = {
  conversation: () => Conversation
  idChat: () => string | null
  socket: () => VisitorSocket | null
  talk: (action: ConversationAction) => void
  receive: (message: ChatMessage) => void
  onRefused: (refusal: SendRefusal | null) => void
  onClosed: () => void
}

/** Sends what the visitor wrote, one at a time and in the order of writing: the server numbers what it gets. */
export function createSender(desk: Desk) {
  let isFlushing = false
  let again: ReturnType<typeof setTimeout> | undefined

  async function flush() {
    if (isFlushing) return
    isFlushing = true
    clearTimeout(again)
    const tried = new Set<string>()
    try {
      for (;;) {
        const next = desk.conversation().unsent.find((one) => !tried.has(one.client_message_id))
        if (!next) return
        tried.add(next.client_message_id)
        if (!(await deliver(next))) return hold(tried)
      }
    } finally {
      isFlushing = false
    }
  }

  /** Answers whether the next one may go. */
  async function deliver({ client_message_id: id, message, state }: UnsentMessage) {
    const idChat = desk.idChat()
    const socket = desk.socket()
    if (!idChat || !socket?.isUp()) {
      desk.talk({ type: 'waiting', client_message_id: id })
      return false
    }
    try {
      if (state !== 'sending') desk.talk({ type: 'sending', client_message_id: id })
      const sent = await socket.send({ id_chat: idChat, message, client_message_id: id })
      desk.receive(sent.message)
      desk.onRefused(null)
      return true
    } catch (error) {
      return refuse(id, error instanceof ChatError ? error : new ChatError('broken'))
    }
  }

  function refuse(id: string, { code, wait }: ChatError) {
    if (code === 'closed') {
      desk.onClosed()
      return false
    }
    desk.talk({ type: 'failed', client_message_id: id })
    if (code === 'silent') return false
    desk.onRefused({ code: code === 'limited' || code === 'invalid' ? code : 'broken', wait })
    if (code === 'limited') again = setTimeout(() => void flush(), Math.max(1, wait) * 1_000)
    // A text that is not valid never will be: the others need not wait for it.
    return code === 'invalid'
  }

  /** What comes after a message that could not leave does not overtake it. */
  function hold(tried: Set<string>) {
    for (const one of desk.conversation().unsent)
      if (!tried.has(one.client_message_id)) desk.talk({ type: 'waiting', client_message_id: one.client_message_id })
  }

  return { flush, stop: () => clearTimeout(again) }
}

/** Keeps the outbox to what is unsent. */
export function keepOutbox(idChat: string, before: UnsentMessage[], now: UnsentMessage[]) {
  const known = new Map(before.map((one) => [one.client_message_id, one]))
  for (const one of now) {
    if (known.get(one.client_message_id) !== one) void keepUnsent({ ...one, id_chat: idChat })
    known.delete(one.client_message_id)
  }
  for (const id of known.keys()) void dropUnsent(id)
}
