import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { NotFound } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import {
  ownPasswordInput,
  profileInput,
  codeInput,
  confirmationInput,
  ownSession,
  proofInput,
  recoveryCodesAnswer,
  totpSetUp,
  totpState,
} from '../../contract.ts'
import { changeOwnPassword, changesOwnEmail, removeOwnTotp, updateOwnProfile } from './own-account.ts'
import { markBrowser } from '../../sign-in/server/known-browsers.ts'
import { proveIdentity } from '../../sign-in/server/recent-sign-in.ts'
import { passwordBodyLimit } from '../../sign-in/server/routes.ts'
import { findProfile, profileSchema } from '../../sign-in/server/service.ts'
import { placeOf, setSession } from '../../sign-in/server/session-cookie.ts'
import {
  closeSessionByHash,
  closeSessionsOf,
  findSessionsOf,
  openSession,
  publishEndedSessions,
} from '../../sign-in/server/sessions.ts'
import { beginTotp, confirmTotp, findTotpState, renewRecoveryCodes } from './totp.ts'

const nothing = { 204: z.null() }
const config = { access: 'signed-in' } as const
const sessionParams = z.strictObject({ id_session: z.string().regex(/^[\da-f]{64}$/) })
const photoBodyLimit = 12 * 1024 * 1024
const codeTries = { points: 10, seconds: 900 }

/** What the routes of one's own account ask before they change what protects it. */
const provable = { ...config, recentSignIn: { proof: 'password' } } as const

/** What signed-in users do with their own account. */
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
    { config: { ...config, recentSignIn: true }, schema: { body: codeInput, response: { 200: recoveryCodesAnswer } } },
    async (request, reply) => {
      await app.limits.take('totp-confirm', String(request.actor.userId), codeTries)
      const codes = await confirmTotp(app, request.author, request.actor.userId, request.body.code)
      await renewSessions(request, reply)
      return codes
    },
  )
  app.post(
    '/totp/recovery_codes',
    { config: provable, schema: { body: confirmationInput, response: { 200: recoveryCodesAnswer } } },
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
  // The mark of before ended with the credentials it was made for.
  await markBrowser(request, reply, request.actor.username)
}
