import type { UnsentMessage } from './conversation.ts'

type KeptMessage = UnsentMessage & { id_chat: string }

const store = 'unsent'
const keptFor = 86_400_000

/**
 * What the visitor wrote and the server does not have yet, in IndexedDB: it survives a reload, a crash of the browser
 * and a day without a network. Where the browser refuses storage it lives as long as the page.
 */
let opening: Promise<IDBDatabase | null> | undefined

function open() {
  opening ??= new Promise((resolve) => {
    try {
      // oxlint-disable-next-line no-restricted-globals -- the one database of the browser; a refusal is caught below
      const request = indexedDB.open('guichet-chat', 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store, { keyPath: 'client_message_id' }))
      request.addEventListener('success', () => resolve(request.result))
      for (const end of ['error', 'blocked']) request.addEventListener(end, () => resolve(null))
    } catch {
      resolve(null)
    }
  })
  return opening
}

async function run<T>(mode: IDBTransactionMode, work: (kept: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const database = await open()
  if (!database) return undefined
  return new Promise((resolve) => {
    try {
      // Written through to the disk: a crash is what it is for.
      const transaction = database.transaction(store, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(store))
      transaction.addEventListener('complete', () => resolve(request.result))
      for (const end of ['error', 'abort']) transaction.addEventListener(end, () => resolve(undefined))
    } catch {
      resolve(undefined)
    }
  })
}

export async function keepUnsent(message: KeptMessage) {
  await run('readwrite', (kept) => kept.put(message))
}

export async function dropUnsent(clientMessageId: string) {
  await run('readwrite', (kept) => kept.delete(clientMessageId))
}

/** In the order of writing; what is older than a day is forgotten. */
export async function readUnsent(now = Date.now()): Promise<KeptMessage[]> {
  const all = (await run<KeptMessage[]>('readonly', (kept) => kept.getAll() as IDBRequest<KeptMessage[]>)) ?? []
  const isOld = (one: KeptMessage) => now - Date.parse(one.written_at) > keptFor
  for (const one of all) if (isOld(one)) void dropUnsent(one.client_message_id)
  return all.filter((one) => !isOld(one)).toSorted((one, other) => one.written_at.localeCompare(other.written_at))
}
