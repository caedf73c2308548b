import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Whether browsers reach the product by https. */
export function isSecure({ server, protocol }: FastifyRequest) {
  return server.config.publicUrl?.startsWith('https:') ?? protocol === 'https'
}

/** Browsers take such a cookie from https only and for this host only: a sister host cannot plant another. */
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

/** Versions before the prefix set it by its bare name. */
function forgetUnprefixed(request: FastifyRequest, reply: FastifyReply, name: string) {
  if (request.cookies[name] !== undefined) void reply.clearCookie(name, { path: '/' })
}
