import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { ListedPage, PageDescription } from './contract.ts'
import { readTags } from './server/read-tags.ts'
import { applyDescriptions, findForPage, findOwnPages } from './server/service.ts'
import { pageDescriptions } from '../server/table.ts'

const path = '/api/pages'
type Refused = PageDescription & { errors: { path: string; message: string }[]; current: PageDescription }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const signIn = () => product.signIn({ company: 'read_write', jobs: 'read_write', audit: 'read_only' })

async function upload(staff: Awaited<ReturnType<typeof signIn>>, bytes: Buffer, name = 'carte.jpg') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return staff.post<{ url: string; width: number; height: number }>(`${path}/pictures`, form)
}

describe('the description of a page', () => {
  test('is empty until it is saved, is shown at once, and is put back by empty fields', async () => {
    const staff = await signIn()
    const { body: before } = await staff.get<PageDescription>(`${path}/about.personal_information`)
    expect(before).toMatchObject({ path: '/about/personal_information', title: '', description: '', picture: '', version: 0 })

    const fields = { title: 'Vos renseignements', title_en: 'Your information', description: 'Ce que nous gardons.' }
    const saved = await staff.put<Refused>(`${path}/about.personal_information`, { ...fields, version: 0 })
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body).toMatchObject({ ...fields, description_en: '', version: 1 })
    const { all, titles } = findOwnPages(product.db)
    expect(all['/about/personal_information']).toEqual({
      title: { fr: 'Vos renseignements', en: 'Your information' },
      description: { fr: 'Ce que nous gardons.', en: '' },
      picture: '',
    })
    // The browser needs the titles alone, when it goes from page to page.
    expect(titles['/about/personal_information']).toEqual({ title: { fr: 'Vos renseignements', en: 'Your information' } })
    expect(findForPage(product.db, '/cloud', 'fr')).toEqual(titles)
    expect(findForPage(product.db, '/about/personal_information', 'fr')).toEqual(all)
    const entries = await staff.get(`/api/audit/entries?area=company&entry=page/about.personal_information`)
    expect(entries.text).toContain('Vos renseignements')

    await staff.put(`${path}/about.personal_information`, { version: 1 })
    expect(findOwnPages(product.db).titles).toEqual({})
    expect(findForPage(product.db, '/cloud', 'fr')).toBeNull()
  })

  test('of two who save, the second is shown the first', async () => {
    const staff = await signIn()
    await staff.put(`${path}/home`, { title: 'Le premier', version: 0 })
    const second = await staff.put<Refused>(`${path}/home`, { title: 'Le second', version: 0 })
    expect(second.status).toBe(409)
    expect(second.body.current).toMatchObject({ title: 'Le premier', version: 1 })
    expect((await staff.get<PageDescription>(`${path}/home`)).body.title).toBe('Le premier')
  })

  test('of a posting is kept for a draft too; what is no page of the site has none', async () => {
    const staff = await signIn()
    const { body: job } = await staff.post<{ id_emploi: number }>('/api/jobs/emplois', { titre: 'Brouillon', publie: false })
    const saved = await staff.put(`${path}/emploi.voir.${job.id_emploi}`, { title: 'Un poste à Québec' })
    expect(saved.status, saved.text).toBe(200)
    for (const key of ['emploi.voir.99999', 'admin.panel', 'nulle_part', 'api.pages', 'suivi.abc'])
      expect((await staff.get(`${path}/${key}`)).status, key).toBe(404)
    expect((await staff.get(`${path}/${encodeURIComponent('../secret')}`)).status).toBe(400)
  })

  test('takes titles of 300 characters and emoji, and refuses longer ones, lines and unstored pictures by their field', async () => {
    const staff = await signIn()
    const long = 'é'.repeat(300)
    expect((await staff.put<PageDescription>(`${path}/cloud`, { title: long, title_en: '🎧🖥️' })).body).toMatchObject({
      title: long,
      title_en: '🎧🖥️',
    })
    for (const [field, value] of [
      ['title', 'é'.repeat(301)],
      ['description_en', 'a'.repeat(501)],
      ['title', 'deux\nlignes'],
      ['title', 'nul\u0000'],
      ['picture', 'https://example.com/a.jpeg'],
      ['picture', `/media/${'a'.repeat(32)}-1200.jpeg`],
    ] as const) {
      const refused = await staff.put<Refused>(`${path}/cloud`, { [field]: value })
      expect(refused.status, `${field} ${value.slice(0, 20)}`).toBe(400)
      expect(refused.body.errors[0]?.path).toBe(field)
    }
    const markup = '</title><script>alert(1)</script>'
    expect((await staff.put<PageDescription>(`${path}/cloud`, { title: markup })).body.title).toBe(markup)
  })

  test('has a picture that fills 1200 by 630, drawn anew from its pixels', async () => {
    const staff = await signIn()
    const photo = await sharp({ create: { width: 900, height: 1_600, channels: 3, background: '#1746a2' } })
      .jpeg()
      .toBuffer()
    const { status, body } = await upload(staff, photo)
    expect({ status, ...body }).toMatchObject({ status: 201, width: 1_200, height: 630 })
    expect((await staff.put<PageDescription>(`${path}/service`, { picture: body.url })).body.picture).toBe(body.url)
    const shown = await (await product.client()).get(body.url)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect((await upload(staff, Buffer.from('<svg onload="alert(1)"/>'))).status).toBe(415)
    expect((await upload(staff, Buffer.from([0xff, 0xd8, 0xff, 0x00]))).status).toBe(422)
    expect((await upload(staff, Buffer.alloc(9 * 1024 * 1024, 0xff))).status).toBe(413)
  })

  test('is listed for readers and changed by who may write', async () => {
    const staff = await signIn()
    await staff.put(`${path}/contact`, { description: 'Appelez-nous.' })
    const reader = await product.signIn({ company: 'read_only' })
    const { body } = await reader.get<ListedPage[]>(path)
    expect(body.find(({ key }) => key === 'contact')).toMatchObject({ path: '/contact', has_own: true })
    expect(body.find(({ key }) => key === 'home')).toMatchObject({ path: '/', title: { fr: 'Accueil', en: 'Home' } })
    expect((await reader.put(`${path}/contact`, { title: 'x' })).status).toBe(403)
    const stranger = await product.signIn({ jobs: 'administrator' })
    expect((await stranger.get(path)).status).toBe(403)
    // Emptied, it has the text of the page again.
    await staff.put(`${path}/contact`, { description: '' })
    const emptied = await reader.get<ListedPage[]>(path)
    expect(emptied.body.find(({ key }) => key === 'contact')).toMatchObject({ has_own: false })
  })

  test('of another instance is shown once it announces a change', async () => {
    const row = {
      title: 'Ailleurs',
      titleEn: '',
      description: '',
      descriptionEn: '',
      picture: '',
      version: 1,
      updatedAt: new Date(),
    }
    await product.db.insert(pageDescriptions).values({ path: '/support', ...row })
    expect(findOwnPages(product.db).titles['/support']).toBeUndefined()
    product.app.events.changed('company')
    await expect.poll(() => findOwnPages(product.db).titles['/support']?.title.fr).toBe('Ailleurs')
    expect(await applyDescriptions(product.db)).toBe(false)
  })
})

test('what a page says in its head is read from its HTML', () => {
  const html =
    '<head><title>L&#x27;aide &amp; vous | Guichet</title><meta name="description" content="Des &quot;réponses&quot;"/><meta property="og:image" content="https://example.com/partage/job/1.fr.png"/></head><body><title>x</title></body>'
  expect(readTags(html)).toEqual({
    title: "L'aide & vous | Guichet",
    description: 'Des "réponses"',
    picture: '/partage/job/1.fr.png',
  })
})
