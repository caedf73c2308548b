import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { isSecure, sessionCookie } from '#src/server/xsrf.ts'
import { loginAnswer, loginInput, profile } from '../contract.ts'
import { connected } from './guard.ts'
import { findProfile, logIn } from './service.ts'
import { closeSession, findActor, hashSessionId } from './sessions.ts'

export const authRoutes: Routes = async (app) => {
  app.post('/login', { schema: { body: loginInput, response: { 200: loginAnswer } } }, async (request, reply) => {
    const from = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
    const { sessionId, profile: person } = await logIn(app.db, app.limits, request.body, from)
    await leaveSession(request)
    setSession(request, reply, sessionId)
    return { status: 'connected' as const, profile: person }
  })

  app.post('/logoff', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    await leaveSession(request)
    void reply.clearCookie(sessionCookie, { path: '/' })
    app.xsrf.issue(reply, '', isSecure(request))
    return reply.code(204).send(null)
  })

  app.get('/me/is_connected', { schema: { response: { 200: z.boolean() } } }, async (request) => {
    return (await findActor(app.db, request.cookies[sessionCookie])) !== null
  })

  app.get('/me', { preHandler: connected, schema: { response: { 200: profile } } }, (request) =>
    findProfile(app.db, request.actor.userId),
  )
}

async function leaveSession(request: FastifyRequest) {
  const current = request.cookies[sessionCookie]
  if (!current) return
  await closeSession(request.server.db, current)
  request.server.events.sessionEnded(hashSessionId(current))
}

function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  const secure = isSecure(request)
  void reply.setCookie(sessionCookie, sessionId, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  request.server.xsrf.issue(reply, sessionId, secure)
}
