import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { auditLog } from './audit-log-table.ts'

const published = z.object({ at: z.iso.datetime(), line: z.int(), hash: z.string().regex(/^[\da-f]{64}$/) })
export type Published = z.infer<typeof published>

/** One line of JSON a day, in `DATA_DIR`: an attacker who only controls the database cannot change it. */
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

/** Writes the last hash of the audit log into `DATA_DIR`; returns null where nothing was recorded since. */
export async function publishLastHash(db: Database, dataDir: string): Promise<Published | null> {
  const [last] = await db.select({ line: auditLog.id, hash: auditLog.hash }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  if (!last || readPublished(dataDir).at(-1)?.hash === last.hash) return null
  const one = { at: new Date().toISOString(), ...last }
  appendFileSync(join(dataDir, publishedName), `${JSON.stringify(one)}\n`, { mode: 0o600 })
  return one
}

/** A crash may have cut a line short. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
