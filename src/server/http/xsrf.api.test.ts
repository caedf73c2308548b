import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { sessionCookie, xsrfCookie, xsrfHeader } from './xsrf.ts'

const path = '/api/networks/reseau'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('a write without the right token', () => {
  test('is rejected without the header', async () => {
    const staff = await product.signIn()
    const received = await staff.post(path, { nom: 'x' }, { headers: { [xsrfHeader]: '' } })
    expect(received.status).toBe(403)
    expect(received.headers.get('content-type')).toContain('application/problem+json')
  })

  test('is rejected with a forged pair', async () => {
    const staff = await product.signIn()
    const session = staff.cookies.get(sessionCookie) ?? ''
    const signed = createHmac('sha256', 'a secret of the forger’s own').update(`xsrf\nbrowser\n${session}`).digest('base64url')
    for (const forged of ['same', 'same.same', `browser.${signed}`, '.', 'a.b.c']) {
      staff.cookies.set(xsrfCookie, forged)
      const received = await staff.post(path, { nom: 'x' }, { headers: { [xsrfHeader]: forged } })
      expect(received.status).toBe(403)
    }
  })

  test('is rejected with the token of another session', async () => {
    const staff = await product.signIn()
    const other = await product.signIn()
    const stolen = other.cookies.get(xsrfCookie) ?? ''
    staff.cookies.set(xsrfCookie, stolen)
    expect((await staff.post(path, { nom: 'x' }, { headers: { [xsrfHeader]: stolen } })).status).toBe(403)
  })

  test('is rejected with a token from before the sign-in', async () => {
    const client = await product.client()
    const before = client.cookies.get(xsrfCookie) ?? ''
    const user = await product.createUser()
    expect((await client.post('/api/auth/login', { username: user.username, password: testPassword })).status).toBe(200)
    expect(client.cookies.get(xsrfCookie)).not.toBe(before)
    const fresh = client.cookies.get(xsrfCookie) ?? ''
    client.cookies.set(xsrfCookie, before)
    expect((await client.post(path, { nom: 'x' }, { headers: { [xsrfHeader]: before } })).status).toBe(403)
    client.cookies.set(xsrfCookie, fresh)
    expect((await client.post(path, { nom: 'x' })).status).toBe(201)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is rejected for %s, also at an unknown address', async (method) => {
    const client = await product.client()
    for (const address of ['/api/nothing', '/public_api/chat/transcript']) {
      client.cookies.delete(xsrfCookie)
      expect((await client.send(method, address, {})).status).toBe(403)
    }
  })

  test('changes nothing', async () => {
    const staff = await product.signIn()
    const before = await staff.get(path)
    await staff.post(path, { nom: 'Forged' }, { headers: { [xsrfHeader]: 'forged' } })
    expect((await staff.get(path)).text).toBe(before.text)
  })
})

describe('a write from another site', () => {
  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['no origin that can be named', { origin: 'null' }],
    ['what the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister of the site', { 'sec-fetch-site': 'same-site' }],
  ])('is rejected with its token: %s', async (_name, headers) => {
    const staff = await product.signIn()
    expect((await staff.post(path, { nom: 'x' }, { headers })).status).toBe(403)
  })

  test('is rejected as a native form', async () => {
    const staff = await product.signIn()
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const received = await staff.post(path, undefined, { raw: 'nom=x', headers: { 'content-type': type } })
      expect(received.status).toBe(415)
    }
  })
})

describe('the token', () => {
  test('is sent to browsers without one, readable by script, and reused', async () => {
    const response = await fetch(`${product.origin}${path}`)
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]+\.[\w-]+; Path=\/; SameSite=Lax$/)
    const again = await fetch(`${product.origin}${path}`, { headers: { cookie: cookie.split(';', 1)[0] ?? '' } })
    expect(again.headers.getSetCookie()).toEqual([])
  })

  test('is Secure over https', async () => {
    const secure = await startTestApp({ environment: { PUBLIC_URL: 'https://www.example.com' } })
    try {
      const response = await fetch(`${secure.origin}${path}`)
      expect(response.headers.getSetCookie()[0]).toContain('Secure')
    } finally {
      await secure.stop()
    }
  })
})
