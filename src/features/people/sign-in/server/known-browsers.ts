import { createHash, randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSigned, sign } from '#src/server/http/signatures.ts'
import { readPrivateCookie, setPrivateCookie } from '#src/server/http/private-cookies.ts'
import { users } from '../../server/table.ts'

export const browserCookie = 'guichet_browser'
const purpose = 'browser'
const lifeSeconds = 30 * 86_400

type User = typeof users.$inferSelect

/**
 * A browser that signed in to an account is known by a signed mark. It opens nothing: it only keeps its owner
 * from being slowed down by the wrong tries of strangers. It ends after 30 days and with the account's credentials.
 */
export async function markBrowser(request: FastifyRequest, reply: FastifyReply, username: string) {
  const user = await findByName(request, username)
  if (!user) return
  setPrivateCookie(request, reply, browserCookie, makeMark(request.server.config.secret, user), lifeSeconds)
}

export function makeMark(secret: string, user: User, now = Date.now()) {
  const [nonce, issued] = [randomBytes(16).toString('base64url'), String(Math.floor(now / 1000))]
  return `${nonce}.${issued}.${sign(secret, purpose, ...signedValues(user, nonce, issued))}`
}

/** The id of this browser where it is known to this account as it is now; null for any other. */
export async function readMark(request: FastifyRequest, username: string) {
  const [nonce, issued, signature, ...rest] =
    readPrivateCookie(request.server.config, request.cookies, browserCookie)?.split('.') ?? []
  if (!nonce || !issued || !signature || rest.length > 0 || !/^\d{1,12}$/.test(issued)) return null
  const age = Date.now() / 1000 - Number(issued)
  const user = age < lifeSeconds ? await findByName(request, username) : undefined
  if (!user) return null
  return isSigned(signature, request.server.config.secret, purpose, ...signedValues(user, nonce, issued)) ? nonce : null
}

const signedValues = (user: User, nonce: string, issued: string) => [
  user.username.toLowerCase(),
  credentialVersion(user),
  nonce,
  issued,
]

/** Changes with the password and with the second factor, whichever way they are changed. */
function credentialVersion({ passwordHash, totpEnabled, totpSecret }: User) {
  return createHash('sha256')
    .update([passwordHash ?? '', totpEnabled ? (totpSecret ?? '') : ''].join('\n'))
    .digest('base64url')
}

async function findByName({ server }: FastifyRequest, username: string) {
  const [user] = await server.db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  return user
}
