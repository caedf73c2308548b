import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ContentCache } from './content-cache.ts'
import { logger } from '../log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { App } from '../types.ts'
import { hasValidHost } from '../http/host.ts'
import type { Xsrf } from '../http/xsrf.ts'

/** A list as it is answered, and what it was written from. */
type Answer = { value: object; bytes: Buffer; etag: string; route: string }
/** One character a byte: Node writes such a body together with the headers, in one go. */
type Kept = Answer & { body: string; whole: string[]; unchanged: string[] }

const most = 500

/**
 * Lists that visitors read, answered before the routes, hooks and parsers are asked anything: only where the list is
 * still the one in the content cache, and the browser has a token that was found good. All else takes the usual way.
 */
export function createFrontCache(content: ContentCache, xsrf: Xsrf, metrics: Metrics) {
  const answers = new Map<string, Kept>()

  return {
    /** Keeps an answer that is the same for everybody; `headers` are those of the usual way. */
    keep(request: IncomingMessage, headers: OutgoingHttpHeaders, answer: Answer) {
      const key = keyOf(request)
      answers.delete(key)
      // The first header is each request's own, and set as it is answered: Node writes them before anybody else asks.
      const unchanged = ['x-request-id', '', ...flatten(headers)]
      const whole = [...unchanged, 'content-length', String(answer.bytes.length)]
      answers.set(key, { ...answer, body: answer.bytes.toString('latin1'), whole, unchanged })
      if (answers.size > most) answers.delete(answers.keys().next().value ?? '')
    },
    /** False where the request has to take the usual way. */
    answer(request: IncomingMessage, response: ServerResponse) {
      const kept = request.method === 'GET' ? answers.get(keyOf(request)) : undefined
      if (!kept || !content.isCurrent(kept.value) || !xsrf.isKnown(request.headers.cookie) || !hasValidHost(request)) return false
      const begun = performance.now()
      const id = randomUUID()
      const isUnchanged = matchesEtag(request.headers['if-none-match'], kept.etag)
      const [status, headers] = isUnchanged ? [304, kept.unchanged] : [200, kept.whole]
      headers[1] = id
      response.writeHead(status, headers).end(isUnchanged ? undefined : kept.body, 'latin1')
      const ms = performance.now() - begun
      metrics.requestTook({ method: 'GET', route: kept.route, status }, ms)
      if (logger.isLevelEnabled('info')) {
        logger.info({ reqId: id, method: 'GET', path: request.url?.split('?', 1)[0], status, ms: Math.round(ms) }, 'request')
      }
      return true
    },
  }
}

export type FrontCache = ReturnType<typeof createFrontCache>

/** Puts the kept answers before the application, until it stops: it then has to say so itself. */
export function registerFrontCache(app: App) {
  const usual = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (!isStopping && app.front.answer(request, response)) return
    for (const listener of usual) listener(request, response)
  })
}

/** Whether the asker's copy, by its `If-None-Match`, is the one of this tag. */
export function matchesEtag(asked: string | undefined, etag: string) {
  return asked !== undefined && (asked === '*' || asked.split(/\s*,\s*/).includes(etag))
}

/** Neither the host nor what a proxy says of the connection decides on anything in such an answer. */
const keyOf = ({ url }: IncomingMessage) => String(url)

function flatten(headers: OutgoingHttpHeaders) {
  return Object.entries(headers).flatMap(([name, value]) =>
    name === 'x-request-id' || value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}
