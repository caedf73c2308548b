import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ContentCache } from './content-cache.ts'
import { matchesEtag } from './shared-responses.ts'
import type { Xsrf } from '../http/xsrf.ts'
import { sessionCookie } from '../http/xsrf.ts'
import type { App } from '../types.ts'

/** A public list as it was sent, and the cached value that it was serialized from. */
type StoredResponse = { value: object; body: string; etag: string; headers: OutgoingHttpHeaders }

const most = 500

/** Public lists, with the headers of their first response. */
export function createStoredResponses(content: ContentCache, xsrf: Xsrf) {
  const responses = new Map<string, StoredResponse>()
  return {
    store(request: FastifyRequest, response: StoredResponse) {
      responses.delete(request.url)
      responses.set(request.url, response)
      if (responses.size > most) responses.delete(responses.keys().next().value ?? '')
    },
    /**
     * Null unless the content cache still holds that value and the browser needs no new token. Staff may get more than the
     * public list, so a request with a session never gets one.
     */
    find(request: FastifyRequest) {
      const isPublic = request.method === 'GET' && !request.headers.cookie?.includes(`${sessionCookie}=`)
      const response = isPublic ? responses.get(request.url) : undefined
      return response && content.isCurrent(response.value) && xsrf.isKnown(request.headers.cookie) ? response : null
    },
  }
}

export type StoredResponses = ReturnType<typeof createStoredResponses>

/** Sends stored responses before the later hooks run: computing the same headers again makes a request four times slower. */
export function sendStoredResponses(app: App) {
  app.addHook('onRequest', (request, reply, done) => {
    const response = app.storedResponses.find(request)
    if (!response) return done()
    void reply.headers(response.headers).header('x-request-id', request.id)
    if (matchesEtag(request.headers['if-none-match'], response.etag)) void reply.code(304).send()
    else void reply.send(response.body)
  })
}
