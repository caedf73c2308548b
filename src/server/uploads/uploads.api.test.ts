import { existsSync, readdirSync } from 'node:fs'
import { request as openRequest } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from '#src/app/app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { everyRight, startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { createTestClient } from '#src/app/testing/test-client.ts'
import { groups } from '#src/features/people/server/table.ts'
import { applyRetention } from '#src/features/privacy/server/retention.ts'
import { path as recordingsPath, someCall } from '#src/features/recordings/testing/calls.ts'
import { offsetHeader, pieceType } from '#src/lib/uploads.ts'
import type { UploadState } from '#src/lib/uploads.ts'
import { uploadBytesPerOwner, uploadFolder, uploadsPerOwner } from './uploads.ts'
import { uploads } from './uploads-table.ts'

let product: TestApp
let staff: TestClient
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
})
afterAll(() => product.stop())

const path = '/api/uploads'
const filesOf = () => (existsSync(uploadFolder(product.app.config)) ? readdirSync(uploadFolder(product.app.config)) : [])

async function start(client: TestClient, name: string, bytes: number, purpose = 'recordings') {
  const { status, body } = await client.post<UploadState>(path, { purpose, name, bytes })
  expect(status).toBe(201)
  return body.id_upload
}

type Answer = UploadState & { detail?: string }

async function sendPiece(client: TestClient, id: string, offset: number, content: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${client.origin}${path}/${id}`, {
    method: 'PATCH',
    headers: { ...headersOf(client), 'content-type': pieceType, [offsetHeader]: String(offset) },
    body: content,
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

const headersOf = (client: TestClient) => ({
  origin: client.origin,
  cookie: client.cookieHeader(),
  'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
})

/** Sends the first bytes of a piece, then loses the connection. */
async function breakOff(client: TestClient, id: string, content: Uint8Array, sent: number) {
  const request = openRequest(`${client.origin}${path}/${id}`, {
    method: 'PATCH',
    headers: { ...headersOf(client), 'content-type': pieceType, 'content-length': content.length, [offsetHeader]: '0' },
  })
  const closed = new Promise((resolve) => void request.on('error', resolve))
  request.write(content.subarray(0, sent))
  await vi.waitFor(async () => expect(await offsetOf(client, id)).toBe(sent), { timeout: 30_000 })
  request.destroy()
  await closed
}

const offsetOf = async (client: TestClient, id: string) => (await client.get<UploadState>(`${path}/${id}`)).body.offset

async function take(client: TestClient, id: string) {
  const form = new FormData()
  form.append('upload', id)
  return client.post<{ id_recording: number; detail?: string }>(recordingsPath, form)
}

async function download(client: TestClient, id: number) {
  const response = await fetch(`${client.origin}${recordingsPath}/${id}/download`, { headers: headersOf(client) })
  return Buffer.from(await response.arrayBuffer())
}

const longCall = () => someCall({ seconds: 400 })

test('an upload that breaks off goes on where it was, and the file is the one that was sent', async () => {
  const { name, content } = longCall()
  expect(content.length).toBeGreaterThan(6_000_000)
  const id = await start(staff, name, content.length)
  await breakOff(staff, id, content, 3_000_001)
  const rest = await sendPiece(staff, id, 3_000_001, content.slice(3_000_001))
  expect(rest).toEqual({ status: 200, body: { id_upload: id, offset: content.length, bytes: content.length } })
  const { status, body } = await take(staff, id)
  expect(status).toBe(201)
  expect((await download(staff, body.id_recording)).equals(content)).toBe(true)
  // The file of the upload is gone once the recording is stored.
  expect(filesOf()).not.toContain(id)
  expect((await staff.get(`${path}/${id}`)).status).toBe(404)
})

test('a piece at the wrong offset is refused with the right one, and nothing of it is stored', async () => {
  const content = new Uint8Array(2_000)
  const id = await start(staff, 'a.wav', 4_000)
  await sendPiece(staff, id, 0, content)
  for (const offset of [0, 1_999, 2_001]) {
    const { status, body } = await sendPiece(staff, id, offset, content)
    expect([status, body.offset]).toEqual([409, 2_000])
  }
  expect(await offsetOf(staff, id)).toBe(2_000)
  expect((await staff.send('PATCH', `${path}/${id}`, {})).status).toBe(400)
})

test('nobody else reads, continues, takes or deletes an upload', async () => {
  const { name, content } = someCall()
  const id = await start(staff, name, content.length)
  const other = await product.signIn()
  expect((await other.get(`${path}/${id}`)).status).toBe(404)
  expect((await sendPiece(other, id, 0, content.slice())).status).toBe(404)
  expect((await other.delete(`${path}/${id}`)).status).toBe(404)
  await sendPiece(staff, id, 0, content.slice())
  expect((await take(other, id)).status).toBe(404)
  expect((await (await product.client()).get(`${path}/${id}`)).status).toBe(401)
  // It is still that of its owner, in a new session too.
  expect((await take(staff, id)).status).toBe(201)
})

test('an upload needs the right of the route that takes the file, at its start and at each piece', async () => {
  const client = await product.signIn()
  const id = await start(client, 'a.wav', 10)
  const isOfClient = eq(groups.id, client.user.groupId)
  await product.db
    .update(groups)
    .set({ rights: { ...everyRight, recordings: 'read_only' } })
    .where(isOfClient)
  expect((await client.post(path, { purpose: 'recordings', name: 'a.wav', bytes: 10 })).status).toBe(403)
  expect((await sendPiece(client, id, 0, new Uint8Array(10))).status).toBe(403)
  expect(await offsetOf(client, id)).toBe(0)
  expect((await staff.post(path, { purpose: 'elsewhere', name: 'a.wav', bytes: 10 })).status).toBe(400)
})

test('an upload is refused without the token of the page', async () => {
  const headers = { ...headersOf(staff), 'x-xsrf-token': 'wrong', 'content-type': 'application/json' }
  const body = JSON.stringify({ purpose: 'recordings', name: 'a.wav', bytes: 10 })
  expect((await fetch(product.origin + path, { method: 'POST', headers, body })).status).toBe(403)
})

test('a file over the limit of its route, or longer than announced, is refused', async () => {
  const tooLarge = await staff.post<Answer>(path, { purpose: 'recordings', name: 'a.wav', bytes: 256 * 1024 ** 2 + 1 })
  expect(tooLarge.status).toBe(413)
  const id = await start(staff, 'a.wav', 1_000)
  expect((await sendPiece(staff, id, 0, new Uint8Array(1_001))).status).toBe(413)
  expect(await offsetOf(staff, id)).toBeLessThanOrEqual(1_000)
})

test('the route that takes an upload checks its content as it does that of a form', async () => {
  const id = await start(staff, someCall().name, 12)
  expect((await take(staff, id)).status).toBe(409)
  await sendPiece(staff, id, 0, new TextEncoder().encode('<html>hello<'))
  expect((await take(staff, id)).status).toBe(415)
  // Refused for good: it is not kept.
  expect(filesOf()).not.toContain(id)
})

test('an upload for another purpose is not taken', async () => {
  const { name, content } = someCall()
  const id = await start(staff, name, content.length, 'imports')
  await sendPiece(staff, id, 0, content.slice())
  expect((await take(staff, id)).status).toBe(404)
})

test('unfinished uploads of one person are limited, and idle ones make room', async () => {
  const client = await product.signIn()
  const first = await start(client, 'a.txt', 10)
  for (let count = 1; count < uploadsPerOwner; count += 1) await start(client, 'a.txt', 10)
  const input = { purpose: 'imports', name: 'a.txt', bytes: 10 }
  expect((await client.post(path, input)).status).toBe(409)
  const idleSince = new Date(Date.now() - 2 * 3_600_000)
  await product.db.update(uploads).set({ updatedAt: idleSince }).where(eq(uploads.id, first))
  expect((await client.post(path, input)).status).toBe(201)
  expect(filesOf()).not.toContain(first)
})

test('the unfinished uploads of one person are limited in bytes', async () => {
  const client = await product.signIn()
  await product.db
    .insert(uploads)
    .values({ id: 'large', owner: `user:${client.user.id}`, purpose: 'imports', name: 'a', bytes: uploadBytesPerOwner })
  const { status, body } = await client.post<Answer>(path, { purpose: 'imports', name: 'a.txt', bytes: 1 })
  expect([status, body.detail]).toEqual([409, expect.stringContaining('too many unfinished uploads')])
})

test('an upload can be stopped, and one without bytes for a day is deleted at night', async () => {
  const stopped = await start(staff, 'a.wav', 1_000)
  expect((await staff.delete(`${path}/${stopped}`)).status).toBe(204)
  const [kept, old] = [await start(staff, 'a.wav', 1_000), await start(staff, 'a.wav', 1_000)]
  const before = new Date(Date.now() - 25 * 3_600_000)
  await product.db.update(uploads).set({ updatedAt: before }).where(eq(uploads.id, old))
  await applyRetention(product.app)
  expect(filesOf()).not.toContain(stopped)
  expect(filesOf()).not.toContain(old)
  expect(filesOf()).toContain(kept)
})

test('an upload goes on after a restart of the server', async () => {
  const { name, content } = longCall()
  const id = await start(staff, name, content.length)
  await breakOff(staff, id, content, 1_234_567)
  await product.app.close()
  const app = await buildApp(product.app.config, product.database, 'none')
  try {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const client = createTestClient(app.listeningOrigin)
    for (const [key, value] of staff.cookies) client.cookies.set(key, value)
    expect(await offsetOf(client, id)).toBe(1_234_567)
    expect((await sendPiece(client, id, 1_234_567, content.slice(1_234_567))).status).toBe(200)
    const { status, body } = await take(client, id)
    expect(status).toBe(201)
    expect((await download(client, body.id_recording)).equals(content)).toBe(true)
  } finally {
    // Connections that fetch opened and did not use would be waited for.
    app.server.closeAllConnections()
    await app.close()
  }
})
