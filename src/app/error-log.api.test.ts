import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
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

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}
type Description = { paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>> }

const planted = { text: 'Planté-Secret-4417', email: 'plante.secret@example.com', phone: '418-555-0144' }

/** A body that the schema takes where it can be made, with planted values in its texts. */
function plant(schema: Schema): unknown {
  const { anyOf, oneOf, properties, items } = schema
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const one = [...(anyOf ?? []), ...(oneOf ?? [])].find((other) => other.type !== 'null')
  if (one) return plant(one)
  const type = [schema.type].flat().find((other) => other !== 'null')
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, plant(inner)]))
  if (type === 'array') return items ? [plant(items)] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type !== 'string') return {}
  if (schema.format === 'email') return planted.email
  if (schema.format === 'date-time') return '2026-11-23T12:00:00.000Z'
  if (schema.format === 'date') return '2026-11-23'
  if (schema.format === 'uuid') return '3f0d7a52-8a64-4c61-9d55-2b4f8e1c9a10'
  if (schema.format === 'uri') return 'https://www.example.com/'
  const isTaken = (text: string) => !schema.pattern || new RegExp(schema.pattern, 'u').test(text)
  return [planted.text, planted.phone, planted.email, '08:00', 'fr', '#112233'].find(isTaken) ?? planted.text
}

test('where the database fails, no route writes into the log what it was asked to store', async () => {
  const broken = await startTestApp()
  const staff = await broken.signIn()
  const { body: described } = await staff.get<Description>('/api/openapi.json')
  const { rows } = (await broken.db.execute(sql`select tablename as name from pg_tables where schemaname = 'public'`)) as {
    rows: { name: string }[]
  }
  const ofSignIn = new Set(['users', 'groups', 'sessions'])
  for (const { name } of rows) {
    if (!ofSignIn.has(name)) await broken.db.execute(sql.raw(`alter table "${name}" rename to "lost_${name}"`))
  }
  log.written.length = 0
  const failed: string[] = []
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const address = path.replaceAll(/\{[^}]+\}/g, '1')
      if (address.startsWith('/api/live') || address.startsWith('/api/auth')) continue
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema
      const query = method === 'get' ? `?${new URLSearchParams({ q: planted.text })}` : ''
      const first = await staff.send(method.toUpperCase(), address + query, schema ? plant(schema) : undefined)
      const last = first.status === 400 && query ? await staff.send('GET', address) : first
      if (last.status >= 500) failed.push(`${method} ${path}`)
    }
  }
  expect(failed.length).toBeGreaterThan(60)
  await broken.db.execute(sql.raw('alter table "sessions" rename to "lost_sessions"'))
  expect((await staff.get('/api/users/users')).status).toBe(500)
  await vi.waitFor(
    () => expect(log.lines().filter(({ msg }) => msg === 'request failed').length).toBeGreaterThan(failed.length),
    { timeout: 30_000 },
  )
  await broken.stop()
  const session = [...staff.cookies.values()]
  const hashes = session.map((value) => createHash('sha256').update(value).digest('hex'))
  const secrets = [...Object.values(planted), ...session, ...hashes]
  const leaks = log.lines().filter((line) => secrets.some((secret) => JSON.stringify(line).includes(secret)))
  expect(leaks).toEqual([])
  // The cause is there: the table that was missing, and the statement without its values.
  expect(log.written.join('\n')).toMatch(/"statement":"(insert|select|update) [^"]*/)
  expect(log.written.join('\n')).toContain('42P01')
}, 120_000)
