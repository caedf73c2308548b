import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { auditLog } from './audit-log-table.ts'

const published = z.object({ at: z.iso.datetime(), line: z.int(), hash: z.string().regex(/^[\da-f]{64}$/) })
export type Published = z.infer<typeof published>

/** One line of JSON a day, in `DATA_DIR`: who owns the database alone cannot change it. */
export const publishedName = 'journal-hashes.jsonl'

export function readPublished(dataDir: string): Published[] {
  const file = join(dataDir, publishedName)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.flatMap((line) => {
    const one = published.safeParse(parse(line))
    return one.success ? [one.data] : []
  })
}

/** Writes the last hash of the journal into `DATA_DIR`; null where nothing was recorded since the last time. */
export async function publishLastHash(db: Database, dataDir: string): Promise<Published | null> {
  const [last] = await db.select({ line: auditLog.id, hash: auditLog.hash }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  if (!last || readPublished(dataDir).at(-1)?.hash === last.hash) return null
  const one = { at: new Date().toISOString(), ...last }
  appendFileSync(join(dataDir, publishedName), `${JSON.stringify(one)}\n`, { mode: 0o600 })
  return one
}

/** A line that a crash cut short. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
