import { tabStorage } from '#src/ui/storage.ts'

/** A text that the server has not acknowledged yet. */
export type Unsent = {
  client_message_id: string
  message: string
  written_at: string
  /** `waiting`: behind another one, or until the connection is back. `held`: its writer is asked first. */
  state: 'sending' | 'waiting' | 'failed' | 'held'
  /** Of staff: the writer wants it to leave although it is old. */
  confirmed?: boolean
  /** Of staff: a note, which the visitor never receives. */
  internal?: boolean
  /** Of staff: the last message its writer saw; a colleague's answer after it refuses this one. */
  after_seq?: number
}
export type StoredUnsent = Unsent & { id_chat: string }

/** Where unsent texts outlive the page. */
export type UnsentStorage = {
  /** Returns whether it is stored. */
  put: (one: StoredUnsent) => Promise<boolean>
  /** Changes it where it is still stored: another tab may have sent and deleted it. */
  update: (one: StoredUnsent) => Promise<unknown>
  delete: (clientMessageId: string) => Promise<unknown>
  readAll: () => Promise<StoredUnsent[] | undefined>
}

/** The other tabs of the same person, which share the stored texts. */
export type SharingTabs = {
  /** Runs it while no other tab runs anything under this name. */
  exclusively: (name: string, work: () => Promise<void>) => Promise<void>
  /** Notifies the other tabs that the stored texts of a conversation changed. */
  publish: (name: string) => void
  subscribe: (listener: (name: string) => void) => void
}

/** A technician's text waits for its writer after a day; a visitor's leaves whenever it can. */
const askAfter = 86_400_000
/** Of a technician's texts; a visitor's stay until the server has them or their writer removes them. */
const storedFor = 7 * askAfter

/**
 * The unsent texts of one person, by conversation and in the order of writing. `owner` keeps the people of one browser
 * apart: empty for its visitor.
 */
export function createOutbox(
  owner: string,
  { storage = browserStorage, tabs, onUnstored }: { storage?: UnsentStorage; tabs?: SharingTabs; onUnstored?: () => void } = {},
) {
  const queues = new Map<string, readonly Unsent[]>()
  /** In memory only: not written yet, or refused by the storage. */
  const unstored = new Set<string>()
  const dropped = new Set<string>()
  const keyOf = (id: string | number) => owner + id
  const read = (id: string | number) => queues.get(keyOf(id)) ?? none

  function write(id: string | number, next: readonly Unsent[], known = read(id)) {
    const before = new Map(known.map((one) => [one.client_message_id, one]))
    queues.set(keyOf(id), next)
    for (const one of next) {
      const last = before.get(one.client_message_id)
      if (last !== one) void store(keyOf(id), one, last !== undefined && !unstored.has(one.client_message_id))
      before.delete(one.client_message_id)
    }
    for (const clientMessageId of before.keys()) {
      dropped.add(clientMessageId)
      void storage.delete(clientMessageId).then(() => tabs?.publish(keyOf(id)))
    }
  }

  async function store(key: string, one: Unsent, isStored: boolean) {
    if (isStored) {
      await storage.update({ ...one, id_chat: key })
      return tabs?.publish(key)
    }
    unstored.add(one.client_message_id)
    if (await storage.put({ ...one, id_chat: key })) {
      unstored.delete(one.client_message_id)
      tabs?.publish(key)
    } else onUnstored?.()
  }

  /** Removes those that are among the given ones. */
  function drop(id: string | number, all: readonly { client_message_id: string | null }[]) {
    const ids = new Set(all.map((one) => one.client_message_id))
    const left = read(id).filter((one) => !ids.has(one.client_message_id))
    if (left.length < read(id).length) write(id, left)
  }

  return {
    read,
    drop,
    add: (id: string | number, one: Unsent) => write(id, inOrder([...read(id), one])),
    setState(id: string | number, clientMessageId: string, state: Unsent['state']) {
      const change = (one: Unsent) => (one.client_message_id === clientMessageId && one.state !== state ? { ...one, state } : one)
      write(id, read(id).map(change))
    },
    /** Those of one conversation go on in another. */
    move(from: string, to: string) {
      const moved = read(from)
      // Stored under the new name only: the same id would be deleted with the old one.
      queues.delete(keyOf(from))
      write(to, inOrder([...read(to), ...moved]))
    },
    /** Whether its writer is asked before it leaves. */
    mustAsk: (one: Unsent) => owner !== '' && !one.confirmed && Date.now() - Date.parse(one.written_at) > askAfter,
    confirm(id: string | number, clientMessageId: string) {
      const change = (one: Unsent) =>
        one.client_message_id === clientMessageId ? { ...one, state: 'waiting' as const, confirmed: true } : one
      write(id, read(id).map(change))
    },
    /** Reads what other tabs added and removed. */
    async sync(id: string | number) {
      const all = await storage.readAll()
      if (!all) return
      const stored = all.filter((one) => one.id_chat === keyOf(id) && !dropped.has(one.client_message_id))
      const own = read(id).filter((one) => unstored.has(one.client_message_id))
      const others = stored.filter((one) => !unstored.has(one.client_message_id))
      queues.set(keyOf(id), inOrder([...others, ...own].toSorted(byWriting)))
    },
    keyOf,
    countUnsent: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    /** Brings back what an earlier page left behind, oldest first. */
    async restore(id: string | number) {
      const stored = (await readStored(storage, owner)).filter((one) => one.id_chat === keyOf(id))
      const known = new Set(read(id).map((one) => one.client_message_id))
      const fresh = stored.filter((one) => !known.has(one.client_message_id) && !dropped.has(one.client_message_id))
      const queue = [...fresh, ...read(id)]
      if (fresh.length > 0) write(id, inOrder(queue), queue)
    },
    /** The conversations of this owner in which an earlier page left something, the latest text last. */
    async findStored() {
      const keys = (await readStored(storage, owner)).map((one) => one.id_chat).filter((key) => key.startsWith(owner))
      return keys.map((key) => key.slice(owner.length)).filter((id) => !id.includes('/'))
    },
  }
}

const none: readonly Unsent[] = []

const byWriting = (one: Unsent, other: Unsent) => one.written_at.localeCompare(other.written_at)

/** `written_at` orders the stored texts: it increases even where the clock was set back between two of them. */
function inOrder(queue: readonly Unsent[]) {
  let last = 0
  return queue.map((one) => {
    const at = Date.parse(one.written_at)
    last = Math.max(at, last + 1)
    return at === last ? one : { ...one, written_at: new Date(last).toISOString() }
  })
}

/** In the order of writing. The clock of the device is not trusted to drop what a visitor wrote. */
async function readStored(storage: UnsentStorage, owner: string, now = Date.now()) {
  const all = ((await storage.readAll()) ?? []).toSorted(byWriting)
  if (!owner) return all
  const isOld = (one: StoredUnsent) => one.id_chat.startsWith(owner) && now - Date.parse(one.written_at) > storedFor
  for (const one of all) if (isOld(one)) void storage.delete(one.client_message_id)
  return all.filter((one) => !isOld(one))
}

const storeName = 'unsent'
let opening: Promise<IDBDatabase | null> | undefined

const pendingKey = 'chat_pending'
/** Texts whose IndexedDB transaction is not complete: a reload would abort it, and a busy disk takes seconds. */
const readPending = () => JSON.parse(tabStorage.read(pendingKey) ?? '[]') as StoredUnsent[]
function setPending(id: string, added: StoredUnsent[] = []) {
  const left = [...readPending().filter((one) => one.client_message_id !== id), ...added]
  tabStorage.write(pendingKey, left.length > 0 ? JSON.stringify(left) : null)
}

/** IndexedDB survives a reload and a crash of the browser. Where it is refused, a text lives as long as its tab. */
const browserStorage: UnsentStorage = {
  async put(one) {
    setPending(one.client_message_id, [one])
    if ((await transact('readwrite', (store) => store.put(one))) === undefined) return false
    setPending(one.client_message_id)
    return true
  },
  update: (one) =>
    transact('readwrite', (store) => {
      const found = store.getKey(one.client_message_id)
      found.addEventListener('success', () => found.result !== undefined && store.put(one))
      return found
    }),
  delete(clientMessageId) {
    setPending(clientMessageId)
    return transact('readwrite', (store) => store.delete(clientMessageId))
  },
  async readAll() {
    const stored = await transact('readonly', (store) => store.getAll() as IDBRequest<StoredUnsent[]>)
    const known = new Set(stored?.map((one) => one.client_message_id))
    const pending = readPending().filter((one) => !known.has(one.client_message_id))
    return stored || pending.length > 0 ? [...(stored ?? []), ...pending] : undefined
  },
}

function openDatabase() {
  opening ??= new Promise((resolve) => {
    try {
      // oxlint-disable-next-line no-restricted-globals -- the one database of the browser; a refusal is caught below
      const request = indexedDB.open('guichet-chat', 1)
      request.addEventListener('upgradeneeded', () =>
        request.result.createObjectStore(storeName, { keyPath: 'client_message_id' }),
      )
      request.addEventListener('success', () => resolve(request.result))
      for (const end of ['error', 'blocked']) request.addEventListener(end, () => resolve(null))
    } catch {
      resolve(null)
    }
  })
  return opening
}

async function transact<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const database = await openDatabase()
  if (!database) return undefined
  return new Promise((resolve) => {
    try {
      // Strict: written to the disk before a crash, which is what it is for.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(storeName))
      transaction.addEventListener('complete', () => resolve(request.result))
      for (const end of ['error', 'abort']) transaction.addEventListener(end, () => resolve(undefined))
    } catch {
      resolve(undefined)
    }
  })
}
