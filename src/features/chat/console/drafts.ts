import { deviceStorage } from '#src/ui/storage.ts'

/** An answer goes to the visitor, a note stays among staff: nothing turns one into the other. */
export type DraftKind = 'answer' | 'note'

const storedForMs = 7 * 86_400_000

/**
 * What one person has written and not sent, by conversation and kind. It is stored on the device, shared by this person's
 * tabs, and removed after seven days.
 */
export function createDrafts(userId: number, storage: Pick<typeof deviceStorage, 'read' | 'write'> = deviceStorage) {
  const prefix = `chat_draft:${userId}/`
  const keyOf = (id: number, kind: DraftKind) => `${prefix}${id}/${kind}`
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const handleStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) notify()
  }

  function read(id: number, kind: DraftKind) {
    const [at, ...text] = (storage.read(keyOf(id, kind)) ?? '').split('\n')
    return Date.now() - Number(at) < storedForMs ? text.join('\n') : ''
  }

  function write(id: number, kind: DraftKind, text: string) {
    storage.write(keyOf(id, kind), text ? `${Date.now()}\n${text}` : null)
    notify()
  }

  return {
    read,
    write,
    has: (id: number) => read(id, 'answer') !== '' || read(id, 'note') !== '',
    /** Puts refused texts back before what was written since. */
    putBack(id: number, texts: readonly string[], kind: DraftKind = 'answer') {
      if (texts.length > 0) write(id, kind, [...texts, read(id, kind)].filter(Boolean).join('\n'))
    },
    /** Removes a text that left, and nothing that was written meanwhile. */
    remove(id: number, kind: DraftKind, text: string) {
      const draft = read(id, kind)
      const from = draft.indexOf(text)
      if (from !== -1) write(id, kind, (draft.slice(0, from) + draft.slice(from + text.length)).trim())
    },
    subscribe(listener: () => void) {
      if (listeners.size === 0) globalThis.addEventListener?.('storage', handleStorage)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) globalThis.removeEventListener?.('storage', handleStorage)
      }
    },
  }
}

export type Drafts = ReturnType<typeof createDrafts>
