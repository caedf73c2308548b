import { deviceStorage, tabStorage } from '#src/ui/storage.ts'
import type { AutoReply } from '../protocol.ts'
import { chatIdStorageKey, draftStorageKey, resumeStorageKey } from '../keys.ts'

/** Survives a reload of this tab. Unsent messages are in the outbox, which survives the tab. */
type StoredSession = {
  draft: string
  autoReply: (AutoReply & { sent_at: string }) | null
  /** From the login form, to prefill a message left where nobody answers. */
  visitor: { name: string; email: string } | null
  /** Of the message left where nobody answers, until it is a request: sent again, it is the same one. */
  messageId?: string | undefined
  /** Of the form, until its conversation began: sent again, it is the same one. A secret, as the key is. */
  startId?: string | undefined
  /** The key of a conversation that the visitor ended, until the server confirms it. */
  ended?: string | undefined
}

const emptySession: StoredSession = { draft: '', autoReply: null, visitor: null }

const keyPattern = /^[\w-]{32}$/

/** The key of this tab's conversation. A value that cannot be a key is ignored. */
export function storedChatId() {
  return [chatIdStorageKey, resumeStorageKey].map(tabStorage.read).find((key) => key && keyPattern.test(key)) ?? null
}

/** With `isActive` false the conversation is stored to be resumed later. */
export function storeChatId(idChat: string | null, isActive = true) {
  tabStorage.write(chatIdStorageKey, isActive ? idChat : null)
  tabStorage.write(resumeStorageKey, isActive ? null : idChat)
}

/** Removes the chat; its unsent texts become the draft of the next one. */
export function dropChat(unsent: string[]) {
  const { draft, visitor } = readStored()
  storeChatId(null)
  storeSession({ draft: joinTexts([...unsent, draft]), autoReply: null, visitor })
}

export const joinTexts = (texts: string[]) => texts.filter(Boolean).join('\n')

/** Removes the chat and its draft. */
export function endChat() {
  storeChatId(null)
  tabStorage.write(draftStorageKey, null)
}

export function readStored(): StoredSession {
  try {
    return { ...emptySession, ...(JSON.parse(tabStorage.read(draftStorageKey) ?? '{}') as Partial<StoredSession>) }
  } catch {
    return emptySession
  }
}

export function storeSession(change: Partial<StoredSession>) {
  tabStorage.write(draftStorageKey, JSON.stringify({ ...readStored(), ...change }))
}

const mutedKey = 'chat_muted'
export const isMuted = () => deviceStorage.read(mutedKey) !== null
export function storeMuted(muted: boolean) {
  deviceStorage.write(mutedKey, muted ? '1' : null)
}

type TabMessage = { asks: true } | { id_chat: string }

const answerTime = 150

/**
 * The visitor's other tabs: a new one joins the conversation of another, and one that shows the form
 * follows when a conversation starts elsewhere. The key stays within this browser and this site.
 */
export function openTabs(handlers: { running: () => string | null; onShared: (idChat: string) => void }) {
  const channel = openChannel()
  let found: ((idChat: string) => void) | null = null

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  const post = (message: TabMessage) => channel?.postMessage(message)
  const share = (idChat: string) => post({ id_chat: idChat })

  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if ('asks' in data) {
      const idChat = handlers.running()
      if (idChat) share(idChat)
    } else if (found) found(data.id_chat)
    else handlers.onShared(data.id_chat)
  })

  return {
    share,
    /** The conversation of another tab; null where none replies at once. */
    find() {
      if (!channel) return Promise.resolve(null)
      return new Promise<string | null>((resolve) => {
        const end = (idChat: string | null) => {
          clearTimeout(timer)
          found = null
          resolve(idChat)
        }
        const timer = setTimeout(() => end(null), answerTime)
        found = end
        post({ asks: true })
      })
    },
    close: () => channel?.close(),
  }
}

/** Null where the browser refuses channels together with storage. */
function openChannel() {
  try {
    return new BroadcastChannel('guichet-chat')
  } catch {
    return null
  }
}

export type VisitorTabs = ReturnType<typeof openTabs>
