import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, createDigest, findSeals, hashOf, readLines, sealOf } from './chain.ts'

/** A hash that left the database: the journal must still hold the line it belongs to. */
export type KnownHash = { hash: string; line?: number; at?: string }

export type Verification = {
  /** The lines from the oldest on that are as they were recorded, and the hash of the last of them. */
  lines: number
  lastHash: string
  /** The first line that is not, and in what way; null where all are. */
  brokenAt: number | null
  /**
   * `changed`: this line, or the one before it, was changed or taken out. `sealed`: one up to this line was.
   * `missing`: this line left a hash outside the database and is there no more. `unsealed`: the seal itself was changed or taken out.
   */
  reason: 'changed' | 'sealed' | 'missing' | 'unsealed' | null
  /** The known hash whose line is missing. */
  missing?: KnownHash
  /** The line of each known hash that was met, and how many lines there are up to it. */
  met: Map<string, { line: number; lines: number }>
}

/** Reads the whole chain and compares it with hashes that were kept outside the database. */
export async function verifyAuditLog(
  db: Database,
  known: readonly KnownHash[] = [],
  key = keyFor(db, 'auditLog'),
): Promise<Verification> {
  const met: Verification['met'] = new Map()
  const awaited = new Map(known.filter(({ hash }) => hash !== chainStart).map((one) => [one.hash, one]))
  let [lines, lastHash, lastId] = [0, chainStart, 0]
  const broken = (brokenAt: number, reason: Verification['reason'], missing?: KnownHash) => ({
    ...{ lines, lastHash, brokenAt, reason, met },
    ...(missing && { missing }),
  })

  const seals = await findSeals(db)
  const [first, last] = [seals[0], seals.at(-1)]
  if (!first || !last || sealOf(key, last) !== last.seal) return broken(last?.fromId ?? 0, 'unsealed')

  const digest = createDigest()
  let isSealChecked = false
  const isAsSealed = () => {
    isSealChecked = true
    return lines === last.lines && lastHash === last.lastHash && digest.value() === last.digest
  }
  for await (const row of readLines(db)) {
    if (row.id < last.fromId) {
      // What another secret chained is known by the seal alone; a plain chain also shows which line was changed.
      if (row.id < first.fromId && hashOf(null, lastHash, row) !== row.hash) return broken(row.id, 'changed')
      digest.add(row)
    } else {
      if (!isSealChecked && !isAsSealed()) return broken(lastId || row.id, 'sealed')
      if (hashOf(key, lastHash, row) !== row.hash) return broken(row.id, 'changed')
    }
    lines += 1
    lastHash = row.hash
    lastId = row.id
    if (awaited.delete(row.hash)) met.set(row.hash, { line: row.id, lines })
  }
  if (!isSealChecked && !isAsSealed()) return broken(lastId || last.fromId, 'sealed')
  const [missing] = awaited.values()
  if (missing) return broken(missing.line ?? 0, 'missing', missing)
  return { lines, lastHash, brokenAt: null, reason: null, met }
}
