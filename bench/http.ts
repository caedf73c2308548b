import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { addressOf, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/server/testing/test-client.ts'
import { startPlain } from './child.ts'
import { printTable } from './table.ts'

const seconds = 8
const connections = 32

/** Pages, API reads and form posts a second, beside Express and a bare server that send the very same page. */
export async function benchHttp() {
  const product = await startProduct({ ...trusting })
  const origin = product.address()
  const folder = mkdtempSync(join(tmpdir(), 'guichet-bench-'))
  const file = join(folder, 'page.html')
  writeFileSync(file, await (await fetch(origin)).text())
  const bare = await startPlain('plain-http.ts', file)
  const express = await startPlain('plain-express.ts', file)

  const pages = [
    { server: 'bare http, the page as a string', ...(await measure(`${bare.origin}/`)) },
    { server: 'Express, the page as a string', ...(await measure(`${express.origin}/`)) },
    { server: 'Guichet, home', ...(await measure(`${origin}/`)) },
    { server: 'Guichet, home, brotli', ...(await measure(`${origin}/`, { 'accept-encoding': 'br' })) },
    { server: 'Guichet, network status', ...(await measure(`${origin}/reseau`)) },
  ]
  printTable('Pages', against(pages))

  const reads = [
    { server: 'Express, a constant', ...(await measure(`${express.origin}/api`)) },
    { server: 'Guichet, status', ...(await measure(`${origin}/api/networks/reseau/status`)) },
    { server: 'Guichet, networks', ...(await measure(`${origin}/api/networks/reseau`)) },
    { server: 'Guichet, team', ...(await measure(`${origin}/api/employees/employes`)) },
  ]
  printTable('API reads', against(reads))

  const form = { honey: '', name: 'Ana Côté', email: 'ana@example.com', phone: '418-555-0101', message: 'Bonjour' }
  const client = await createTestClient(origin).arrive()
  const headers = { origin, cookie: client.cookieHeader(), 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '' }
  const posts = [
    { server: 'Express, nothing kept', ...(await measure(`${express.origin}/form`, {}, form)) },
    { server: 'Guichet, contact, on disk', ...(await measure(`${origin}/api/mailer/contact`, headers, form)) },
  ]
  printTable('Form posts', against(posts))

  await Promise.all([bare.stop(), express.stop(), product.stop()])
  rmSync(folder, { recursive: true, force: true })
}

async function measure(url: string, headers: Record<string, string> = {}, body?: object) {
  let number = 0
  const options: autocannon.Options = { url, connections: body ? 8 : connections, duration: seconds, headers }
  if (body) {
    options.requests = [
      {
        method: 'POST',
        body: JSON.stringify(body),
        // Each from an address of its own: so many from one would be refused.
        setupRequest: (request) => ({
          ...request,
          headers: { ...headers, 'content-type': 'application/json', 'x-forwarded-for': addressOf((number += 1)) },
        }),
      },
    ]
  }
  const { requests, latency, non2xx, errors } = await autocannon(options)
  return { 'a second': requests.average, 'p50 (ms)': latency.p50, 'p99 (ms)': latency.p99, 'not 2xx': non2xx + errors }
}

function against<T extends { 'a second': number }>(rows: T[]) {
  const first = rows[0]?.['a second'] ?? Number.NaN
  return rows.map((row) => ({ ...row, ratio: row['a second'] / first }))
}
