import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { createPageServices } from '#src/app/app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Article, ArticleTitle } from './contract.ts'
import { purgeReads } from './server/service.ts'
import { articleReads } from './server/table.ts'

const path = '/api/articles/articles'
const input = {
  titre: 'Mon téléphone est muet',
  titre_en: 'My phone is silent',
  corps: '<h3>Les étapes</h3><ol><li>Débranchez le câble.</li></ol>',
  corps_en: '<h3>The steps</h3><ol><li>Unplug the cable.</li></ol>',
  categorie: 'telephonie',
}
type Refusal = { errors: { path: string; message: string }[] }

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let visitor: Awaited<ReturnType<TestApp['client']>>
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn({ articles: 'read_write' })
  visitor = await product.client()
})
afterAll(() => product.stop())

async function write(more: object = {}) {
  const { status, body } = await staff.post<Article>(path, { ...input, ...more })
  expect(status).toBe(201)
  return { ...body, address: `${path}/${body.id_article}` }
}

describe('articles', () => {
  test('are created, read, changed and deleted with write access', async () => {
    const { address, ...created } = await write()
    expect(created).toEqual({
      ...input,
      id_article: expect.any(Number),
      slug: 'mon-telephone-est-muet',
      slug_en: 'my-phone-is-silent',
      public: true,
      publie: true,
      mots_cles: '',
      mots_cles_en: '',
      a_revoir_le: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      english_older: {},
      version: 1,
    })
    expect((await visitor.get(address)).body).toEqual(created)
    expect((await visitor.get<Article[]>(path)).body).toContainEqual(created)
    const changed = await staff.put<Article>(address, { ...input, titre: 'Plus de son', version: 1 })
    expect(changed.body).toMatchObject({ version: 2, slug: created.slug, english_older: { titre: expect.any(String) } })
    const late = await staff.put<{ current: Article }>(address, { ...input, version: 1 })
    expect([late.status, late.body.current.titre]).toEqual([409, 'Plus de son'])
    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
  })

  test.each([
    ['a draft', { publie: false }],
    ['for staff only', { public: false }],
    ['without a French title', { titre: '' }],
    ['with text in English alone', { corps: '<p></p>' }],
  ])('%s is found by no visitor and by no user without the right', async (_name, more) => {
    const { address, slug, slug_en, id_article } = await write(more)
    const readers = await product.signIn({ articles: 'read_only' })
    const services = createPageServices(product.app).articles
    for (const other of [visitor, await product.signIn({ jobs: 'administrator' })]) {
      expect((await other.get(address)).status).toBe(404)
      expect((await other.post(`/public_api/articles/${id_article}/helpful`, { helpful: true })).status).toBe(404)
      for (const list of [path, `${path}/titles`])
        expect((await other.get<Article[]>(list)).body.map((one) => one.id_article)).not.toContain(id_article)
    }
    for (const one of [slug, slug_en].filter(Boolean)) {
      expect((await staff.get(`${path}/at/${one}`)).status).toBe(404)
      await expect(services.find(one)).rejects.toThrow('does not exist')
    }
    for (const open of ['/sitemap.xml', '/aide/feed.fr.xml', '/aide/feed.en.xml']) {
      const { text } = await visitor.get(open)
      for (const one of [slug, slug_en].filter(Boolean)) expect(text).not.toContain(`/aide/${one}`)
    }
    expect((await readers.get<Article>(address)).body.id_article).toBe(id_article)
    for (const list of [path, `${path}/titles`])
      expect((await readers.get<Article[]>(list)).body.map((one) => one.id_article)).toContain(id_article)
    await staff.delete(address)
  })

  test('a former address leads to the article, also after it was deleted and restored', async () => {
    const office = await product.signIn({ articles: 'read_write', audit: 'administrator' })
    const { address, id_article, slug_en } = await write({ slug: 'premiere-adresse' })
    await staff.put(address, { ...input, slug: 'deuxieme-adresse', slug_en: 'second-address' })
    for (const slug of ['premiere-adresse', 'deuxieme-adresse', 'second-address', slug_en])
      expect((await visitor.get<Article>(`${path}/at/${slug}`)).body).toMatchObject({ id_article, slug: 'deuxieme-adresse' })
    await staff.delete(address)
    expect((await visitor.get(`${path}/at/premiere-adresse`)).status).toBe(404)
    const { body: log } = await office.get<{ id_entry: number }[]>('/api/audit/entries?area=articles&action=delete')
    expect((await office.post(`/api/audit/entries/${log[0]?.id_entry}/restore`)).status).toBe(204)
    expect((await visitor.get<Article>(`${path}/at/premiere-adresse`)).body.id_article).toBe(id_article)
    await staff.delete(address)
  })

  test('an address of another article, current or former, is refused; one of a deleted article is free', async () => {
    const first = await write({ slug: 'une-adresse' })
    await staff.put(first.address, { ...input, slug: 'une-autre' })
    for (const slug of ['une-adresse', 'une-autre']) {
      const refused = await staff.post<Refusal>(path, { ...input, slug })
      expect([refused.status, refused.body.errors]).toEqual([409, [{ path: 'slug', message: 'taken' }]])
    }
    await staff.delete(first.address)
    const second = await write({ slug: 'une-adresse' })
    expect((await visitor.get<Article>(`${path}/at/une-adresse`)).body.id_article).toBe(second.id_article)
    await staff.delete(second.address)
  })

  test('two with the same title get an address each, and never the same one', async () => {
    const title = { titre: 'Le même titre', titre_en: '' }
    const saved = await Promise.all([1, 2, 3].map(() => staff.post<Article>(path, { ...input, ...title })))
    // Of saves at the same moment, one gets the address and the others may be asked to save again.
    expect(saved.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    const created = saved.filter(({ status }) => status === 201).map(({ body }) => body)
    const last = await write(title)
    const slugs = [...created, last].map(({ slug }) => slug)
    expect(slugs).toContain('le-meme-titre')
    expect(last.slug).toMatch(/^le-meme-titre-\d$/)
    expect(new Set(slugs).size).toBe(slugs.length)
    for (const { id_article } of [...created, last]) await staff.delete(`${path}/${id_article}`)
  })

  test('text is sanitized; only pictures that were uploaded stay', async () => {
    const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#1746a2' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), '../écran.png')
    const stored = await upload(form)
    expect(stored.status).toBe(201)
    const picture = (await stored.json()) as { url: string; width: number; height: number }
    expect(picture).toEqual({ url: expect.stringMatching(/^\/media\/[\da-f]{32}-40\.jpeg$/), width: 40, height: 20 })
    const image = await fetch(product.origin + picture.url)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const own = `<img src="${picture.url}" alt="L’écran" width="40" height="20" />`
    const corps = `<p>Avant</p>${own}<img src="https://evil.example/a.jpeg" width="1" height="1"><img src=x onerror=alert(1)><script>alert(1)</script>`
    const { address, corps: clean } = await write({ corps })
    expect(clean).toBe(`<p>Avant</p>${own}`)
    await staff.delete(address)
  })

  test.each([
    ['a text', new Blob(['bonjour']), 415],
    ['a drawing with scripts', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/png' }), 415],
    ['a broken picture', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2])], { type: 'image/jpeg' }), 422],
    ['over 8 MB', new Blob([new Uint8Array(8 * 1024 * 1024 + 1)], { type: 'image/png' }), 413],
  ])('%s is no picture', async (_name, file, status) => {
    const form = new FormData()
    form.append('file', file, 'a.png')
    expect((await upload(form)).status).toBe(status)
  })

  test('an upload without a file, or that is no upload, is refused', async () => {
    expect((await upload(new FormData())).status).toBe(400)
    expect((await staff.post('/api/articles/pictures', { file: 'a' })).status).toBe(415)
    expect((await visitor.post('/api/articles/pictures', {})).status).toBe(401)
  })

  function upload(form: FormData) {
    const token = /XSRF-TOKEN=([^;]+)/.exec(staff.cookieHeader())?.[1] ?? ''
    const headers = { cookie: staff.cookieHeader(), 'x-xsrf-token': token, origin: product.origin }
    return fetch(`${product.origin}/api/articles/pictures`, { method: 'POST', headers, body: form })
  }

  test('the day of review counts for the writers once it has come', async () => {
    const count = async () => (await staff.get<{ count: number }>(`${path}/to_review`)).body.count
    const due = await write({ a_revoir_le: '2020-01-01' })
    const later = await write({ a_revoir_le: '2999-01-01' })
    expect(await count()).toBe(1)
    expect((await visitor.get(`${path}/to_review`)).status).toBe(401)
    for (const { address } of [due, later]) await staff.delete(address)
    expect(await count()).toBe(0)
  })

  test('an answer to was this helpful counts once for each browser, its last one', async () => {
    const { address, id_article, slug } = await write()
    const helpful = `/public_api/articles/${id_article}/helpful`
    for (const answer of [true, true, false]) expect((await visitor.post(helpful, { helpful: answer })).status).toBe(204)
    expect((await (await product.client()).post(helpful, { helpful: true })).status).toBe(204)
    const { vote } = createPageServices(product.app).articles
    const withoutScript = { headers: new Headers({ 'user-agent': 'Lynx' }), address: '192.0.2.7' }
    await vote(slug, true, withoutScript)
    await vote(slug, true, withoutScript)
    const { body } = await staff.get<ArticleTitle[]>(`${path}/titles`)
    expect(body.find((one) => one.id_article === id_article)).toMatchObject({ helpful: 2, not_helpful: 1 })
    expect((await visitor.get<ArticleTitle[]>(`${path}/titles`)).body.at(-1)).toMatchObject({ helpful: 0, not_helpful: 0 })
    expect((await visitor.post(helpful, { helpful: 'oui' })).status).toBe(400)
    expect((await visitor.post('/public_api/articles/999999/helpful', { helpful: true })).status).toBe(404)
    await staff.delete(address)
  })

  test('what was read most this week comes first, without drafts and without those who ask not to be counted', async () => {
    const [first, second] = [await write(), await write()]
    const mostRead = async () => {
      const { body } = await visitor.get<number[]>('/public_api/articles/most_read')
      return body.filter((id) => id === first.id_article || id === second.id_article)
    }
    const read = async (id: number) => (await visitor.post(`/public_api/articles/${id}/read`)).status
    for (const id of [first.id_article, second.id_article, second.id_article]) expect(await read(id)).toBe(204)
    await expect.poll(mostRead).toEqual([second.id_article, first.id_article])
    const privately = await product.client()
    const token = privately.cookies.get('XSRF-TOKEN') ?? ''
    const headers = { cookie: privately.cookieHeader(), 'x-xsrf-token': token, origin: product.origin, 'sec-gpc': '1' }
    for (let count = 0; count < 3; count += 1) {
      const { status } = await fetch(`${product.origin}/public_api/articles/${first.id_article}/read`, {
        method: 'POST',
        headers,
      })
      expect(status).toBe(204)
    }
    const counted = await product.db.select().from(articleReads).where(eq(articleReads.articleId, first.id_article))
    expect(counted.map(({ count }) => count)).toEqual([1])
    await staff.put(second.address, { ...input, publie: false })
    await expect.poll(mostRead).toEqual([first.id_article])
    expect(await read(second.id_article)).toBe(404)
    expect((await visitor.post('/public_api/articles/x/read')).status).toBe(400)
    await product.db.update(articleReads).set({ day: '2026-01-01' }).where(eq(articleReads.articleId, first.id_article))
    await expect.poll(mostRead).toEqual([])
    expect(await purgeReads(product.db, new Date('2026-02-01'), 100)).toBeGreaterThan(0)
    for (const { address } of [first, second]) await staff.delete(address)
  })

  test('the feeds and the sitemap name an article in the languages that it has', async () => {
    const both = await write()
    const french = await write({ titre: 'En français & seulement', titre_en: '', corps_en: '' })
    const feed = async (language: string) => (await visitor.get(`/aide/feed.${language}.xml`)).text
    expect(await feed('fr')).toContain('<title>En français &amp; seulement</title>')
    expect(await feed('en')).not.toContain('seulement')
    expect(await feed('en')).toContain(`/aide/${both.slug_en}?lang=en"`)
    const { text } = await visitor.get('/sitemap.xml')
    expect(text).toContain(`/aide/${both.slug_en}?lang=en</loc>`)
    expect(text).toContain(`/aide/${french.slug}</loc>`)
    expect(text).not.toContain(`/aide/${french.slug}?lang=en`)
    for (const { address } of [both, french]) await staff.delete(address)
  })

  test.each([
    ['an address with capitals', { slug: 'Mon-Adresse' }, 'slug'],
    ['an address out of the folder', { slug: '../x' }, 'slug'],
    ['a title of 50,000 letters', { titre: 'a'.repeat(50_000) }, 'titre'],
    ['a title of two lines', { titre: 'a\nb' }, 'titre'],
    ['a list for a text', { corps: ['a'] }, 'corps'],
    ['a NUL byte', { corps: 'a\0' }, 'corps'],
    ['a day that does not exist', { a_revoir_le: '2026-02-30' }, 'a_revoir_le'],
    ['a word for a switch', { public: 'oui' }, 'public'],
  ])('%s is refused by its field', async (_name, more, field) => {
    const { status, body } = await staff.post<Refusal>(path, { ...input, ...more })
    expect([status, body.errors.map((error) => error.path)]).toEqual([400, [field]])
  })

  test('reject writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, input, { articles: 'read_only', jobs: 'administrator' })
  })
})
