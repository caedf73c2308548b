import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden } from './problems.ts'
import type { PageServices } from './page-services.ts'
import { setPagePolicy } from './security-headers.ts'
import type { App } from './types.ts'
import { isSameOrigin, registerXsrf, requestOrigin } from './xsrf.ts'

/** What a page's loaders and actions are given, beside the request. */
export type PageContext = {
  services: PageServices
  nonce: string
  /** The canonical origin, for links that leave the page. */
  origin: string
  address: string
}

export type Render = (request: Request, context: PageContext) => Promise<Response>

const formLimit = 64 * 1024

/** The server-rendered site: every address that no other route answers. `frames`: whose players a page may show. */
export async function registerPages(app: App, services: PageServices, loadRender: () => Promise<Render>, frames: string[]) {
  const development = app.config.mode === 'development'
  const images = app.config.mapTilesUrl ? [new URL(app.config.mapTilesUrl).origin.replace(/\{s\}\./, '*.')] : []
  const connect = app.config.chatUrl ? [app.config.chatUrl, app.config.chatUrl.replace(/^http/, 'ws')] : []

  await app.register(async (scope) => {
    registerXsrf(scope, app.xsrf)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formLimit }, (_request, body, done) => done(null, body))
    const handlePage = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.method === 'POST' && !isSameOrigin(request)) throw new Forbidden('This form comes from another site.')
      setPagePolicy(reply, request.nonce, development, { images, connect, frames })
      const render = await loadRender()
      const response = await render(toWebRequest(request, reply), {
        services,
        nonce: request.nonce,
        origin: requestOrigin(request),
        address: request.ip,
      })
      return sendResponse(request, reply, response)
    }
    scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', schema: { hide: true }, handler: handlePage })
  })
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (Array.isArray(value)) for (const one of value) headers.append(name, one)
    else if (value !== undefined) headers.set(name, value)
  }
  const aborted = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) aborted.abort()
  })
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  // Joined as text: as a relative address, `//evil` would name another host.
  return new Request(requestOrigin(request) + request.url, {
    method: request.method,
    headers,
    body: hasBody ? (request.body as Buffer<ArrayBuffer> | undefined) : undefined,
    signal: aborted.signal,
  })
}

function sendResponse(request: FastifyRequest, reply: FastifyReply, response: Response) {
  void reply.code(response.status)
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') void reply.header(name, value)
  }
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  if (!response.body) return reply.send()
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  if (!isText(response.headers.get('content-type'))) return reply.send(body)
  void reply.header('vary', 'accept-encoding')
  const encoder = encoderFor(request.headers['accept-encoding'])
  if (!encoder) return reply.send(body)
  void reply.header('content-encoding', encoder.name).removeHeader('content-length')
  // A reader that goes away ends both streams; what breaks while rendering is told by the renderer.
  pipeline(body, encoder.stream, () => undefined)
  return reply.send(encoder.stream)
}

function isText(type: string | null) {
  return type !== null && /^text\/|json|xml|manifest/.test(type)
}

/** Flushed at each piece, so that the top of a page leaves before its end is rendered. */
function encoderFor(accepted: string | string[] | undefined) {
  const encodings = String(accepted ?? '')
  if (/\bbr\b/.test(encodings)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
    return { name: 'br', stream: createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params }) }
  }
  if (/\bgzip\b/.test(encodings)) return { name: 'gzip', stream: createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 }) }
  return null
}
