import type { FastifyRequest } from 'fastify'
import '#src/server/journal.ts'
import { Forbidden, NotConnected } from '#src/server/problems.ts'
import { sessionCookie } from '#src/server/xsrf.ts'
import type { Area, Level } from '../../groups/values.ts'
import { hasRight } from '../../groups/values.ts'
import type { Actor } from './sessions.ts'
import { findActor } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; set by `needs` and `connected`, which run before the handler. */
    actor: Actor
  }
}

/** Guard: lets only signed-in people through. */
export async function connected(request: FastifyRequest) {
  const actor = await findActor(request.server.db, request.cookies[sessionCookie])
  if (!actor) throw new NotConnected()
  request.actor = actor
  request.author = { userId: actor.userId, name: actor.displayName, address: request.ip }
}

/** Guard: lets through who has at least this level on this area, by the rights of this moment. */
export function needs(area: Area, level: Level) {
  return async (request: FastifyRequest) => {
    await connected(request)
    if (request.actor.mustSetUpTotp) throw new Forbidden('Set two-factor authentication up first, in your profile.')
    if (!hasRight(request.actor.rights, area, level)) throw new Forbidden()
  }
}
