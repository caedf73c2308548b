import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const rewriting = z.object({
  at: z.iso.datetime(),
  tables: z.int(),
  /** How long the longest one held up everything else. */
  longestMs: z.int(),
  failed: z.array(z.string()),
})
const rewritings = z.object({
  /** First start with nightly rewritings. */
  since: z.iso.datetime().nullable(),
  last: rewriting.nullable(),
})
export type Rewriting = z.infer<typeof rewriting>
export type Rewritings = z.infer<typeof rewritings>

/** In `DATA_DIR`: it is about the files there, and not about the content of the database. */
export const rewritingsName = 'database-rewriting.json'

const none = { since: null, last: null }

/** A file that cannot be read counts as none. */
export function readRewritings(dataDir: string): Rewritings {
  const file = join(dataDir, rewritingsName)
  return (existsSync(file) && rewritings.safeParse(parse(readFileSync(file, 'utf8'))).data) || none
}

/** Without a rewriting: since when one is due. */
export function storeRewriting(dataDir: string, last: Rewriting | null) {
  const file = join(dataDir, rewritingsName)
  const known = readRewritings(dataDir)
  const content: Rewritings = { since: known.since ?? new Date().toISOString(), last: last ?? known.last }
  writeFileSync(`${file}.part`, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
