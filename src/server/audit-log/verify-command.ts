import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { sql } from 'drizzle-orm'
import type { ReadEntry } from 'tar'
import { list } from 'tar'
import { z } from 'zod'
import type { Progress } from '../backup/dump.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { bindKeys, fingerprintOf } from '../secrets/keys.ts'
import { findSeals } from './chain.ts'
import { readPublished } from './published.ts'
import type { KnownHash, Verification } from './verify.ts'
import { findVerifiedEntry, storeVerifiedEntry, verifyAuditLog } from './verify.ts'

const lastRow = z.object({ id: z.int(), hash: z.string(), at: z.string() })

export type Outcome = { isIntact: boolean; message: string }

/** Verifies the audit log against hashes stored outside the database, and against a given hash or backup. */
export async function verifyByCommand(
  config: Config,
  given: string | undefined,
  { isContinued = false, onProgress = () => undefined }: { isContinued?: boolean; onProgress?: Progress } = {},
): Promise<Outcome> {
  // Opening a missing embedded database would create one.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) {
    throw new ConfigError(`There is no database in ${config.dataDir}.`)
  }
  const knownHash = given === undefined ? null : await readKnownHash(given)
  const published = readPublished(config.dataDir)
  const database = await openDatabase(config)
  try {
    const keys = bindKeys(database.db, config.secret)
    const found = await database.db.transaction(
      async (tx) => {
        await tx.execute(sql`set transaction read only`)
        const { rows } = (await tx.execute(sql`select to_regclass('public.journal_seals') as found`)) as {
          rows: { found: string | null }[]
        }
        if (!rows[0]?.found) throw new ConfigError('This database is of an earlier version: start the server once, then verify.')
        const seal = (await findSeals(tx)).at(-1)
        if (seal && seal.keyId !== fingerprintOf(keys)) {
          throw new ConfigError('SESSION_SECRET is not the secret of this database: the chain can only be checked with it.')
        }
        // A given hash may be of an entry that would not be read again.
        const from = isContinued && !knownHash ? await findVerifiedEntry(tx, config.dataDir) : null
        const known = [...published, ...(knownHash ? [knownHash] : [])]
        const result = await verifyAuditLog(tx, known, undefined, { from, onProgress })
        return { ...result, linesBefore: from?.lines ?? 0 }
      },
      { isolationLevel: 'repeatable read' },
    )
    const isIntact = found.brokenAt === null
    if (isIntact && found.lines > 0) await storeVerifiedEntry(database.db, config.dataDir, found)
    return { isIntact, message: describe(found, knownHash) }
  } finally {
    await database.close()
  }
}

type Found = Verification & { linesBefore: number }

function describe({ lines, linesBefore, lastHash, brokenAt, reason, missing, met }: Found, knownHash: KnownHash | null) {
  if (reason === 'changed') {
    return `Audit log altered: event ${brokenAt} is not as it was recorded; the ${lines} events before it are intact.`
  }
  if (reason === 'sealed') return `Audit log altered: an event up to number ${brokenAt} is not as it was when the log was sealed.`
  if (reason === 'unsealed') return 'Audit log altered: its seal was changed or removed.'
  if (reason === 'missing') {
    const event = missing?.line ? `event ${missing.line}` : 'the event'
    const when = missing?.at ? ` on ${missing.at}` : ''
    return `Audit log altered: ${event} whose hash was kept elsewhere${when} is not in it (${missing?.hash}).`
  }
  const place = knownHash && met.get(knownHash.hash)
  const after = place ? ` The hash given is that of event ${place.line}; ${lines - place.lines} came after it.` : ''
  const rest = linesBefore > 0 ? `, the first ${linesBefore} of them at another time` : ''
  return `Audit log verified: ${lines} events${rest}, no alterations. Last hash: ${lastHash}${after}`
}

async function readKnownHash(given: string): Promise<KnownHash> {
  if (/^[\da-f]{64}$/i.test(given)) return { hash: given.toLowerCase() }
  if (!existsSync(given)) throw new ConfigError(`${given} is neither a hash of 64 digits nor a file.`)
  return readBackupHash(given)
}

/** The last entry of the audit log in a backup; the backup is not extracted. */
async function readBackupHash(file: string): Promise<KnownHash> {
  const decoder = new StringDecoder('utf8')
  let [isBackup, lastJson, rest] = [false, '', '']
  const addPart = (part: Buffer) => {
    const lines = (rest + decoder.write(part)).split('\n')
    rest = lines.pop() ?? ''
    lastJson = lines.at(-1) ?? lastJson
  }
  const onReadEntry = (entry: ReadEntry) => {
    if (entry.path !== 'dump/tables/journal.ndjson') return
    isBackup = true
    entry.on('data', addPart)
  }
  await list({ file, strict: true, onReadEntry }).catch(() => {
    throw new ConfigError(`${file} is not a Guichet backup.`)
  })
  if (!isBackup) throw new ConfigError(`${file} is not a Guichet backup.`)
  if (lastJson === '') throw new ConfigError(`The audit log in ${file} is empty.`)
  const { id, hash, at } = lastRow.parse(JSON.parse(lastJson))
  return { line: id, hash, at }
}
