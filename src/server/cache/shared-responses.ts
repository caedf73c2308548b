import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { setsToken } from '../http/xsrf.ts'
import type { App } from '../types.ts'

/** For a CDN in front (RFC 9213): ten seconds, a minute more while it asks anew, a day while nobody answers. */
const forCdn = 'public, max-age=10, stale-while-revalidate=60, stale-if-error=86400'

/** Weak: the same content has other bytes in each encoding. */
export const etagOf = (content: string) => `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/**
 * Says who may keep an answer that is the same for everybody: a browser asks each time whether it is still good, a CDN
 * shares it. Not where it gives a cookie: that is one browser's own. True where the asker has it already.
 */
export function shareResponse(request: FastifyRequest, reply: FastifyReply, etag: string, isShareable = true) {
  const isOwn = !isShareable || setsToken(reply) || reply.hasHeader('set-cookie')
  void reply.header('etag', etag).header('cache-control', isOwn ? 'private, no-cache' : 'public, max-age=0, must-revalidate')
  if (!isOwn) void reply.header('cdn-cache-control', forCdn)
  return matchesEtag(request.headers['if-none-match'], etag)
}

/** Whether the copy that the client has, by its `If-None-Match`, is the one of this tag. */
export function matchesEtag(asked: string | undefined, etag: string) {
  return asked !== undefined && (asked === '*' || asked.split(/\s*,\s*/).includes(etag))
}

/**
 * Whether an answer that names the product's own address may be shared: without `PUBLIC_URL` that address comes from the
 * Host header of one request.
 */
export const canShareAddresses = ({ config }: Pick<App, 'config'>) => config.publicUrl !== undefined

/** For such an answer that a cache may keep for some time. */
export const cacheControlFor = (app: Pick<App, 'config'>, seconds: number) =>
  `${canShareAddresses(app) ? 'public' : 'private'}, max-age=${seconds}`

/** A cached list is written out once, not for each who asks: the cache answers the same object until it is read anew. */
const written = new WeakMap<object, { body: string; etag: string }>()

/** Answers a list that visitors read, as the schema of its route writes it. */
export function sendShared<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  value: T,
  schema: z.ZodType<T>,
): FastifyReply {
  const known = written.get(value)
  const made = known ?? write(JSON.stringify(schema.parse(value)))
  if (!known) written.set(value, made)
  if (shareResponse(request, reply, made.etag)) return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  if (!setsToken(reply)) {
    request.server.storedResponses.store(request, { value, ...made, headers: reply.getHeaders() as OutgoingHttpHeaders })
  }
  return reply.send(made.body)
}

const write = (body: string) => ({ body, etag: etagOf(body) })
