import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { signCommand } from '#src/server/http/command-key.ts'
import { announceCommand } from './server/service.ts'

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
  const address = '/api/updates/announcement'
  type Make = { secret?: string; now?: number }
  const announce = (method: 'PUT' | 'DELETE', body?: object, { secret = product.app.config.secret, now }: Make = {}) => {
    const signed = { method, path: address, ...(body && { body: JSON.stringify(body) }) }
    return send(method, signCommand(secret, announceCommand, signed, now), body)
  }
  const send = (method: 'PUT' | 'DELETE', authorization: string, body?: object) =>
    fetch(product.origin + address, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

  test('sets and removes the alert with the signature of this product', async () => {
    expect((await announce('PUT', alert)).status).toBe(200)
    expect((await administrator.get(path)).body).toMatchObject(alert)
    expect((await announce('PUT', past)).status).toBe(400)
    expect((await announce('DELETE')).status).toBe(204)
    expect((await administrator.get(path)).body).toBeNull()
  })

  test('is rejected without it', async () => {
    for (const wrong of ['', 'Bearer x']) {
      expect((await send('PUT', wrong, alert)).status).toBe(401)
      expect((await send('DELETE', wrong)).status).toBe(401)
    }
    const makes = [
      { secret: 'another secret of at least 32 characters' },
      { now: Date.now() - 61_000 },
      { now: Date.now() + 120_000 },
    ]
    for (const wrong of makes) {
      expect((await announce('PUT', alert, wrong)).status).toBe(401)
      expect((await announce('DELETE', undefined, wrong)).status).toBe(401)
    }
    expect((await administrator.get(path)).body).toBeNull()
  })
})
