import { eq } from 'drizzle-orm'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { App } from '#src/server/types.ts'
import { hashPassword } from '../../sign-in/server/passwords.ts'
import { closeSessionsOf } from '../../sign-in/server/sessions.ts'
import { removeTotp } from '../../account/server/totp.ts'
import { changeKeepingAdministrator } from '../../groups/server/administrators.ts'
import type { By } from './find-user.ts'
import { findUserRow, findManageableUser } from './find-user.ts'
import { notifyAccountChange } from './notices.ts'
import { forgetLinks, inviteInTransaction } from './password-links.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { totpChances, users } from '../../server/table.ts'

/** Locks or unlocks; answers the sessions that ended. */
export async function setUserLocked(app: App, { actor, author }: By, id: number, locked: boolean) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await tx.update(users).set({ locked, updatedAt: new Date() }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: locked ? 'lock' : 'unlock', entryId: id })
    if (!locked) return []
    await forgetLinks(tx, id)
    return closeSessionsOf(tx, id)
  })
}

export async function resetUserTotp(app: App, { actor, author }: By, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    await removeTotp(tx, id)
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA', entryId: id })
    await notifyAccountChange(app, tx, user, 'totpOff')
    return closeSessionsOf(tx, id)
  })
}

export async function resetUserTotpChances(app: App, { actor, author }: By, id: number) {
  await changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await tx.update(users).set({ totpChances }).where(eq(users.id, id))
    await recordChange(tx, author, { area: 'users', action: 'reset 2FA chances', entryId: id })
  })
}

export async function setUserPassword(app: App, { actor, author }: By, id: number, password: string) {
  const { users: named } = await findUserRow(app.db, id)
  await findManageableUser(app.db, actor, id)
  await refuseCommonPassword(password, named)
  const passwordHash = await hashPassword(password)
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    await tx.update(users).set({ passwordHash, updatedAt: new Date() }).where(eq(users.id, id))
    await forgetLinks(tx, id)
    await recordChange(tx, author, { area: 'users', action: 'change password', entryId: id })
    await notifyAccountChange(app, tx, user, 'password')
    return closeSessionsOf(tx, id)
  })
}

/** Signs a person out everywhere. */
export async function endUserSessions(app: App, { actor, author }: By, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    await findManageableUser(tx, actor, id)
    await recordChange(tx, author, { area: 'users', action: 'end sessions', entryId: id })
    return closeSessionsOf(tx, id)
  })
}

export async function sendInvitation(app: App, { actor, author }: By, origin: string, id: number) {
  return changeKeepingAdministrator(app.db, async (tx) => {
    const user = await findManageableUser(tx, actor, id)
    await recordChange(tx, author, { area: 'users', action: 'send invitation', entryId: id })
    return inviteInTransaction(app, tx, user, origin, author.name)
  })
}
