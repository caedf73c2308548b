import { setImmediate } from 'node:timers/promises'
import { logger } from '../log.ts'
import type { Database } from './database.ts'

type Options<Item, Result> = {
  /** Items of one group. */
  most: number
  /** Stores a group; returns a result for each item, in their order. */
  store: (db: Database, items: Item[]) => Promise<Result[]>
  /** An item waits for an earlier one of the same name, so that no group has both; null: it waits for none. */
  nameOf?: (item: Item) => string | null
}
type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Group commit: a transaction takes hardly longer for many items than for one, so items that come while one runs are stored
 * together by the next. Each is answered after its commit, in the order in which they came. Where one of them is at fault, each
 * is stored alone.
 */
export function createGroupCommit<Item, Result>(options: Options<Item, Result>) {
  const queues = new WeakMap<Database, (item: Item) => Promise<Result>>()
  return (db: Database, item: Item) => {
    const put = queues.get(db) ?? createQueue(db, options)
    queues.set(db, put)
    return put(item)
  }
}

function createQueue<Item, Result>(db: Database, { most, store, nameOf }: Options<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    while (waiting.length > 0) {
      // The embedded database returns before other sockets are read: without this each item would be a commit.
      await setImmediate()
      const group = take()
      try {
        const items = group.map(({ item }) => item)
        const stored = await store(db, items)
        for (const [at, { resolve }] of group.entries()) resolve(stored[at] as Result)
      } catch (error) {
        if (group.length > 1 && isOfOne(error)) await storeEach(group, error)
        else for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }

  function take() {
    const taken = new Map<unknown, Waiting<Item, Result>>()
    const left: Waiting<Item, Result>[] = []
    for (const one of waiting) {
      const name = nameOf?.(one.item) ?? one
      if (taken.size < most && !taken.has(name)) taken.set(name, one)
      else left.push(one)
    }
    waiting = left
    return [...taken.values()]
  }

  async function storeEach(group: Waiting<Item, Result>[], because: unknown) {
    logger.info({ err: because, items: group.length }, 'what came together is stored one by one')
    for (const { item, resolve, reject } of group) await store(db, [item]).then(([stored]) => resolve(stored as Result), reject)
  }

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}

/** An error that one item may have caused (data, constraint, lock): the others are stored alone. */
function isOfOne(error: unknown) {
  return /^(?:22|23|40)/.test(String((error as { cause?: { code?: string } }).cause?.code))
}
