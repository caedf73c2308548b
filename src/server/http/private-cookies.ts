import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** True where browsers use https. */
export function isSecure({ server, protocol }: FastifyRequest) {
  return server.config.publicUrl?.startsWith('https:') ?? protocol === 'https'
}

/** Browsers accept a `__Host-` cookie only over https and from this host: a sibling host cannot plant one. */
const prefixed = (name: string) => `__Host-${name}`

type Cookies = Record<string, string | undefined>

/** A cookie that scripts cannot read; where the product is reached by https, only its `__Host-` form counts. */
export function readPrivateCookie({ publicUrl }: Pick<Config, 'publicUrl'>, cookies: Cookies, name: string) {
  return cookies[prefixed(name)] ?? (publicUrl?.startsWith('https:') ? undefined : cookies[name])
}

export function setPrivateCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string, maxAge?: number) {
  const secure = isSecure(request)
  if (secure) forgetUnprefixed(request, reply, name)
  void reply.setCookie(secure ? prefixed(name) : name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}

export function clearPrivateCookie(request: FastifyRequest, reply: FastifyReply, name: string) {
  const secure = isSecure(request)
  if (secure) forgetUnprefixed(request, reply, name)
  void reply.clearCookie(secure ? prefixed(name) : name, { path: '/', secure })
}

/** Deletes the cookie without the prefix that earlier versions set. */
function forgetUnprefixed(request: FastifyRequest, reply: FastifyReply, name: string) {
  if (request.cookies[name] !== undefined) void reply.clearCookie(name, { path: '/' })
}
