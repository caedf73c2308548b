import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { RequestDetail, RequestSummary } from '../contract.ts'
import { noticeLate } from './follow-up.ts'
import { eraseOldRequests } from './personal-data.ts'
import { createRequest } from './service.ts'
import { requestEntries, requests } from './table.ts'

const path = '/api/requests/requests'
let product: TestApp

beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

type Fields = Partial<Parameters<typeof createRequest>[2]>

function store(fields: Fields = {}) {
  const request = {
    kind: 'support',
    name: 'Zoé Lavallée',
    email: 'zoe@client.example.com',
    subject: 'Imprimante',
    message: 'Rien ne sort.',
    language: 'fr',
  } as const
  return product.db.transaction((tx) => createRequest(tx, product.app, { ...request, ...fields }))
}

describe('the list', () => {
  test('filters, searches, sorts, pages and counts', async () => {
    await product.db.delete(requests)
    const first = await store({ subject: 'Panne de courriel 100%' })
    await store({ kind: 'contact', name: 'Annie Harbour', subject: '', message: 'un_mot' })
    for (let index = 0; index < 26; index += 1) await store({ name: `Client ${index}` })
    const client = await product.signIn({ requests: 'read_only' })
    const list = async (query: string) => {
      const { body, headers } = await client.get<RequestSummary[]>(`${path}?${query}`)
      return { names: body.map((one) => one.name), total: Number(headers.get('x-total-count')), body }
    }
    const all = await list('')
    expect(all).toMatchObject({ total: 28, names: { length: 25 } })
    expect(all.names[0]).toBe('Client 25')
    expect((await list('page=2')).names).toEqual(['Client 0', 'Annie Harbour', 'Zoé Lavallée'])
    expect((await list('page=9')).names).toEqual([])
    expect((await list('kind=contact')).names).toEqual(['Annie Harbour'])
    expect((await list('status=done')).total).toBe(0)
    expect((await list(`search=${first.reference}`)).names).toEqual(['Zoé Lavallée'])
    expect((await list('search=COURRIEL%20zoé')).names).toEqual(['Zoé Lavallée'])
    expect((await list('search=ZOE%20lavallee')).names).toEqual(['Zoé Lavallée'])
    expect((await list('search=100%25')).total).toBe(1)
    expect((await list('search=un_mot')).total).toBe(1)
    expect((await list('search=%25%25')).total).toBe(0)
    expect((await list('sort=name&search=harbour')).names).toEqual(['Annie Harbour'])
    expect((await list('sort=created_at')).names[0]).toBe('Zoé Lavallée')
    expect((await list('sort=-name')).names[0]).toBe('Zoé Lavallée')

    const colleague = await product.signIn({ requests: 'read_write' })
    await colleague.put(`${path}/${first.id}`, { id_user: colleague.user.id, status: 'done' })
    expect((await list(`assigned_to=${colleague.user.id}`)).names).toEqual(['Zoé Lavallée'])
    expect((await list('assigned_to=none')).total).toBe(27)
    expect((await list('sort=-status')).names[0]).toBe('Zoé Lavallée')
    expect((await list('sort=status&page=2')).names.at(-1)).toBe('Zoé Lavallée')
  })

  test('finds a telephone number and a name however they are written', async () => {
    await product.db.delete(requests)
    const phones = ['418 555-0123', '(418) 555-0123 poste 204', '4185550123', '+1 418.555.0123', '1-418-555-0123']
    for (const phone of phones) await store({ name: phone, phone })
    await store({ name: 'Ève L’Écuyer', phone: '' })
    await store({ name: "Jean-Noël L'Écuyer", phone: '' })
    const client = await product.signIn({ requests: 'read_only' })
    const find = async (search: string) => {
      const { body } = await client.get<RequestSummary[]>(`${path}?${String(new URLSearchParams({ search }))}`)
      return body.map((one) => one.name).toSorted()
    }
    for (const search of ['4185550123', '418-555-0123', '(418) 555 0123', '+14185550123', '555-0123', '5550123'])
      expect(await find(search), search).toEqual(phones.toSorted())
    for (const search of ["L'Écuyer", 'l’ecuyer', 'LʼECUYER']) expect(await find(search), search).toHaveLength(2)
    expect(await find('jean‑noel')).toEqual(["Jean-Noël L'Écuyer"])
    expect(await find('418 555-0199')).toEqual([])
  })

  test('finds by every word of a long search', async () => {
    await product.db.delete(requests)
    const shared = 'alpha bravo charlie delta echo foxtrot golf hotel india juliette'
    for (const last of ['kilo', 'lima']) await store({ name: last, message: `${shared} ${last}` })
    const client = await product.signIn({ requests: 'read_only' })
    const find = async (search: string) =>
      (await client.get<RequestSummary[]>(`${path}?${String(new URLSearchParams({ search }))}`)).body.map((one) => one.name)
    for (const last of ['kilo', 'lima']) {
      expect(await find(`${shared} ${last}`)).toEqual([last])
      expect(await find(`${last} ${shared}`)).toEqual([last])
    }
    expect(await find(`${shared} kilo lima`)).toEqual([])
  })

  test('finds a request without an entry, then by its entries, its corrections, and no longer by what they replaced', async () => {
    const values = {
      kind: 'mail',
      reference: 'CO-2026-900001',
      name: 'Ugo',
      email: 'ugo@client.example.com',
      message: '',
    } as const
    const [stored] = await product.db
      .insert(requests)
      .values({ ...values, subject: 'quasar', language: 'fr' })
      .returning()
    const requestId = stored?.id ?? 0
    const client = await product.signIn({ requests: 'read_only' })
    const find = async (search: string) =>
      (await client.get<RequestSummary[]>(`${path}?search=${search}`)).body.map((one) => one.name)
    expect(await find('quasar')).toEqual(['Ugo'])
    const entry = { requestId, kind: 'customer', channel: 'mail', author: 'Ugo', chatDue: false } as const
    await product.db.insert(requestEntries).values({ ...entry, text: 'pulsar' })
    await product.db.update(requests).set({ subject: 'nebula' }).where(eq(requests.id, requestId))
    expect([await find('pulsar'), await find('nebula'), await find('quasar')]).toEqual([['Ugo'], ['Ugo'], []])
  })

  test.each([
    'status=lost',
    'page=0',
    'page=1&page=2',
    'sort=reference;drop',
    'x=1',
    'search=%00',
    'assigned_to=me',
    'assigned_to=0',
  ])('refuses ?%s', async (query) => {
    const client = await product.signIn()
    expect((await client.get(`${path}?${query}`)).status).toBe(400)
  })
})

describe('a request', () => {
  test('is assigned and finished; a save from an older version gets a conflict', async () => {
    const { id } = await store()
    const colleague = await product.createUser({ requests: 'read_write' })
    const client = await product.signIn({ requests: 'read_write' })
    const { body: found } = await client.get<RequestDetail>(`${path}/${id}`)
    expect(found).toMatchObject({
      status: 'new',
      version: 1,
      assigned_to: null,
      comments: [],
      mail: { state: 'waiting', can_send: false },
    })

    const change = { status: 'open', id_user: colleague.id, version: 1 }
    const changed = await client.put<RequestDetail>(`${path}/${id}`, change)
    expect(changed.body).toMatchObject({ status: 'open', version: 2, assigned_to: { id_user: colleague.id }, done_at: null })
    const stale = await client.put<{ current: RequestDetail }>(`${path}/${id}`, { status: 'done', version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body.current).toMatchObject({ status: 'open', version: 2 })
    const done = await client.put<RequestDetail>(`${path}/${id}`, { status: 'done' })
    expect(done.body).toMatchObject({ status: 'done', version: 3, assigned_to: { id_user: colleague.id } })
    expect(done.body.done_at).not.toBeNull()
    expect((await client.put<RequestDetail>(`${path}/${id}`, { status: 'open', id_user: null })).body).toMatchObject({
      done_at: null,
      assigned_to: null,
    })
  })

  test('is assigned only to users with write access', async () => {
    const { id } = await store()
    const reader = await product.createUser({ requests: 'read_only' })
    const client = await product.signIn()
    expect((await client.put(`${path}/${id}`, { id_user: reader.id })).status).toBe(400)
    expect((await client.put(`${path}/${id}`, { id_user: 999_999 })).status).toBe(400)
    const { body } = await client.get<{ id_user: number }[]>(`${path}/assignees`)
    expect(body.map((one) => one.id_user)).toContain(client.user.id)
    expect(body.map((one) => one.id_user)).not.toContain(reader.id)
  })

  test('carries its comments, which stay out of the journal', async () => {
    const { id } = await store()
    const client = await product.signIn({ requests: 'read_write' })
    const { status, body } = await client.post<RequestDetail>(`${path}/${id}/comments`, { body: 'Secret <b>entre nous</b>\n' })
    expect(status).toBe(201)
    expect(body.comments).toMatchObject([
      { body: 'Secret <b>entre nous</b>', user_name: client.user.displayName, id_user: client.user.id },
    ])
    expect((await client.post(`${path}/${id}/comments`, { body: ' ' })).status).toBe(400)
    expect((await client.post(`${path}/${id}/comments`, { body: 'a'.repeat(2_001) })).status).toBe(400)
    const lines = await readAuditLog(product.db, eq(auditLog.area, 'requests'))
    expect(lines.filter((line) => line.entryId === String(id)).map((line) => line.action)).toEqual(['comment'])
    expect(JSON.stringify(lines)).not.toContain('Secret')
  })

  test('is erased with its comments and its mail by an administrator of the area only', async () => {
    const { id } = await store()
    const writer = await product.signIn({ requests: 'read_write' })
    await writer.post(`${path}/${id}/comments`, { body: 'x' })
    const before = await product.db.$count(mails)
    expect((await writer.delete(`${path}/${id}`)).status).toBe(403)
    const administrator = await product.signIn({ requests: 'administrator' })
    expect((await administrator.delete(`${path}/${id}`)).status).toBe(204)
    expect((await administrator.get(`${path}/${id}`)).status).toBe(404)
    expect(await product.db.$count(mails)).toBe(before - 1)
    expect(await product.db.$count(requestEntries, sql`request_id = ${id}`)).toBe(0)
  })

  test('that does not exist is a 404, an id that is none a 400', async () => {
    const client = await product.signIn()
    expect((await client.get(`${path}/99999`)).status).toBe(404)
    expect((await client.put(`${path}/99999`, { status: 'open' })).status).toBe(404)
    expect((await client.post(`${path}/99999/comments`, { body: 'x' })).status).toBe(404)
    expect((await client.post(`${path}/99999/mail/retry`)).status).toBe(404)
    expect((await client.delete(`${path}/99999`)).status).toBe(404)
    for (const id of ['0', '-1', '1.5', 'abc', '99999999999']) expect((await client.get(`${path}/${id}`)).status).toBe(400)
  })
})

describe('rights', () => {
  test('rejects no session with 401, another area and read access with 403', async () => {
    const { id } = await store()
    const calls = [
      ['GET', ''],
      ['GET', `/${id}`],
      ['GET', '/assignees'],
      ['GET', '/export.csv'],
      ['PUT', `/${id}`, { status: 'done' }],
      ['POST', `/${id}/comments`, { body: 'x' }],
      ['POST', `/${id}/mail/retry`],
      ['DELETE', `/${id}`],
    ] as const
    const stranger = await product.client()
    const other = await product.signIn({ networks: 'administrator', requests: 'none' })
    const reader = await product.signIn({ requests: 'read_only' })
    for (const [method, rest, body] of calls) {
      expect((await stranger.send(method, path + rest, body)).status, `${method} ${rest}`).toBe(401)
      expect((await other.send(method, path + rest, body)).status, `${method} ${rest}`).toBe(403)
      expect((await reader.send(method, path + rest, body)).status, `${method} ${rest}`).toBe(method === 'GET' ? 200 : 403)
    }
    expect((await reader.get<RequestDetail>(`${path}/${id}`)).body.status).toBe('new')
  })
})

describe('the export', () => {
  test('is a file that a spreadsheet reads and does not compute', async () => {
    await product.db.delete(requests)
    for (let index = 0; index < 201; index += 1) await store({ name: `Client ${index}` })
    await store({ name: '=cmd|calc', phone: '+1 418 555-0100', message: 'un;deux "trois"\nquatre' })
    const client = await product.signIn({ requests: 'read_only' })
    const { status, headers, text } = await client.get(`${path}/export.csv?language=fr`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="demandes-20\d\d-\d\d-\d\d\.csv"$/)
    const bytes = await fetch(`${product.origin}${path}/export.csv`, { headers: { cookie: client.cookieHeader() } })
    // Without this mark a spreadsheet takes UTF-8 for something else.
    expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(text).toContain(`;'=cmd|calc;zoe@client.example.com;'+1 418 555-0100;Imprimante;"un;deux ""trois""\nquatre";français;`)
    expect(text.trimEnd().split('\r\n')).toHaveLength(203)
    const english = await client.get(`${path}/export.csv?language=en&search=calc`)
    expect(english.text.split('\r\n')[0]).toMatch(/Request number,Received,Type,Status,Name/)
    expect(english.text.trimEnd().split('\r\n')).toHaveLength(2)
  })
})

test('requests older than the company keeps them are erased with their mails, the others stay', async () => {
  await product.db.delete(requests)
  const old = await store()
  await product.db.update(requests).set({ createdAt: new Date('2001-01-01') })
  const recent = await store()
  const before = await product.db.$count(mails)
  expect(await eraseOldRequests(product.db, monthsAgo(24), 100)).toBe(1)
  expect(await product.db.$count(mails)).toBe(before - 2)
  const left = await product.db.select({ id: requests.id }).from(requests)
  expect(left.map((row) => row.id)).toEqual([recent.id])
  expect(old.id).not.toBe(recent.id)
})

test('a request past its goal is written of once, to whoever has it', async () => {
  await product.db.delete(requests)
  const [late, mine, waiting] = [await store(), await store(), await store()]
  const client = await product.signIn()
  await client.put(`${path}/${mine.id}`, { id_user: client.user.id })
  await client.put(`${path}/${waiting.id}`, { status: 'waiting' })
  await product.db.update(requests).set({ respondBy: new Date(0) })
  await product.db.delete(mails)
  await noticeLate(product.app)
  await noticeLate(product.app)
  const written = await product.db.select().from(mails).orderBy(mails.id)
  expect(written.map(({ recipient, subject }) => [recipient, subject.includes('en retard')])).toEqual([
    ['soutien@example.com', true],
    [client.user.email, true],
  ])
  expect(written[0]?.subject).toContain(late.reference)
})

test('a priority that is chosen after a wait for the customer leaves that wait out of its goals', async () => {
  const { id } = await store()
  const client = await product.signIn({ requests: 'read_write' })
  await client.put(`${path}/${id}`, { status: 'waiting' })
  await client.put(`${path}/${id}`, { status: 'open' })
  // From Friday at 9 to Monday at 9.
  const [arrival, end] = [new Date('2026-11-20T14:00:00Z'), new Date('2026-11-23T14:00:00Z')]
  const isOfIt = eq(requestEntries.requestId, id)
  const moment = sql<Date>`(case when ${requestEntries.event} #>> '{status,from}' = 'waiting' then ${end.toISOString()} else ${arrival.toISOString()} end)::timestamptz`
  await product.db.update(requestEntries).set({ createdAt: moment }).where(isOfIt)
  await product.db.update(requests).set({ createdAt: arrival }).where(eq(requests.id, id))
  const { body } = await client.put<RequestDetail>(`${path}/${id}`, { priority: 'urgent' })
  expect(body).toMatchObject({ respond_by: '2026-11-23T14:30:00.000Z', resolve_by: '2026-11-23T18:00:00.000Z' })
})

const monthsAgo = (months: number) => new Date(Date.now() - months * 30.5 * 86_400_000)
