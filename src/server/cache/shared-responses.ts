import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { setsToken } from '../http/xsrf.ts'
import type { App } from '../types.ts'

/** The instants at which public content changes by itself, by area. */
export function createPlannedChanges() {
  const instants = new Map<string, Date | null>()
  return {
    set: (area: string, moment: Date | null) => void instants.set(area, moment),
    /** Whole seconds for which a copy may be kept, one less than until the next change; infinite where none is planned. */
    secondsLeft(now = Date.now()) {
      const left = [...instants.values()].filter((moment) => moment !== null).map((moment) => moment.getTime() - now)
      return Math.max(0, Math.floor(Math.min(...left) / 1_000) - 1)
    },
  }
}

export type PlannedChanges = ReturnType<typeof createPlannedChanges>

/**
 * For a CDN (RFC 9213): fresh for ten seconds, stale for a minute while it revalidates, both until the next planned change, and
 * stale for a day while the server is down.
 */
function forCdn(plannedChanges: PlannedChanges) {
  const secondsLeft = plannedChanges.secondsLeft()
  const fresh = Math.min(10, secondsLeft)
  return `public, max-age=${fresh}, stale-while-revalidate=${Math.min(60, secondsLeft - fresh)}, stale-if-error=86400`
}

/** Weak, because the bytes differ between encodings. */
export const etagOf = (content: string | Buffer) => `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/**
 * Sets who may cache a response that is the same for everybody: browsers revalidate each time, a CDN shares it. With a cookie
 * it is private. Returns true where the client has it already.
 */
export function shareResponse(request: FastifyRequest, reply: FastifyReply, etag: string, isShareable = true) {
  const isOwn = !isShareable || setsToken(reply) || reply.hasHeader('set-cookie')
  void reply.header('etag', etag).header('cache-control', isOwn ? 'private, no-cache' : 'public, max-age=0, must-revalidate')
  if (!isOwn) void reply.header('cdn-cache-control', forCdn(request.server.plannedChanges))
  return matchesEtag(request.headers['if-none-match'], etag)
}

/** True where `If-None-Match` contains this tag. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string) {
  return ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.split(/\s*,\s*/).includes(etag))
}

/**
 * Whether a response that contains the product's own address may be shared: without `PUBLIC_URL` that address comes from the
 * Host header of one request.
 */
export const canShareAddresses = ({ config }: Pick<App, 'config'>) => config.publicUrl !== undefined

/** `Cache-Control` of such a response, kept until the next planned change at the latest. */
export const cacheControlFor = (app: Pick<App, 'config' | 'plannedChanges'>, seconds: number) =>
  `${canShareAddresses(app) ? 'public' : 'private'}, max-age=${Math.min(seconds, app.plannedChanges.secondsLeft())}`

/** A cached list is serialized once: the content cache returns the same object until it is read again. */
const serializedLists = new WeakMap<object, { body: string; etag: string }>()

/** Sends a public list, serialized by the schema of its route. */
export function sendShared<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  value: T,
  schema: z.ZodType<T>,
): FastifyReply {
  const stored = serializedLists.get(value)
  const serialized = stored ?? serialize(JSON.stringify(schema.parse(value)))
  if (!stored) serializedLists.set(value, serialized)
  if (shareResponse(request, reply, serialized.etag)) return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  if (!setsToken(reply)) {
    request.server.storedResponses.store(request, { value, ...serialized, headers: reply.getHeaders() as OutgoingHttpHeaders })
  }
  return reply.send(serialized.body)
}

const serialize = (body: string) => ({ body, etag: etagOf(body) })
