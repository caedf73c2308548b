import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isNotNull, sql } from 'drizzle-orm'
import { mails } from '../background/mail-table.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { commandAuthor } from '../http/command-key.ts'
import { findSeals, lockChain } from '../audit-log/chain.ts'
import { recordChange } from '../audit-log/audit-log.ts'
import { sealAuditLog } from '../audit-log/seal.ts'
import { verifyAuditLog } from '../audit-log/verify.ts'
import { decryptWith, encrypt, encryptedColumns, replaceStored } from './encryption.ts'
import { bindKeys, deriveKeys, fingerprintOf } from './keys.ts'

const command = 'secret:change'

/**
 * Rebinds a database from the secret `former` to that of this configuration; returns the message for the user. Without `former`
 * the encrypted values are lost: only recovery codes then pass the second factor.
 */
export async function changeSecret(config: Config, former: string | null): Promise<string> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) {
    throw new ConfigError(`There is no database in ${config.dataDir}: give the command the DATA_DIR of the server.`)
  }
  const database = await openDatabase(config)
  try {
    await migrateDatabase(database.db)
    return await changeSecretOf(database.db, config.secret, former)
  } finally {
    await database.close()
  }
}

/** `changeSecret` for an open, migrated database. */
export async function changeSecretOf(db: Database, secret: string, former: string | null): Promise<string> {
  const keyId = fingerprintOf(bindKeys(db, secret))
  return db.transaction(async (tx) => {
    await lockChain(tx)
    const seal = (await findSeals(tx)).at(-1)
    if (!seal) return 'This database was never used with a secret of this version: the next start gives it this one.'
    if (seal.keyId === keyId) return 'This database is used with this secret already: nothing was changed.'
    const message = former === null ? await forgetEncrypted(tx) : await encryptAnew(tx, former, seal.keyId)
    await sealAuditLog(tx, keyId)
    const after = { former: former === null ? 'lost' : 'known' }
    await recordChange(tx, commandAuthor(command), { area: 'audit', action: 'change secret', after })
    return `${message} Start the product with the new secret.`
  })
}

async function encryptAnew(tx: Database, former: string, formerId: string) {
  const keys = deriveKeys(former)
  if (fingerprintOf(keys) !== formerId) {
    throw new ConfigError('FORMER_SESSION_SECRET is not the secret that this database was used with.')
  }
  const { brokenAt } = await verifyAuditLog(tx, [], keys.auditLog)
  const count = await replaceStored(tx, (place, stored) => encrypt(tx, place, decryptWith(keys.encryption, place, stored)))
  const chain = brokenAt === null ? 'The audit log was intact' : `The audit log was NOT intact (event ${brokenAt})`
  return `${count} stored secrets are encrypted with the new secret. ${chain} and goes on with the new key.`
}

/** The second factor stays on without its secret: a lost file must not make the password sufficient. */
async function forgetEncrypted(tx: Database) {
  const lost = { state: 'failed', lastError: 'its secret was lost with SESSION_SECRET', secret: null } as const
  await tx.update(mails).set(lost).where(isNotNull(mails.secret))
  for (const { table, column } of encryptedColumns) {
    await tx.execute(sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = null`)
  }
  return 'What the former secret encrypted is lost. People with two-factor sign in with a recovery code and set it up again, or npm run admin -- reset-2fa NAME removes it. The audit log goes on with a new key; events before are fixed as they are now.'
}
