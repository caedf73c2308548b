import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, isLanguage } from '#src/lib/language/language.ts'
import { redirectToReferrerLanguage, redirectToLanguage, withoutTrailingSigns } from './language-redirects.ts'
import type { CachedPage, InsertHtml } from '../cache/page-cache.ts'
import { createPageCache } from '../cache/page-cache.ts'
import { canShareAddresses, shareResponse } from '../cache/shared-responses.ts'
import { brotliParams, encode, encodingFor } from '../http/compression.ts'
import { setPagePolicy } from '../http/security-headers.ts'
import type { App } from '../types.ts'
import { sendTokens, requestOrigin } from '../http/xsrf.ts'
import { toProblem } from '../problems.ts'

/** Services for loaders and actions on the server: each feature adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- it is filled elsewhere
export interface PageServices {}

/** Context of loaders and actions besides the request. */
export type PageContext = {
  services: PageServices
  nonce: string
  /** The canonical origin, for links that leave the page. */
  origin: string
  /** Origins of the API and of the chat, where they have their own (`API_URL`, `CHAT_URL`). */
  apiUrl: string | undefined
  chatUrl: string | undefined
  address: string
  /** When rendering started: the live stream sends changes since then. */
  since: number
  /** Of trusted HTML that is long and the same for many pages. */
  insert: InsertHtml
  /** Called by entry.server.tsx with an error thrown while rendering. */
  noteFailure: (error: unknown) => void
}

type Known = Omit<PageContext, 'noteFailure'>

export type Render = (request: Request, context: PageContext) => Promise<Response>

/** Where an old address leads; `location` is null for one that is gone (410). */
export type OldAddress = { status: 301 | 302; location: string } | { status: 410; location: null }

/** Answers for addresses that nothing of the product has. */
export type AnswerMissing = {
  /** Null where the address is no old one. */
  find: (request: FastifyRequest) => Promise<OldAddress | null>
  /** Counts an address that nothing answered. */
  note: (request: FastifyRequest) => void
}

/** Additions to the policy of the pages from the company's configuration. */
type Embedding = {
  /** Origins of video players that a page may embed. */
  players: string[]
  /** The page that other sites may embed, and which sites. */
  framed: string
  findAncestors: () => Promise<readonly string[]>
  answerMissing?: AnswerMissing | undefined
  /** Counts a page that was sent. */
  countView?: (request: FastifyRequest, status: number) => void
  /** Pages that take a post with files: the path before the last part, and the most bytes of a body. */
  uploads?: Readonly<Record<string, number>>
}

const formLimit = 64 * 1024
/** Cookies keep the chosen language and palette. */
const pageVariants = 'accept-encoding, cookie'

/** The server-rendered site: every address without another route. */
export async function registerPages(
  app: App,
  services: PageServices,
  loadRender: () => Promise<Render>,
  { players: frames, framed, findAncestors, answerMissing, countView, uploads = {} }: Embedding,
) {
  const development = app.config.mode === 'development'
  const images = app.config.mapTilesUrl ? [new URL(app.config.mapTilesUrl).origin.replace(/\{s\}\./, '*.')] : []
  const cache = createPageCache(
    app.events,
    app.features.flatMap(({ secretPaths = [] }) => secretPaths),
  )
  const { apiUrl, chatUrl } = app.config
  const hosts = { apiUrl, chatUrl }
  const api = apiUrl === undefined ? [] : [apiUrl]
  const connect = [...new Set([apiUrl, chatUrl])].flatMap((host) => (host ? [host, host.replace(/^http/, 'ws')] : []))

  await app.register(async (scope) => {
    sendTokens(scope, app.xsrf, isForMany)
    scope.addHook('onResponse', (request, reply, done) => {
      if (pathOf(request) !== framed) countView?.(request, reply.statusCode)
      done()
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formLimit }, (_request, body, done) => done(null, body))
    const handlePage = async (request: FastifyRequest, reply: FastifyReply) => {
      const mayBeOld = wordpressPage.test(request.url) || languagePath.test(request.url)
      const early = mayBeOld ? await findOld(request, answerMissing) : null
      if (early?.status === 410) {
        setPagePolicy(reply, request.nonce, development, { images, api, connect, frames, ancestors: [] })
        const known = {
          services,
          nonce: request.nonce,
          origin: requestOrigin(request),
          apiUrl: undefined,
          chatUrl: undefined,
          address: request.ip,
        }
        return sendGone(request, reply, await loadRender(), { ...known, since: Date.now(), insert: insertAtOnce })
      }
      if (early) return sendOld(reply, early)
      if (wordpressPage.test(request.url)) answerMissing?.note(request)
      const languageTarget = redirectToLanguage(request)
      if (languageTarget) return reply.redirect(languageTarget)
      const isFramed = pathOf(request) === framed
      const ancestors = isFramed ? await findAncestors() : []
      const referrerTarget = redirectToReferrerLanguage(request)
      if (referrerTarget) return reply.header('vary', 'referer').redirect(referrerTarget)
      setPagePolicy(reply, request.nonce, development, { images, api, connect, frames, ancestors })
      const render = await loadRender()
      const origin = requestOrigin(request)
      const key = development ? null : cache.keyOf(request, pathOf(request), origin)
      if (key) {
        const context = { services, nonce: cache.placeholder, origin, ...hosts, address: request.ip }
        const page = await cache.find(key, (since, insert) =>
          renderPage(render, toWebRequest(request), { ...context, since, insert }, request.log),
        )
        const old = page.status === 404 ? await findOld(request, answerMissing) : null
        if (old?.location) return sendOld(reply, old)
        const trimmed = page.status === 404 && !old ? withoutTrailingSigns(request) : null
        if (trimmed) {
          const known = { ...context, since: Date.now(), insert: insertAtOnce }
          const trimmedResponse = await renderPage(render, toWebRequest(request, undefined, trimmed), known, request.log)
          await trimmedResponse.body?.cancel()
          if (trimmedResponse.ok) return reply.redirect(trimmed)
        }
        if (old) return sendCachedPage(request, reply, { ...page, status: old.status })
        if (page.status === 404) answerMissing?.note(request)
        // `frame-ancestors` does not affect the HTML, so the cached page stays valid.
        const isUnmodified = page.status === 200 && !isFramed && shareResponse(request, reply, page.etag, canShareAddresses(app))
        return isUnmodified ? sendNothingNew(reply) : sendCachedPage(request, reply, page)
      }
      const { nonce, ip: address } = request
      const context = { services, nonce, origin, ...hosts, address, since: Date.now(), insert: insertAtOnce }
      const response = await renderPage(render, toWebRequest(request, reply), context, request.log)
      const old = response.status === 404 ? await findOld(request, answerMissing) : null
      if (old?.location) {
        await response.body?.cancel()
        return sendOld(reply, old)
      }
      if (response.status === 404 && !old) answerMissing?.note(request)
      return sendResponse(
        request,
        reply,
        old ? new Response(response.body, { status: old.status, headers: response.headers }) : response,
      )
    }
    scope.route({
      method: ['GET', 'HEAD', 'POST'],
      url: '/*',
      // A form without JavaScript can set no header.
      config: { access: 'public', protection: 'origin' },
      schema: { hide: true },
      handler: handlePage,
    })
    for (const [path, bodyLimit] of Object.entries(uploads)) {
      scope.route({
        method: 'POST',
        url: `${path}/*`,
        bodyLimit,
        config: { access: 'public', protection: 'origin', upload: true },
        schema: { hide: true },
        handler: handlePage,
      })
    }
  })
}

const insertAtOnce: InsertHtml = (html) => Buffer.concat(html).toString()

/** The home page answers there, where WordPress had a page by its id. */
const wordpressPage = /^\/\?(?:.*&)?(?:p|page_id|attachment_id|cat)=\d/
/** The language in the path: a redirect to it answers, and an old address may be there too. */
const languagePath = /^\/(fr|en)(?=[/?]|$)/i

async function findOld(request: FastifyRequest, answerMissing: AnswerMissing | undefined) {
  return request.method === 'GET' || request.method === 'HEAD' ? ((await answerMissing?.find(request)) ?? null) : null
}

/** Browsers store a permanent redirect for ever unless told otherwise, and staff may correct it. */
function sendOld(reply: FastifyReply, { status, location }: Extract<OldAddress, { location: string }>) {
  void reply.header('cache-control', status === 301 ? 'public, max-age=3600' : 'no-store')
  return reply.redirect(location, status)
}

/** An address where the product has no page of its own: the script of a page goes by the address that it finds. */
const nowhere = '/410'

/** The page of an address that is gone, where another page answers: without scripts, which would show that one. */
async function sendGone(request: FastifyRequest, reply: FastifyReply, render: Render, context: Known) {
  const language = languagePath.exec(request.url)?.[1] ?? new URLSearchParams(request.url.split('?')[1]).get('lang')
  const address = addressInLanguage(nowhere, isLanguage(language?.toLowerCase()) ? (language?.toLowerCase() as Language) : null)
  const response = await renderPage(render, toWebRequest(request, undefined, address), context, request.log)
  const html = await response.text()
  sendHead(reply, response.status === 404 ? 410 : response.status, response.headers)
  void reply.header('cache-control', 'no-store').removeHeader('content-length')
  return reply.send(html.replaceAll(/<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, ''))
}

/** The path as the router matched it: `/%61dmin` and `//admin` are `/admin`. */
function pathOf({ params, routeOptions }: FastifyRequest) {
  const start = routeOptions.url?.replace(/\/\*$/, '') ?? ''
  return `${start}/${(params as { '*': string })['*'].replace(/^\/+/, '')}`
}

/**
 * A CDN (RFC 8586) shares a page among browsers, so it must not carry one browser's token. Each browser gets its own with its
 * first API response, which is not shared.
 */
function isForMany(request: FastifyRequest) {
  const isPage = !/^\/admin(\/|$)/.test(pathOf(request))
  return request.headers['cdn-loop'] !== undefined && isPage && request.method !== 'POST'
}

/** The request for loaders; with the reply, its signal aborts when the client disconnects. */
function toWebRequest(request: FastifyRequest, reply?: FastifyReply, address = request.url) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (Array.isArray(value)) for (const one of value) headers.append(name, one)
    else if (value !== undefined) headers.set(name, value)
  }
  const aborted = new AbortController()
  reply?.raw.once('close', () => {
    if (!reply.raw.writableFinished) aborted.abort()
  })
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  // Concatenated: resolved as a relative address, `//evil` would name another host.
  return new Request(requestOrigin(request) + address, {
    method: request.method,
    headers,
    body: hasBody ? (request.body as Buffer<ArrayBuffer> | undefined) : undefined,
    signal: aborted.signal,
  })
}

/** 304: the browser uses its cached page with the nonce of its own policy, so no new policy may be sent. */
function sendNothingNew(reply: FastifyReply) {
  return reply.removeHeader('content-security-policy').header('vary', pageVariants).code(304).send()
}

async function sendCachedPage(request: FastifyRequest, reply: FastifyReply, { status, headers, parts }: CachedPage) {
  sendHead(reply, status, headers)
  const body = insertNonce(parts, request.nonce)
  if (!isText(headers.get('content-type'))) return reply.send(body)
  void reply.header('vary', pageVariants)
  const encoding = encodingFor(request)
  if (!encoding) return reply.send(body)
  return reply.header('content-encoding', encoding).send(await encode(body, encoding))
}

/** Copies bytes that were encoded once: encoding the page for each response would take a fifth of its CPU time. */
function insertNonce(parts: CachedPage['parts'], nonce: string) {
  const bytes = Buffer.from(nonce)
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? part : [bytes, ...part])))
}

function sendHead(reply: FastifyReply, status: number, headers: Headers) {
  void reply.code(status)
  for (const [name, value] of headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of headers.getSetCookie()) void reply.header('set-cookie', cookie)
}

function sendResponse(request: FastifyRequest, reply: FastifyReply, response: Response) {
  // No page accepts a form at such an address (`//api/users`), so `Allow` would be meaningless.
  sendHead(reply, response.status === 405 ? 404 : response.status, response.headers)
  if (!response.body) return reply.send()
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  if (!isText(response.headers.get('content-type'))) return reply.send(body)
  void reply.header('vary', 'accept-encoding')
  const encoding = encodingFor(request)
  if (!encoding) return reply.send(body)
  void reply.header('content-encoding', encoding).removeHeader('content-length')
  // Flushed after each chunk, so that the top of a page is sent before its end is rendered.
  const encoder =
    encoding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: brotliParams })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 })
  // A client that disconnects ends both streams; the renderer reports its own errors.
  pipeline(body, encoder, () => undefined)
  return reply.send(encoder)
}

function isText(type: string | null) {
  return type !== null && /^text\/|json|xml|manifest/.test(type)
}

/** Responds 503 with Retry-After where a page failed because the database is away; the router only knows that it failed. */
export async function renderPage(render: Render, request: Request, context: Known, log: Pick<FastifyBaseLogger, 'error'>) {
  let failure: unknown
  const noteFailure = (error: unknown) => {
    failure ??= error
    log.error({ err: error }, 'a page failed')
  }
  const response = await render(request, { ...context, noteFailure })
  if (response.status !== 500 || failure === undefined) return response
  const { status, retryAfter } = toProblem(failure)
  if (status !== 503) return response
  const headers = new Headers(response.headers)
  headers.set('retry-after', String(retryAfter))
  return new Response(response.body, { status, headers })
}
