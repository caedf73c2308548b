import { getJson } from '#src/ui/api.ts'
import type { ChatAvailability } from '../../values.ts'
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
}

/** Asks at the door whether somebody is there. */
export async function check({ read, set }: Visit) {
  set({ phase: 'checking' })
  try {
    const availability = await getJson<ChatAvailability>(chatAddress('available-users'))
    if (read().phase === 'checking') set({ availability, phase: availability.user_count > 0 ? 'form' : 'shut' })
  } catch {
    if (read().phase === 'checking') set({ phase: 'broken' })
  }
}

export function finish(visit: Visit) {
  hangUp(visit)
  visit.set({ phase: 'ended', typingName: null, link: 'up' })
}

/** The conversation is no more; what nobody received comes back as the draft of the next one. */
export async function leave(visit: Visit, phase: 'broken' | 'nobody' | 'checking') {
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
  visit.moments.stop()
  visit.sender.stop()
  visit.socket?.stop()
  visit.socket = null
}
