import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/texts.ts'
import type { Database } from '#src/server/database.ts'
import { recordChange } from '#src/server/journal.ts'
import { Invalid } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/xsrf.ts'
import { hashPassword } from '../../auth/server/passwords.ts'
import { closeSessionsOf } from '../../auth/server/sessions.ts'
import type { User } from '../contract.ts'
import { mailTexts } from '../texts.ts'
import { refuseCommonPassword } from './password-rules.ts'
import { passwordLinks, users } from './table.ts'

const linkLifeMs = 24 * 3_600_000

type Recipient = Pick<User, 'id_user' | 'display_name' | 'username' | 'email'>

export async function sendInvitation(app: App, request: FastifyRequest, user: Recipient) {
  await sendLink(app, user, 'invitation', requestOrigin(request), request.author.name)
}

/** Mails a link where an unlocked account has this address; the caller answers the same in either case. */
export async function sendForgottenLink(app: App, origin: string, address: string) {
  const found = await app.db
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, address.toLowerCase()), eq(users.locked, false)))
  for (const user of found) {
    const recipient = { id_user: user.id, display_name: user.displayName, username: user.username, email: user.email }
    await sendLink(app, recipient, 'forgotten', origin, '')
  }
}

/** Spends a link and sets the password; answers the sessions that ended. */
export async function setPasswordByLink(db: Database, address: string, token: string, password: string) {
  const tokenHash = hashToken(token)
  const isLive = and(eq(passwordLinks.tokenHash, tokenHash), gt(passwordLinks.expiresAt, new Date()))
  const [found] = await db.select({ user: users }).from(passwordLinks).innerJoin(users, eq(users.id, passwordLinks.userId)).where(isLive)
  if (!found || found.user.locked) throw badLink()
  const { user } = found
  refuseCommonPassword(password, user.username)
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const spent = await tx.delete(passwordLinks).where(isLive).returning({ userId: passwordLinks.userId })
    if (spent.length === 0) throw badLink()
    await tx.delete(passwordLinks).where(eq(passwordLinks.userId, user.id))
    await tx.update(users).set({ passwordHash, updatedAt: new Date() }).where(eq(users.id, user.id))
    const author = { userId: user.id, name: user.displayName, address }
    await recordChange(tx, author, { area: 'users', action: 'choose password by link', entryId: user.id })
    return closeSessionsOf(tx, user.id)
  })
}

async function sendLink(app: App, user: Recipient, kind: 'invitation' | 'forgotten', origin: string, author: string) {
  const token = randomBytes(24).toString('base64url')
  const values = { name: user.display_name, username: user.username, company: company.name, author, link: `${origin}/admin/password#${token}` }
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  await app.db.transaction(async (tx) => {
    await tx.delete(passwordLinks).where(lt(passwordLinks.expiresAt, new Date()))
    await tx.insert(passwordLinks).values({ tokenHash: hashToken(token), userId: user.id_user, expiresAt: new Date(Date.now() + linkLifeMs) })
    await app.mailer.enqueue(tx, {
      to: user.email,
      subject: `${fr(`${kind}Subject`, values)} / ${en(`${kind}Subject`, values)}`,
      body: `${fr(kind, values)}\n\n---\n\n${en(kind, values)}\n`,
    })
  })
}

function badLink() {
  return new Invalid('This link is out of date or was used already. Ask for a new one.', [{ path: 'token', message: 'out of date' }])
}

function hashToken(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
