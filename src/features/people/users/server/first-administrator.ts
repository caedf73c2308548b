import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { passwordRules } from '#src/lib/passwords.ts'
import type { Config } from '#src/server/config.ts'
import { ConfigError } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { hashPassword } from '../../sign-in/server/passwords.ts'
import type { Area } from '#src/lib/rights.ts'
import { everyRight } from '#src/lib/rights.ts'
import { groups, users } from '../../server/table.ts'
import { isEasyToGuess } from './common-passwords.ts'

/**
 * Creates the first administrator where there is no user at all.
 * Answers the generated password to be shown once, or null.
 */
export async function createFirstAdministrator(
  db: Database,
  areas: readonly Area[],
  config: Pick<Config, 'adminUsername' | 'adminPassword'>,
) {
  // Enough of each kind of character that the product's own rules accept it.
  const password = config.adminPassword ?? `${randomBytes(12).toString('base64url')}-aZ7`
  if ((await db.$count(users)) > 0) return null
  if (config.adminPassword) await refuseWeakPassword(config.adminPassword, config.adminUsername)
  const passwordHash = await hashPassword(password)
  const created = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7148302)`)
    if ((await tx.$count(users)) > 0) return false
    const rights = everyRight(areas)
    const [group] = await tx
      .insert(groups)
      .values({ name: 'Administrateurs', rights })
      .onConflictDoUpdate({ target: groups.name, set: { rights, enabled: true } })
      .returning()
    if (!group) throw new Error('the group of administrators was not stored')
    await tx.insert(users).values({
      username: config.adminUsername,
      displayName: config.adminUsername,
      passwordHash,
      groupId: group.id,
    })
    return true
  })
  return created && !config.adminPassword ? { username: config.adminUsername, password } : null
}

/** The installer's password meets what every other password meets. */
async function refuseWeakPassword(password: string, username: string) {
  const nameless = { username, firstName: '', lastName: '', displayName: '', email: '' }
  if (passwordRules.every((rule) => rule.isMet(password)) && !(await isEasyToGuess(password, nameless))) return
  throw new ConfigError(
    'ADMIN_PASSWORD is too weak: it wants at least 12 characters with an uppercase letter, a lowercase letter, a number and ' +
      'a special character, and more than the words of the company, the trade, the place, the time or the username.',
  )
}
