import { eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { storePhoto } from '#src/features/content/server/pictures.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { hashPassword, isPasswordRight } from '../../sign-in/server/passwords.ts'
import { removeTotp } from './totp.ts'
import type { ProfileInput } from '../../contract.ts'
import { findUser } from '../../users/server/find-user.ts'
import { notifyAccountChange, notifyEmailChange } from '../../users/server/notices.ts'
import { forgetLinks } from '../../users/server/password-links.ts'
import { refuseCommonPassword } from '../../users/server/common-passwords.ts'
import { users } from '../../server/table.ts'

/** Whether a save of one's own profile changes the address that new passwords are sent to. */
export async function changesOwnEmail({ server, actor, body }: FastifyRequest) {
  const [user] = await server.db.select({ email: users.email }).from(users).where(eq(users.id, actor.userId))
  return user?.email !== (body as ProfileInput).email
}

export async function updateOwnProfile(app: App, author: Author, userId: number, input: Omit<ProfileInput, 'password'>) {
  const imageUrl = input.new_photo ? await storePhoto(app.db, input.new_photo) : input.remove_photo ? null : undefined
  await app.db.transaction(async (tx) => {
    const before = await findUser(tx, userId)
    await tx
      .update(users)
      .set({
        firstName: input.first_name,
        lastName: input.last_name,
        displayName: input.display_name,
        email: input.email,
        ...(input.color ? { color: input.color } : {}),
        ...(imageUrl === undefined ? {} : { imageUrl }),
        version: sql`${users.version} + 1`,
        updatedAt: new Date(),
      })
      .where(eq(users.id, userId))
    if (before.email !== input.email) {
      await forgetLinks(tx, userId)
      await notifyEmailChange(app, tx, before, input.email)
    }
    await recordChange(tx, author, {
      area: 'users',
      action: 'update own profile',
      entryId: userId,
      before,
      after: await findUser(tx, userId),
    })
  })
}

export async function checkOwnPassword(db: Database, userId: number, password: string) {
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return isPasswordRight(user?.passwordHash, password)
}

/** Sets a new password; that the old one was given is checked before. */
export async function changeOwnPassword(app: App, author: Author, userId: number, password: string) {
  const [user] = await app.db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new NotFound()
  await refuseCommonPassword(password, user)
  const passwordHash = await hashPassword(password)
  await app.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash, updatedAt: new Date() }).where(eq(users.id, userId))
    await forgetLinks(tx, userId)
    await recordChange(tx, author, { area: 'users', action: 'change own password', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'password')
  })
}

export async function removeOwnTotp(app: App, author: Author, userId: number) {
  await app.db.transaction(async (tx) => {
    await removeTotp(tx, userId)
    await recordChange(tx, author, { area: 'users', action: 'turn 2FA off', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'totpOff')
  })
}
