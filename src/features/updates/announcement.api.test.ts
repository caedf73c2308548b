import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/server/testing/test-app.ts'
import { startTestApp } from '#src/server/testing/test-app.ts'
import type { TestClient } from '#src/server/testing/test-client.ts'
import { signAnnouncement } from './server/announce-key.ts'

const path = '/api/updates/alert'
const words = { message: 'Nouvelle version', message_en: 'New version' }
const inMinutes = (minutes: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + minutes * 60_000).toISOString()
const alert = { ...words, next_update: inMinutes(60) }
const past = { ...words, next_update: inMinutes(-60) }

let product: TestApp
let administrator: TestClient
beforeAll(async () => {
  product = await startTestApp()
  administrator = await product.signIn({ updates: 'read_only' })
})
afterAll(() => product.stop())

describe('the announcement of the command', () => {
  const announce = (method: 'PUT' | 'DELETE', authorization: string, body?: object) =>
    fetch(`${product.origin}/api/updates/announcement`, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

  test('sets and removes the alert with the signature of this product', async () => {
    const { secret } = product.app.config
    expect((await announce('PUT', signAnnouncement(secret), alert)).status).toBe(200)
    expect((await administrator.get(path)).body).toMatchObject(alert)
    expect((await announce('PUT', signAnnouncement(secret), past)).status).toBe(400)
    expect((await announce('DELETE', signAnnouncement(secret))).status).toBe(204)
    expect((await administrator.get(path)).body).toBeNull()
  })

  test('is refused without it', async () => {
    const { secret } = product.app.config
    for (const wrong of [
      '',
      'Bearer x',
      signAnnouncement('another secret of at least 32 characters'),
      signAnnouncement(secret, Date.now() - 61_000),
      signAnnouncement(secret, Date.now() + 120_000),
      signAnnouncement(secret).replace(/\d(?=\.)/, (digit) => String((Number(digit) + 1) % 10)),
    ]) {
      expect((await announce('PUT', wrong, alert)).status).toBe(401)
      expect((await announce('DELETE', wrong)).status).toBe(401)
    }
    expect((await administrator.get(path)).body).toBeNull()
  })
})
