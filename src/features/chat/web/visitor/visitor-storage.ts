import type { AutoReply } from '../../values.ts'
import { chatIdStorageKey } from '../../values.ts'

/** What a reload of this tab must not lose; what is not sent yet is in the outbox, which outlives the tab. */
type Kept = {
  draft: string
  autoReply: (AutoReply & { sent_at: string }) | null
  /** Who they said they are, for a message left where nobody answers. */
  visitor: { name: string; email: string } | null
}

const keptKey = 'chat_kept'
const nothing: Kept = { draft: '', autoReply: null, visitor: null }

export const storedChatId = () => read('sessionStorage', chatIdStorageKey)
export const storeChatId = (idChat: string) => write('sessionStorage', chatIdStorageKey, idChat)

/** Forgets the chat; what the visitor wrote and nobody received comes back in the field of the next one. */
export function dropChat(unsent: string[]) {
  const { draft, visitor } = readKept()
  remove(chatIdStorageKey)
  keep({ draft: [...unsent, draft].filter(Boolean).join('\n'), autoReply: null, visitor })
}

/** Forgets the chat and what was written in it: the visitor ended it. */
export function endChat() {
  remove(chatIdStorageKey)
  remove(keptKey)
}

export function readKept(): Kept {
  try {
    return { ...nothing, ...(JSON.parse(read('sessionStorage', keptKey) ?? '{}') as Partial<Kept>) }
  } catch {
    return nothing
  }
}

export function keep(change: Partial<Kept>) {
  write('sessionStorage', keptKey, JSON.stringify({ ...readKept(), ...change }))
}

const mutedKey = 'chat_muted'
export const isMuted = () => read('localStorage', mutedKey) !== null
export function storeMuted(muted: boolean) {
  write('localStorage', mutedKey, muted ? '1' : null)
}

type Storages = 'sessionStorage' | 'localStorage'

// A browser that refuses storage still chats; only a reload starts anew.
function read(storage: Storages, key: string) {
  try {
    return window[storage].getItem(key)
  } catch {
    return null
  }
}

function write(storage: Storages, key: string, value: string | null) {
  try {
    if (value === null) window[storage].removeItem(key)
    else window[storage].setItem(key, value)
  } catch {
    return
  }
}

const remove = (key: string) => write('sessionStorage', key, null)
