import type { Language } from '#src/lib/language.ts'
import type { AutoReply, ChatAvailability, QueuePlace, UpdateNotice } from '../values.ts'
import type { Conversation } from './conversation.ts'
import { emptyConversation } from './conversation.ts'
import type { SendRefusal } from './visitor-sender.ts'

/**
 * `checking`, then `shut` or `form`; `joining`, then `talking`; `ended` asks about the transcript. `broken`: what was
 * begun does not come about and is tried again. `nobody`: no technician is connected.
 */
type ChatPhase = 'checking' | 'shut' | 'form' | 'joining' | 'talking' | 'ended' | 'broken' | 'nobody'

export type ChatState = {
  phase: ChatPhase
  idChat: string | null
  availability: ChatAvailability | null
  conversation: Conversation
  autoReply: (AutoReply & { sent_at: string }) | null
  /** `connecting`: it comes back by itself; `down`: the browser says that there is no network. */
  link: 'up' | 'connecting' | 'down'
  typingName: string | null
  loginError: 'invalid' | 'limited' | 'blocked' | null
  sendRefusal: SendRefusal | null
  queue: QueuePlace | null
  update: UpdateNotice | null
  /** Nobody answered in time: a message can be left instead. */
  isUnanswered: boolean
  /** Asking for messages before those that are shown. */
  older: 'idle' | 'loading' | 'failed'
  /** It goes on from one that was full. */
  isContinued: boolean
  /** It is over, and its transcript would be mailed. */
  canMail: boolean
  canAttach: boolean
}

export type LoginInput = { client_name: string; client_email: string; client_business: string; language: Language; page: string }

/** What each conversation begins with. */
export const fresh = {
  conversation: emptyConversation,
  link: 'up',
  typingName: null,
  sendRefusal: null,
  queue: null,
  update: null,
  isUnanswered: false,
  older: 'idle',
  isContinued: false,
  canMail: false,
} as const satisfies Partial<ChatState>
