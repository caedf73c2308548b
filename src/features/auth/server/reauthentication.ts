import type { FastifyReply, FastifyRequest } from 'fastify'
import { Invalid } from '#src/server/problems.ts'
import { checkOwnPassword } from '../../users/server/own-account.ts'
import { setSession } from './session-cookie.ts'
import { renewSession, tellEnded } from './sessions.ts'

/** How long a sign-in is proof enough for a change of what protects the account. */
const freshMs = 15 * 60_000
const tries = { points: 10, seconds: 900 }

/** Before a change of what protects the account: a sign-in of just now, or the password again. */
export async function confirmIdentity(request: FastifyRequest, reply: FastifyReply, password: string | undefined) {
  if (Date.now() - request.actor.authenticatedAt.getTime() < freshMs) return
  if (password === undefined) {
    throw new Invalid('Give your password again.', [{ path: 'password', message: 'password needed' }])
  }
  await requirePassword(request, reply, 'password', password)
}

/** Throws `Invalid` at the named field unless this is the person's password; who proved it goes on in a new session. */
export async function requirePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  field: 'password' | 'old_password',
  password: string,
) {
  const { actor, server } = request
  await server.limits.take('own-password', String(actor.userId), tries)
  if (!(await checkOwnPassword(server.db, actor.userId, password))) {
    throw new Invalid('The password is wrong.', [{ path: field, message: 'wrong password' }])
  }
  await server.limits.giveBack('own-password', String(actor.userId), tries)
  const { sessionId, idHash } = await renewSession(server.db, actor.sessionHash)
  tellEnded(server.events, [actor.sessionHash])
  request.actor = { ...actor, sessionHash: idHash, authenticatedAt: new Date() }
  setSession(request, reply, sessionId)
}
