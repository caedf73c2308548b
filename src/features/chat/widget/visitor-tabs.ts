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
