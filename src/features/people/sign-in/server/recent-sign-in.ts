import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotConnected, Invalid, Problem } from '#src/server/problems.ts'
import type { App, Access } from '#src/server/types.ts'
import { checkCode } from '../../account/server/totp.ts'
import type { ProofInput } from '../../contract.ts'
import { users } from '../../server/table.ts'
import { readMark, countAttempt } from './login-attempts.ts'
import { isPasswordRight } from './passwords.ts'
import { isCommand } from './route-access.ts'
import { notifyChancesSpent } from './service.ts'
import type { Actor } from './sessions.ts'
import { placeOf, setSession, renewSession, publishEndedSessions } from './sessions.ts'

/** How long a password or a code counts as a recent sign-in. */
const recentMs = 10 * 60_000
const codesPerAddress = { points: 60, seconds: 900 }

type PasswordField = 'password' | 'old_password'

/** When a route requires a recent sign-in; `true` means always. */
export type RecentSignInRule = {
  /** True where this request changes protected data; its body has been validated. */
  when?: (request: FastifyRequest) => boolean | Promise<boolean>
  /** Body field with an optional password, which replaces the recent sign-in and is always checked. */
  proof?: PasswordField
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route changes the protection of an account, or exports data. */
    recentSignIn?: true | RecentSignInRule
  }
}

class RecentSignInNeeded extends Problem {
  constructor() {
    super(401, 'Recent sign-in needed', 'Enter your password or a code again.', { type: recentSignInProblem })
  }
}

/** Enforces `recentSignIn` on every route that declares it; throws at startup when such a route is public. */
export function enforceRecentSignIn(app: App) {
  app.addHook('onRoute', (route) => {
    const rule = route.config?.recentSignIn
    if (!rule) return
    route.preHandler = [
      (request: FastifyRequest, reply: FastifyReply) => requireRecentSignIn(request, reply, rule === true ? {} : rule),
      ...[route.preHandler ?? []].flat(),
    ]
  })
  app.addHook('onReady', async () => {
    const wrong = app.declaredRoutes.filter(({ config }) => config?.recentSignIn && !hasSession(config.access))
    if (wrong.length > 0)
      throw new Error(`Nobody is signed in at ${wrong.map(({ url }) => url).join(', ')} (config.recentSignIn).`)
  })
}

const hasSession = (access: Access | undefined) =>
  access !== undefined && access !== 'public' && access !== 'stream' && access !== 'metrics' && !isCommand(access)

async function requireRecentSignIn(request: FastifyRequest, reply: FastifyReply, { when, proof }: RecentSignInRule) {
  if (when && !(await when(request))) return
  const password = proof && passwordIn(request.body, proof)
  if (password !== undefined) return provePassword(request, reply, password, wrongField(proof ?? 'password'))
  if (!isRecent(request.actor)) throw new RecentSignInNeeded()
}

const isRecent = ({ authenticatedAt }: Actor) => Date.now() - authenticatedAt.getTime() < recentMs

function passwordIn(body: unknown, field: PasswordField) {
  const value = (body as Record<string, unknown> | null | undefined)?.[field]
  return typeof value === 'string' ? value : undefined
}

const wrongField = (path: PasswordField) => new Invalid('Incorrect password.', [{ path, message: 'wrong password' }])

/** Verifies the password or a code of the signed-in user again, limited like a sign-in; the session gets a new id. */
export async function proveIdentity(request: FastifyRequest, reply: FastifyReply, proof: ProofInput) {
  if ('password' in proof) {
    const errors = [{ path: 'password', message: 'wrong password' }]
    return provePassword(request, reply, proof.password, new NotConnected('Incorrect password.', errors))
  }
  return proveCode(request, reply, proof.code)
}

async function checkOwnPassword(db: Database, userId: number, password: string) {
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return isPasswordRight(user?.passwordHash, password)
}

async function provePassword(request: FastifyRequest, reply: FastifyReply, password: string, refusal: Problem) {
  const { actor, server } = request
  const outcome = await countAttempt(server.limits, {
    account: actor.username.toLowerCase(),
    address: request.ip,
    knownBrowser: await readMark(request, actor.username),
  })
  if (!(await checkOwnPassword(server.db, actor.userId, password))) {
    await outcome.wrong()
    throw refusal
  }
  await outcome.right()
  await continueInNewSession(request, reply)
}

async function proveCode(request: FastifyRequest, reply: FastifyReply, code: string) {
  const { actor, server } = request
  await server.limits.take('login-code', request.ip, codesPerAddress)
  const outcome = await checkCode(server.db, actor.userId, code)
  if (outcome === 'last chance spent') await notifyChancesSpent(server, actor.userId, placeOf(request))
  if (outcome !== 'right') throw new NotConnected('Incorrect code.', [{ path: 'code', message: 'wrong code' }])
  await server.limits.refund('login-code', request.ip, codesPerAddress)
  await continueInNewSession(request, reply)
}

async function continueInNewSession(request: FastifyRequest, reply: FastifyReply) {
  const { actor, server } = request
  const { sessionId, idHash } = await renewSession(server.db, actor.sessionHash)
  publishEndedSessions(server.events, [actor.sessionHash])
  request.actor = { ...actor, sessionHash: idHash, authenticatedAt: new Date() }
  setSession(request, reply, sessionId)
}
