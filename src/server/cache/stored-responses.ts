import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ContentCache } from './content-cache.ts'
import { matchesEtag } from './shared-responses.ts'
import type { Xsrf } from '../http/xsrf.ts'
import type { App } from '../types.ts'

/** A public list as it was sent, and the cached value that it was written from. */
type StoredResponse = { value: object; body: string; etag: string; headers: OutgoingHttpHeaders }

const most = 500

/** Lists that are the same for every visitor, with the headers of their first answer. */
export function createStoredResponses(content: ContentCache, xsrf: Xsrf) {
  const answers = new Map<string, StoredResponse>()
  return {
    store(request: FastifyRequest, answer: StoredResponse) {
      answers.delete(request.url)
      answers.set(request.url, answer)
      if (answers.size > most) answers.delete(answers.keys().next().value ?? '')
    },
    /** Only while the content cache still holds that value, and for a browser that needs no new token. */
    find(request: FastifyRequest) {
      const answer = request.method === 'GET' ? answers.get(request.url) : undefined
      return answer && content.isCurrent(answer.value) && xsrf.isKnown(request.headers.cookie) ? answer : null
    },
  }
}

export type StoredResponses = ReturnType<typeof createStoredResponses>

/** Sends stored answers before the hooks that follow this one: they would make the same headers again, four times slower. */
export function sendStoredResponses(app: App) {
  app.addHook('onRequest', (request, reply, done) => {
    const answer = app.storedResponses.find(request)
    if (!answer) return done()
    void reply.headers(answer.headers).header('x-request-id', request.id)
    if (matchesEtag(request.headers['if-none-match'], answer.etag)) void reply.code(304).send()
    else void reply.send(answer.body)
  })
}
