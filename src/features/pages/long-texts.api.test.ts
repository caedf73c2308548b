import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { LongText, LongTextHelp, LongTextInput, PageText, RenderedTexts, TextName } from './contract.ts'
import { textNames } from './contract.ts'
import { applyStoredTexts } from './server/long-texts.ts'
import { longTexts } from './server/table.ts'

const path = '/api/site/long_texts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const signIn = () => product.signIn({ company: 'read_write', audit: 'read_only' })
type Refused = { errors: { path: string; message: string }[]; current: LongText }

const inputOf = ({
  id_text: _id,
  path: _path,
  is_default: _default,
  english_older: _older,
  updated_at: _at,
  ...values
}: LongText) => values as LongTextInput

async function open(name: TextName) {
  const staff = await signIn()
  const { body } = await staff.get<LongText[]>(path)
  const text = body.find((one) => one.name === name)
  if (!text) throw new Error(`no text ${name}`)
  const put = (input: Partial<LongTextInput>) =>
    staff.put<LongText & Refused>(`${path}/${text.id_text}`, { ...inputOf(text), ...input })
  const reset = async () => {
    const { body: help } = await staff.get<LongTextHelp>(`${path}/${text.id_text}/help`)
    return staff.put<LongText>(`${path}/${text.id_text}`, { name, ...help.supplied })
  }
  return { staff, text, put, reset }
}

const shown = async (name: TextName, lang: 'fr' | 'en') =>
  (await (await product.client()).get<PageText>(`/api/site/texts/${name}?lang=${lang}`)).body

describe('a long text', () => {
  test('is that of its file until it is saved, appears at once with the values of the company, and goes back to the file', async () => {
    const { staff, text, put, reset } = await open('privacy')
    expect((await staff.get<LongText[]>(path)).body.map(({ name }) => name)).toEqual([...textNames])
    expect(text).toMatchObject({ is_default: true, titre: expect.stringContaining('renseignements personnels'), version: 1 })
    const before = await shown('privacy', 'fr')

    const saved = await put({
      titre: 'Notre politique',
      texte: '## Contact\n\nAppelez au {phone}.',
      texte_en: '## Contact\n\nCall {phone}.',
    })
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body).toMatchObject({ titre: 'Notre politique', is_default: false, version: 2 })
    const french = await shown('privacy', 'fr')
    expect(french).toMatchObject({ title: 'Notre politique', sections: [{ id: 'contact', title: 'Contact' }] })
    expect(french.html).toMatch(/Appelez au <a href="tel:\+1\d{10}">/)
    expect((await shown('privacy', 'en')).html).toContain('Call <a href="tel:')
    const entries = await staff.get(`/api/audit/entries?area=company&entry=text/${text.id_text}`)
    expect(entries.text).toContain('Notre politique')

    expect((await reset()).body).toMatchObject({ is_default: true, titre: text.titre, version: 3 })
    expect(await shown('privacy', 'fr')).toEqual(before)
  })

  test('is dated in the site map once it was changed here', async () => {
    const { put, reset } = await open('cloud')
    const entryOf = async (path: string) => {
      const xml = await (await fetch(`${product.origin}/sitemap.xml`)).text()
      return xml.split('<url>').filter((one) => one.includes(`<loc>${product.origin}${path}`))
    }
    expect(await entryOf('/cloud')).toEqual([expect.not.stringContaining('<lastmod>'), expect.not.stringContaining('<lastmod>')])
    const { body } = await put({ texte: 'Un nuage à vous.' })
    const dated = expect.stringContaining(`<lastmod>${body.updated_at}</lastmod>`) as string
    // Once in each language, not once more for the file.
    expect(await entryOf('/cloud')).toEqual([dated, dated])
    await reset()
    // A page above another is no list of it.
    const policy = await open('privacy')
    await policy.put({ texte: 'Une politique.' })
    expect(await entryOf('/about</loc>')).toEqual([expect.not.stringContaining('<lastmod>')])
    await policy.reset()
  })

  test('is found by the search as it is now', async () => {
    const { put, reset } = await open('cloud')
    const found = async (words: string) => product.app.siteSearch.find(words, 'fr', 5, ({ kind }) => kind === 'page')
    expect(await found('Kamouraskanuage')).toEqual([])
    await put({ texte: 'Le Kamouraskanuage est à vous.' })
    expect((await found('Kamouraskanuage')).map(({ key }) => key)).toContain('page-cloud')
    await reset()
    expect(await found('Kamouraskanuage')).toEqual([])
  })

  test('of a tutorial is in French alone', async () => {
    const { text, put, reset } = await open('phone_tutorial')
    expect(text).toMatchObject({ titre_en: '', path: '/telecom/phone_tutorial' })
    expect((await put({ titre: 'Le téléphone' })).status).toBe(200)
    expect(await shown('phone_tutorial', 'en')).toMatchObject({ title: 'Le téléphone', language: 'fr' })
    await reset()
  })

  test('has its French marked where its English did not follow', async () => {
    const { put, reset } = await open('support')
    const { body } = await put({ introduction: 'Autre chose.' })
    expect(body.english_older).toEqual({ introduction: expect.any(String) })
    await reset()
  })

  test.each<[string, Partial<LongTextInput>, string, string]>([
    ['an unknown placeholder', { texte_en: 'Call {phones}.' }, 'texte_en', 'unknown placeholder {phones}'],
    ['an unknown placeholder in its head', { titre: 'À propos de {nobody}' }, 'titre', 'unknown placeholder {nobody}'],
    ['an unknown block', { texte: ':::carrousel\n### A\nB\n:::' }, 'texte', 'unknown block :::carrousel'],
    ['no English', { titre_en: '' }, 'titre_en', 'required'],
    ['a head of two lines', { introduction_en: 'One\nTwo' }, 'introduction_en', 'one line only'],
    ['a blank text', { texte: ' \u200b' }, 'texte', 'required'],
  ])('with %s is refused, and the page stays', async (_what, input, field, message) => {
    const { put } = await open('about')
    const before = await shown('about', 'fr')
    const refused = await put(input)
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ path: field, message }])
    expect(await shown('about', 'fr')).toEqual(before)
  })

  test('is cleaned as it is shown, and previewed so before it is saved', async () => {
    const { staff, text, put, reset } = await open('service')
    const input = { texte: 'Bonjour <script>alert(1)</script><b onclick="x()">toi</b> [ici](javascript:x())' }
    const preview = await staff.post<RenderedTexts>(`${path}/preview`, { ...inputOf(text), ...input })
    expect(preview.body.fr?.html).toBe('<p>Bonjour <strong>toi</strong> <a>ici</a></p>\n')
    expect(preview.body.en?.language).toBe('en')
    expect((await staff.post(`${path}/preview`, { ...inputOf(text), texte: '{nobody}' })).status).toBe(400)
    await put(input)
    expect((await shown('service', 'fr')).html).toBe(preview.body.fr?.html)
    await reset()
  })

  test('is not saved over a colleague’s, nor under the name of another', async () => {
    const { staff, text, put, reset } = await open('contact')
    expect((await staff.put<LongText>(`${path}/${text.id_text}`, text)).body.version).toBe(text.version + 1)
    expect((await put({ titre: 'Zéro' })).status).toBe(409)
    expect((await put({ titre: 'Un', version: text.version + 1 })).status).toBe(200)
    const late = await put({ titre: 'Deux' })
    expect([late.status, late.body.current.titre]).toEqual([409, 'Un'])
    expect((await put({ name: 'about', version: text.version + 2 })).status).toBe(400)
    await reset()
  })

  test('is changed with the right alone, and neither created nor deleted', async () => {
    const { text, staff } = await open('way_of_life')
    const reader = await product.signIn({ company: 'read_only' })
    const visitor = await product.client()
    const address = `${path}/${text.id_text}`
    expect((await reader.get(address)).status).toBe(200)
    expect((await reader.put(address, inputOf(text))).status).toBe(403)
    expect((await reader.post(`${path}/preview`, inputOf(text))).status).toBe(403)
    expect([(await visitor.get(path)).status, (await visitor.get(`${address}/help`)).status]).toEqual([401, 401])
    expect([(await staff.delete(address)).status, (await staff.post(path, inputOf(text))).status]).toEqual([404, 404])
  })

  test('is read again by another instance and by the next start; one that is invalid by now gives way to its file', async () => {
    const supplied = await shown('infrastructure', 'fr')
    const store = async (body: string) => {
      const french = { title: 'T', description: 'D', lead: 'L', body }
      await product.db.update(longTexts).set({ french, english: french, version: 9 }).where(eq(longTexts.name, 'infrastructure'))
      product.app.events.changed('company')
    }
    await store('Autre {city}.')
    await expect.poll(async () => (await shown('infrastructure', 'fr')).title).toBe('T')
    await store('Autre {gone}.')
    await expect.poll(async () => shown('infrastructure', 'fr')).toEqual(supplied)
    await product.db.update(longTexts).set({ french: null, english: null }).where(eq(longTexts.name, 'infrastructure'))
    expect(await applyStoredTexts(product.db)).toBe(true)
  })
})
