import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { signCommand } from './command-key.ts'

const path = '/api/updates/announcement'
const bodyOf = (message: string) =>
  JSON.stringify({ next_update: '2056-12-01T22:00:00Z', message, message_en: '', public: false, duration_minutes: 15 })
const json = { 'content-type': 'application/json' }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

type Signed = Parameters<typeof signCommand>[2]
const put: Signed = { method: 'PUT', path, body: bodyOf('one') }
const sign = (signed: Signed = put, now?: number) => signCommand(product.app.config.secret, 'announce-update', signed, now)

async function statusOf({ method = 'PUT', url = path, body = put.body, ...headers }: Record<string, string | undefined>) {
  const response = await fetch(product.origin + url, {
    method,
    headers: { ...json, ...(headers as Record<string, string>) },
    ...(body && { body }),
  })
  return response.status
}

describe('the key of a command', () => {
  test('works once', async () => {
    const authorization = sign()
    expect([await statusOf({ authorization }), await statusOf({ authorization })]).toEqual([200, 401])
    const many = sign()
    const together = await Promise.all(Array.from({ length: 20 }, () => statusOf({ authorization: many })))
    expect(together.filter((status) => status === 200)).toHaveLength(1)
  })

  test('works for the signed body only', async () => {
    expect(await statusOf({ authorization: sign(), body: bodyOf('two') })).toBe(401)
    expect(await statusOf({ authorization: sign(), body: `${put.body} ` })).toBe(401)
    expect(await statusOf({ authorization: sign({ method: 'PUT', path }) })).toBe(401)
    expect(await statusOf({ authorization: sign({ ...put, body: 'a'.repeat(200_000) }), body: 'a'.repeat(200_000) })).toBe(413)
  })

  test('works for the signed method and address only', async () => {
    expect(await statusOf({ authorization: sign({ method: 'DELETE', path }) })).toBe(401)
    expect(await statusOf({ authorization: sign({ ...put, path: '/api/backup' }) })).toBe(401)
    expect(await statusOf({ authorization: sign(), url: `${path}?again` })).toBe(401)
    expect(await statusOf({ authorization: sign(), url: '/api/%75pdates/announcement' })).toBe(401)
    const response = await fetch(product.origin + path, {
      method: 'DELETE',
      headers: { authorization: sign({ method: 'DELETE', path }) },
    })
    expect(response.status).toBe(204)
  })

  test('works for a minute', async () => {
    for (const now of [Date.now() - 61_000, Date.now() + 65_000]) {
      expect(await statusOf({ authorization: sign(put, now) })).toBe(401)
    }
  })

  test('works on the same machine only, whatever the headers', async () => {
    const send = (remoteAddress: string, headers: Record<string, string> = {}) =>
      product.app.inject({
        method: 'PUT',
        url: path,
        payload: put.body ?? '',
        remoteAddress,
        headers: { ...json, authorization: sign(), ...headers },
      })
    for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
      expect((await send(address)).statusCode, address).toBe(200)
    }
    for (const address of ['198.51.100.7', '10.0.0.1', '::ffff:198.51.100.7', '2001:db8::1', '1127.0.0.1']) {
      expect((await send(address)).statusCode, address).toBe(401)
      expect((await send(address, { 'x-forwarded-for': '127.0.0.1' })).statusCode, address).toBe(401)
    }
    // A proxy on the same machine forwards remote clients.
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      expect((await send('127.0.0.1', { [name]: '127.0.0.1' })).statusCode, name).toBe(401)
    }
  })
})

test('every command route checks the key and the body', () => {
  const routes = product.app.declaredRoutes.filter(({ config }) => String(config?.access).startsWith('command '))
  expect(routes.length).toBeGreaterThan(3)
  for (const route of routes) {
    const { preParsing } = route as { preParsing?: { name: string }[] }
    expect(
      preParsing?.map(({ name }) => name),
      route.url,
    ).toContain('checkCommandBody')
  }
})
