import type { FastifyRequest } from 'fastify'
import '#src/server/audit-log/audit-log.ts'
import { Forbidden, NotConnected } from '#src/server/problems.ts'
import { readSessionCookie } from '#src/server/http/xsrf.ts'
import type { Area, Level } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Actor } from './sessions.ts'
import { findActor } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; set before the handler of a route whose access is not `public`. */
    actor: Actor
  }
}

/** Sets `request.actor` and `request.author`; throws `NotConnected` when nobody is signed in. */
export async function requireSession(request: FastifyRequest) {
  const actor = await findActor(request.server.db, readSessionCookie(request))
  if (!actor) throw new NotConnected()
  request.actor = actor
  request.author = { userId: actor.userId, name: actor.displayName, address: request.ip }
}

/** Throws `Forbidden` where a person lacks a right; the rule of routes and of socket events alike. */
export function requireRight(actor: Actor, area: Area, level: Level) {
  if (actor.mustSetUpTotp) throw new Forbidden('Set up two-factor authentication in your profile first.')
  if (!hasRight(actor.rights, area, level)) throw new Forbidden()
}

/** For public routes: whether the caller is signed in with at least this level on this area. */
export async function mayAlso(request: FastifyRequest, area: Area, level: Level) {
  const actor = await findActor(request.server.db, readSessionCookie(request))
  return actor !== null && !actor.mustSetUpTotp && hasRight(actor.rights, area, level)
}
