import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '#src/features/people/sign-in/server/passwords.ts'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'

type Schema = {
  type?: string
  properties?: object
  additionalProperties?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
}
type Parameter = { name: string; in: string }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Description = { paths: Record<string, Record<string, Operation>> }

let product: TestApp
let described: Description
beforeAll(async () => {
  product = await startTestApp()
  described = (await (await product.client()).get<Description>('/api/openapi.json')).body
})
afterAll(() => product.stop())

const operations = () =>
  Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
  )

test('every response with a body has a content type, and texts a charset', async () => {
  const visitor = await product.client()
  const addresses = operations()
    .filter(({ name, path }) => name.startsWith('GET ') && !path.includes('{') && !path.startsWith('/api/live'))
    .map(({ path }) => path)
  const others = [
    '/healthz',
    '/robots.txt',
    '/sitemap.xml',
    '/manifest.fr.webmanifest',
    '/reseau/feed.fr.xml',
    '/emploi/feed.en.xml',
    '/reseau/calendrier.ics',
    '/nothing',
  ]
  expect(addresses.length).toBeGreaterThan(20)
  for (const address of [...addresses, ...others]) {
    const { headers, text } = await visitor.get(address)
    const type = headers.get('content-type') ?? ''
    const isText = /^text\/|xml|json/.test(type)
    const isNamed = text === '' || (isText ? /charset=utf-8|\+json|manifest/i.test(type) : /^[a-z]+\/[\w.+-]+/.test(type))
    expect(isNamed, `${address}: ${type}`).toBe(true)
    expect(headers.get('x-content-type-options'), address).toBe('nosniff')
  }
})

test('every route with a body has a strict schema', () => {
  const isStrict = (schema: Schema): boolean =>
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].every(isStrict) &&
    (schema.properties === undefined || schema.additionalProperties === false)
  const bodies = operations().flatMap(({ name, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => ({ name, schema })),
  )
  expect(bodies.length).toBeGreaterThan(30)
  expect(bodies.filter(({ schema }) => !isStrict(schema)).map(({ name }) => name)).toEqual([])
})

test('no address of the API carries a secret, but that which other monitoring systems post to', () => {
  const named = operations().flatMap(({ name, operation }) =>
    (operation.parameters ?? []).map((parameter) => ({ route: name, ...parameter })),
  )
  const secret = /token|secret|password|session(?!$)|api_?key|id_chat/i
  expect(named.length).toBeGreaterThan(40)
  const found = named.filter(
    (one) => (one.in === 'path' || one.in === 'query') && secret.test(one.name) && one.name !== 'id_session',
  )
  expect(found.map(({ route }) => route)).toEqual(['POST /api/networks/signals/{token}'])
})

test('rejects a request with two lengths', async () => {
  const head = ['POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json', 'Connection: close']
  expect(await sendRaw([...head, 'Content-Length: 2', 'Content-Length: 3', '', '{}'])).toMatch(/^HTTP\/1\.1 400/)
  expect(await sendRaw([...head, 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '0', '', ''])).toMatch(/^HTTP\/1\.1 400/)
})

test('GET routes change nothing', async () => {
  const staff = await product.signIn()
  await staff.post('/api/networks/reseau', { nom: 'Datacenter', status: 'ONLINE' })
  await staff.post('/api/jobs/emplois', { titre: 'Technicienne' })
  const reads = product.app.declaredRoutes.filter(
    ({ method, url, config }) => [method].flat().includes('GET') && config?.access !== 'stream' && !url.endsWith('*'),
  )
  expect(reads.length).toBeGreaterThan(50)
  const before = await contentOfTables()
  for (const { url } of reads) await staff.get(url.replaceAll(/:\w+/g, '1'))
  expect(await contentOfTables()).toEqual(before)
})

test('each way to sign in is in the documented table', () => {
  const documented = readFileSync('docs/security/authentication.md', 'utf8')
  const table = documented.split('\n## Ways in\n')[1]?.split('\n## ', 1)[0] ?? ''
  const listed = [...table.matchAll(/`(POST \/[^`]+)`/g)].map(([, route = '']) => route)
  const open = product.app.declaredRoutes.flatMap(({ method, url, config }) =>
    config?.access === 'public' && url.startsWith('/api/auth/') && method !== 'GET' && method !== 'HEAD'
      ? [`${String(method)} ${url}`]
      : [],
  )
  expect(open.length).toBeGreaterThan(3)
  expect(open.toSorted()).toEqual(listed.toSorted())
})

test('each kind of personal data is in the documented table', () => {
  const practices = readFileSync('docs/security/practices.md', 'utf8')
  const row = practices.split('\n').find((line) => line.startsWith('| personal |')) ?? ''
  const listed = [...row.matchAll(/`([a-z_]+)`/g)].map(([, kind = '']) => kind)
  expect(product.app.personalData.map(({ kind }) => kind).toSorted()).toEqual(listed.toSorted())
})

test('passwords are hashed with argon2id and its parameters', async () => {
  expect(await hashPassword('Lampe-Allumee-2026!')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

function sendRaw(lines: string[]) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1', () => socket.write(lines.join('\r\n')))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** A checksum of each table except sessions and the audit log, which record reads. */
async function contentOfTables() {
  const tables = (await rowsOf(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )) as { name: string }[]
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    // A privileged read is an event of the audit log.
    if (['sessions', 'journal', 'journal_keys'].includes(name)) continue
    found[name] = await rowsOf(`select count(*)::int, md5(string_agg(t::text, '' order by t::text)) from "${name}" t`)
  }
  return found
}

async function rowsOf(query: string) {
  return ((await product.db.execute(sql.raw(query))) as { rows: unknown[] }).rows
}

/** The smallest entity that each route creates; of a setting, nothing is created. */
const entities: Record<string, object | null> = {
  '/api/employees/employes': {
    nom: 'Zoé',
    departement: 'VENTES',
    sousdepartement: 'VENTES',
    titre: 'Technicienne',
    titre_en: 'Technician',
    email: 'zoe@example.com',
    description: 'Elle répond.',
    description_en: 'She answers.',
  },
  '/api/jobs/emplois': { titre: 'Poste' },
  '/api/networks/reseau': { nom: 'Québec' },
  '/api/notes/notes': { note: 'Avis' },
  '/api/home_messages/home_message': { message: '<p>Panne</p>' },
  '/api/home_informations/home_information': { title: 'Horaire' },
  '/api/groups/groups': { name: 'Rédaction', enabled: true, rights: {} },
}

test.each(Object.entries(entities))('a PUT of %s takes back what GET gave, and refuses any other key', async (path, input) => {
  const staff = await product.signIn()
  const created = await staff.post<Record<string, unknown>>(path, input ?? {})
  expect(created.status).toBe(201)
  const [, id] = Object.entries(created.body).find(([key]) => key.startsWith('id_')) ?? []
  const address = `${path}/${String(id)}`
  const { body: given } = await staff.get<Record<string, unknown>>(address)
  const saved = await staff.put<Record<string, unknown>>(address, given)
  expect(saved.status, saved.text).toBe(200)
  expect(saved.body).toMatchObject(input ?? {})
  expect((await staff.put(address, { ...given, version: undefined, admin: true })).status).toBe(400)
  await staff.delete(address)
})
