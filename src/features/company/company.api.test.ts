import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { describeBusiness } from '#src/ui/page/business-data.ts'
import { pictures } from '../content/server/pictures-table.ts'
import type { CompanySettings } from './contract.ts'
import { companySettingsInput, numberOf } from './contract.ts'
import { applyStoredFacts } from './server/service.ts'
import { companySettingsTable } from './server/table.ts'

const path = '/api/company/settings'
const files = structuredClone(company)

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
// The facts are those of the whole process.
afterAll(async () => {
  Object.assign(company, { colour: undefined, logo: undefined }, files)
  await product.stop()
})

const signIn = () => product.signIn({ company: 'read_write', audit: 'read_only' })
const change = async (input: Partial<CompanySettings>) => {
  const staff = await signIn()
  const { body } = await staff.get<CompanySettings>(path)
  return staff.put<CompanySettings & { errors: { path: string; message: string }[]; current: CompanySettings }>(path, {
    ...body,
    ...input,
  })
}

const svgOf = (inside: string, head = '') =>
  `data:image/svg+xml;base64,${Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20" width="40" height="20">${inside}</svg>`).toString('base64')}`
const red = '<rect width="40" height="20" fill="#c00"/>'

describe('the logo', () => {
  test('is drawn again from what it looks like, shown by its address, and followed by icons and share pictures', async () => {
    const visitor = await product.client()
    const bytesOf = async (address: string) => Buffer.from(await (await fetch(product.origin + address)).arrayBuffer())
    const [icon, share] = await Promise.all([bytesOf('/icon-192.png'), bytesOf('/share-fr.png')])
    const saved = await change({ new_logo: svgOf(`${red}<script>alert(1)</script>`) } as Partial<CompanySettings>)
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body.logo).toMatch(/^\/media\/[\da-f]{32}-\d+\.png$/)
    expect(saved.text).not.toContain('new_logo')
    const stored = await bytesOf(saved.body.logo)
    const { data, info } = await sharp(stored).raw().toBuffer({ resolveWithObject: true })
    expect([info.height, saved.body.logo.endsWith(`-${info.width}.png`)]).toEqual([96, true])
    const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
    expect([...data.subarray(middle, middle + 3)]).toEqual([204, 0, 0])
    expect((await visitor.get<{ logo: string }>('/api/company/facts')).body.logo).toBe(saved.body.logo)
    const [ownIcon, ownShare] = await Promise.all([bytesOf('/icon-192.png'), bytesOf('/share-fr.png')])
    expect([icon.equals(ownIcon), share.equals(ownShare)]).toEqual([false, false])
    const sizes = await Promise.all([ownIcon, ownShare].map(async (one) => (await sharp(one).metadata()).width))
    expect(sizes).toEqual([192, 1200])
    // The tab too, in each state of the chat.
    for (const state of ['', '-busy', '-closed', '-emergency']) {
      const tab = await fetch(`${product.origin}/favicon${state}.svg`)
      const drawing = await tab.text()
      expect([tab.headers.get('content-type'), drawing.includes('data:image/png;base64,')]).toEqual(['image/svg+xml', true])
      expect((await sharp(Buffer.from(drawing)).metadata()).width).toBeGreaterThan(0)
    }

    // It stays with the next save, is in the audit log, and goes with the others.
    expect((await change({ city: 'Matane' })).body.logo).toBe(saved.body.logo)
    expect((await (await signIn()).get('/api/audit/entries')).text).toContain(saved.body.logo)
    expect((await (await signIn()).delete<CompanySettings>(path)).body.logo).toBe('')
    expect((await visitor.get<{ logo: null }>('/api/company/facts')).body.logo).toBeNull()
    expect((await bytesOf('/icon-192.png')).equals(icon)).toBe(true)
    expect((await bytesOf('/favicon.svg')).toString()).not.toContain('<image')
  })

  test('that cannot be drawn into the icons gives an answer that nobody stores', async () => {
    const { body } = await change({ new_logo: svgOf('<circle cx="20" cy="10" r="9"/>') } as Partial<CompanySettings>)
    const key = body.logo.slice('/media/'.length).split('-')[0] ?? ''
    await product.db
      .update(pictures)
      .set({ bytes: Buffer.from('broken') })
      .where(eq(pictures.key, key))
    const { status, headers } = await fetch(`${product.origin}/icon-512.png`)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(headers.get('cache-control') ?? '').not.toContain('public')
    await (await signIn()).delete(path)
  })

  test.each([
    ['an outside file', svgOf('<image xlink:href="file:///etc/passwd" width="40" height="20"/>')],
    ['an outside address', svgOf('<image href="https://example.com/a.png" width="40" height="20"/>')],
    ['an outside style', svgOf('<style>@import "https://example.com/a.css";</style>')],
    ['an entity', svgOf('<text>&x;</text>', '<!DOCTYPE svg [<!ENTITY x "y">]>')],
    ['comments alone', `data:image/svg+xml;base64,${Buffer.from(`${'<!---->'.repeat(60)}<g/>`).toString('base64')}`],
    ['no picture', `data:image/png;base64,${Buffer.from('GIF89a').toString('base64')}`],
    ['a page', `data:text/html;base64,${Buffer.from('<p>x</p>').toString('base64')}`],
  ])('with %s is refused at its field', async (_what, new_logo) => {
    const answer = await change({ new_logo } as Partial<CompanySettings>)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors.map((one) => one.path)).toEqual(['new_logo'])
  })

  test.each([
    ['comments before and after its type', svgOf(red, '\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg>\n<!-- b -->\n')],
    ['spaces before its own parts', svgOf(`<g id="a">${red}</g><use href= " #a" fill="url( '#a')"/>`)],
  ])('with %s is taken', async (_what, new_logo) => {
    const answer = await change({ new_logo } as Partial<CompanySettings>)
    expect(answer.status, answer.text).toBe(200)
    await (await signIn()).delete(path)
  })

  test('that was never stored here is refused', async () => {
    const answer = await change({ logo: `/media/${'0'.repeat(32)}-120.png` })
    expect([answer.status, answer.body.errors[0]?.path]).toEqual([400, 'logo'])
  })
})

describe('the facts of the company', () => {
  test('are those of the files until they are changed, appear everywhere at once, and can be put back', async () => {
    const staff = await signIn()
    const visitor = await product.client()
    const first = await staff.get<CompanySettings>(path)
    expect(first.body).toMatchObject({ name: files.name, toll_free: files.phones.tollFree.display, is_default: true })

    const saved = await change({ name: 'Fleuve TI', support_email: 'aide@fleuve.example.com', toll_free: '1 888 555-0177' })
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body).toMatchObject({ name: 'Fleuve TI', is_default: false })
    const text = await visitor.get('/api/site/texts/privacy')
    expect(text.text).toContain('tel:+18885550177')
    expect((await visitor.get('/manifest.fr.webmanifest')).text).toContain('Fleuve TI')
    const business = describeBusiness('https://example.com', 'fr', { week: [], holidays: [] })
    expect(business).toMatchObject({ name: 'Fleuve TI', telephone: '+18885550177', email: 'aide@fleuve.example.com' })
    // A page that is open takes these over its own: also that there is no colour.
    expect((await visitor.get('/api/company/facts')).body).toMatchObject({
      name: 'Fleuve TI',
      legalName: files.legalName,
      colour: null,
    })
    expect((await visitor.get('/webchat/embed.js')).text).toContain('Fleuve TI')
    const entries = await staff.get('/api/audit/entries')
    expect(entries.text).toContain('Fleuve TI')

    const back = await staff.delete<CompanySettings>(path)
    expect(back.body).toMatchObject({ name: files.name, is_default: true })
    expect((await visitor.get('/manifest.fr.webmanifest')).text).not.toContain('Fleuve TI')
    expect((await visitor.get('/webchat/embed.js')).text).not.toContain('Fleuve TI')
    expect((await visitor.get('/api/company/facts')).body).toMatchObject({ name: files.name })
  })

  test('are read again by another instance, and by the next start', async () => {
    const { body } = await change({ city: 'Rimouski' })
    expect(company.address.city).toBe('Rimouski')
    // As another instance stores them, which tells this one.
    const { version: _version, is_default: _isDefault, ...settings } = body
    await product.db.update(companySettingsTable).set({ version: 90, settings: { ...settings, city: 'Lévis' } })
    product.app.events.changed('company')
    await expect.poll(() => company.address.city).toBe('Lévis')
    Object.assign(company, { address: files.address })
    await applyStoredFacts(product.db)
    expect(company.address.city).toBe('Lévis')
    await (await signIn()).delete(path)
    expect(company.address.city).toBe(files.address.city)
  })

  test('are found by the search as they are now', async () => {
    const found = async (words: string) => product.app.siteSearch.find(words, 'fr', 5, ({ kind }) => kind === 'page')
    expect(await found('Kamouraskaville')).toEqual([])
    await change({ street: '1, rue Kamouraskaville' })
    expect((await found('Kamouraskaville')).map(({ key }) => key)).toContain('page-privacy')
    await (await signIn()).delete(path)
    expect(await found('Kamouraskaville')).toEqual([])
  })

  test('have addresses in any alphabet, which are those of the site after a save', async () => {
    for (const email of ['hélène@example.com', 'soutien@montréal.example', "o'brien@example.com"]) {
      const saved = await change({ support_email: email })
      expect(saved.status, saved.text).toBe(200)
      expect(company.emails.support).toBe(email)
    }
    await (await signIn()).delete(path)
  })

  test('the second of two saves from the same version gets a conflict with the first', async () => {
    const staff = await signIn()
    const { body } = await staff.get<CompanySettings>(path)
    expect((await staff.put(path, { ...body, name: 'Premier' })).status).toBe(200)
    const second = await staff.put<{ current: CompanySettings }>(path, { ...body, name: 'Second' })
    expect([second.status, second.body.current.name, company.name]).toEqual([409, 'Premier', 'Premier'])
    await staff.delete(path)
  })

  test.each([
    ['a number that cannot be called', { toll_free: '911-12' }, 'toll_free'],
    ['no email address', { support_email: 'aide' }, 'support_email'],
    ['a blank name', { name: ' \u200b' }, 'name'],
    ['a color that cannot be read', { colour: '#ffb224' }, 'colour'],
    ['a rule in place of a color', { colour: 'red;}' }, 'colour'],
    ['a place outside the Earth', { latitude: 91 }, 'latitude'],
  ])('refuse %s, and stay', async (_what, input, field) => {
    const refused = await change(input)
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map((error) => error.path)).toEqual([field])
    expect(company.name).toBe(files.name)
  })

  test('are changed with the right alone', async () => {
    const staff = await product.signIn({ company: 'read_only' })
    const { body } = await staff.get<CompanySettings>(path)
    expect((await staff.put(path, body)).status).toBe(403)
    expect((await staff.delete(path)).status).toBe(403)
    expect((await (await product.client()).get(path)).status).toBe(401)
  })
})

test('a color has a style sheet for both palettes; one that cannot be read has none', async () => {
  const visitor = await product.client()
  const sheet = await visitor.get('/couleur/0b6b4f.css')
  expect(sheet.headers.get('content-type')).toContain('text/css')
  expect(sheet.text).toMatch(/--color-brand:#0b6b4f.*data-theme='dark'.*--color-brand:#/)
  for (const file of ['ffffff.css', '0b6b4f.js', '..%2fx.css'])
    expect((await visitor.get(`/couleur/${file}`)).status, file).toBeGreaterThanOrEqual(400)
})

test('a number is taken as a document or a page writes it', () => {
  const { fax } = companySettingsInput.shape
  expect(fax.parse(' 1\u00a0800\u202f555\u20110142 ')).toBe('1 800 555-0142')
  expect(fax.parse('1 800 555-\u20600142')).toBe('1 800 555-0142')
})

test.each([
  ['418 555-0118', '+14185550118'],
  ['1 800 555-0142', '+18005550142'],
  ['+33 1 99 00 12 34', '+33199001234'],
  ['555-0118', null],
  ['2 418 555-0118', null],
  ['1 800 FLEURS', null],
])('the number to call of %s is %s', (display, number) => {
  expect(numberOf(display)).toBe(number)
})
