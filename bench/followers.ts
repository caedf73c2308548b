import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { addressOf, pause, trusting } from '../chaos/clients.ts'
import type { Product } from '../e2e/product.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { memoryOf } from './child.ts'
import { printTable } from './table.ts'

/** Files that a process needs besides its streams. */
const otherFiles = 1_000
const atOnce = 200
const longestMs = 60_000
const changes = 5

type Streams = {
  open: Set<Socket>
  /** How long after its change each event came, in milliseconds. */
  delays: number[]
  changedAt: number
  isOver: boolean
}

/**
 * Followers of the status page: what a live stream takes, when a change is seen, and how fast all are back after a restart.
 * `FOLLOWERS` says how many; one process holds no more than it may open files.
 */
export async function benchFollowers() {
  const most = Number(/Max open files\s+\d+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) - otherFiles
  const wanted = Math.min(Number(process.env.FOLLOWERS ?? 100_000), most)
  const product = await startProduct({ ...trusting, SESSION_SECRET: 'b'.repeat(64) })
  const streams: Streams = { open: new Set(), delays: [], changedAt: 0, isOver: false }
  try {
    const before = memoryOf(product.pid())
    for (let number = 0; number < wanted; number += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, wanted - number) }, (_, at) => follow(product, number + at, streams)),
      )
    await pause(5_000)
    const each = (memoryOf(product.pid()) - before) / wanted
    const seen = await change(product, streams, wanted)
    const returned = await restart(product, streams, wanted)
    printTable('Followers of the status page (wanted: 95 % back within 30 s)', [
      { streams: streams.open.size, 'each (KB)': each / 1_024, ...seen, ...returned },
    ])
  } finally {
    streams.isOver = true
    for (const socket of streams.open) socket.destroy()
    await product.stop()
  }
}

/** Opens a stream as a browser does, and again after it broke; resolves once the first is there. */
function follow(product: Product, number: number, streams: Streams) {
  return new Promise<void>((resolve, reject) => {
    let retryMs = 0
    let last = ''
    const open = () => {
      const socket = connect(Number(new URL(product.address()).port), '127.0.0.1')
      const again = last && `Last-Event-ID: ${last}\r\n`
      socket.write(`GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${addressOf(number)}\r\n${again}\r\n`)
      socket.on('data', (data) => {
        const text = data.toString()
        retryMs = Number(/retry: (\d+)/.exec(text)?.[1] ?? retryMs)
        last = /id: (\d+)/.exec(text)?.[1] ?? last
        if (text.includes('event: hello')) {
          streams.open.add(socket)
          resolve()
        }
        if (text.includes('event: changed')) streams.delays.push(performance.now() - streams.changedAt)
      })
      socket.on('error', (error) => (retryMs > 0 ? undefined : reject(error)))
      socket.on('close', () => {
        streams.open.delete(socket)
        // As long as the server said; at once refused, a browser waits again.
        if (!streams.isOver) setTimeout(open, retryMs)
      })
    }
    open()
  })
}

/** A notice is published: when each of them learns it, and what another visitor waits for meanwhile. */
async function change(product: Product, streams: Streams, wanted: number) {
  const client = await createTestClient(product.address()).arrive()
  const { status, text } = await client.post('/api/auth/login', administrator)
  if (status !== 200) throw new Error(`sign-in refused: ${text}`)
  const delays: number[] = []
  const waits: number[] = []
  for (let at = 0; at < changes; at += 1) {
    streams.delays = []
    streams.changedAt = performance.now()
    const asking = setInterval(() => {
      const askedAt = performance.now()
      void fetch(`${product.address()}/healthz`).then(() => waits.push(performance.now() - askedAt))
    }, 20)
    await client.post('/api/notes/notes', { note_date: '', note: `Avis ${at}`, note_en: `Notice ${at}` })
    while (streams.delays.length < wanted && performance.now() - streams.changedAt < longestMs) await pause(50)
    clearInterval(asking)
    if (streams.delays.length < wanted) throw new Error(`${streams.delays.length} of ${wanted} learned of a change`)
    delays.push(...streams.delays)
  }
  delays.sort((one, other) => one - other)
  return {
    'change seen, p50 (ms)': delays[Math.floor(delays.length / 2)] ?? Number.NaN,
    'by the last (ms)': delays.at(-1) ?? Number.NaN,
    'healthz meanwhile, most (ms)': Math.max(...waits),
  }
}

/** From the signal that ends the server until 95 % of the streams are open again. */
async function restart(product: Product, streams: Streams, wanted: number) {
  const startedAt = performance.now()
  await product.restart('SIGTERM')
  const readyAt = performance.now()
  while (streams.open.size < wanted * 0.95 && performance.now() - startedAt < longestMs) await pause(50)
  return { 'ready again (s)': (readyAt - startedAt) / 1_000, '95 % back (s)': (performance.now() - startedAt) / 1_000 }
}
