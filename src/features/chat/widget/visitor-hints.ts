import type { ChatState } from './visitor-state.ts'
import type { VisitorSocket } from './visitor-socket.ts'

const typingTold = 2_000

type Desk = { state: () => ChatState; socket: () => VisitorSocket | null }

/** What is told by the way: that the visitor types, never what, and how far they have read. */
export function createHints({ state, socket }: Desk) {
  let lastTyping = 0
  let lastRead = 0
  return {
    typing() {
      const { idChat } = state()
      if (!idChat || Date.now() - lastTyping < typingTold) return
      lastTyping = Date.now()
      socket()?.tellTyping(idChat)
    },
    /** What the technicians wrote is before the visitor's eyes. */
    read() {
      const { idChat, conversation } = state()
      const seq = conversation.messages.findLast((one) => one.bz_staff)?.seq ?? 0
      const line = socket()
      if (!idChat || seq <= lastRead || !line?.isUp()) return
      lastRead = seq
      line.tellRead(idChat, seq)
    },
    /** The line was lost: what was told may not have arrived. */
    forget() {
      lastRead = 0
    },
  }
}
