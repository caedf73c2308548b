import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import letters from '#src/ui/styles/atkinson-french-english.woff2?url'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import type { RenderToPipeableStreamOptions } from 'react-dom/server'
import { renderToPipeableStream } from 'react-dom/server'
import type { EntryContext, RouterContextProvider, ServerBuild } from 'react-router'
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider as Provider, ServerRouter } from 'react-router'
import { pageContext } from '#src/ui/page/page-context.ts'
import { queuePaletteKeys } from '#src/app/before-hydration.ts'
import { scriptsAfterPaint } from '#src/app/scripts-after-paint.ts'
import type { PageContext } from '#src/server/pages/pages.ts'

/** Pages whose scripts wait until they are used: with their plain address, whose view has no choice in it. */
const readingPages = /^\/reseau(\/incident\/\d+)?(\?lang=(fr|en))?$/
const liveStream = import.meta.env.PROD
  ? readdirSync(join(import.meta.dirname, '../client/assets')).find((name) => /^live-stream-[\w-]{8}\.js$/.test(name))
  : undefined

export const streamTimeout = 5_000

/** The server calls this one function of the bundle: it never imports the router itself. */
export function render(build: ServerBuild, request: Request, page: PageContext) {
  const context = new Provider()
  context.set(pageContext, page)
  return createRequestHandler(build)(request, context)
}

/** Expected errors (no such page, no such form) are responses; only failures are logged. */
export function handleError(error: unknown, { request, context }: { request: Request; context: RouterContextProvider }) {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  context.get(pageContext).noteFailure(error)
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  const { nonce, since, noteFailure } = context.get(pageContext)
  // Robots and readers without script get the page whole; browsers get its top at once.
  const ready: keyof RenderToPipeableStreamOptions =
    isbot(request.headers.get('user-agent')) || entry.isSpaMode ? 'onAllReady' : 'onShellReady'

  const { pathname, search } = new URL(request.url)
  const hasPalette = pathname.startsWith('/admin/') && pathname !== '/admin/login'

  return new Promise<Response>((resolve, reject) => {
    let shellSent = false
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={entry} url={request.url} nonce={nonce} />, {
      nonce,
      ...(hasPalette && { bootstrapScriptContent: `(${queuePaletteKeys.toString()})()` }),
      // Rendered in place: content that a script moves there would be missing without JavaScript.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      [ready]() {
        shellSent = true
        const isRead = liveStream && request.method === 'GET' && status === 200 && readingPages.test(pathname + search)
        const reading = isRead ? { live: `/assets/${liveStream}`, since, build: entry.manifest.version } : undefined
        // The administration is nothing without its scripts.
        const body = pathname.startsWith('/admin') ? new PassThrough() : scriptsAfterPaint(reading)
        headers.set('content-type', 'text/html; charset=utf-8')
        for (const sheet of styleSheetsOf(entry)) headers.append('link', `<${sheet}>; rel=preload; as=style`)
        // Otherwise the page is first painted in the fallback font, and text reflows when the fonts load.
        headers.append('link', `<${letters}>; rel=preload; as=font; type=font/woff2; crossorigin`)
        resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
        pipe(body)
      },
      onShellError: reject,
      onError(error) {
        if (shellSent) noteFailure(error)
      },
    })
    setTimeout(abort, streamTimeout + 1_000).unref()
  })
}

/** Named in a header: a page cannot be painted without them, and its head is long. */
function styleSheetsOf({ manifest, staticHandlerContext }: EntryContext) {
  return new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []))
}
