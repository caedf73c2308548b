import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { openStorage, removeOrphanFiles } from './server/storage.ts'
import { path, someCall, upload } from './testing/calls.ts'

let product: TestApp
let store: S3rver
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-s3-'))
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'calls', configs: [] }],
  })
  const { port } = await store.run()
  // The test server accepts only these keys, and verifies each signature with them.
  const address = `http://S3RVER:S3RVER@127.0.0.1:${port}/calls/guichet?region=ca-central-1`
  product = await startTestApp({ environment: { RECORDINGS_S3_URL: address } })
})
afterAll(async () => {
  await product.stop()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('stores a recording in S3, sends it in full and in ranges, and deletes it', async () => {
  const staff = await product.signIn({ recordings: 'administrator' })
  const call = someCall({ seconds: 3 })
  const { status, body } = await upload(staff, call)
  expect(status).toBe(201)
  const address = `${path}/${body.id_recording}`
  const request = async (headers: Record<string, string>) => {
    const response = await fetch(`${product.origin}${address}/audio`, { headers: { cookie: staff.cookieHeader(), ...headers } })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const whole = await request({})
  expect(whole.status).toBe(200)
  expect(whole.bytes.equals(call.content)).toBe(true)
  const part = await request({ range: 'bytes=1000-1999' })
  expect(part.status).toBe(206)
  expect(part.bytes.equals(call.content.subarray(1_000, 2_000))).toBe(true)
  expect((await request({ range: `bytes=${call.content.length}-` })).status).toBe(416)
  expect((await staff.delete(address)).status).toBe(204)
  const storage = openStorage(product.app.config)
  expect(await removeOrphanFiles({ db: product.db, storage })).toBe(0)
  await expect(storage.open('2026/11/none.wav', null)).rejects.toThrow('404')
  await expect(storage.remove('2026/11/none.wav')).resolves.toBeUndefined()
})

test('leaves no row where the store rejects our keys', async () => {
  const { port } = new URL(product.app.config.recordingsS3Url ?? '')
  const wrong = openStorage({ dataDir: folder, recordingsS3Url: `http://S3RVER:wrong@127.0.0.1:${port}/calls` })
  await expect(wrong.open('x.wav', null)).rejects.toThrow('403')
})
