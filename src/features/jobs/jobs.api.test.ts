import { eq } from 'drizzle-orm'
import { XMLValidator } from 'fast-xml-parser'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { company } from '#company/company.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Job } from './contract.ts'
import { findNextChange } from './server/service.ts'
import { jobs } from './server/table.ts'

const path = '/api/jobs/emplois'
const posting = {
  titre: 'Technicienne ou technicien',
  titre_en: 'Technician',
  description: '<p>Au <strong>guichet</strong>.</p>',
  description_en: '<p>At the <strong>counter</strong>.</p>',
}
const day = (offset: number) => addDays(dayIn(company.hours.timeZone, new Date()), offset)

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())
afterEach(() => vi.useRealTimers())

describe('jobs', () => {
  test('are created, read, changed and deleted with write access', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const created = await staff.post<Job>(path, posting)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      ...posting,
      id_emploi: expect.any(Number),
      publie: true,
      opens_on: null,
      closes_on: null,
      employment_type: null,
      state: 'open',
      created_at: expect.any(String),
      english_older: {},
      version: 1,
    })
    const address = `${path}/${created.body.id_emploi}`
    const visitor = await product.client()
    expect((await visitor.get(address)).body).toEqual(created.body)
    expect((await visitor.get<Job[]>(path)).body).toHaveLength(1)
    const changed = await staff.put<Job>(address, { ...posting, titre: 'Autre', employment_type: 'PART_TIME' })
    expect(changed.body).toMatchObject({ titre: 'Autre', version: 2, english_older: { titre: expect.any(String) } })
    expect((await visitor.get<Job>(address)).body.employment_type).toBe('PART_TIME')
    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
  })

  test('a posting without English is nowhere named as English', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const visitor = await product.client()
    const both = await staff.post<Job>(path, posting)
    const french = await staff.post<Job>(path, { ...posting, titre_en: '', description_en: '<p> </p>' })
    const [page, onlyFrench] = [both, french].map(({ body }) => `/emploi/voir/${body.id_emploi}`)
    const sitemap = (await visitor.get('/sitemap.xml')).text
    expect(sitemap).toContain(`${page}?lang=en</loc>`)
    expect(sitemap).toContain(`${onlyFrench}</loc>`)
    expect(sitemap).not.toContain(`${onlyFrench}?lang=en`)
    for (const { body } of [both, french]) await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('are in a feed of each language and in the site map with their last change, while they are open', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const add = async (values: object) => (await staff.post<Job>(path, values)).body.id_emploi
    const both = await add({ ...posting, titre: 'Poste du fil <1>' })
    const french = await add({ ...posting, titre: 'Poste en français', titre_en: '', description_en: '' })
    const draft = await add({ ...posting, titre: 'Poste brouillon', publie: false })
    const visitor = await product.client()
    const read = async (address: string) => (await visitor.get(address)).text
    const feed = await read('/emploi/feed.fr.xml')
    expect(XMLValidator.validate(feed)).toBe(true)
    expect(feed).toContain('<title>Poste du fil &lt;1&gt;</title>')
    expect(feed).toContain(`href="${product.origin}/emploi/voir/${french}"`)
    expect(feed).not.toContain(`/emploi/voir/${draft}"`)
    const english = await read('/emploi/feed.en.xml')
    expect(english).toContain(`href="${product.origin}/emploi/voir/${both}?lang=en"`)
    expect(english).not.toContain(`/emploi/voir/${french}`)

    const [row] = await product.db.select({ at: jobs.updatedAt }).from(jobs).where(eq(jobs.id, both))
    const changed = `<loc>${product.origin}/emploi/voir/${both}</loc><lastmod>${row?.at.toISOString()}</lastmod>`
    expect(await read('/sitemap.xml')).toContain(changed)
    for (const id of [both, french, draft]) await staff.delete(`${path}/${id}`)
    expect(await read('/emploi/feed.fr.xml')).not.toContain(`/emploi/voir/${both}"`)
  })

  test('nothing is required', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const { status, body } = await staff.post<Job>(path, {})
    expect(status).toBe(201)
    expect(body).toMatchObject({ titre: '', description: '' })
    await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('a planned posting is visible to its editors, not to visitors', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const stranger = await product.signIn({ networks: 'administrator' })
    const visitor = await product.client()
    const { body } = await staff.post<Job>(path, { ...posting, opens_on: day(3) })
    const address = `${path}/${body.id_emploi}`
    expect(body.state).toBe('planned')
    expect((await staff.get(address)).status).toBe(200)
    expect((await staff.get<Job[]>(`${path}/all`)).body.map((job) => job.id_emploi)).toContain(body.id_emploi)
    for (const other of [visitor, stranger]) {
      expect((await other.get(address)).status).toBe(404)
      expect((await other.get<Job[]>(path)).body).toEqual([])
    }
    await staff.delete(address)
  })

  test('a posting closes after its last day and leaves the list', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const visitor = await product.client()
    const today = await staff.post<Job>(path, { ...posting, opens_on: day(-3), closes_on: day(0) })
    const yesterday = await staff.post<Job>(path, { ...posting, closes_on: day(-1) })
    expect(today.body.state).toBe('open')
    expect(yesterday.body.state).toBe('closed')
    expect((await visitor.get<Job[]>(path)).body.map((job) => job.id_emploi)).toEqual([today.body.id_emploi])
    expect((await visitor.get<Job>(`${path}/${yesterday.body.id_emploi}`)).body.state).toBe('closed')
    for (const { body } of [today, yesterday]) await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('those that closed more than three months ago are on pages, with their number', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const recent = await staff.post<Job>(path, { ...posting, titre: 'Récent', closes_on: day(-80) })
    const old = { title: 'Ancien', description: '', closesOn: day(-100), updatedAt: new Date(Date.now() - 100 * 86_400_000) }
    await product.db.insert(jobs).values(Array.from({ length: 60 }, () => old))
    const changed = await staff.post<Job>(path, { ...posting, titre: 'Modifié', closes_on: '2020-01-01' })
    const current = await staff.get<Job[]>(`${path}/all`)
    expect(current.body.map(({ titre }) => titre)).toContain('Modifié')
    expect(current.body.map(({ titre }) => titre)).toContain('Récent')
    expect(current.body.map(({ titre }) => titre)).not.toContain('Ancien')
    const [first, second, beyond] = [
      await staff.get<Job[]>(`${path}/all?page=1`),
      await staff.get<Job[]>(`${path}/all?page=2`),
      await staff.get<Job[]>(`${path}/all?page=1000000000`),
    ]
    expect([first, second, beyond].map(({ body }) => body.length)).toEqual([50, 10, 0])
    expect(new Set([...first.body, ...second.body].map(({ id_emploi }) => id_emploi)).size).toBe(60)
    for (const { headers } of [first, second, beyond]) expect(headers.get('x-total-count')).toBe('60')
    expect((await staff.get(`${path}/all?page=0`)).status).toBe(400)
    await product.db.delete(jobs).where(eq(jobs.title, 'Ancien'))
    for (const { body } of [recent, changed]) await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('a posting opens and closes at midnight in the company’s time zone', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const visitor = await product.client()
    const { body } = await staff.post<Job>(path, { ...posting, opens_on: '2031-03-09', closes_on: '2031-11-02' })
    const stateAt = async (instant: string) => {
      // The content cache expires after a second, which does not pass here.
      product.app.events.changed('jobs')
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) })
      const { status, body: found } = await visitor.get<Job>(`${path}/${body.id_emploi}`)
      const isListed = (await visitor.get<Job[]>(path)).body.some((job) => job.id_emploi === body.id_emploi)
      vi.useRealTimers()
      return { status, state: found.state, isListed }
    }
    // Daylight saving time starts or ends in both nights.
    expect(await stateAt('2031-03-09T04:59:59Z')).toMatchObject({ status: 404, isListed: false })
    expect(await stateAt('2031-03-09T05:00:00Z')).toEqual({ status: 200, state: 'open', isListed: true })
    expect(await stateAt('2031-11-03T04:59:59Z')).toEqual({ status: 200, state: 'open', isListed: true })
    expect(await stateAt('2031-11-03T05:00:00Z')).toEqual({ status: 200, state: 'closed', isListed: false })
    await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('planned and closed postings are listed to staff only', async () => {
    expect((await (await product.client()).get(`${path}/all`)).status).toBe(401)
    expect((await (await product.signIn({ networks: 'administrator' })).get(`${path}/all`)).status).toBe(403)
    expect((await (await product.signIn({ jobs: 'read_only' })).get(`${path}/all`)).status).toBe(200)
  })

  test.each([
    ['a last day before the first', { ...posting, opens_on: day(2), closes_on: day(1) }, 'closes_on'],
    ['a day that does not exist', { ...posting, closes_on: '2026-02-30' }, 'closes_on'],
    ['a day that is no day', { ...posting, opens_on: 'demain' }, 'opens_on'],
    ['a kind of employment that is none', { ...posting, employment_type: 'ALL_THE_TIME' }, 'employment_type'],
    ['a list for a text', { ...posting, description: ['<p>x</p>'] }, 'description'],
    ['a NUL byte', { ...posting, titre: 'a\0' }, 'titre'],
    ['a lone surrogate', { ...posting, description: '<p>\udfff</p>' }, 'description'],
    ['a title of 50,000 letters', { ...posting, titre: 'a'.repeat(50_000) }, 'titre'],
    ['a text over the limit', { ...posting, description: 'a'.repeat(50_001) }, 'description'],
  ])('rejects %s', async (_name, body, field) => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const response = await staff.post<{ errors: { path: string }[] }>(path, body)
    expect(response.status).toBe(400)
    expect(response.body.errors.map((error) => error.path)).toContain(field)
  })

  test('rejects an unknown field', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    expect((await staff.post(path, { ...posting, state: 'open' })).status).toBe(400)
  })

  test('rejects a text that sanitizing makes longer than the limit', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const grown = await staff.post<{ errors: unknown[] }>(path, { ...posting, description: '&'.repeat(20_000) })
    expect(grown.status).toBe(400)
    expect(grown.body.errors).toEqual([{ path: 'description', message: expect.stringMatching(/^too long: \d+ of 50000$/) }])
    expect((await staff.get(path)).status).toBe(200)
  })

  test('sanitizes rich text on save', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const description =
      '<h1>Titre</h1><p onclick="x()">a<script>alert(1)</script><img src=x onerror=alert(1)><b>gras</b></p>' +
      '<a href="javascript:alert(1)">un</a><a href="https://example.com" target=_blank onmouseover=x>deux</a><svg onload=x></svg>'
    const { body } = await staff.post<Job>(path, { ...posting, description })
    expect(body.description).toBe(
      '<h3>Titre</h3><p>a<strong>gras</strong></p><a>un</a><a href="https://example.com" rel="noopener noreferrer">deux</a>',
    )
    await staff.delete(`${path}/${body.id_emploi}`)
  })

  test('returns a conflict with both versions to the second of two saves', async () => {
    const staff = await product.signIn({ jobs: 'read_write' })
    const { body: made } = await staff.post<Job>(path, posting)
    const address = `${path}/${made.id_emploi}`
    const saves = await Promise.all(
      ['Un', 'Deux'].map((titre) => staff.put<{ current: Job }>(address, { ...posting, titre, version: 1 })),
    )
    expect(saves.map((save) => save.status).toSorted()).toEqual([200, 409])
    const refused = saves.find((save) => save.status === 409)
    expect(refused?.body.current).toMatchObject({ version: 2 })
    await staff.delete(address)
  })

  test('rejects writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, posting, { jobs: 'read_only', employees: 'administrator' })
  })
})

test('a posting whose last day has no day after it, stored by an earlier version, does not hide the next change', async () => {
  const staff = await product.signIn({ jobs: 'read_write' })
  const { body } = await staff.post<Job>(path, { ...posting, opens_on: day(2) })
  const [stored] = await product.db
    .insert(jobs)
    .values({ title: 'Sans fin', description: '', closesOn: '9999-12-31' })
    .returning()
  expect(await findNextChange(product.db)).toBeInstanceOf(Date)
  expect((await staff.get<Job[]>(`${path}/all`)).body.map(({ id_emploi }) => id_emploi)).toContain(stored?.id)
  for (const id of [body.id_emploi, stored?.id]) expect((await staff.delete(`${path}/${id}`)).status).toBe(204)
})
