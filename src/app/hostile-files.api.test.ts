import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChatSockets } from '#src/features/chat/testing.ts'
import { xsrfCookie, xsrfHeader } from '#src/server/http/xsrf.ts'
import { makeTone } from '#src/features/recordings/server/sound.ts'
import { someCall } from '#src/features/recordings/testing/calls.ts'
import { collectGarbage } from '#src/server/testing/collect-garbage.ts'
import { makeOpusBomb, makePdfBomb, makePngBomb } from '#src/server/testing/hostile-files.ts'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'
import type { TestClient } from './testing/test-client.ts'
import { watchLoop } from '#src/server/testing/watch-loop.ts'

const tenMegabytes = 10 * 1024 * 1024
/**
 * Longest CPU time of the main thread at once, in times that of reading 10 MB; a file of that size is also written into the
 * embedded database at once.
 */
const most = { large: 15, other: 6 }
const polyglot = '<!doctype html><script>alert(1)</script>'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let staff: TestClient
let visitor: TestClient
let technician: Awaited<ReturnType<typeof chats.openTechnician>>
let key: string
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
  staff = await product.signIn()
  visitor = await product.client()
  const { body } = await staff.get<object>('/api/chat/settings')
  await staff.put('/api/chat/settings', { ...body, attachments_enabled: true })
  technician = await chats.openTechnician()
  key = (await chats.openChat(technician)).key
  // Warm-up: the first use of a module loads it.
  await send(attach('a.png', await makePngBomb(10, 10)))
  await send(photo(await makePngBomb(10, 10)))
  await send(await recording(someCall()))
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

type Sending = { path: string; headers: Record<string, string>; body: Uint8Array }

/** Sends from another thread, so that only the server's work is measured. */
async function send({ path, headers, body }: Sending): Promise<number> {
  const code = `const { parentPort, workerData: { url, headers, body } } = require('node:worker_threads')
    fetch(url, { method: 'POST', headers, body }).then(async (answer) => { await answer.text(); parentPort.postMessage(answer.status) })`
  const worker = new Worker(code, { eval: true, workerData: { url: product.origin + path, headers, body } })
  const [status] = (await once(worker, 'message')) as [number]
  return status
}

function headersOf(client: TestClient, type: string) {
  const token = client.cookies.get(xsrfCookie) ?? ''
  return { origin: client.origin, cookie: client.cookieHeader(), [xsrfHeader]: token, 'content-type': type }
}

function asJson(client: TestClient, path: string, body: object): Sending {
  return { path, headers: headersOf(client, 'application/json'), body: Buffer.from(JSON.stringify(body)) }
}

function attach(name: string, bytes: Buffer) {
  const data = bytes.toString('base64')
  return asJson(visitor, '/public_api/chat/attach', { id_chat: key, client_message_id: randomUUID(), name, data })
}

function photo(bytes: Buffer) {
  const person = {
    nom: 'Zoé',
    departement: 'VENTES',
    sousdepartement: 'VENTES',
    titre: 'a',
    titre_en: 'a',
    email: 'z@example.com',
  }
  const new_photo = `data:image/png;base64,${bytes.toString('base64')}`
  const about = { description: 'a', description_en: 'a', new_photo_path: 'a.png' }
  return asJson(staff, '/api/employees/employes', { ...person, ...about, new_photo })
}

async function recording(...parts: { name: string; content: Buffer | string }[]): Promise<Sending> {
  const form = new FormData()
  for (const { name, content } of parts) form.append('file', new Blob([Uint8Array.from(Buffer.from(content))]), name)
  const response = new Response(form)
  const headers = headersOf(staff, response.headers.get('content-type') ?? '')
  return { path: '/api/recordings/recordings', headers, body: new Uint8Array(await response.arrayBuffer()) }
}

const sound = (content: Buffer) => recording({ name: someCall().name, content })

function callTable() {
  const row = (at: number) => `call-${at}.wav;2026-11-20T10:00:00;in;4185550101;101;"Zoé ""Roy"", bureau ${at}"`
  const content = ['file;date;direction;caller;callee;agent', ...Array.from({ length: 10_000 }, (_, at) => row(at))].join('\n')
  return recording(someCall(), { name: 'calls.csv', content })
}

async function measure(sending: Sending) {
  const loop = watchLoop(product.origin)
  const status = await send(sending)
  return { status, ...(await loop.stop()) }
}

/** CPU time in milliseconds that this machine takes now to read 10 MB out of a message, and to write them for a database. */
function timeReading() {
  const body = JSON.stringify({ data: randomBytes(tenMegabytes).toString('base64') })
  const times = 5
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) {
    const { data } = JSON.parse(body) as { data: string }
    expect(Buffer.from(data, 'base64').toString('hex')).toHaveLength(2 * tenMegabytes)
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000 / times
}

const garbage = (head: Buffer, size: number) => Buffer.concat([head, randomBytes(size)])
const mp3Head = Buffer.from([0xff, 0xfb, 0x90, 0x00])

describe('while a hostile file is processed, other requests are served', () => {
  test.each([
    ['a PDF of 30 KB that inflates to 32 MB', async () => attach('a.pdf', makePdfBomb()), 200],
    ['a PDF of 10 MB', async () => attach('b.pdf', garbage(Buffer.from('%PDF-1.7\n'), tenMegabytes - 100)), 200],
    ['a text of 10 MB', async () => attach('a.txt', Buffer.alloc(tenMegabytes - 100, 'l’été ')), 200],
    ['a text of 10 MB of spaces', async () => attach('b.txt', Buffer.alloc(tenMegabytes - 100, ' ')), 200],
    ['a picture of 50,000 x 50,000', async () => attach('a.png', await makePngBomb(50_000, 50_000)), 422],
    ['a picture just under the limit', async () => attach('b.png', await makePngBomb(6_300, 6_300)), 200],
    [
      'a PNG of noise',
      async () => attach('c.png', garbage(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 5e6)),
      422,
    ],
    ['an SVG', async () => attach('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')), 415],
    ['an SVG named PNG', async () => attach('a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 415],
    ['a page', async () => attach('a.pdf', Buffer.from(polyglot)), 415],
    ['a page behind a GIF’s first bytes', async () => attach('a.gif', Buffer.from(`GIF89a\u0001\0${polyglot}`)), 415],
    ['a program named JPEG', async () => attach('a.jpg', Buffer.from('MZ\u0090\0\u0003', 'latin1')), 415],
    ['an archive', async () => attach('a.txt', gzipSync(Buffer.alloc(tenMegabytes))), 415],
    ['a photo of 50,000 x 50,000', async () => photo(await makePngBomb(50_000, 50_000)), 422],
    ['a photo just under the limit', async () => photo(await makePngBomb(6_300, 6_300)), 201],
    ['two hours of silence in 130 KB of Opus', async () => sound(makeOpusBomb(240)), 422],
    ['a WAV of 30 MB', async () => sound(makeTone({ seconds: 1_800 })), 201],
    ['an MP3 of noise', async () => sound(garbage(mp3Head, tenMegabytes)), undefined],
    ['an Ogg of noise', async () => sound(garbage(Buffer.from('OggS\0\u0002OpusHead'), tenMegabytes)), 422],
    ['a table of 10,000 calls', async () => callTable(), 201],
    ['an archive named WAV', async () => sound(gzipSync(Buffer.alloc(tenMegabytes))), 415],
  ])('%s', { timeout: 120_000 }, async (_what, prepare, status) => {
    const sending = await prepare()
    const readings = [timeReading()]
    // The garbage of that reading would be collected during the measurement.
    collectGarbage()
    const result = await measure(sending)
    readings.push(timeReading())
    // Noise may contain valid frame headers.
    expect(status ? [status] : [201, 422]).toContain(result.status)
    expect(result.longestMs / Math.max(...readings)).toBeLessThan(sending.body.length > tenMegabytes ? most.large : most.other)
  })
})
