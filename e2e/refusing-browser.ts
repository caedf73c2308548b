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
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) {
      Object.defineProperty(window, name, { get: refuse })
    }
    Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse })
    LockManager.prototype.request = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })
  })
  return { page, stop: site.stop }
}

/** A proxy that removes the cookies from requests and responses, like a browser that blocks them. */
async function startCookieless(product: string) {
  const { hostname, port } = new URL(product)
  const server = createServer((asked, answer) => {
    const { cookie: _, ...headers } = asked.headers
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (given) => {
      const { 'set-cookie': __, ...kept } = given.headers
      answer.writeHead(given.statusCode ?? 502, kept)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.on('upgrade', (asked, socket) => {
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries(asked.headers).filter(([name]) => name !== 'cookie')
      upstream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`)
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
