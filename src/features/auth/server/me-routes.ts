import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Invalid, NotFound } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import { ownPasswordInput, profileInput } from '../../users/contract.ts'
import { changeOwnPassword, checkOwnPassword, updateOwnProfile } from '../../users/server/own-account.ts'
import { codeInput, ownSession, passwordInput, profile, recoveryCodesAnswer, totpSetUp } from '../contract.ts'
import { connected } from './guard.ts'
import { placeOf, setSession } from './routes.ts'
import { findProfile } from './service.ts'
import { closeSessionByHash, closeSessionsOf, findSessionsOf, openSession } from './sessions.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'

const nothing = { 204: z.null() }
const sessionParams = z.strictObject({ id_session: z.string().regex(/^[\da-f]{64}$/) })
const photoBodyLimit = 12 * 1024 * 1024
const passwordTries = { points: 10, seconds: 900 }

/** What signed-in people do with their own account (contract.md 4). */
export const meRoutes: Routes = async (app) => {
  app.addHook('preHandler', connected)

  app.get('/', { schema: { response: { 200: profile } } }, (request) => findProfile(app.db, request.actor.userId))
  app.put('/', { bodyLimit: photoBodyLimit, schema: { body: profileInput, response: { 200: profile } } }, async (request) => {
    await updateOwnProfile(app.db, request.author, request.actor.userId, request.body)
    return findProfile(app.db, request.actor.userId)
  })

  app.put('/password', { schema: { body: ownPasswordInput, response: nothing } }, async (request, reply) => {
    await app.limits.take('own-password', String(request.actor.userId), passwordTries)
    await changeOwnPassword(app.db, request.author, request.actor, request.body)
    await renewSessions(request, reply)
    return reply.code(204).send(null)
  })

  app.post('/totp', { schema: { response: { 200: totpSetUp } } }, (request) => beginTotp(app.db, request.actor))
  app.post('/totp/confirm', { schema: { body: codeInput, response: { 200: recoveryCodesAnswer } } }, async (request, reply) => {
    await app.limits.take('totp-confirm', String(request.actor.userId), passwordTries)
    const codes = await confirmTotp(app.db, request.actor.userId, request.body.code)
    await renewSessions(request, reply)
    return { recovery_codes: codes }
  })
  app.delete('/totp', { schema: { body: passwordInput, response: nothing } }, async (request, reply) => {
    await app.limits.take('own-password', String(request.actor.userId), passwordTries)
    if (!(await checkOwnPassword(app.db, request.actor.userId, request.body.password))) {
      throw new Invalid('The password is wrong.', [{ path: 'password', message: 'wrong password' }])
    }
    await removeTotp(app.db, request.actor.userId)
    await renewSessions(request, reply)
    return reply.code(204).send(null)
  })

  app.get('/sessions', { schema: { response: { 200: z.array(ownSession) } } }, async (request) => {
    const found = await findSessionsOf(app.db, request.actor.userId)
    return found.map((session) => ({
      id_session: session.idHash,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      current: session.idHash === request.actor.sessionHash,
    }))
  })
  app.delete('/sessions/:id_session', { schema: { params: sessionParams, response: nothing } }, async (request, reply) => {
    const { id_session: hash } = request.params
    if (!(await closeSessionByHash(app.db, request.actor.userId, hash))) throw new NotFound('This session is over already.')
    app.events.sessionEnded(hash)
    return reply.code(204).send(null)
  })
}

/** After a change of what protects the account all its sessions end; the person who made it goes on in a new one. */
async function renewSessions(request: FastifyRequest, reply: FastifyReply) {
  const { db, events } = request.server
  const ended = await closeSessionsOf(db, request.actor.userId)
  for (const hash of ended) events.sessionEnded(hash)
  setSession(request, reply, await openSession(db, request.actor.userId, placeOf(request)))
}
