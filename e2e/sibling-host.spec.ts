import { chromium } from '@playwright/test'
import { freePort } from '../src/server/testing/free-port.ts'
import { chromiumPath } from './chromium.ts'
import { expect, signIn, test } from './fixtures.ts'
import { startProduct } from './product.ts'
import { logIn, open, say, words } from './visitor.ts'

test('pages and API have hosts of their own on one site (API_URL)', async () => {
  test.slow()
  const port = await freePort()
  const [pages, api] = [`http://www.guichet.test:${port}`, `http://api.guichet.test:${port}`]
  const product = await startProduct({ PORT: String(port), PUBLIC_URL: pages, API_URL: api })
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--host-resolver-rules=MAP *.guichet.test 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${pages},${api}`,
    ],
  })
  try {
    const staff = await (await browser.newContext({ locale: 'fr-CA', baseURL: pages })).newPage()
    const calls: string[] = []
    const problems: string[] = []
    staff.on('request', (request) => calls.push(request.url()))
    staff.on('console', (message) => message.type() === 'error' && problems.push(`${message.text()} ${message.location().url}`))
    await signIn(staff)
    const cookies = await staff.context().cookies([pages, api])
    expect(cookies.find(({ name }) => name === 'guichet_session')?.domain).toBe('api.guichet.test')
    expect(cookies.filter(({ name }) => name === 'XSRF-TOKEN').map(({ domain }) => domain)).toEqual(['.guichet.test'])

    await staff.goto(`${pages}/admin/recordings`)
    await staff
      .getByRole('button', { name: /^Écouter/ })
      .first()
      .click()
    await expect.poll(() => staff.locator('audio').evaluate((audio: HTMLAudioElement) => audio.readyState)).toBeGreaterThan(0)

    await staff.goto(`${pages}/admin/chat`)
    await staff.getByRole('button', { name: 'Me rendre disponible' }).click()
    const page = await (await browser.newContext({ locale: 'fr-CA' })).newPage()
    await open(page, 'fr', words.fr, pages)
    await logIn(page, words.fr, 'Zoé Lapointe')
    await say(page, words.fr, 'Le réseau est-il lent?')
    await expect(staff.getByText('Zoé Lapointe').first()).toBeVisible()
    expect(calls.filter((url) => new URL(url).pathname.startsWith('/api/') && !url.startsWith(api))).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await browser.close()
    await product.stop()
  }
})
