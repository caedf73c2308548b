import { freePort } from '../src/server/testing/free-port.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { startProduct } from './product.ts'

test('a page is cached by browsers, shared by a CDN without cookies, and updated at once after a save', async ({ page }) => {
  // Pages are shareable only with PUBLIC_URL.
  const port = String(await freePort())
  const marks = { GOOGLE_SITE_VERIFICATION: 'a-mark+of/Google=', BING_SITE_VERIFICATION: '0123456789ABCDEF' }
  const product = await startProduct({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...marks })
  const ask = (headers: Record<string, string>) => fetch(product.address(), { headers, redirect: 'manual' })
  const first = await ask({})
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const etag = first.headers.get('etag') ?? ''
  // Search engines look for them in the page as it was sent.
  const home = await first.text()
  expect(home).toContain('<meta name="google-site-verification" content="a-mark+of/Google="/>')
  expect(home).toContain('<meta name="msvalidate.01" content="0123456789ABCDEF"/>')

  const known = await ask({ cookie })
  expect(known.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  expect(known.headers.get('etag')).toBe(etag)
  const same = await ask({ cookie, 'if-none-match': etag })
  expect(same.status).toBe(304)
  // The nonce of the cached page must stay the one of its policy.
  expect(same.headers.get('content-security-policy')).toBeNull()

  const shared = await ask({ 'cdn-loop': 'example' })
  expect(shared.headers.get('set-cookie')).toBeNull()
  expect(shared.headers.get('cdn-cache-control')).toBe('public, max-age=10, stale-while-revalidate=60, stale-if-error=86400')
  expect(shared.headers.get('vary')).toContain('cookie')
  expect((await ask({ cookie: 'application_default_language=en', 'if-none-match': etag })).status).toBe(200)

  // A returning browser runs the scripts of its cached page.
  for (const address of ['/', '/about', '/']) await page.goto(product.address() + address)
  await hydrated(page)
  await page.close()
  await product.stop()
})
