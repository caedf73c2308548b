import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid, Limited } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { hashPassword, refuseCommonPassword } from '../../sign-in/server/passwords.ts'
import { closeSessionsOf } from '../../sign-in/server/sessions.ts'
import { changeKeepingAdministrator } from '../../groups/server/service.ts'
import type { Invitation, User } from '../../contract.ts'
import { sendInBothLanguages, notifyAccountChange } from './notices.ts'
import { passwordLinks, users } from '../../server/table.ts'

const linkLifeMs = 24 * 3_600_000
/** Limits the emails that a stranger can trigger to one mailbox. */
const mailsPerAccount = { points: 3, seconds: 3_600 }

type Recipient = Pick<User, 'id_user' | 'display_name' | 'username' | 'email' | 'invited'>

/**
 * Mails the link of an invitation or of a new password, in the caller's transaction. Where no mail can be sent, returns the
 * link for a user without a password; for the others it would be a way in.
 */
export async function inviteInTransaction(
  app: App,
  tx: Database,
  user: Recipient,
  origin: string,
  author: string,
): Promise<Invitation> {
  const link = await makeLink(tx, user.id_user, origin)
  const values = { name: user.display_name, username: user.username, company: company.name, author, link }
  const [subject, body] = user.invited
    ? (['invitationSubject', 'invitation'] as const)
    : (['forgottenSubject', 'newPassword'] as const)
  if (user.email !== '') await sendInBothLanguages(app, tx, user.email, subject, body, values, tokenOf(link))
  return { mailed: app.mailer.canSend, link: !app.mailer.canSend && user.invited ? link : null }
}

/** Mails a link where an unlocked account has this address; the caller sends the same response in either case. */
export async function sendForgottenLink(app: App, address: string) {
  const found = await app.db
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, address.toLowerCase()), eq(users.locked, false)))
  for (const user of found) {
    try {
      await app.limits.take('forgotten-mail', String(user.id), mailsPerAccount)
    } catch (error) {
      if (error instanceof Limited) continue
      throw error
    }
    await app.db.transaction(async (tx) => {
      const link = await makeLink(tx, user.id, trustedOrigin(app))
      const values = { name: user.displayName, username: user.username, company: company.name, link }
      await sendInBothLanguages(app, tx, user.email, 'forgottenSubject', 'forgotten', values, tokenOf(link))
    })
  }
}

/** Uses up a link and sets the password; returns the ended sessions. 2FA does not change. */
export async function setPasswordByLink(app: App, address: string, token: string, password: string) {
  const tokenHash = hashToken(token)
  const isLive = () => and(eq(passwordLinks.tokenHash, tokenHash), gt(passwordLinks.expiresAt, new Date()))
  const [found] = await app.db
    .select({ user: users })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(isLive())
  if (!found || found.user.locked) throw badLink()
  const { user } = found
  await refuseCommonPassword(password, user)
  const passwordHash = await hashPassword(password)
  return changeKeepingAdministrator(app.db, async (tx) => {
    const spent = await tx.delete(passwordLinks).where(isLive()).returning({ userId: passwordLinks.userId })
    const changed = await tx
      .update(users)
      .set({ passwordHash, passwordSetByAdmin: false, updatedAt: new Date() })
      .where(and(eq(users.id, user.id), eq(users.locked, false)))
      .returning({ id: users.id })
    if (spent.length === 0 || changed.length === 0) throw badLink()
    await forgetLinks(tx, user.id)
    const author = { userId: user.id, name: user.displayName, address }
    await recordChange(tx, author, { area: 'users', action: 'choose password by link', entryId: user.id })
    const recipient = { display_name: user.displayName, username: user.username, email: user.email }
    if (user.passwordHash !== null) await notifyAccountChange(app, tx, recipient, 'password')
    return closeSessionsOf(tx, user.id)
  })
}

/** Invalidates the links of a user whose password or address changed, or who was locked. */
export async function forgetLinks(tx: Database, userId: number) {
  await tx.delete(passwordLinks).where(eq(passwordLinks.userId, userId))
}

/** The token follows the `#`, which browsers send to no server and in no Referer. */
export async function makeLink(tx: Database, userId: number, origin: string) {
  const token = randomBytes(24).toString('base64url')
  await tx.delete(passwordLinks).where(lt(passwordLinks.expiresAt, new Date()))
  await tx.insert(passwordLinks).values({ tokenHash: hashToken(token), userId, expiresAt: new Date(Date.now() + linkLifeMs) })
  return `${origin}/admin/password#${token}`
}

const tokenOf = (link: string) => link.slice(link.indexOf('#') + 1)

/** Never from the Host header: whoever requests the link could choose where it leads. */
function trustedOrigin(app: App) {
  return app.config.publicUrl ?? app.listeningOrigin
}

function badLink() {
  return new Invalid('This link has expired or was already used. Request a new one.', [{ path: 'token', message: 'out of date' }])
}

function hashToken(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
