import { Transform } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import type { RenderToPipeableStreamOptions } from 'react-dom/server'
import { renderToPipeableStream } from 'react-dom/server'
import type { EntryContext, RouterContextProvider, ServerBuild } from 'react-router'
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider as Provider, ServerRouter } from 'react-router'
import { pageContext } from '#src/features/site/web/page-context.ts'
import type { PageContext } from '#src/server/pages.ts'

export const streamTimeout = 5_000

/** The server calls this one function of the bundle: it never imports the router itself. */
export function render(build: ServerBuild, request: Request, page: PageContext) {
  const context = new Provider()
  context.set(pageContext, page)
  return createRequestHandler(build)(request, context)
}

/** Refusals (no such page, no such form) are answered; only what broke is told to the log. */
export function handleError(error: unknown, { request }: { request: Request }) {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  console.error(error)
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  const { nonce } = context.get(pageContext)
  // Robots and readers without script get the page whole; browsers get its top at once.
  const ready: keyof RenderToPipeableStreamOptions =
    isbot(request.headers.get('user-agent')) || entry.isSpaMode ? 'onAllReady' : 'onShellReady'

  return new Promise<Response>((resolve, reject) => {
    let shellSent = false
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={entry} url={request.url} nonce={nonce} />, {
      nonce,
      [ready]() {
        shellSent = true
        const body = scriptsAfterPaint()
        headers.set('content-type', 'text/html; charset=utf-8')
        for (const sheet of styleSheetsOf(entry)) headers.append('link', `<${sheet}>; rel=preload; as=style`)
        resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
        pipe(body)
      },
      onShellError: reject,
      onError(error) {
        if (shellSent) console.error(error)
      },
    })
    setTimeout(abort, streamTimeout + 1_000).unref()
  })
}

/** Named in a header, because React puts the scripts' preloads before them and a page cannot be painted without them. */
function styleSheetsOf({ manifest, staticHandlerContext }: EntryContext) {
  return new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []))
}

/**
 * Lowers the priority of the scripts' preloads, for which the router has no setting: the page is whole without them,
 * and on a slow line they would keep its style sheet and its picture waiting.
 */
function scriptsAfterPaint() {
  let begun: Buffer | null = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (begun === null) return done(null, chunk)
      begun = Buffer.concat([begun, chunk])
      const end = begun.indexOf('</head>')
      if (end === -1) return done()
      const head = begun.subarray(0, end).toString()
      this.push(head.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"'))
      this.push(begun.subarray(end))
      begun = null
      done()
    },
    flush(done) {
      done(null, begun)
    },
  })
}
