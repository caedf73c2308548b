import { setImmediate } from 'node:timers/promises'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { Stored, ToStore } from './store.ts'
import { store } from './store.ts'

const most = 500

type Waiting = { sent: ToStore; resolve: (stored: Stored | null) => void; reject: (error: unknown) => void }

/**
 * Messages that come while others are being committed are committed together after them: the disk is waited for once
 * for all of them, each is answered when it is there, and those of one chat keep their order.
 */
function createGathering(db: Database) {
  let waiting: Waiting[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    while (waiting.length > 0) {
      // The embedded database answers before other sockets are read: each message would be committed alone.
      await setImmediate()
      const together = take()
      try {
        const stored = await store(
          db,
          together.map((one) => one.sent),
        )
        for (const [place, one] of together.entries()) one.resolve(stored[place] ?? null)
      } catch (error) {
        if (together.length > 1 && isOfOne(error)) await storeEach(together, error)
        else for (const one of together) one.reject(error)
      }
    }
    isRunning = false
  }

  /** The next messages; the same one sent twice waits for the first. */
  function take() {
    const taken = new Map<string, Waiting>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const name = `${one.sent.key} ${one.sent.clientMessageId ?? crypto.randomUUID()}`
      if (taken.size < most && !taken.has(name)) taken.set(name, one)
      else left.push(one)
    }
    waiting = left
    return [...taken.values()]
  }

  async function storeEach(together: Waiting[], because: unknown) {
    logger.info({ err: because, messages: together.length }, 'messages are stored one by one')
    for (const one of together) {
      await store(db, [one.sent]).then(([stored]) => one.resolve(stored ?? null), one.reject)
    }
  }

  return (sent: ToStore) =>
    new Promise<Stored | null>((resolve, reject) => {
      waiting.push({ sent, resolve, reject })
      if (!isRunning) void run()
    })
}

/** What one message may have caused (its data, a constraint, a lock) is no reason to refuse the others. */
function isOfOne(error: unknown) {
  return /^(?:22|23|40)/.test(String((error as { cause?: { code?: string } }).cause?.code))
}

const gatherings = new WeakMap<Database, ReturnType<typeof createGathering>>()

export function storeTogether(db: Database, sent: ToStore) {
  const gathering = gatherings.get(db) ?? createGathering(db)
  gatherings.set(db, gathering)
  return gathering(sent)
}
