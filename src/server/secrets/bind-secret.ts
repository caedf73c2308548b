import { sql } from 'drizzle-orm'
import { hideOldLinks } from '../background/mail-secrets.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { findSeals, lockChain } from '../audit-log/chain.ts'
import { sealAuditLog } from '../audit-log/seal.ts'
import { logger } from '../log.ts'
import { encrypt, encryptedColumns, isEncrypted, replaceStored } from './encryption.ts'
import { bindKeys, deriveKeys, fingerprintOf } from './keys.ts'

const anotherSecret =
  'SESSION_SECRET, or the file session-secret in DATA_DIR, is not the secret that this database was used with: give that one back. Where it must change or is lost, run npm run secret:change (docs/operations.md, Rotate the secret).'

/** Migrates an open database and gives it the keys of its secret: what whoever works on it calls first. */
export async function prepareDatabase(db: Database, { secret }: Pick<Config, 'secret'>) {
  await migrateDatabase(db)
  await bindSecret(db, secret)
}

/**
 * Gives a migrated database the keys of `SESSION_SECRET`; throws `ConfigError` where it was used with another one. The
 * first time, what an earlier version stored in clear is encrypted and the journal is sealed.
 */
export async function bindSecret(db: Database, secret: string) {
  const keyId = fingerprintOf(bindKeys(db, secret))
  if (await isBoundTo(db, keyId)) return
  const isFirst = await db.transaction(async (tx) => {
    await lockChain(tx)
    // Another instance may have been first.
    if (await isBoundTo(tx, keyId)) return false
    await replaceStored(tx, (place, stored) => (isEncrypted(stored) ? stored : encrypt(tx, place, stored)))
    await hideOldLinks(tx)
    await sealAuditLog(tx, keyId)
    return true
  })
  if (isFirst) await forgetOldRows(db)
}

/** Whether a start with this secret will be let into a migrated database; true also where none was ever used. */
export async function isSecretOf(db: Database, secret: string) {
  const seal = (await findSeals(db)).at(-1)
  return !seal || seal.keyId === fingerprintOf(deriveKeys(secret))
}

/** False where no secret was ever given to this database. */
async function isBoundTo(db: Database, keyId: string) {
  const seal = (await findSeals(db)).at(-1)
  if (seal && seal.keyId !== keyId) throw new ConfigError(anotherSecret)
  return seal !== undefined
}

/** The rows as they were before stay in the files of the database until the table is written anew. */
async function forgetOldRows(db: Database) {
  for (const { table } of encryptedColumns) {
    await db.execute(sql`vacuum (full) ${sql.identifier(table)}`).catch((error: unknown) => {
      logger.warn({ err: error, table }, 'this table could not be written anew: its files may still hold what was in clear')
    })
  }
}
