import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followLog } from '#src/server/testing/follow-log.ts'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp, testPassword } from './testing/test-app.ts'

let log: ReturnType<typeof followLog>
let product: TestApp
beforeAll(async () => {
  log = followLog()
  product = await startTestApp()
})
afterAll(async () => {
  await product.stop()
  log.stop()
})

const refusals = (route: string) => log.lines().filter((line) => line.msg === 'request refused' && line.route === route)

test('a rejected request is logged with its route and reason', async () => {
  const reader = await product.signIn({ networks: 'read_only' })
  const stranger = await product.client()
  expect((await reader.post('/api/networks/reseau', { nom: 'x' })).status).toBe(403)
  expect((await stranger.get('/api/users/users')).status).toBe(401)
  expect((await reader.post('/api/networks/reseau', { nom: 'x' }, { headers: { 'x-xsrf-token': 'forged' } })).status).toBe(403)
  await vi.waitFor(
    () => {
      const written = [
        ...refusals('/api/networks/reseau'),
        ...refusals('/api/networks/reseau/'),
        ...refusals('/api/users/users'),
        ...refusals('/api/users/users/'),
      ]
      expect(written.map(({ status }) => status).toSorted()).toEqual([401, 403, 403])
      for (const line of written) {
        expect(line).toMatchObject({
          address: '127.0.0.1',
          method: expect.any(String) as string,
          detail: expect.any(String) as string,
        })
        expect(line.reqId).toMatch(/^[\da-f-]{36}$/)
        expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      }
    },
    { timeout: 30_000 },
  )
})

test('successful and failed sign-ins are logged', async () => {
  const user = await product.createUser()
  const visitor = await product.client()
  const wrong = await visitor.post('/api/auth/login', { username: user.username, password: 'Wrong-Password-2026!' })
  expect(wrong.status).toBe(401)
  const right = await visitor.post('/api/auth/login', { username: user.username, password: testPassword })
  expect(right.status).toBe(200)
  await vi.waitFor(() => expect(refusals('/api/auth/login').map(({ status }) => status)).toContain(401), { timeout: 30_000 })
  const reader = await product.signIn()
  const { body } = await reader.get<{ entries?: { action: string; user_name: string; address: string }[] }>('/api/audit/entries')
  expect(JSON.stringify(body)).toMatch(/sign in/)
})

test('secrets stay out of the log', async () => {
  const user = await product.createUser()
  const visitor = await product.client()
  const secrets = ['Mot-De-Passe-Secret-77!', testPassword, ...visitor.cookies.values()]
  await visitor.post('/api/auth/login', { username: user.username, password: 'Mot-De-Passe-Secret-77!' })
  await visitor.post('/api/auth/login', { username: user.username, password: testPassword })
  secrets.push(...visitor.cookies.values())
  await visitor.post('/api/mailer/contact', { name: 'Zoé Secrète', email: 'zoe.secrete@example.com', message: 7 })
  await visitor.get('/api/nothing?token=abcdef-secret-in-a-query')
  await vi.waitFor(() => expect(log.lines().some(({ path }) => path === '/api/nothing')).toBe(true), { timeout: 30_000 })
  const all = log.written.join('\n')
  for (const secret of [...secrets, 'secret-in-a-query', 'Zoé Secrète', 'zoe.secrete']) expect(all).not.toContain(secret)
})

test('a log entry stays one line, whatever it contains', async () => {
  const visitor = await product.client()
  await visitor.get('/api/nothing%0d%0a%7B%22msg%22:%22forged%22%7D%1b%5b31m')
  await vi.waitFor(() => expect(log.written.some((line) => line.includes('forged'))).toBe(true), { timeout: 30_000 })
  for (const line of log.written) {
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(line)).toMatchObject({ time: expect.stringMatching(/Z$/) as string })
  }
  expect(log.lines().some(({ msg }) => msg === 'forged')).toBe(false)
})
