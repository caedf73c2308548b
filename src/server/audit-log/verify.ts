import { createHmac } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, inArray, max } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { auditLog } from './audit-log-table.ts'
import { chainStart, contentOf, createDigest, findSeals, hashOf, readEntries, sealOf } from './chain.ts'

/** A hash stored outside the database: the log must still hold its entry. */
export type KnownHash = { hash: string; line?: number; at?: string }

export type Verification = {
  /** Number of intact entries from the oldest on, and the hash of the last of them. */
  lines: number
  lastHash: string
  lastId: number
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

/** The last intact entry of an earlier verification, and the number of entries up to it. */
export type VerifiedEntry = { id: number; hash: string; lines: number }

type Options = {
  /** Goes on after this entry, which is after the last seal; what is before it is not read. */
  from?: VerifiedEntry | null
  /** Called with the number of entries verified so far, of all. */
  onProgress?: (done: number, total: number) => void
}

/** Verifies the whole chain, also against hashes stored outside the database. */
export async function verifyAuditLog(
  db: Database,
  known: readonly KnownHash[] = [],
  key = keyFor(db, 'auditLog'),
  { from = null, onProgress = () => undefined }: Options = {},
): Promise<Verification> {
  const met: Verification['met'] = new Map()
  const awaited = new Map(known.filter(({ hash }) => hash !== chainStart).map((one) => [one.hash, one]))
  let [lines, lastHash, lastId] = [from?.lines ?? 0, from?.hash ?? chainStart, from?.id ?? 0]
  const broken = (brokenAt: number, reason: Verification['reason'], missing?: KnownHash) => ({
    ...{ lines, lastHash, lastId, brokenAt, reason, met },
    ...(missing && { missing }),
  })

  const seals = await findSeals(db)
  const [first, last] = [seals[0], seals.at(-1)]
  if (!first || !last || sealOf(key, last) !== last.seal) return broken(last?.fromId ?? 0, 'unsealed')

  if (from) for (const hash of await findPresent(db, known, from.id)) awaited.delete(hash)
  // Ids have gaps where a transaction was undone, so the total is what is left at most.
  const total = lines + (await findLastId(db)) - lastId
  const digest = createDigest()
  let isSealChecked = from !== null
  const isAsSealed = () => {
    isSealChecked = true
    return lines === last.lines && lastHash === last.lastHash && digest.value() === last.digest
  }
  for await (const row of readEntries(db, lastId)) {
    const content = contentOf(row)
    if (row.id < last.fromId) {
      // Entries chained with another secret are verified by the seal alone; a plain chain also shows which entry was changed.
      if (row.id < first.fromId && hashOf(null, lastHash, content) !== row.hash) return broken(row.id, 'changed')
      digest.add(row, content)
    } else {
      if (!isSealChecked && !isAsSealed()) return broken(lastId || row.id, 'sealed')
      if (hashOf(key, lastHash, content) !== row.hash) return broken(row.id, 'changed')
    }
    lines += 1
    lastHash = row.hash
    lastId = row.id
    if (lines % entriesAtOnce === 0) onProgress(lines, total)
    if (awaited.delete(row.hash)) met.set(row.hash, { line: row.id, lines })
  }
  if (!isSealChecked && !isAsSealed()) return broken(lastId || last.fromId, 'sealed')
  const [missing] = awaited.values()
  if (missing) return broken(missing.line ?? 0, 'missing', missing)
  return { lines, lastHash, lastId, brokenAt: null, reason: null, met }
}

const entriesAtOnce = 1_000

async function findLastId(db: Database) {
  const [last] = await db.select({ id: max(auditLog.id) }).from(auditLog)
  return last?.id ?? 0
}

/** Those of the known hashes that their entries up to this one still have. */
async function findPresent(db: Database, known: readonly KnownHash[], lastId: number) {
  const ids = known.flatMap(({ line }) => (line !== undefined && line <= lastId ? [line] : []))
  const rows = await db.select({ hash: auditLog.hash }).from(auditLog).where(inArray(auditLog.id, ids))
  return rows.map(({ hash }) => hash)
}

/** The last entry that a verification found intact; null where it is not in the log any more, or a seal came after it. */
export async function findVerifiedEntry(db: Database, dataDir: string): Promise<VerifiedEntry | null> {
  const stored = await readFile(join(dataDir, verifiedName), 'utf8').catch(() => '')
  const parsed = verifiedEntry.safeParse(parseJson(stored))
  if (!parsed.success) return null
  const { id, hash, lines, mac } = parsed.data
  if (mac !== macOf(db, { id, hash, lines })) return null
  const last = (await findSeals(db)).at(-1)
  const [row] = await db.select({ hash: auditLog.hash }).from(auditLog).where(eq(auditLog.id, id))
  // The last entry before a seal was verified together with it.
  return last && id >= last.fromId - 1 && row?.hash === hash ? { id, hash, lines } : null
}

/** In `DATA_DIR`, with a keyed hash: an attacker who only controls the database cannot write it. */
export async function storeVerifiedEntry(db: Database, dataDir: string, { lines, lastHash, lastId }: Verification) {
  const entry = { id: lastId, hash: lastHash, lines }
  const file = join(dataDir, verifiedName)
  await writeFile(`${file}.new`, JSON.stringify({ ...entry, mac: macOf(db, entry) }), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

const verifiedName = 'journal-verified.json'
const verifiedEntry = z.object({ id: z.int(), hash: z.string(), lines: z.int(), mac: z.string() })

const macOf = (db: Database, { id, hash, lines }: VerifiedEntry) =>
  createHmac('sha256', keyFor(db, 'auditLog')).update(`verified ${id} ${hash} ${lines}`).digest('hex')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
