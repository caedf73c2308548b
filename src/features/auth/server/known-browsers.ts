import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSigned, sign } from '#src/server/http/signatures.ts'
import { readPrivateCookie, setPrivateCookie } from '#src/server/http/private-cookies.ts'

const browserCookie = 'guichet_browser'
const purpose = 'browser'
const halfYear = 15_552_000

/**
 * A browser that signed in to an account is known by a signed mark. It opens nothing: it only keeps its owner
 * from being slowed down by the wrong tries of strangers (contract.md 4: never a lock by a stranger).
 */
export function markBrowser(request: FastifyRequest, reply: FastifyReply, account: string) {
  const nonce = randomBytes(16).toString('base64url')
  const signature = sign(request.server.config.secret, purpose, account.toLowerCase(), nonce)
  setPrivateCookie(request, reply, browserCookie, `${nonce}.${signature}`, halfYear)
}

/** The mark of this browser where it is known to this account; null for any other. */
export function knownBrowserOf(request: FastifyRequest, account: string) {
  const [nonce, signature, ...rest] = readPrivateCookie(request.server.config, request.cookies, browserCookie)?.split('.') ?? []
  if (!nonce || !signature || rest.length > 0) return null
  const isKnown = isSigned(signature, request.server.config.secret, purpose, account.toLowerCase(), nonce)
  return isKnown ? nonce : null
}
