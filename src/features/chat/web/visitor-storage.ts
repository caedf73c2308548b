import { chatIdStorageKey } from '../values.ts'
import type { UnsentMessage } from './conversation.ts'

/**
 * What a reload must not lose. Session storage rather than IndexedDB: it lives exactly as long as the chat id beside
 * it, it is written at once, even while the page goes away, and two tabs never send each other's texts.
 */
type Kept = { id_chat: string; unsent: UnsentMessage[]; draft: string; autoReply: { message: string; sent_at: string } | null }

const keptKey = 'chat_kept'
const nothing: Kept = { id_chat: '', unsent: [], draft: '', autoReply: null }

export const storedChatId = () => read(chatIdStorageKey)

export function storeChatId(idChat: string) {
  write(chatIdStorageKey, idChat)
  write(keptKey, JSON.stringify({ ...nothing, id_chat: idChat, draft: readKept().draft }))
}

/** Forgets the chat; what the visitor wrote and nobody received comes back in the field of the next one. */
export function dropChat() {
  const { unsent, draft } = readKept()
  remove(chatIdStorageKey)
  write(keptKey, JSON.stringify({ ...nothing, draft: [...unsent.map((one) => one.message), draft].filter(Boolean).join('\n') }))
}

/** Forgets the chat and what was written in it: the visitor ended it. */
export function endChat() {
  remove(chatIdStorageKey)
  remove(keptKey)
}

export function readKept(): Kept {
  try {
    return { ...nothing, ...(JSON.parse(read(keptKey) ?? '{}') as Partial<Kept>) }
  } catch {
    return nothing
  }
}

export function keep(change: Partial<Omit<Kept, 'id_chat'>>) {
  write(keptKey, JSON.stringify({ ...readKept(), ...change }))
}

// A browser that refuses storage still chats; only a reload starts anew.
function read(key: string) {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string) {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    return
  }
}

function remove(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    return
  }
}
