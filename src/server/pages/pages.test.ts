import { expect, test, vi } from 'vitest'
import type { PageContext } from './pages.ts'
import { renderPage } from './pages.ts'

const error = vi.fn()
const broken = (failure: unknown) =>
  renderPage(
    async (_request, context) => {
      if (failure !== undefined) context.noteFailure(failure)
      return new Response('<p>Une erreur est survenue</p>', { status: 500, headers: { 'content-type': 'text/html' } })
    },
    new Request('https://www.example.com/emploi/voir/1'),
    {} as PageContext,
    { error },
  )

test.each([
  Object.assign(new Error('Failed query'), { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
  new Error('timeout exceeded when trying to connect'),
  new Error('Connection terminated unexpectedly'),
])('a page that fails because the database is down returns 503 with Retry-After (%s)', async (failure) => {
  const response = await broken(failure)
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(error).toHaveBeenLastCalledWith({ err: failure }, 'a page failed')
  expect(await response.text()).toContain('Une erreur est survenue')
})

test.each([new Error('no such column'), undefined])('any other failure returns 500 (%s)', async (failure) => {
  const response = await broken(failure)
  expect(response.status).toBe(500)
  expect(response.headers.get('retry-after')).toBeNull()
})
