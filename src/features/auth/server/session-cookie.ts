import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSecure, sessionCookie } from '#src/server/http/xsrf.ts'
import { closeSession, hashSessionId } from './sessions.ts'

/** From where a session is opened, for its owner to recognize it. */
export function placeOf(request: FastifyRequest) {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

/** Gives the browser its session and the XSRF token that goes with it. */
export function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  const secure = isSecure(request)
  void reply.setCookie(sessionCookie, sessionId, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  request.server.xsrf.issue(reply, sessionId, secure)
}

/** Ends the session that the browser had before, if any. */
export async function leaveSession(request: FastifyRequest) {
  const current = request.cookies[sessionCookie]
  if (!current) return
  await closeSession(request.server.db, current)
  request.server.events.sessionEnded(hashSessionId(current))
}
