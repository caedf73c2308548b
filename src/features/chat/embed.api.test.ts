import { Script } from 'node:vm'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { ChatSettings } from './contract.ts'

const guest = 'https://www.example.com'
const stranger = 'https://other.example.com'
const available = '/public_api/chat/available-users'
const key = 'a'.repeat(32)

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
  const supervisor = await product.signIn({ chat: 'administrator' })
  const { body } = await supervisor.get<ChatSettings>('/api/chat/settings')
  await supervisor.put('/api/chat/settings', { ...body, embed_origins: [guest] })
})
afterAll(() => product.stop())

const call = (path: string, method: string, headers: Record<string, string>, body?: object) =>
  fetch(product.origin + path, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    body: body && JSON.stringify(body),
  })

describe('the public chat API', () => {
  test('answers the pages of an allowed site, without credentials', async () => {
    const answer = await call(available, 'GET', { origin: guest })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(guest)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toContain('origin')
    const asked = { origin: guest, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const before = await call('/public_api/chat/transcript', 'OPTIONS', asked)
    expect(before.status).toBe(204)
    expect(before.headers.get('access-control-allow-headers')).toContain('content-type')
    expect(
      await call('/public_api/chat/transcript', 'POST', { origin: guest }, { id_chat: key }).then(({ status }) => status),
    ).toBe(404)
    expect(
      await call('/public_api/chat/client-leave', 'POST', { origin: guest }, { id_chat: key }).then(({ status }) => status),
    ).toBe(404)
  })

  test('sends no CORS headers to other sites', async () => {
    const answer = await call(available, 'GET', { origin: stranger })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const before = await call('/public_api/chat/transcript', 'OPTIONS', { origin: stranger })
    expect(before.headers.get('access-control-allow-methods')).toBeNull()
    for (const path of ['/public_api/chat/transcript', '/public_api/chat/client-leave']) {
      expect((await call(path, 'POST', { origin: stranger }, { id_chat: key })).status).toBe(403)
    }
  })

  test('opens no other door to an allowed site', async () => {
    const answer = await call('/api/networks/reseau/status', 'GET', { origin: guest })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect((await call('/api/mailer/contact', 'POST', { origin: guest }, {})).status).toBe(403)
  })

  test('serves a frame of ours that its browser gives no cookies, where the browser vouches for it', async () => {
    const path = '/public_api/chat/transcript'
    const framed = { origin: product.origin, 'sec-fetch-site': 'same-origin' }
    expect((await call(path, 'POST', framed, { id_chat: key })).status).toBe(404)
    expect((await call(path, 'POST', { ...framed, 'sec-fetch-site': 'cross-site' }, { id_chat: key })).status).toBe(403)
    expect((await call(path, 'POST', { origin: product.origin }, { id_chat: key })).status).toBe(403)
    expect((await call(path, 'POST', { ...framed, cookie: 'guichet_session=x' }, { id_chat: key })).status).toBe(403)
    expect((await call('/api/auth/logoff', 'POST', framed)).status).toBe(403)
  })
})

describe('the socket', () => {
  const open = (namespace: string, headers: Record<string, string>) => {
    const socket = io(product.origin + namespace, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: headers,
    })
    return new Promise<string>((resolve) => {
      socket.once('connect', () => resolve('open'))
      socket.once('connect_error', () => resolve('refused'))
    }).finally(() => socket.disconnect())
  }

  test('accepts visitors from an allowed site and refuses technicians from it', async () => {
    expect(await open('/', { origin: guest })).toBe('open')
    expect(await open('/', { origin: stranger })).toBe('refused')
    expect(await open('/', { origin: 'null' })).toBe('refused')
  })

  test.each(['/', '/staff'])('answers 403 to the handshake of a stranger, namespace %s', async (namespace) => {
    for (const origin of [stranger, 'null', product.origin.replace('127.0.0.1', 'localhost')]) {
      const address = `${product.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
      const socket = new WebSocket(address, { headers: { origin } })
      const status = await new Promise<number | undefined>((resolve, reject) => {
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.once('open', () => reject(new Error('open')))
      })
      expect(status).toBe(403)
      expect(await open(namespace, { origin })).toBe('refused')
    }
  })

  test('of the staff is for our own pages alone, whatever cookie comes along', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const cookie = technician.cookieHeader()
    expect(await open('/staff', { origin: guest, cookie })).toBe('refused')
    expect(await open('/staff', { origin: product.origin, cookie })).toBe('open')
  })
})

test('the script for other sites is theirs to load, small, and needs nothing from outside of itself', async () => {
  const answer = await call('/webchat/embed.js', 'GET', { 'accept-encoding': 'br' })
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  const script = await answer.text()
  expect(script).toContain('Clavarder')
  expect(() => new Script(script)).not.toThrow()
})

test('serves the markup of one message with placeholders and without a script', async () => {
  const answer = await call('/webchat/html/list-element.html', 'GET', {})
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await answer.text()).toBe(
    '<li class="message {side}"><p class="name">{name}</p><div class="text">{text}</div>' +
      '<p class="time"><time dateTime="{sent_at}">{time}</time></p></li>',
  )
})

test('with its own host (CHAT_URL) the chat answers the site', async () => {
  const environment = { PUBLIC_URL: 'https://site.example.com', CHAT_URL: 'https://chat.example.com/' }
  const apart = await startTestApp({ environment })
  const answer = await fetch(apart.origin + available, { headers: { origin: environment.PUBLIC_URL } })
  expect(answer.headers.get('access-control-allow-origin')).toBe(environment.PUBLIC_URL)
  await apart.stop()
})
