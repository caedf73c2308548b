import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#src/features/people/server/table.ts'
import { noteContent } from '#src/features/notes/server/service.ts'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'

const path = '/api/notes/notes'
const author = { userId: null, name: 'test', address: '' }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
  for (let number = 0; number < 20; number += 1) {
    const note = {
      note_date: `${number} mai`,
      note: 'La fibre est rétablie. '.repeat(20),
      note_en: '',
      publie: true,
      opens_on: null,
      closes_on: null,
    }
    await noteContent.create(product.app, author, note)
  }
})
afterAll(() => product.stop())

/** Node's `fetch` decodes by itself. */
function getRaw(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const asked = request(product.origin + address, { headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

test('a list is compressed as the client asks, and varies by that', async () => {
  const cookie = (await product.client()).cookieHeader()
  const plain = await getRaw(path, { cookie })
  const brotli = await getRaw(path, { cookie, 'accept-encoding': 'gzip, br' })
  const zipped = await getRaw(path, { cookie, 'accept-encoding': 'gzip' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(zipped.headers['content-encoding']).toBe('gzip')
  for (const { headers } of [plain, brotli, zipped]) expect(headers.vary).toContain('accept-encoding')
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
  expect(brotli.body.length).toBeLessThan(plain.body.length / 5)
  expect(brotli.headers['content-length']).toBe(String(brotli.body.length))
  // The same again, now from the stored bytes.
  expect((await getRaw(path, { cookie, 'accept-encoding': 'br' })).body.equals(brotli.body)).toBe(true)
  const etag = String(brotli.headers.etag)
  const unchanged = await getRaw(path, { cookie, 'accept-encoding': 'br', 'if-none-match': etag })
  expect([unchanged.status, unchanged.body.length]).toEqual([304, 0])
})

test('a small response is not', async () => {
  const small = await getRaw('/api/networks/reseau/status', { 'accept-encoding': 'br' })
  expect(small.headers['content-encoding']).toBeUndefined()
})

test('what a session may read is compressed for our own pages alone, and credentials never', async () => {
  const staff = await product.signIn()
  const cookie = staff.cookieHeader()
  const encodingOf = async (address: string, site?: string) => {
    const found = await getRaw(address, { cookie, 'accept-encoding': 'br', ...(site && { 'sec-fetch-site': site }) })
    expect(found.status).toBe(200)
    return found.headers['content-encoding']
  }
  const entries = '/api/audit/entries'
  expect(await encodingOf(entries, 'same-origin')).toBe('br')
  for (const site of ['cross-site', 'same-site', 'none', undefined]) expect(await encodingOf(entries, site)).toBeUndefined()
  // Long enough that only its address decides.
  await product.db
    .update(users)
    .set({ displayName: 'Zoé '.repeat(500) })
    .where(eq(users.id, staff.user.id))
  expect(await encodingOf('/api/auth/me', 'same-origin')).toBeUndefined()
})
