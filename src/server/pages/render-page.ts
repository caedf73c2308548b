import { toProblem } from '../problems.ts'
import type { PageContext, Render } from './pages.ts'

/** A page that broke for want of the database asks to come again, where the router knows only that it broke. */
export async function renderPage(render: Render, request: Request, context: PageContext) {
  const response = await render(request, context)
  if (response.status !== 500 || context.failure === undefined) return response
  const { status, retryAfter } = toProblem(context.failure)
  if (status !== 503) return response
  const headers = new Headers(response.headers)
  headers.set('retry-after', String(retryAfter))
  return new Response(response.body, { status, headers })
}
