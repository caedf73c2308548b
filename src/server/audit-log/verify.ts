import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, createDigest, findSeals, hashOf, readEntries, sealOf } from './chain.ts'

/** A hash stored outside the database: the log must still hold its entry. */
export type KnownHash = { hash: string; line?: number; at?: string }

export type Verification = {
  /** Number of intact entries from the oldest on, and the hash of the last of them. */
  lines: number
  lastHash: string
  /** The first entry that is not intact, and why; null where all are. */
  brokenAt: number | null
  /**
   * `changed`: this entry, or the one before it, was changed or removed. `sealed`: one up to this entry was. `missing`: the
   * hash of this entry is known, but the entry is gone. `unsealed`: the seal itself was changed or removed.
   */
  reason: 'changed' | 'sealed' | 'missing' | 'unsealed' | null
  /** The known hash whose entry is missing. */
  missing?: KnownHash
  /** The entry of each known hash that was found, and the number of entries up to it. */
  met: Map<string, { line: number; lines: number }>
}

/** Verifies the whole chain, also against hashes stored outside the database. */
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
  for await (const row of readEntries(db)) {
    if (row.id < last.fromId) {
      // Entries chained with another secret are verified by the seal alone; a plain chain also shows which entry was changed.
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
