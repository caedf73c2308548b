import { afterAll, beforeAll, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { AuditEntry } from '#src/features/audit/contract.ts'
import type { Officer } from '#src/features/company/contract.ts'

const supplied = structuredClone(company.people)

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
// The facts are those of the whole process.
afterAll(async () => {
  company.people = supplied
  await product.stop()
})

const path = '/api/privacy/officer'
const next = { name: 'Ève <b>Roy</b>', title: 'Directrice', title_en: 'Director', email: 'eve@example.com' }
const policy = async (language: string) =>
  (await (await product.client()).get(`/api/site/texts/privacy?lang=${language}`)).text.replaceAll('\u00a0', ' ')

test('the officer that an administrator enters is the one of the policy, the pages and their facts at once', async () => {
  const officer = await product.signIn()
  const { privacyOfficer } = supplied
  const before = await officer.get<Officer>(path)
  expect(before.body).toEqual({
    name: privacyOfficer.name,
    title: privacyOfficer.title.fr,
    title_en: privacyOfficer.title.en,
    email: privacyOfficer.email,
    version: 1,
    is_default: true,
  })
  const saved = await officer.put<Officer>(path, { ...next, version: 1 })
  expect([saved.status, saved.body]).toEqual([200, { ...next, version: 2, is_default: false }])
  for (const [language, title] of [
    ['fr', next.title],
    ['en', next.title_en],
  ] as const) {
    const text = await policy(language)
    expect(text).toContain(title)
    expect(text).toContain(next.email)
    expect(text).toContain('Ève &lt;b&gt;Roy')
    expect(text).not.toContain(privacyOfficer.email)
  }
  const visitor = await product.client()
  const { body: facts } = await visitor.get<typeof company>('/api/company/facts')
  expect(facts.people.privacyOfficer).toMatchObject({ name: next.name, email: next.email })
  expect(facts.people.recruiter).toEqual(supplied.recruiter)
  const { body: entries } = await officer.get<AuditEntry[]>('/api/audit/entries?area=privacy&action=update%20officer')
  expect(entries[0]).toMatchObject({ before: { name: privacyOfficer.name }, after: { name: next.name } })

  // Of two who save the same version, the second is shown what the first saved.
  const late = await officer.put<{ current: Officer }>(path, { ...next, name: 'Autre', version: 1 })
  expect([late.status, late.body.current.name]).toEqual([409, next.name])

  // The settings of the company and the officer leave each other alone.
  const settings = await officer.get<object>('/api/company/settings')
  expect((await officer.put('/api/company/settings', { ...settings.body, city: 'Matane' })).status).toBe(200)
  expect((await officer.delete('/api/company/settings')).status).toBe(200)
  expect((await officer.get<Officer>(path)).body).toMatchObject({ name: next.name, version: 2 })

  // The person of the files is followed again.
  const { version: _version, is_default: _default, ...input } = before.body
  expect((await officer.put<Officer>(path, input)).body).toMatchObject({ is_default: true, version: 3 })
  expect(await policy('fr')).toContain(privacyOfficer.email)
})

test.each([
  ['no name', { ...next, name: ' ' }],
  ['no English title', { ...next, title_en: '' }],
  ['no address', { ...next, email: 'nobody' }],
  ['a line break', { ...next, name: 'a\r\nb' }],
  ['a name of 300 characters', { ...next, name: 'x'.repeat(300) }],
])('is not changed by %s', async (_name, body) => {
  const officer = await product.signIn()
  expect((await officer.put(path, body)).status).toBe(400)
  expect((await officer.get<Officer>(path)).body.name).toBe(supplied.privacyOfficer.name)
})

test('is read with the registers, and changed by administrators alone', async () => {
  const reader = await product.signIn({ privacy: 'read_only' })
  const writer = await product.signIn({ privacy: 'read_write', company: 'administrator' })
  expect([(await reader.get(path)).status, (await writer.put(path, next)).status]).toEqual([200, 403])
})
