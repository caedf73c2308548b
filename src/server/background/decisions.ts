import { undoMs } from '#src/lib/suspected.ts'
import type { Database } from '../database/database.ts'
import type { App } from '../types.ts'

/* Decisions about what a spam trap caught, which staff can undo for ten seconds: of requests and of applications. */

const retries = { retryLimit: 5, retryDelay: 5, retryBackoff: true }

/** Runs `settle` once decisions can no longer be undone; the cron finds what a stopped queue missed. */
export function scheduleSettling({ queue }: Pick<App, 'queue'>, name: string, settle: () => Promise<void>) {
  queue.define<{ id: number }>(name, retries, settle)
  queue.schedule(`${name}-missed`, '* * * * *', settle)
}

export async function settleLater({ queue }: Pick<App, 'queue'>, tx: Database, name: string, id: number, decidedAt: Date) {
  const startAfter = new Date(decidedAt.getTime() + undoMs)
  await queue.send(tx, name, { data: { id }, key: `${id}-${decidedAt.getTime()}`, startAfter })
}

type Decided = { status: string; takenAt: Date | null; removedAt: Date | null }

/** The decision that can still be undone; null where there is none. */
export function findUndoable({ status, takenAt, removedAt }: Decided, now: Date): 'taken' | 'removed' | null {
  const since = new Date(now.getTime() - undoMs)
  if (removedAt !== null) return removedAt > since ? 'removed' : null
  return status === 'new' && takenAt !== null && takenAt > since ? 'taken' : null
}

/** What an undo stores. */
export const undoneState = ({ version }: { version: number }, now: Date) => ({
  ...{ removedAt: null, takenAt: null, status: 'suspected' as const },
  ...{ version: version + 1, updatedAt: now },
})
