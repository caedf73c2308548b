import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isNotNull, sql } from 'drizzle-orm'
import { mails } from '../background/mail-table.ts'
import type { RunCommand } from '../command-line/command.ts'
import { LocalizedError } from '../localized-error.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
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

export const run: RunCommand = async ({ readConfig, options, environment }) => {
  const former = environment.FORMER_SESSION_SECRET || null
  if ((options['lost'] === true) === (former !== null)) {
    throw new LocalizedError(
      {
        fr: 'Donnez l’ancien secret dans FORMER_SESSION_SECRET, ou --lost si personne ne l’a plus.',
        en: 'Give the former secret in FORMER_SESSION_SECRET, or --lost where nobody has it.',
      },
      'usage',
    )
  }
  const text = await changeSecret(readConfig(), former)
  return { text, json: { message: text.en } }
}

/**
 * Rebinds a database from the secret `former` to that of this configuration; returns the message for the user. Without `former`
 * the encrypted values are lost: only recovery codes then pass the second factor.
 */
export async function changeSecret(config: Config, former: string | null): Promise<LocalizedText> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) {
    throw new ConfigError({
      fr: `Il n’y a pas de base de données dans ${config.dataDir} : donnez à la commande le DATA_DIR du serveur.`,
      en: `There is no database in ${config.dataDir}: give the command the DATA_DIR of the server.`,
    })
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
export async function changeSecretOf(db: Database, secret: string, former: string | null): Promise<LocalizedText> {
  const keyId = fingerprintOf(bindKeys(db, secret))
  return db.transaction(async (tx) => {
    await lockChain(tx)
    const seal = (await findSeals(tx)).at(-1)
    if (!seal)
      return {
        fr: 'Cette base n’a jamais été utilisée avec un secret de cette version : le prochain démarrage lui donne celui-ci.',
        en: 'This database was never used with a secret of this version: the next start gives it this one.',
      }
    if (seal.keyId === keyId)
      return {
        fr: 'Cette base est déjà utilisée avec ce secret : rien n’a été changé.',
        en: 'This database is used with this secret already: nothing was changed.',
      }
    const message = former === null ? await forgetEncrypted(tx) : await encryptAnew(tx, former, seal.keyId)
    await sealAuditLog(tx, keyId)
    const after = { former: former === null ? 'lost' : 'known' }
    await recordChange(tx, commandAuthor(command), { area: 'audit', action: 'change secret', after })
    return {
      fr: `${message.fr} Démarrez le produit avec le nouveau secret.`,
      en: `${message.en} Start the product with the new secret.`,
    }
  })
}

async function encryptAnew(tx: Database, former: string, formerId: string) {
  const keys = deriveKeys(former)
  if (fingerprintOf(keys) !== formerId) {
    throw new ConfigError({
      fr: 'FORMER_SESSION_SECRET n’est pas le secret avec lequel cette base a été utilisée.',
      en: 'FORMER_SESSION_SECRET is not the secret that this database was used with.',
    })
  }
  const { brokenAt } = await verifyAuditLog(tx, [], keys.auditLog)
  const count = await replaceStored(tx, (place, stored) => encrypt(tx, place, decryptWith(keys.encryption, place, stored)))
  const chain =
    brokenAt === null
      ? { fr: 'Le journal d’audit était intact', en: 'The audit log was intact' }
      : {
          fr: `Le journal d’audit n’était PAS intact (événement ${brokenAt})`,
          en: `The audit log was NOT intact (event ${brokenAt})`,
        }
  return {
    fr: `${count} secrets sont chiffrés avec le nouveau secret. ${chain.fr} et continue avec la nouvelle clé.`,
    en: `${count} stored secrets are encrypted with the new secret. ${chain.en} and goes on with the new key.`,
  }
}

/** The second factor stays on without its secret: a lost file must not make the password sufficient. */
async function forgetEncrypted(tx: Database) {
  const lost = { state: 'failed', lastError: 'its secret was lost with SESSION_SECRET', secret: null } as const
  await tx.update(mails).set(lost).where(isNotNull(mails.secret))
  for (const { table, column } of encryptedColumns) {
    await tx.execute(sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = null`)
  }
  return {
    fr: 'Ce que l’ancien secret chiffrait est perdu. Les personnes qui ont l’A2F se connectent avec un code de récupération et la configurent de nouveau, ou l’administrateur du serveur la retire par npm run admin. Le journal d’audit continue avec une nouvelle clé; les événements précédents sont figés tels quels.',
    en: 'What the former secret encrypted is lost. People with two-factor sign in with a recovery code and set it up again, or npm run admin -- reset-2fa NAME removes it. The audit log goes on with a new key; events before are fixed as they are now.',
  }
}
