import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import { z } from 'zod'
import { auditLog } from '../audit-log/audit-log-table.ts'
import type { Database } from '../database/database.ts'

const recentMax = 200
const fileName = 'live-changes.json'
/** A longer stop is an outage, which the status page shows. */
const longestStopS = 240

const storedLog = z.strictObject({
  lastId: z.number().int(),
  completeSince: z.number().int(),
  recent: z.array(z.strictObject({ id: z.number().int(), area: z.string() })).max(recentMax),
})
/** `lastEvent`: the newest event of the audit log; `until`: when public content would have changed by itself, in ms. */
const storedFile = storedLog.extend({ lastEvent: z.number().nullable(), until: z.number() })

export type StoredLog = z.infer<typeof storedLog>

/**
 * The latest changes of areas, from which a page that returns learns what it missed. Ids are timestamps: they increase over a
 * restart, and a page can request the changes since it was rendered.
 */
export function createChangeLog(liveAreas: readonly string[], former: StoredLog | null) {
  const startedAt = Date.now()
  // Every change after `completeSince` is in `recent`.
  let { lastId, completeSince, recent } = former ?? { lastId: startedAt, completeSince: startedAt, recent: [] }
  return {
    /** Returns the id of this change. */
    add(area: string) {
      lastId = Math.max(lastId + 1, Date.now())
      recent = [...recent, { id: lastId, area }]
      if (recent.length > recentMax) completeSince = recent.shift()?.id ?? lastId
      return lastId
    },
    /** Whether a change of this log has that id: then the page received it from this instance. */
    has: (id: number) => recent.some((change) => change.id === id),
    /** Areas changed since the page's last event, each once; all areas where that was too long ago. */
    missedSince(afterId: number) {
      if (!Number.isSafeInteger(afterId) || afterId <= 0 || afterId >= lastId) return []
      if (afterId < completeSince) return liveAreas.map((area) => ({ id: lastId, area }))
      const newest = new Map<string, number>()
      for (const { id, area } of recent) if (id > afterId) newest.set(area, id)
      return [...newest].map(([area, id]) => ({ id, area })).toSorted((one, other) => one.id - other.id)
    },
    read: (): StoredLog => ({ lastId, completeSince, recent }),
  }
}

/** Writes the log at a stop; `secondsLeft` is the time until public content changes by itself. */
export async function storeChangeLog(folder: string, db: Database, log: StoredLog, secondsLeft: number) {
  const until = Date.now() + Math.min(secondsLeft, longestStopS) * 1_000
  const content: z.infer<typeof storedFile> = { ...log, lastEvent: await findLastEvent(db), until }
  writeFileSync(join(folder, fileName), JSON.stringify(content), { mode: 0o600 })
}

export const removeChangeLog = (folder: string) => rmSync(join(folder, fileName), { force: true })

/**
 * The log of the stop before this start, used once: after a kill there is none. Null too where a command or another instance
 * changed something meanwhile, which the audit log shows, or where public content changed by itself.
 */
export async function takeChangeLog(folder: string, db: Database): Promise<StoredLog | null> {
  const file = readStored(folder)
  removeChangeLog(folder)
  if (!file || Date.now() >= file.until || file.lastEvent !== (await findLastEvent(db))) return null
  return storedLog.parse({ lastId: file.lastId, completeSince: file.completeSince, recent: file.recent })
}

function readStored(folder: string) {
  try {
    return storedFile.safeParse(JSON.parse(readFileSync(join(folder, fileName), 'utf8'))).data ?? null
  } catch {
    // None, or one that a full disk cut short: pages load all areas again.
    return null
  }
}

async function findLastEvent(db: Database) {
  const [last] = await db.select({ id: auditLog.id }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return last?.id ?? null
}
