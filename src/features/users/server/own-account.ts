import { eq, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Author } from '#src/server/journal.ts'
import { recordChange } from '#src/server/journal.ts'
import { storePhoto } from '#src/server/pictures.ts'
import { Invalid } from '#src/server/problems.ts'
import { hashPassword, isPasswordRight } from '../../auth/server/passwords.ts'
import type { ProfileInput } from '../contract.ts'
import { refuseCommonPassword } from './password-rules.ts'
import { users } from './table.ts'

export async function updateOwnProfile(db: Database, author: Author, userId: number, input: ProfileInput) {
  const imageUrl = input.new_photo ? await storePhoto(db, input.new_photo) : undefined
  const fields = {
    firstName: input.first_name,
    lastName: input.last_name,
    displayName: input.display_name,
    email: input.email,
    ...(input.color ? { color: input.color } : {}),
    ...(imageUrl ? { imageUrl } : {}),
  }
  await db.transaction(async (tx) => {
    await tx
      .update(users)
      .set({ ...fields, version: sql`${users.version} + 1`, updatedAt: new Date() })
      .where(eq(users.id, userId))
    await recordChange(tx, author, { area: 'users', action: 'update own profile', entryId: userId, after: fields })
  })
}

export async function checkOwnPassword(db: Database, userId: number, password: string) {
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return isPasswordRight(user?.passwordHash, password)
}

export async function changeOwnPassword(
  db: Database,
  author: Author,
  user: { userId: number; username: string },
  input: { old_password: string; new_password: string },
) {
  if (!(await checkOwnPassword(db, user.userId, input.old_password))) {
    throw new Invalid('The password is wrong.', [{ path: 'old_password', message: 'wrong password' }])
  }
  refuseCommonPassword(input.new_password, user.username)
  const passwordHash = await hashPassword(input.new_password)
  await db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash, updatedAt: new Date() }).where(eq(users.id, user.userId))
    await recordChange(tx, author, { area: 'users', action: 'change own password', entryId: user.userId })
  })
}
