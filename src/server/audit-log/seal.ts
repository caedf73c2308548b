import type { Database } from '../database/database.ts'
import { logger } from '../log.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, contentOf, createDigest, findSeals, hashOf, lockChain, readEntries, sealOf } from './chain.ts'
import { auditLogSeals } from './audit-log-table.ts'

/**
 * Seals all existing entries and starts a new key after them, inside the caller's transaction. Entries of a version before the
 * seals are first compared with their plain hashes: a mismatch is logged and stays a mismatch.
 */
export async function sealAuditLog(tx: Database, keyId: string) {
  await lockChain(tx)
  const isPlain = (await findSeals(tx)).length === 0
  const digest = createDigest()
  let [lines, lastHash, lastId] = [0, chainStart, 0]
  let brokenAt: number | null = null
  for await (const row of readEntries(tx)) {
    const content = contentOf(row)
    if (isPlain && hashOf(null, lastHash, content) !== row.hash) brokenAt ??= row.id
    digest.add(row, content)
    lines += 1
    lastHash = row.hash
    lastId = row.id
  }
  const key = keyFor(tx, 'auditLog')
  const row = { fromId: lastId + 1, keyId, lines, lastHash, digest: digest.value() }
  await tx.insert(auditLogSeals).values({ ...row, seal: sealOf(key, row) })
  logger.info({ lines, hash: lastHash }, 'journal sealed')
  if (brokenAt !== null) logger.error({ line: brokenAt }, 'the journal was broken at this line before it was sealed')
}
