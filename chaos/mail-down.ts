import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { startTestSmtp } from '../src/server/testing/test-smtp.ts'
import { addressOf, pause, trusting } from './clients.ts'
import type { Row } from './row.ts'

const forms = 500
const kills = 5
/** Mails that leave side by side: a kill can interrupt each of them after the mail server took it. */
const sideBySide = 4
const timeoutMs = 15 * 60_000

export const mailDown: Row = {
  name: 'mail',
  fault: `mail server down, refusing with 4xx, or answering a byte a minute, for ${forms} forms; the product killed ${kills} times while mail leaves`,
  async run() {
    const smtp = await startTestSmtp()
    const faulty = await startFaultyMailProxy(smtp.url)
    const product = await startProduct({ ...trusting, SMTP_URL: faulty.url })
    const send = await createSender(product.address())
    const times = { good: [] as number[], down: [] as number[], '4xx': [] as number[], slow: [] as number[] }
    let sent = 0
    for (const [fault, share] of [
      ['good', 50],
      ['down', 150],
      ['4xx', 150],
      ['slow', 150],
    ] as const) {
      faulty.setMood(fault)
      smtp.setMood(fault === '4xx' ? 451 : 'accept')
      for (let index = 0; index < share; index += 1) times[fault].push(await send((sent += 1)))
    }
    smtp.setMood('accept')
    faulty.setMood('good')

    const distinct = () => new Set(smtp.received.map((mail) => mail.messageId)).size
    const startedAt = performance.now()
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = Math.min(forms - 1, distinct() + 40)
      while (distinct() < due && performance.now() - startedAt < timeoutMs) await pause(20)
      await product.restart('SIGKILL')
    }
    while (distinct() < forms && performance.now() - startedAt < timeoutMs) await pause(100)
    const lasted = performance.now() - startedAt
    // A duplicate would be sent in the next round of the queue.
    await pause(5_000)
    const doubles = smtp.received.length - distinct()
    await product.stop()
    faulty.stop()
    await smtp.stop()
    const p50 = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
    const slowest = Math.max(p50(times.down), p50(times['4xx']), p50(times.slow))
    return {
      good: distinct() === forms && doubles <= kills * sideBySide && slowest < p50(times.good) * 2 + 20,
      figures: {
        forms: sent,
        'mails that arrived': distinct(),
        'arrived twice': doubles,
        kills,
        'form, mail server good: p50 (ms)': Math.round(p50(times.good)),
        'down (ms)': Math.round(p50(times.down)),
        '4xx (ms)': Math.round(p50(times['4xx'])),
        'a byte a minute (ms)': Math.round(p50(times.slow)),
        'all there after (s)': Math.round(lasted / 1_000),
      },
    }
  },
}

async function createSender(origin: string) {
  const client = await createTestClient(origin).arrive()
  return async (number: number) => {
    const body = {
      honey: '',
      name: `Ana ${number}`,
      email: 'ana@example.com',
      phone: '418-555-0101',
      message: `Message ${number}`,
    }
    const startedAt = performance.now()
    const { status, text } = await client.post('/api/mailer/contact', body, { headers: { 'x-forwarded-for': addressOf(number) } })
    if (status !== 200) throw new Error(`the form was refused: ${text}`)
    return performance.now() - startedAt
  }
}

type Fault = 'good' | '4xx' | 'down' | 'slow'

/** A proxy in front of the mail server: forwards everything, disconnects, or responds with a byte a minute. */
async function startFaultyMailProxy(target: string) {
  const { port } = new URL(target)
  let fault: Fault = 'good'
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    if (fault === 'down') return socket.destroy()
    if (fault === 'slow') {
      const drip = setInterval(() => socket.write('2'), 60_000)
      return socket.on('close', () => clearInterval(drip))
    }
    const upstream = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy())
    return socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMood: (next: Fault) => {
      fault = next
    },
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
