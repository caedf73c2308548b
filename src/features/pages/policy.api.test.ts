import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { LongText, PolicyPage } from './contract.ts'
import { storePolicyVersion } from './server/policy-versions.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const read = async (query = '') => (await product.client()).get<PolicyPage>(`/api/site/policy?lang=fr${query}`)
const soon = { timeout: 15_000, interval: 200 }

test('a changed policy is a new version, and those of before stay readable with their dates', async () => {
  const { body: first } = await read()
  expect(first.versions).toEqual([{ id_version: expect.any(Number) as number, since: expect.any(String) as string, until: null }])
  expect(first.shown).toEqual(first.versions[0])

  const staff = await product.signIn({ company: 'read_write', privacy: 'administrator' })
  const text = (await staff.get<LongText[]>('/api/site/long_texts')).body.find(({ name }) => name === 'privacy')
  if (!text) throw new Error('no policy')
  const { id_text: id, path: _path, is_default: _default, english_older: _older, updated_at: _at, ...values } = text
  const saved = await staff.put(`/api/site/long_texts/${id}`, { ...values, introduction: 'Une introduction changée.' })
  expect(saved.status, saved.text).toBe(200)
  await expect.poll(async () => (await read()).body.versions.length, soon).toBe(2)
  const { body: second } = await read()
  expect(second.text.lead).toBe('Une introduction changée.')
  const [current, former] = second.versions
  expect(former).toEqual({ ...first.versions[0], until: current?.since })

  const { body: old } = await read(`&version=${former?.id_version}`)
  expect(old.text).toEqual(first.text)
  expect(old.shown).toEqual(former)

  // A period that the policy names is part of what it says.
  const periods = await staff.put('/api/privacy/retention', [{ kind: 'requests', count: 7, unit: 'months' }])
  expect(periods.status, periods.text).toBe(200)
  await expect.poll(async () => (await read()).body.versions.length, soon).toBe(3)
  expect((await read()).body.text.html).toContain('7\u00a0mois')
  // So is the officer.
  const officer = { name: 'Odile Roy', title: 'Responsable', title_en: 'Officer', email: 'odile@example.com' }
  expect((await staff.put('/api/privacy/officer', officer)).status).toBe(200)
  await expect.poll(async () => (await read()).body.versions.length, soon).toBe(4)
})

test('what an import brought is shown without its scripts', async () => {
  const { body } = await read()
  const html =
    '<h2 id="a">Titre</h2><p onclick="x()">Bonjour<script>alert(1)</script><img src=x onerror=alert(1)></p><a href="javascript:alert(1)">a</a>'
  await storePolicyVersion(product.db, () => Promise.resolve({ ...body.text, html }))
  const { body: after } = await read()
  const { body: shown } = await read(`&version=${after.versions[0]?.id_version}`)
  expect(shown.text.html).toBe('<h2 id="a">Titre</h2><p>Bonjour</p><a>a</a>')
})

test('the same wording is stored once, whoever stores it; a version that is none is not found', async () => {
  const { body } = await read()
  const words = () => Promise.resolve(body.text)
  await storePolicyVersion(product.db, words)
  const count = (await read()).body.versions.length
  await Promise.all([storePolicyVersion(product.db, words), storePolicyVersion(product.db, words)])
  expect((await read()).body.versions).toHaveLength(count)
  expect((await read('&version=999999')).status).toBe(404)
  expect((await read('&version=0')).status).toBe(400)
})
