import { getJson } from '#src/ui/api.ts'
import type { ChatAvailability } from '../values.ts'
import { chatAddress } from './chat-host.ts'
import type { createHints } from './visitor-hints.ts'
import type { createMoments } from './visitor-moments.ts'
import { readUnsent } from './visitor-outbox.ts'
import type { createSender } from './visitor-sender.ts'
import { keepOutbox } from './visitor-sender.ts'
import type { VisitorSocket } from './visitor-socket.ts'
import { fresh } from './visitor-state.ts'
import type { LoginInput } from './visitor-state.ts'
import type { Store } from './visitor-store.ts'
import { dropChat } from './visitor-storage.ts'
import type { VisitorTabs } from './visitor-tabs.ts'

/** How long the visitor waits before the other ways in are shown. */
export const patience = 4_000
const answerTimeout = 10_000
const checkAgain = 5_000

/** What one opened panel holds while its visitor is there. */
export type Visit = Store & {
  moments: ReturnType<typeof createMoments>
  hints: ReturnType<typeof createHints>
  sender: ReturnType<typeof createSender>
  socket: VisitorSocket | null
  tabs: VisitorTabs | null
  /** What the form was filled with, until the conversation began. */
  login: LoginInput | null
  /** Its key came from another tab or from the outbox, not from this tab. */
  isFound: boolean
  /** Until the other ways in are shown, and until the next try. */
  timers: { wayOut?: ReturnType<typeof setTimeout>; again?: ReturnType<typeof setTimeout> }
}

/** Asks at the door whether somebody is there, until there is an answer. */
export async function check(visit: Visit) {
  visit.set({ phase: 'checking' })
  showWayOutSoon(visit)
  await ask(visit)
}

async function ask(visit: Visit) {
  const { read, set } = visit
  const isAwaited = () => ['checking', 'broken'].includes(read().phase) && !read().idChat && !visit.login
  try {
    const signal = AbortSignal.timeout(answerTimeout)
    const availability = await getJson<ChatAvailability>(chatAddress('available-users'), signal)
    if (isAwaited()) set({ availability, phase: availability.user_count > 0 ? 'form' : 'shut' })
  } catch {
    if (!isAwaited()) return
    set({ phase: 'broken' })
    tryAgainIn(visit, checkAgain, () => void ask(visit))
  }
}

/** The telephone and the form are shown where the chat does not come about soon; the tries go on behind them. */
export function showWayOutSoon({ timers, read, set }: Visit) {
  clearTimeout(timers.wayOut)
  timers.wayOut = setTimeout(() => {
    if (read().phase === 'checking' || read().phase === 'joining') set({ phase: 'broken' })
  }, patience)
}

export function tryAgainIn({ timers }: Visit, delay: number, work: () => void) {
  clearTimeout(timers.again)
  timers.again = setTimeout(work, delay)
}

export function finish(visit: Visit, canMail: boolean) {
  hangUp(visit)
  visit.set({ phase: 'ended', typingName: null, link: 'up', canMail })
}

/** The conversation is no more; what nobody received comes back as the draft of the next one. */
export async function leave(visit: Visit, phase: 'nobody' | 'checking') {
  hangUp(visit)
  const { idChat, conversation } = visit.read()
  const kept = (await readUnsent()).filter((one) => one.id_chat === idChat)
  const texts = new Map([...kept, ...conversation.unsent].map((one) => [one.client_message_id, one.message]))
  dropChat([...texts.values()])
  if (idChat) keepOutbox(idChat, [...kept, ...conversation.unsent], [])
  visit.login = null
  visit.isFound = false
  visit.set({ ...fresh, phase, idChat: null, autoReply: null })
  if (phase === 'checking') await check(visit)
}

export function hangUp(visit: Visit) {
  clearTimeout(visit.timers.wayOut)
  clearTimeout(visit.timers.again)
  visit.moments.stop()
  visit.sender.stop()
  visit.socket?.stop()
  visit.socket = null
}
