import type { BrowserContextOptions, Page } from '@playwright/test'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'

/** A browser that blocks all site data: reading storage throws, and cookies are neither stored nor sent. */
export async function openRefusing(
  newPerson: (options?: BrowserContextOptions) => Promise<Page>,
  product: string,
): Promise<{ page: Page; stop: () => Promise<unknown> }> {
  const site = await startCookieless(product)
  const page = await newPerson({ baseURL: site.origin })
  await refuseStorage(page)
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(window, 'cookieStore', { get: refuse })
    Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse })
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })
  })
  return { page, stop: site.stop }
}

/** From the next page on, all storage but cookies is refused. */
export async function refuseStorage(page: Page) {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: refuse })
    }
    LockManager.prototype.request = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
  })
}

/** Leaves no room in any storage of the page's origin. */
export async function fillStorage(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 1 })
  await page.evaluate(() => {
    for (const storage of [localStorage, sessionStorage]) {
      for (let length = 8_388_608; length >= 1; length = Math.floor(length / 2)) {
        try {
          storage.setItem(`filler ${length}`, 'x'.repeat(length))
        } catch {
          // The next one is half as long.
        }
      }
    }
  })
}

/** A proxy that removes the cookies from requests and responses, like a browser that blocks them. */
async function startCookieless(product: string) {
  const { hostname, port } = new URL(product)
  const server = createServer((incoming, response) => {
    const { cookie: _, ...headers } = incoming.headers
    const passed = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (given) => {
      const { 'set-cookie': __, ...stored } = given.headers
      response.writeHead(given.statusCode ?? 502, stored)
      given.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.on('upgrade', (incoming, socket) => {
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries(incoming.headers).filter(([name]) => name !== 'cookie')
      upstream.write(
        `${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
      )
      upstream.pipe(socket).pipe(upstream)
    })
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
