import { eq, sql } from 'drizzle-orm'
import type { FastifyRequest, FastifyReply } from 'fastify'
import { z } from 'zod'
import { storePhoto } from '#src/features/content/server/pictures.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { ProfileInput } from '../../contract.ts'
import {
  ownPasswordInput,
  profileInput,
  codeInput,
  confirmationInput,
  ownSession,
  proofInput,
  recoveryCodesResponse,
  totpSetUp,
  totpState,
} from '../../contract.ts'
import { users } from '../../server/table.ts'
import { markBrowser } from '../../sign-in/server/login-attempts.ts'
import { hashPassword, refuseCommonPassword } from '../../sign-in/server/passwords.ts'
import { proveIdentity } from '../../sign-in/server/recent-sign-in.ts'
import { passwordBodyLimit } from '../../sign-in/server/routes.ts'
import { findProfile, profileSchema } from '../../sign-in/server/service.ts'
import {
  placeOf,
  setSession,
  closeSessionByHash,
  closeSessionsOf,
  findSessionsOf,
  openSession,
  publishEndedSessions,
} from '../../sign-in/server/sessions.ts'
import { findUser } from '../../users/server/find-user.ts'
import { notifyAccountChange, notifyEmailChange } from '../../users/server/notices.ts'
import { forgetLinks } from '../../users/server/password-links.ts'
import { removeTotp, beginTotp, confirmTotp, findTotpState, renewRecoveryCodes } from './totp.ts'

/** True where a save of the own profile changes the address to which password links are sent. */
async function changesOwnEmail({ server, actor, body }: FastifyRequest) {
  const [user] = await server.db.select({ email: users.email }).from(users).where(eq(users.id, actor.userId))
  return user?.email !== (body as ProfileInput).email
}

async function updateOwnProfile(app: App, author: Author, userId: number, input: Omit<ProfileInput, 'password'>) {
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
        ...(input.languages ? { languages: input.languages } : {}),
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

/** Sets a new password; the caller has checked the old one. */
async function changeOwnPassword(app: App, author: Author, userId: number, password: string) {
  const [user] = await app.db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new NotFound()
  await refuseCommonPassword(password, user)
  const passwordHash = await hashPassword(password)
  await app.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash, passwordSetByAdmin: false, updatedAt: new Date() }).where(eq(users.id, userId))
    await forgetLinks(tx, userId)
    await recordChange(tx, author, { area: 'users', action: 'change own password', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'password')
  })
}

async function removeOwnTotp(app: App, author: Author, userId: number) {
  await app.db.transaction(async (tx) => {
    await removeTotp(tx, userId)
    await recordChange(tx, author, { area: 'users', action: 'turn 2FA off', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'totpOff')
  })
}

const nothing = { 204: z.null() }
const config = { access: 'signed-in' } as const
const sessionParams = z.strictObject({ id_session: z.string().regex(/^[\da-f]{64}$/) })
const photoBodyLimit = 12 * 1024 * 1024
const codeTries = { points: 10, seconds: 900 }

/** Recent sign-in required by the routes that change the protection of the own account. */
const provable = { ...config, recentSignIn: { proof: 'password' } } as const

/** Routes of a signed-in user's own account. */
export const meRoutes: Routes = async (app) => {
  const { db, events } = app
  const profile = profileSchema(app)

  app.get('/', { config, schema: { response: { 200: profile } } }, (request) => findProfile(app, request.actor.userId))
  app.put(
    '/',
    {
      bodyLimit: photoBodyLimit,
      config: { ...config, upload: true, recentSignIn: { when: changesOwnEmail, proof: 'password' } },
      schema: { body: profileInput, response: { 200: profile } },
    },
    async (request) => {
      const { password: _proof, ...input } = request.body
      await updateOwnProfile(app, request.author, request.actor.userId, input)
      return findProfile(app, request.actor.userId)
    },
  )

  app.post(
    '/proof',
    { config, bodyLimit: passwordBodyLimit, schema: { body: proofInput, response: nothing } },
    async (request, reply) => {
      await proveIdentity(request, reply, request.body)
      return reply.code(204).send(null)
    },
  )
  app.put(
    '/password',
    {
      bodyLimit: passwordBodyLimit,
      config: { ...config, recentSignIn: { proof: 'old_password' } },
      schema: { body: ownPasswordInput, response: { 200: profile } },
    },
    async (request, reply) => {
      await changeOwnPassword(app, request.author, request.actor.userId, request.body.new_password)
      await renewSessions(request, reply)
      return findProfile(app, request.actor.userId)
    },
  )

  app.get('/totp', { config, schema: { response: { 200: totpState } } }, (request) => findTotpState(db, request.actor.userId))
  app.post('/totp', { config: provable, schema: { body: confirmationInput, response: { 200: totpSetUp } } }, (request) =>
    beginTotp(db, request.actor),
  )
  app.post(
    '/totp/confirm',
    { config: { ...config, recentSignIn: true }, schema: { body: codeInput, response: { 200: recoveryCodesResponse } } },
    async (request, reply) => {
      await app.limits.take('totp-confirm', String(request.actor.userId), codeTries)
      const codes = await confirmTotp(app, request.author, request.actor.userId, request.body.code)
      await renewSessions(request, reply)
      return codes
    },
  )
  app.post(
    '/totp/recovery_codes',
    { config: provable, schema: { body: confirmationInput, response: { 200: recoveryCodesResponse } } },
    async (request, reply) => {
      const codes = await renewRecoveryCodes(app, request.author, request.actor.userId)
      await renewSessions(request, reply)
      return codes
    },
  )
  app.delete('/totp', { config: provable, schema: { body: confirmationInput, response: nothing } }, async (request, reply) => {
    await removeOwnTotp(app, request.author, request.actor.userId)
    await renewSessions(request, reply)
    return reply.code(204).send(null)
  })

  app.get('/sessions', { config, schema: { response: { 200: z.array(ownSession) } } }, async (request) => {
    const found = await findSessionsOf(db, request.actor.userId)
    return found.map((session) => ({
      id_session: session.idHash,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      current: session.idHash === request.actor.sessionHash,
    }))
  })
  app.delete(
    '/sessions',
    { config: provable, schema: { body: confirmationInput, response: nothing } },
    async (request, reply) => {
      publishEndedSessions(events, await closeSessionsOf(db, request.actor.userId, request.actor.sessionHash))
      events.signedOff(request.actor.userId)
      return reply.code(204).send(null)
    },
  )
  app.delete(
    '/sessions/:id_session',
    { config: provable, schema: { params: sessionParams, body: confirmationInput, response: nothing } },
    async (request, reply) => {
      const { id_session: hash } = request.params
      if (!(await closeSessionByHash(db, request.actor.userId, hash))) throw new NotFound('This session has already ended.')
      publishEndedSessions(events, [hash])
      events.signedOff(request.actor.userId)
      return reply.code(204).send(null)
    },
  )
}

/** Ends all sessions of the account and opens a new one for the caller. */
async function renewSessions(request: FastifyRequest, reply: FastifyReply) {
  const { db, events } = request.server
  const ended = await closeSessionsOf(db, request.actor.userId)
  const { sessionId } = await openSession(db, request.actor.userId, placeOf(request))
  publishEndedSessions(events, ended)
  setSession(request, reply, sessionId)
  // The earlier mark of this browser is invalid for the new credentials.
  await markBrowser(request, reply, request.actor.username)
}
