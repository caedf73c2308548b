import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { company } from '#company/company.ts'
import { createPageServices } from '#src/app/app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { registerPages } from '#src/server/pages/pages.ts'
import { networkIncidents } from '#src/features/networks/server/table.ts'
import type { VisitFigures } from './contract.ts'
import { createVisitTally, tallyOf } from './server/tally.ts'
import { visitCounts } from './server/table.ts'
import { mostKeys, mostKeysToday } from './values.ts'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1'
const computer = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0'
const today = () => dayIn(company.hours.timeZone, new Date())

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  const render = async (request: Request) =>
    new Response('<p>page</p>', {
      status: ['/', '/contact', '/reseau', '/suivi/secret', '/admin/panel'].includes(new URL(request.url).pathname) ? 200 : 404,
      headers: { 'content-type': 'text/html' },
    })
  product = await startTestApp({
    prepare: (app) =>
      registerPages(app, createPageServices(app), async () => render, {
        players: [],
        framed: '/frame',
        findAncestors: async () => [],
        countView: app.visits.countView,
      }),
  })
  staff = await product.signIn()
})
afterAll(() => product.stop())
beforeEach(async () => {
  await tallyOf(product.app).flush()
  await product.db.delete(visitCounts)
})

async function view(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(product.origin + path, { headers: { 'user-agent': computer, ...headers }, redirect: 'manual' })
  await response.text()
  return response.status
}
const beacon = (body: unknown, headers: Record<string, string> = {}) =>
  staff.post('/public_api/visits', body, { headers: { 'user-agent': computer, ...headers } })
async function figures(by: string, query = '') {
  const { body, status } = await staff.get<VisitFigures[]>(`/api/visits?from=${today()}&to=${today()}&by=${by}${query}`)
  expect(status).toBe(200)
  return Object.fromEntries(body.map(({ key, title: _title, ...counts }) => [key, counts]))
}
/** Counting follows the response. */
const counted = (by: string, expected: Record<string, Partial<VisitFigures>>) =>
  expect.poll(() => figures(by), { timeout: 10_000 }).toMatchObject(expected)

describe('a page view', () => {
  test('is counted by page, language, domain, campaign and screen', async () => {
    await view('/', { referer: 'https://www.google.com/search?q=informatique' })
    await view('/contact?lang=en&utm_source=infolettre&utm_medium=courriel&utm_campaign=novembre', { 'user-agent': phone })
    await view('/reseau', { referer: `${product.origin}/contact` })
    await counted('page', {
      '/': { views: 1, visits: 1 },
      '/contact': { views: 1, visits: 1 },
      '/reseau': { views: 1, visits: 0 },
    })
    await counted('language', { fr: { views: 2, visits: 1 }, en: { views: 1, visits: 1 } })
    await counted('referrer', { 'google.com': { visits: 1 }, 'infolettre (courriel)': { visits: 1 } })
    await counted('campaign', { novembre: { visits: 1 }, '': { visits: 1 } })
    await counted('screen', { large: { views: 2 }, small: { views: 1 } })
    await counted('day', { [today()]: { views: 3, visits: 2 } })
    expect(await figures('day')).toMatchObject({ [today()]: { views: 3, visits: 2 } })
  })

  test('is none of a robot, a browser that refuses it, a page fetched ahead, a frame, the administration or a secret page', async () => {
    await view('/', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
    await view('/', { 'sec-gpc': '1' })
    await view('/', { 'sec-purpose': 'prefetch;prerender' })
    await view('/', { 'sec-fetch-dest': 'iframe' })
    await view('/suivi/secret')
    await view('/admin/panel')
    expect(await view('/nulle-part')).toBe(404)
    await fetch(product.origin, { method: 'HEAD', headers: { 'user-agent': computer } })
    await view('/contact')
    await counted('page', { '/contact': { views: 1 } })
    expect(Object.keys(await figures('page'))).toEqual(['/contact'])
  })

  test('with a script or ten thousand different campaigns leaves at most 500 and the rest as "other"', async () => {
    await view('/?utm_campaign=%3Cscript%3Ealert(1)%3C/script%3E', { referer: 'not an address' })
    await counted('campaign', { scriptalert1script: { visits: 1 } })
    const tally = tallyOf(product.app)
    for (let index = 0; index < 10_000; index += 1) tally.count([['campaign', `flood-${index}`]], { views: 1, visits: 1 })
    for (let index = 0; index < 40; index += 1) tally.count([['campaign', 'infolettre']], { views: 1, visits: 1 })
    const found = await figures('campaign')
    expect(Object.keys(found).length).toBeLessThanOrEqual(mostKeys + 2)
    expect(Object.values(found).reduce((sum, { visits }) => sum + visits, 0)).toBe(10_041)
    expect(await product.db.$count(visitCounts)).toBeLessThanOrEqual(mostKeysToday + 20)
  })
})

test('100,000 views over two instances that restart are all counted', async () => {
  const views = 100_000
  const start = () => createVisitTally(product.app)
  const instances = [start(), start()]
  const flushes: Promise<void>[] = []
  for (let index = 0; index < views; index += 1) {
    const at = index % 2
    instances[at]?.count(
      [
        ['page', `/page-${index % 300}`],
        ['language', index % 4 === 0 ? 'en' : 'fr'],
      ],
      { views: 1 },
    )
    // A restart stores what it has, while the other instance goes on.
    if (index % 9_973 !== 0) continue
    const leaving = instances[at]
    if (leaving) flushes.push(leaving.flush())
    instances[at] = start()
  }
  await Promise.all([...flushes, ...instances.map((one) => one.flush())])
  expect(await figures('language')).toMatchObject({ fr: { views: 75_000 }, en: { views: 25_000 } })
  const pages = Object.values(await figures('page'))
  expect(pages).toHaveLength(300)
  expect(pages.reduce((sum, one) => sum + one.views, 0)).toBe(views)
})

describe('the beacon', () => {
  test('counts navigations of known pages, and what was begun', async () => {
    expect((await beacon({ path: '/emploi?lang=en' })).status).toBe(204)
    await beacon({ path: '/no/such/page' })
    await beacon({ path: '/suivi/some-token', event: 'form' })
    const source = { utm_source: 'salon', utm_medium: '', utm_campaign: 'pme', referrer: '' }
    await beacon({ path: '/contact', event: 'form', source })
    await beacon({ path: '/reseau', event: 'chat' }, { 'sec-gpc': '1' })
    await counted('page', { '/contact': { forms_begun: 1, views: 0 }, '/emploi': { views: 1, visits: 0 } })
    expect(Object.keys(await figures('page')).toSorted()).toEqual(['/contact', '/emploi'])
    await counted('campaign', { pme: { forms_begun: 1 } })
  })

  test('knows the pages while an outage has no update yet', async () => {
    const rows = await product.db
      .insert(networkIncidents)
      .values({
        title: 'Panne',
        titleEn: '',
        severity: 'ERROR',
        phase: 'investigating',
        draft: false,
        elements: [],
        startedAt: new Date(),
      })
      .returning()
    product.app.events.changed('networks')
    const known = await product.app.findEntryAddresses()
    expect(known.map(({ path }) => path)).toContain(`/reseau/incident/${rows[0]?.id}`)
    expect(known.filter(({ path }) => !path.startsWith('/'))).toEqual([])
    expect((await beacon({ path: '/emploi' })).status).toBe(204)
    await beacon({ path: '/contact', event: 'form' })
    await counted('page', { '/contact': { forms_begun: 1 }, '/emploi': { views: 1 } })
  })

  test('counts the pages of the product while the list of entries cannot be read', async () => {
    const failing = vi.spyOn(product.app, 'findEntryAddresses').mockRejectedValue(new Error('no list'))
    product.app.events.changed('networks')
    const warned = vi.spyOn(product.app.log, 'warn')
    expect((await beacon({ path: '/emploi' })).status).toBe(204)
    await beacon({ path: '/contact', event: 'form' })
    await beacon({ path: '/emploi/voir/1' })
    failing.mockRestore()
    await counted('page', { '/contact': { forms_begun: 1 }, '/emploi': { views: 1 } })
    expect(warned).toHaveBeenCalledWith({ err: new Error('no list') }, expect.stringContaining('counted as other'))
    warned.mockRestore()
  })

  test('refuses another site, and what is no report', async () => {
    expect((await beacon({ path: '/' }, { origin: 'https://evil.example' })).status).toBe(403)
    for (const body of [
      {},
      { path: 'x' },
      { path: '/', more: 1 },
      { path: '/', event: 'other' },
      { path: `/${'a'.repeat(400)}` },
    ])
      expect((await beacon(body)).status).toBe(400)
  })

  test('is limited for one address, and the rest of the product answers', async () => {
    const answers = await Promise.all(Array.from({ length: 400 }, () => beacon({ path: '/contact' })))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([204, 429])
    expect(await view('/contact')).toBe(200)
  })
})

test('a request carries the campaign of the first page, and is counted with it', async () => {
  const visitor = await product.client()
  const source = { utm_source: 'infolettre', utm_medium: 'courriel', utm_campaign: 'novembre', referrer: 'example.com' }
  const call = {
    name: 'Annie Roy',
    email: 'annie@example.com',
    phone: '418 555-0123',
    message: 'Bonjour.',
    client_id: randomUUID(),
  }
  const headers = { 'user-agent': phone, referer: `${product.origin}/contact` }
  const sent = await visitor.post<{ reference: string }>('/api/mailer/contact', { ...call, source }, { headers })
  expect(sent.status).toBe(200)
  // The same form again is the same request.
  await visitor.post('/api/mailer/contact', { ...call, source }, { headers })
  await counted('campaign', { novembre: { forms: 1, forms_begun: 1 } })
  await counted('page', { '/contact': { forms: 1 } })
  await counted('referrer', { 'example.com': { forms: 1 } })
  const { body: list } = await staff.get<{ reference: string; source: object | null }[]>('/api/requests/requests')
  expect(list.find(({ reference }) => reference === sent.body.reference)?.source).toEqual(source)
  const csv = (await staff.get('/api/requests/requests/export.csv')).text
  expect(csv).toContain('infolettre;courriel;novembre;example.com')
  const long = { ...source, utm_source: 'x'.repeat(61) }
  expect((await visitor.post('/api/mailer/contact', { ...call, source: long })).status).toBe(400)
})

describe('the figures', () => {
  test('need the right to the company, and a range', async () => {
    expect((await (await product.client()).get('/api/visits')).status).toBe(401)
    const other = await product.signIn({ requests: 'administrator' })
    expect((await other.get('/api/visits')).status).toBe(403)
    for (const query of ['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=2020-01-01&to=2026-01-01', 'by=person', 'x=1'])
      expect((await staff.get(`/api/visits?${query}`)).status).toBe(400)
    expect((await staff.get<VisitFigures[]>('/api/visits')).body).toHaveLength(28)
  })

  test('are exported beside those of the period before', async () => {
    const counts = { kind: 'language' as const, key: 'fr' }
    await product.db.insert(visitCounts).values([
      { ...counts, day: addDays(today(), -1), views: 12, visits: 7 },
      { ...counts, day: addDays(today(), -8), views: 5, visits: 3 },
      { kind: 'page', key: '=cmd()', day: addDays(today(), -1), views: 12, visits: 7 },
    ])
    const csv = await staff.get(`/api/visits/export.csv?from=${addDays(today(), -7)}&to=${addDays(today(), -1)}`)
    expect(csv.headers.get('content-disposition')).toContain('frequentation-')
    expect(csv.text).toContain('Langue;fr;12;7;0;0;0;0;5;3;0;0;0;0')
    expect(csv.text).toContain("Page;'=cmd();12;7")
    const { body } = await staff.get<{ visits: object }>('/api/counter')
    expect(body.visits).toEqual({ visits: 7, before: 3, has_before: false })
  })

  test('are forgotten after 25 months', async () => {
    const old = { kind: 'page' as const, key: '/', views: 1 }
    await product.db.insert(visitCounts).values([
      { ...old, day: addDays(today(), -800) },
      { ...old, day: addDays(today(), -700) },
    ])
    const end = product.app.tableEnds.find(({ tables }) => tables.includes(visitCounts))
    const days = end && 'days' in end ? end.days : 0
    expect(days).toBe(761)
    if (!end || !('purge' in end) || !end.purge) throw new Error('nothing forgets them')
    expect(await end.purge(product.app, new Date(Date.now() - days * 86_400_000), 1_000)).toBe(1)
    const { rows } = (await product.db.execute(sql`select count(*)::int as count from visit_counts`)) as { rows: object[] }
    expect(rows).toEqual([{ count: 1 }])
  })
})
