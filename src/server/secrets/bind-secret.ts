import { sql } from 'drizzle-orm'
import { hideOldLinks } from '../background/mail-secrets.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrateDatabase, refuseNewerDatabase } from '../database/migrate.ts'
import { findSeals, lockChain } from '../audit-log/chain.ts'
import { sealAuditLog } from '../audit-log/seal.ts'
import { logger } from '../log.ts'
import { encrypt, encryptedColumns, isEncrypted, replaceStored } from './encryption.ts'
import { bindKeys, deriveKeys, fingerprintOf } from './keys.ts'

const anotherSecret = {
  fr: 'SESSION_SECRET, ou le fichier session-secret de DATA_DIR, n’est pas le secret avec lequel cette base a été utilisée : redonnez celui-là. S’il doit changer ou s’il est perdu, lancez npm run secret:change (docs/operations.md, Rotate the secret).',
  en: 'SESSION_SECRET, or the file session-secret in DATA_DIR, is not the secret that this database was used with: give that one back. Where it must change or is lost, run npm run secret:change (docs/operations.md, Rotate the secret).',
}

/** Migrates an open database and binds the keys of its secret. Every process that uses a database calls this first. */
export async function prepareDatabase(db: Database, { secret }: Pick<Config, 'secret'>) {
  await refuseNewerDatabase(db)
  await migrateDatabase(db)
  await bindSecret(db, secret)
}

/**
 * Binds the keys of `SESSION_SECRET` to a migrated database; throws `ConfigError` where it was used with another secret. The
 * first time, plain values of an earlier version are encrypted and the audit log is sealed.
 */
export async function bindSecret(db: Database, secret: string) {
  const keyId = fingerprintOf(bindKeys(db, secret))
  if (await isBoundTo(db, keyId)) return
  const isFirst = await db.transaction(async (tx) => {
    await lockChain(tx)
    // Another instance may have done it meanwhile.
    if (await isBoundTo(tx, keyId)) return false
    await replaceStored(tx, (place, stored) => (isEncrypted(stored) ? stored : encrypt(tx, place, stored)))
    await hideOldLinks(tx)
    await sealAuditLog(tx, keyId)
    return true
  })
  if (isFirst) await forgetOldRows(db)
}

/** True where a start with this secret would succeed, also where no secret was ever used. */
export async function isSecretOf(db: Database, secret: string) {
  const seal = (await findSeals(db)).at(-1)
  return !seal || seal.keyId === fingerprintOf(deriveKeys(secret))
}

/** False where the database was never bound to a secret. */
async function isBoundTo(db: Database, keyId: string) {
  const seal = (await findSeals(db)).at(-1)
  if (seal && seal.keyId !== keyId) throw new ConfigError(anotherSecret)
  return seal !== undefined
}

/** The plain values stay in the database files until the table is rewritten. */
async function forgetOldRows(db: Database) {
  for (const { table } of encryptedColumns) {
    await db.execute(sql`vacuum (full) ${sql.identifier(table)}`).catch((error: unknown) => {
      logger.warn({ err: error, table }, 'this table could not be written anew: its files may still hold what was in clear')
    })
  }
}
