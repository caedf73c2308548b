import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { startPlain } from './child.ts'
import { printTable } from './table.ts'

const seconds = 8
const connections = 32
const turns = 9
const turnSeconds = 2

/** Pages and API reads a second, compared with Express and a bare server that send the same page. */
export async function benchHttp() {
  const product = await startProduct({ ...trusting })
  const origin = product.address()
  const folder = mkdtempSync(join(tmpdir(), 'guichet-bench-'))
  const file = join(folder, 'page.html')
  writeFileSync(file, await (await fetch(origin)).text())
  const bare = await startPlain('plain-http.ts', file)
  const express = await startPlain('plain-express.ts', file)
  const data = join(folder, 'data.json')
  writeFileSync(data, JSON.stringify(await readHome(origin)))
  const rendering = await startPlain('plain-express-render.ts', data)
  const responses = join(folder, 'answers.json')
  writeFileSync(responses, JSON.stringify(await readLists(origin)))
  const fastify = await startPlain('plain-fastify.ts', responses)

  const client = await createTestClient(origin).arrive()
  // Each client has its XSRF token, like a returning browser.
  const known = { cookie: client.cookieHeader() }
  const pages = [
    { server: 'Express, rendering the same page', ...(await measure(`${rendering.origin}/`)) },
    { server: 'bare http, the page as a string', ...(await measure(`${bare.origin}/`)) },
    { server: 'Express, the page as a string', ...(await measure(`${express.origin}/`)) },
    { server: 'Guichet, home', ...(await measure(`${origin}/`, known)) },
    { server: 'Guichet, home, brotli', ...(await measure(`${origin}/`, { ...known, 'accept-encoding': 'br' })) },
    { server: 'Guichet, network status', ...(await measure(`${origin}/reseau`, known)) },
  ]
  printTable('Pages (wanted: 3 times Express rendering)', against(pages))

  for (const path of lists) {
    const reads = await inTurns(
      { name: 'bare Fastify', measure: () => measure(fastify.origin + path, known, turnSeconds) },
      { name: 'Guichet', measure: () => measure(origin + path, known, turnSeconds) },
    )
    printTable(`API reads, ${path}, in turns (wanted: 0.5 of a bare route)`, reads)
  }

  for (const path of ['/', '/reseau']) {
    // A browser that refuses it is not counted: what is left of the time is what counting costs.
    const browser = { ...known, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0' }
    const counted = await inTurns(
      { name: 'not counted', measure: () => measure(origin + path, { ...browser, 'sec-gpc': '1' }, turnSeconds) },
      { name: 'counted', measure: () => measure(origin + path, browser, turnSeconds) },
    )
    printTable(`Views of ${path} that are counted, in turns (wanted: 0.95 of those that are not)`, counted)
  }

  await Promise.all([bare.stop(), express.stop(), rendering.stop(), fastify.stop(), product.stop()])
  rmSync(folder, { recursive: true, force: true })
}

const lists = ['/api/networks/reseau', '/api/employees/employes', '/api/notes/notes']

async function readLists(origin: string) {
  const read = async (path: string) => [path, await (await fetch(origin + path)).text()] as const
  return Object.fromEntries(await Promise.all(lists.map(read)))
}

/** The data the home page shows. */
async function readHome(origin: string) {
  const read = async (path: string) => (await fetch(origin + path)).json() as Promise<unknown>
  return {
    messages: await read('/api/home_messages/home_message'),
    informations: await read('/api/home_informations/home_information'),
    availability: await read('/public_api/chat/available-users'),
    status: await read('/api/networks/reseau/status'),
  }
}

async function measure(url: string, headers: Record<string, string> = {}, duration = seconds) {
  const { requests, latency, non2xx, errors } = await autocannon({ url, connections, duration, headers })
  return { 'a second': requests.average, 'p50 (ms)': latency.p50, 'p99 (ms)': latency.p99, 'not 2xx': non2xx + errors }
}

type Measured = { name: string; measure: () => ReturnType<typeof measure> }

/**
 * Load from other processes varies, so the two are measured in turns and the median ratio counts. The first turn is a warm-up.
 */
async function inTurns(first: Measured, second: Measured) {
  const rows = []
  for (let turn = 0; turn <= turns; turn += 1) {
    const before = await first.measure()
    const after = await second.measure()
    if (turn === 0) continue
    rows.push({
      turn: String(turn),
      [first.name]: before['a second'],
      [second.name]: after['a second'],
      'p99 (ms)': after['p99 (ms)'],
      'not 2xx': after['not 2xx'],
      ratio: after['a second'] / before['a second'],
    })
  }
  const middle = rows.toSorted((one, other) => one.ratio - other.ratio)[Math.floor(turns / 2)]
  return middle ? [...rows, { ...middle, turn: 'the middle one' }] : rows
}

function against<T extends { 'a second': number }>(rows: T[]) {
  const first = rows[0]?.['a second'] ?? Number.NaN
  return rows.map((row) => ({ ...row, ratio: row['a second'] / first }))
}
