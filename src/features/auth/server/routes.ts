import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { isSecure, requestOrigin, sessionCookie } from '#src/server/xsrf.ts'
import type { Profile } from '../contract.ts'
import { linkPasswordInput } from '../../users/contract.ts'
import { sendForgottenLink, setPasswordByLink } from '../../users/server/password-links.ts'
import { codeInput, forgottenInput, loginAnswer, loginInput } from '../contract.ts'
import { confirmLogIn, logIn } from './service.ts'
import { closeSession, findActor, hashSessionId } from './sessions.ts'

const codesPerAddress = { points: 60, seconds: 900 }
const forgottenPerAddress = { points: 5, seconds: 900 }

export const authRoutes: Routes = async (app) => {
  app.post('/login', { schema: { body: loginInput, response: { 200: loginAnswer } } }, async (request, reply) => {
    const { sessionId, profile } = await logIn(app.db, app.limits, request.body, placeOf(request))
    await leaveSession(request)
    setSession(request, reply, sessionId)
    return answer(profile)
  })

  app.post('/totp', { schema: { body: codeInput, response: { 200: loginAnswer } } }, async (request, reply) => {
    await app.limits.take('login-code', request.ip, codesPerAddress)
    const pending = request.cookies[sessionCookie]
    const { sessionId, profile } = await confirmLogIn(app.db, pending, request.body.code, placeOf(request))
    setSession(request, reply, sessionId)
    return answer(profile)
  })

  app.post('/logoff', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    await leaveSession(request)
    void reply.clearCookie(sessionCookie, { path: '/' })
    app.xsrf.issue(reply, '', isSecure(request))
    return reply.code(204).send(null)
  })

  // The same answer for a known and an unknown address, before any of the work that differs.
  app.post('/forgotten', { schema: { body: forgottenInput, response: { 204: z.null() } } }, async (request, reply) => {
    await app.limits.take('forgotten-password', request.ip, forgottenPerAddress)
    const origin = requestOrigin(request)
    setImmediate(() => {
      sendForgottenLink(app, origin, request.body.email).catch((error: unknown) => request.log.error({ err: error }, 'no link was sent'))
    })
    return reply.code(204).send(null)
  })

  app.post('/password', { schema: { body: linkPasswordInput, response: { 204: z.null() } } }, async (request, reply) => {
    await app.limits.take('password-link', request.ip, codesPerAddress)
    const ended = await setPasswordByLink(app.db, request.ip, request.body.token, request.body.new_password)
    for (const hash of ended) app.events.sessionEnded(hash)
    return reply.code(204).send(null)
  })

  app.get('/me/is_connected', { schema: { response: { 200: z.boolean() } } }, async (request) => {
    return (await findActor(app.db, request.cookies[sessionCookie])) !== null
  })
}

export function placeOf(request: FastifyRequest) {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

export function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  const secure = isSecure(request)
  void reply.setCookie(sessionCookie, sessionId, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  request.server.xsrf.issue(reply, sessionId, secure)
}

function answer(profile: Profile | null) {
  return profile ? { status: 'connected' as const, profile } : { status: 'totp_required' as const }
}

async function leaveSession(request: FastifyRequest) {
  const current = request.cookies[sessionCookie]
  if (!current) return
  await closeSession(request.server.db, current)
  request.server.events.sessionEnded(hashSessionId(current))
}
