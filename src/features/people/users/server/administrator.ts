import { sql, eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { passwordRules } from '#src/lib/passwords.ts'
import type { Area } from '#src/lib/rights.ts'
import { everyRight, hasRight } from '#src/lib/rights.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Config } from '#src/server/config.ts'
import { ConfigError } from '#src/server/config.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { removeTotp } from '../../account/server/totp.ts'
import { groups, users, totpChances } from '../../server/table.ts'
import { hashPassword, isEasyToGuess } from '../../sign-in/server/passwords.ts'
import { closeSessionsOf } from '../../sign-in/server/sessions.ts'
import { passwordRuleMessage } from '../../values.ts'
import { findUser } from './find-user.ts'
import type { Sender } from './notices.ts'
import { notifyAccountChange } from './notices.ts'
import { forgetLinks, makeLink } from './password-links.ts'

/** Creates the first administrator where there are no users. Returns the generated password, to be shown once, or null. */
export async function createFirstAdministrator(
  db: Database,
  areas: readonly Area[],
  config: Pick<Config, 'adminUsername' | 'adminPassword'>,
) {
  // Enough of each character class to meet the password rules.
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

/** The password of the first administrator must meet the same rules as all others. */
async function refuseWeakPassword(password: string, username: string) {
  const nameless = { username, firstName: '', lastName: '', displayName: '', email: '' }
  if (passwordRules.every((rule) => rule.isMet(password)) && !(await isEasyToGuess(password, nameless))) return
  throw new ConfigError({
    fr:
      'ADMIN_PASSWORD est trop faible : il faut au moins 12 caractères, dont une majuscule, une minuscule, un chiffre et un ' +
      'caractère spécial, et plus que les mots de l’entreprise, du métier, du lieu, du temps ou le nom d’utilisateur.',
    en:
      'ADMIN_PASSWORD is too weak: it wants at least 12 characters with an uppercase letter, a lowercase letter, a number and ' +
      'a special character, and more than the words of the company, the trade, the place, the time or the username.',
  })
}

export const adminActions = ['create', 'reset-password', 'reset-2fa', 'unlock'] as const
export type AdminCommand = (typeof adminActions)[number]

/** An invalid use of the command; the message is printed without a stack trace. */
export class CommandError extends LocalizedError {}

type Request = { command: AdminCommand; name: string; origin: string; password?: string | undefined }
type User = typeof users.$inferSelect

const author = { userId: null, name: 'npm run admin', address: 'localhost' }

/** Recovers access from the server's command line; returns the message to print. The user is notified by email. */
export async function runAdminCommand(app: Sender & Pick<App, 'db' | 'areas'>, { command, name, origin, password }: Request) {
  const { db, areas } = app
  const passwordHash = await hashGiven(db, name, password)
  return db.transaction(async (tx) => {
    const user = command === 'create' ? await createAdministrator(tx, areas, name) : await findByName(tx, name)
    await recordChange(tx, author, { area: 'users', action: `command ${command}`, entryId: user.id })
    if (command === 'unlock') {
      await tx.update(users).set({ locked: false, totpChances }).where(eq(users.id, user.id))
      return {
        fr: `${user.username} est déverrouillé et dispose de ${totpChances} tentatives d’A2F.`,
        en: `${user.username} is unlocked and has ${totpChances} 2FA chances.`,
      }
    }
    await closeSessionsOf(tx, user.id)
    if (command === 'reset-2fa') {
      await removeTotp(tx, user.id)
      await notifyAccountChange(app, tx, await findUser(tx, user.id), 'totpOff')
      return {
        fr: `${user.username} peut maintenant se connecter sans A2F, et devrait la configurer de nouveau dans son profil.`,
        en: `${user.username} can now sign in without 2FA and should set it up again in the profile.`,
      }
    }
    await forgetLinks(tx, user.id)
    await tx
      .update(users)
      .set({ passwordHash, passwordSetByAdmin: passwordHash !== null })
      .where(eq(users.id, user.id))
    await notifyAccountChange(app, tx, await findUser(tx, user.id), 'password')
    if (passwordHash)
      return {
        fr: `${user.username} se connecte maintenant avec le mot de passe de ADMIN_PASSWORD.`,
        en: `${user.username} signs in with the password of ADMIN_PASSWORD now.`,
      }
    const link = await makeLink(tx, user.id, origin)
    return {
      fr: `Choisissez le mot de passe de ${user.username} à cette adresse, une seule fois, d’ici 24 heures :\n${link}`,
      en: `Choose the password of ${user.username} at this address, once, within 24 hours:\n${link}`,
    }
  })
}

async function hashGiven(db: Database, name: string, password: string | undefined) {
  if (password === undefined) return null
  if (!passwordRules.every((rule) => rule.isMet(password)))
    throw new CommandError({
      fr: 'Le nouveau mot de passe doit compter au moins 12 caractères, dont au moins une majuscule, une minuscule, un chiffre et un caractère spécial.',
      en: passwordRuleMessage,
    })
  const [known] = await db.select().from(users).where(isNamed(name))
  const named = known ?? { username: name, firstName: '', lastName: '', displayName: '', email: '' }
  if (await isEasyToGuess(password, named))
    throw new CommandError({
      fr: 'Le mot de passe de ADMIN_PASSWORD est trop facile à deviner.',
      en: 'The password of ADMIN_PASSWORD is too easy to guess.',
    })
  return hashPassword(password)
}

const isNamed = (name: string) => eq(sql`lower(${users.username})`, name.toLowerCase())

async function findByName(tx: Database, name: string): Promise<User> {
  const [user] = await tx.select().from(users).where(isNamed(name))
  if (!user) throw new CommandError({ fr: `Il n’y a pas d’utilisateur ${name}.`, en: `There is no user named ${name}.` })
  return user
}

async function createAdministrator(tx: Database, areas: readonly Area[], name: string): Promise<User> {
  if (!/^[\w.@-]{1,80}$/.test(name))
    throw new CommandError({
      fr: 'Un nom d’utilisateur contient des lettres, des chiffres, des points et des traits d’union (80 caractères au plus).',
      en: 'A username may contain letters, digits, periods and hyphens (80 characters maximum).',
    })
  const [taken] = await tx.select({ id: users.id }).from(users).where(isNamed(name))
  if (taken)
    throw new CommandError({
      fr: `L’utilisateur ${name} existe déjà. Pour un nouveau mot de passe, utilisez reset-password.`,
      en: `The user ${name} already exists. Use reset-password to set a new password.`,
    })
  const [user] = await tx
    .insert(users)
    .values({ username: name, displayName: name, groupId: await findAdministrators(tx, areas) })
    .returning()
  if (!user) throw new Error('the user was not stored')
  return user
}

/** Finds a group that administers users and groups; creates one where none is left. */
async function findAdministrators(tx: Database, areas: readonly Area[]) {
  const all = await tx.select().from(groups).where(eq(groups.enabled, true))
  const found = all.find(
    ({ rights }) => hasRight(rights, 'users', 'administrator') && hasRight(rights, 'groups', 'administrator'),
  )
  if (found) return found.id
  const [made] = await tx
    .insert(groups)
    .values({ name: 'Administrateurs', rights: everyRight(areas) })
    .onConflictDoUpdate({ target: groups.name, set: { rights: everyRight(areas), enabled: true } })
    .returning()
  if (!made) throw new Error('the group of administrators was not stored')
  return made.id
}
