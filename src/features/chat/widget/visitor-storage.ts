import { deviceStorage, tabStorage } from '#src/ui/storage.ts'
import type { AutoReply } from '../protocol.ts'
import { chatIdStorageKey, resumeStorageKey } from '../keys.ts'

/** What a reload of this tab must not lose; what is not sent yet is in the outbox, which outlives the tab. */
type Kept = {
  draft: string
  autoReply: (AutoReply & { sent_at: string }) | null
  /** Who they said they are, for a message left where nobody answers. */
  visitor: { name: string; email: string } | null
}

const keptKey = 'chat_kept'
const nothing: Kept = { draft: '', autoReply: null, visitor: null }

export const storedChatId = () => tabStorage.read(chatIdStorageKey) ?? tabStorage.read(resumeStorageKey)

/** Where `isStanding` is false, the conversation waits to be gone on with. */
export function storeChatId(idChat: string | null, isStanding = true) {
  tabStorage.write(chatIdStorageKey, isStanding ? idChat : null)
  tabStorage.write(resumeStorageKey, isStanding ? null : idChat)
}

/** Forgets the chat; what the visitor wrote and nobody received comes back in the field of the next one. */
export function dropChat(unsent: string[]) {
  const { draft, visitor } = readKept()
  storeChatId(null)
  keep({ draft: [...unsent, draft].filter(Boolean).join('\n'), autoReply: null, visitor })
}

/** Forgets the chat and what was written in it: the visitor ended it. */
export function endChat() {
  storeChatId(null)
  tabStorage.write(keptKey, null)
}

export function readKept(): Kept {
  try {
    return { ...nothing, ...(JSON.parse(tabStorage.read(keptKey) ?? '{}') as Partial<Kept>) }
  } catch {
    return nothing
  }
}

export function keep(change: Partial<Kept>) {
  tabStorage.write(keptKey, JSON.stringify({ ...readKept(), ...change }))
}

const mutedKey = 'chat_muted'
export const isMuted = () => deviceStorage.read(mutedKey) !== null
export function storeMuted(muted: boolean) {
  deviceStorage.write(mutedKey, muted ? '1' : null)
}
