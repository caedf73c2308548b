import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearPrivateCookie, isSecure, setPrivateCookie } from '#src/server/http/private-cookies.ts'
import { readSessionCookie, sessionCookie } from '#src/server/http/xsrf.ts'
import { closeSession, hashSessionId } from './sessions.ts'

/** From where a session is opened, for its owner to recognize it. */
export function placeOf(request: FastifyRequest) {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

/** Gives the browser its session and the XSRF token that goes with it. */
export function setSession(request: FastifyRequest, reply: FastifyReply, sessionId: string) {
  setPrivateCookie(request, reply, sessionCookie, sessionId)
  request.server.xsrf.issue(reply, sessionId, isSecure(request))
}

/** Clears the session cookie and issues an anonymous XSRF token. */
export function clearSession(request: FastifyRequest, reply: FastifyReply) {
  clearPrivateCookie(request, reply, sessionCookie)
  request.server.xsrf.issue(reply, '', isSecure(request))
}

/** Ends the session that the browser had before, if any. */
export async function leaveSession(request: FastifyRequest) {
  const current = readSessionCookie(request)
  if (!current) return
  await closeSession(request.server.db, current)
  request.server.events.sessionEnded(hashSessionId(current))
}
