import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { createPageServices } from '#src/app/app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { registerPages } from '#src/server/pages/pages.ts'
import type { MissingAddress, Redirect, RedirectCounts, Target, Tried } from './contract.ts'
import { redirectImporter } from './server/importer.ts'
import { redirectsOf } from './server/service.ts'
import { missingAddresses, redirects } from './server/table.ts'
import { missingDays } from './values.ts'

const path = '/api/redirects/redirects'
let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  // The home page answers, as do two others; nothing else does.
  const render = async (request: Request) =>
    new Response(`<p>page</p><script>location</script>${new URL(request.url).search}`, {
      status: ['/', '/contact', '/reseau'].includes(new URL(request.url).pathname) ? 200 : 404,
      headers: { 'content-type': 'text/html' },
    })
  product = await startTestApp({
    prepare: (app) =>
      registerPages(app, createPageServices(app), async () => render, {
        players: [],
        framed: '/frame',
        findAncestors: async () => [],
        answerMissing: redirectsOf(app).answerMissing,
      }),
  })
  staff = await product.signIn()
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.db.delete(redirects)
  await product.db.delete(missingAddresses)
  product.app.events.outdated('redirects')
})

const add = async (from: string, to: string | null, status = 301) => await staff.post<Redirect>(path, { from, to, status })
async function request(address: string, method = 'GET') {
  const response = await fetch(product.origin + address, { method, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location') }
}
const list = async (query = '') => (await staff.get<Redirect[]>(`${path}${query}`)).body

describe('an old address', () => {
  test('leads to its page with language and query, and is counted', async () => {
    const added = await add('/nous-joindre/', '/contact')
    expect(added).toMatchObject({
      status: 201,
      body: { from: '/nous-joindre/', to: '/contact', status: 301, hits: 0, last_hit: null, state: 'ok' },
    })
    expect(await request('/nous-joindre?lang=en&utm_source=x')).toEqual({
      status: 301,
      location: '/contact?lang=en&utm_source=x',
    })
    expect(await request('/nous-joindre/', 'HEAD')).toEqual({ status: 301, location: '/contact' })
    const [found] = await list()
    expect(found).toMatchObject({ hits: 2 })
    expect(Date.parse(found?.last_hit ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await add('/?p=123', '/reseau', 302)
    expect(await request('/?p=123')).toEqual({ status: 302, location: '/reseau' })
    expect((await request('/?p=124')).status).toBe(200)
    await add('/en/careers/*', '/contact')
    expect(await request('/en/careers/7')).toEqual({ status: 301, location: '/contact?lang=en' })
    await add('/promo', null, 410)
    expect((await request('/promo')).status).toBe(410)
    expect((await request('/nous-joindre', 'POST')).location).toBeNull()
  })

  test('that is gone is a page in its language, also where another page answers', async () => {
    await add('/?p=77', null, 410)
    await add('/en/gone', null, 410)
    const read = async (address: string) => {
      const response = await fetch(product.origin + address)
      return { status: response.status, html: await response.text() }
    }
    expect(await read('/?p=77')).toEqual({ status: 410, html: '<p>page</p>' })
    expect(await read('/?p=77&lang=en')).toEqual({ status: 410, html: '<p>page</p>?lang=en' })
    expect(await read('/en/gone')).toEqual({ status: 410, html: '<p>page</p>?lang=en' })
  })

  test('is changed and deleted at once, as the audit log records', async () => {
    const { body } = await add('/ancien', '/contact')
    const changed = await staff.put<Redirect>(`${path}/${body.id_redirect}`, { ...body, to: '/reseau' })
    expect(changed).toMatchObject({ status: 200, body: { to: '/reseau', version: 2 } })
    expect(await request('/ancien')).toEqual({ status: 301, location: '/reseau' })
    expect((await staff.put(`${path}/${body.id_redirect}`, { ...body, to: '/contact' })).status).toBe(409)
    expect((await staff.delete(`${path}/${body.id_redirect}`)).status).toBe(204)
    expect((await request('/ancien')).status).toBe(404)
    expect((await staff.delete(`${path}/${body.id_redirect}`)).status).toBe(404)
    const { rows } = (await product.db.execute(
      sql`select action from journal where entry_id = ${`redirect/${body.id_redirect}`} order by id`,
    )) as { rows: { action: string }[] }
    expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'delete'])
  })

  test.each([
    '/admin/login',
    '/Admin',
    '/%61dmin/login',
    '/api/jobs/emplois',
    '/contact',
    '/contact/',
    '/en/contact',
    '/',
    '/?lang=en',
    '/*',
    '/en/*',
    '/ap*',
    '/team*',
    '/suivi/x',
    '/media/1',
    '/healthz',
    '/sitemap.xml',
  ])('is never one of the product: %s', async (from) => {
    expect((await add(from, 'https://www.example.com/')).status).toBe(409)
    expect(await list()).toEqual([])
  })

  test('never leads to itself; a chain is shortened', async () => {
    await add('/b', '/c')
    expect((await add('/a', '/b')).body).toMatchObject({ to: '/c' })
    expect((await add('/c', '/a')).status).toBe(409)
    expect((await add('/d', '/d/')).status).toBe(409)
    expect((await add('/e/*', '/e/x/*')).status).toBe(409)
    expect((await add('/b', '/reseau')).status).toBe(409)
    expect((await add('/services', '/fr/services')).status).toBe(409)
    expect((await add('/nous', '/en/contact')).body).toMatchObject({ to: '/en/contact', state: 'ok' })
    await add('/c', '/reseau')
    expect(await request('/a')).toEqual({ status: 301, location: '/reseau' })
  })

  test.each([
    { from: '//evil', to: '/contact' },
    { from: '/x%0d%0aSet-Cookie:a', to: '/contact' },
    { from: '/x', to: '//evil.example' },
    { from: '/x', to: 'http://www.example.com/' },
    { from: '/x', to: null },
    { from: '/x', to: '/contact', status: 410 },
    { from: '/x', to: '/contact', status: 307 },
    { from: '/x', to: '/contact', hits: 5 },
  ])('%j is refused', async (input) => {
    expect((await staff.post(path, input)).status).toBe(400)
  })

  test('that leads to a draft is out of service until it is published; to a deleted one it is broken', async () => {
    const input = { titre: 'Brancher le modem', corps: '<p>Branchez-le.</p>', publie: false }
    const article = await staff.post<{ id_article: number; slug: string }>('/api/articles/articles', input)
    const address = `/aide/${article.body.slug}`
    expect((await add('/modem', address)).body).toMatchObject({ state: 'waiting' })
    expect((await request('/modem')).status).toBe(404)
    // The title of a draft is for those who may read articles.
    const reader = await product.signIn({ company: 'read_only' })
    const editor = await product.signIn({ company: 'read_only', articles: 'read_only' })
    const find = async (client: typeof reader) => [
      (await client.get<Target[]>('/api/redirects/targets?q=modem')).body.filter((one) => one.path === address),
      (await client.get('/api/redirects/suggestion?path=/2020/08/brancher-modem.html')).body,
      (await client.get<Tried>('/api/redirects/try?address=%2Fmodem')).body.title,
    ]
    const draft = { title: 'Brancher le modem', path: address, published: false }
    expect(await find(reader)).toEqual([[], null, null])
    expect(await find(editor)).toEqual([[draft], draft, draft.title])
    await staff.put(`/api/articles/articles/${article.body.id_article}`, { ...input, publie: true })
    expect(await request('/modem')).toEqual({ status: 301, location: address })
    expect((await staff.get<Tried>('/api/redirects/try?address=%2Fmodem')).body).toMatchObject({
      result: 'redirect',
      status: 301,
      title: 'Brancher le modem',
      location: address,
    })
    expect((await staff.get<Target[]>('/api/redirects/targets?q=modem')).body).toContainEqual({
      title: 'Brancher le modem',
      path: address,
      published: true,
    })
    expect((await staff.get<Target>('/api/redirects/suggestion?path=/2020/08/brancher-modem.html')).body).toMatchObject({
      path: address,
    })
    expect((await staff.get('/api/redirects/suggestion?path=/xyloglosse')).body).toBeNull()
    await staff.delete(`/api/articles/articles/${article.body.id_article}`)
    await add('/autre', '/contact')
    await request('/autre')
    expect((await list()).map(({ from, state }) => [from, state])).toEqual([
      ['/modem', 'broken'],
      ['/autre', 'ok'],
    ])
    expect((await staff.get<RedirectCounts>('/api/redirects/counts')).body).toEqual({ all: 2, broken: 1, waiting: 0, unused: 0 })
    expect(await list('?state=broken&q=MODEM')).toHaveLength(1)
    expect((await list('?q=contact')).map(({ from }) => from)).toEqual(['/autre'])
  })

  test('is tried without being counted', async () => {
    await add('/a', '/contact')
    const tryIt = async (address: string) =>
      (await staff.get<Tried>(`/api/redirects/try?address=${encodeURIComponent(address)}`)).body
    expect(await tryIt('/a?x=1')).toMatchObject({ result: 'redirect', location: '/contact?x=1', steps: [{ from: '/a' }] })
    expect(await tryIt('/contact')).toMatchObject({ result: 'page', status: 200 })
    expect(await tryIt('/nulle-part')).toMatchObject({ result: 'none', status: 404 })
    expect(await list()).toMatchObject([{ hits: 0 }])
  })

  test('is read by company read_only and changed by read_write', async () => {
    const reader = await product.signIn({ company: 'read_only' })
    const other = await product.signIn({ jobs: 'administrator' })
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.get('/api/redirects/missing')).status).toBe(200)
    expect((await reader.post(path, { from: '/a', to: '/contact' })).status).toBe(403)
    expect((await other.get(path)).status).toBe(403)
    expect((await fetch(product.origin + path)).status).toBe(401)
  })
})

test('a list of old addresses is imported; what is taken, known or a loop is refused', async () => {
  await add('/connue', '/contact')
  const { check, findTaken, create, findMarks, remove } = redirectImporter.writers.redirects ?? {}
  const config = { ...product.app.config, publicUrl: 'https://nous.example.com' }
  const context = { db: product.db, config, userId: null }
  const valuesOf = (from: string, to = '', status = '') =>
    'toValues' in redirectImporter && redirectImporter.toValues({ from, to, status })
  const good = await check?.(valuesOf('https://www.example.com/2019/guide/', '/contact'), context)
  expect(good).toMatchObject({ from: '/2019/guide/', to: '/contact', status: 301 })
  expect(await check?.(valuesOf('/partie', '', '410'), context)).toMatchObject({ to: null, status: 410 })
  await expect(check?.(valuesOf('/oubliee'), context)).rejects.toThrow('or write 410 in the column Code')
  await expect(check?.(valuesOf('/oubliee', ' ', '301'), context)).rejects.toThrow('Destination: missing')
  await expect(check?.(valuesOf('/admin/login', 'https://www.example.com/'), context)).rejects.toThrow('already has a page')
  await expect(check?.(valuesOf('//evil', '/contact'), context)).rejects.toThrow('invalid value')
  const same = await check?.(valuesOf('/connue/', '/reseau'), context)
  const isTaken = async (values: unknown[], trial: object | null = null) =>
    (await findTaken?.(product.db, values, trial))?.map((reason) => reason !== null)
  expect(await isTaken([good, same, good])).toEqual([false, true, true])
  expect(await isTaken([good])).toEqual([false])
  // A trial stores nothing, and says what its earlier batches would have taken.
  const trial = {}
  expect([await isTaken([good], trial), await isTaken([good], trial), await isTaken([good], {})]).toEqual([
    [false],
    [true],
    [false],
  ])
  const back = await check?.(valuesOf('/contact-retour', '/2019/guide'), context)
  const there = await check?.(valuesOf('/2019/guide', '/contact-retour'), context)
  const other = {}
  expect([await isTaken([back], other), await isTaken([there], other)]).toEqual([[false], [true]])
  expect(await check?.(valuesOf('/a', 'https://nous.example.com/x?y=1#z'), context)).toMatchObject({ to: '/x?y=1#z' })
  expect(valuesOf('https://vieux.example/a', 'http://vieux.example/b')).toMatchObject({ from: '/a', to: '/b' })
  expect(await check?.(valuesOf('/a', 'https://autre.example.com/x'), context)).toMatchObject({
    to: 'https://autre.example.com/x',
  })
  const loop = await check?.(valuesOf('/contact-ancien', '/contact-ancien/'), context)
  await expect(product.db.transaction(async (tx) => create?.(tx, [loop], context))).rejects.toThrow('lead to itself')
  const ids = (await product.db.transaction(async (tx) => create?.(tx, [good], context))) ?? []
  expect(await findMarks?.(product.db, ids)).toEqual(new Map([[ids[0], '1']]))
  product.app.events.outdated('redirects')
  expect(await request('/2019/guide?lang=en')).toEqual({ status: 301, location: '/contact?lang=en' })
  await remove?.(product.db, ids)
  expect((await list()).map(({ from }) => from)).toEqual(['/connue'])
})

describe('an address asked in vain', () => {
  test('is counted without query or person, scanners last, and left out once redirected or ignored', async () => {
    for (const address of [
      '/wp-login.php',
      '/wp-login.php',
      '/vieille?name=Zoe',
      '/vieille',
      '/autre',
      '/?p=77',
      '/zoe@example.com',
      '/suivi/secret',
    ])
      await request(address)
    const missing = async () => (await staff.get<MissingAddress[]>('/api/redirects/missing')).body
    const asked = await missing()
    expect(asked.map(({ path: one, count, scanner }) => [one, count, scanner])).toEqual(
      expect.arrayContaining([
        ['/vieille', 2, false],
        ['/?p=77', 1, false],
        ['/autre', 1, false],
        ['/wp-login.php', 2, true],
      ]),
    )
    expect([asked.length, asked[0]?.path, asked[3]?.path]).toEqual([4, '/vieille', '/wp-login.php'])
    expect((await staff.put('/api/redirects/missing', { path: '/autre', ignored: true })).status).toBe(204)
    await add('/vieille', '/contact')
    expect((await missing()).map(({ path: asked }) => asked)).toEqual(['/?p=77', '/wp-login.php'])
    await staff.put('/api/redirects/missing', { path: '/autre', ignored: false })
    expect((await missing()).map(({ path: asked }) => asked)).toContain('/autre')
  })

  test('never fills the table, and ends after its period', async () => {
    const { tally } = redirectsOf(product.app)
    await product.db.execute(
      sql`insert into missing_addresses (path, count, last) select '/inonde/' || n, 1, now() from generate_series(1, 5000) n`,
    )
    await product.db.insert(missingAddresses).values({ path: '/vraie', count: 3, last: new Date(Date.now() - 86_400_000) })
    for (let number = 0; number < 10_000; number += 1) tally.miss(`/faux-${number}`)
    await tally.flush()
    expect(await product.db.$count(missingAddresses)).toBe(5_000)
    expect(await product.db.$count(missingAddresses, eq(missingAddresses.path, '/vraie'))).toBe(1)
    expect(await tally.purge(new Date(Date.now() - missingDays * 86_400_000), 10)).toBe(0)
    expect(await tally.purge(new Date(Date.now() - 3_600_000), 10)).toBe(1)
  })
})
