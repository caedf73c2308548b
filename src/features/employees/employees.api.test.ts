import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { users } from '#src/features/people/server/table.ts'
import type { HeldWork } from '#src/features/people/contract.ts'
import type { Employee } from './contract.ts'

const path = '/api/employees/employes'
const person = {
  nom: 'Zoé Lavallée',
  departement: 'TECHNICIENS',
  sousdepartement: 'TELECOM',
  titre: 'Technicienne réseau',
  titre_en: 'Network technician',
  email: 'zoe@example.com',
  description: 'Elle répond au guichet.',
  description_en: 'She answers at the counter.',
}

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const where = (filter: unknown) => `${path}?where=${encodeURIComponent(JSON.stringify(filter))}`

describe('employees', () => {
  test('are created, read, changed and deleted with write access', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const created = await staff.post<Employee>(path, person)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      ...person,
      id_employe: expect.any(Number),
      photo: null,
      publie: true,
      english_older: {},
      version: 1,
    })

    const address = `${path}/${created.body.id_employe}`
    const visitor = await product.client()
    expect((await visitor.get(address)).body).toEqual(created.body)

    const changed = await staff.put<Employee>(address, { ...person, titre: 'Chef d’équipe', titre_en: 'Team lead', version: 1 })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ titre: 'Chef d’équipe', version: 2, english_older: {} })
    expect((await staff.get(`${address}/last_change`)).body).toEqual({ at: expect.any(String), name: staff.user.displayName })
    expect((await visitor.get(`${address}/last_change`)).status).toBe(401)

    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
    expect((await staff.delete(address)).status).toBe(404)
  })

  test('are listed by name, and found by email and by either department', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const made = []
    for (const more of [
      { nom: 'Carl', email: 'carl@example.com', departement: 'VENTES', sousdepartement: 'VENTES' },
      { nom: 'Annick', email: 'annick@example.com', departement: 'ADMINISTRATION', sousdepartement: 'VENTES' },
      { nom: 'Benoît', email: 'benoit@example.com', departement: 'TELECOM', sousdepartement: 'TECHNICIENS' },
    ]) {
      made.push((await staff.post<Employee>(path, { ...person, ...more })).body)
    }
    const visitor = await product.client()
    const names = async (address: string) => (await visitor.get<Employee[]>(address)).body.map((one) => one.nom)
    expect(await names(path)).toEqual(['Annick', 'Benoît', 'Carl'])
    expect(await names(where({ departement: 'VENTES' }))).toEqual(['Annick', 'Carl'])
    expect(await names(where({ departement: 'VENTES', email: { neq: 'carl@example.com' } }))).toEqual(['Annick'])
    expect(await names(where({ email: 'benoit@example.com' }))).toEqual(['Benoît'])
    expect(await names(where({ sousdepartement: { neq: 'VENTES' } }))).toEqual(['Benoît'])
    expect(await names(where({ departement: "' OR 1=1--" }))).toEqual([])
    for (const one of made) await staff.delete(`${path}/${one.id_employe}`)
  })

  test('a draft is for those who read the team alone until it is published', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const reader = await product.signIn({ employees: 'read_only' })
    const visitor = await product.client()
    const outsiders = [visitor, await product.signIn({ jobs: 'administrator', users: 'read_write' })]
    const { body: made } = await staff.post<Employee>(path, { ...person, publie: false })
    const [address, page] = [`${path}/${made.id_employe}`, `/team/employe/${made.id_employe}`]
    const names = async (who: TestClient, list = path) => (await who.get<Employee[]>(list)).body.map((one) => one.nom)
    const addresses = async () => (await visitor.get('/sitemap.xml')).text
    expect(made).toMatchObject({ nom: person.nom, publie: false })
    for (const who of [staff, reader]) {
      expect(await names(who)).toEqual([person.nom])
      expect((await who.get(address)).status).toBe(200)
    }
    for (const who of outsiders) {
      expect(await names(who)).toEqual([])
      expect(await names(who, where({ email: person.email }))).toEqual([])
      expect((await who.get(address)).status).toBe(404)
    }
    expect(await addresses()).not.toContain(page)
    expect(await product.app.findTeamRecord(made.id_employe)).toBeNull()
    expect((await product.app.findEntryAddresses()).find((one) => one.path === page)).toMatchObject({ isPublished: false })

    expect((await staff.put(address, { ...person, publie: true })).status).toBe(200)
    expect(await names(visitor)).toEqual([person.nom])
    expect((await visitor.get(address)).status).toBe(200)
    expect(await addresses()).toContain(page)
    await staff.delete(address)
  })

  test('the profile of whoever leaves is named, and taken off the site with the account where that is chosen', async () => {
    const manager = await product.signIn()
    const narrow = await product.signIn({ users: 'administrator' })
    const { body: made } = await manager.post<Employee>(path, person)
    const leaver = await product.createUser({})
    await product.db.update(users).set({ email: '', employeeId: made.id_employe }).where(eq(users.id, leaver.id))
    const account = `/api/users/users/${leaver.id}`
    const profileOf = async (who: TestClient) =>
      (await who.get<HeldWork>(`${account}/held`)).body.held.find(({ kind }) => kind === 'profiles')
    expect(await profileOf(manager)).toMatchObject({
      can_be_hidden: true,
      rows: [{ label: person.nom, path: `/admin/equipe_edit/${made.id_employe}` }],
    })
    expect(await profileOf(narrow)).toMatchObject({ count: 1, can_be_hidden: false, rows: [] })

    const visitor = await product.client()
    const statusOf = async () => (await visitor.get(`${path}/${made.id_employe}`)).status
    expect((await narrow.put(`${account}/lock?hide=1`)).status).toBe(403)
    expect((await manager.put<{ locked: boolean }>(`${account}/lock`)).body.locked).toBe(true)
    expect(await statusOf()).toBe(200)
    expect((await manager.delete(`${account}?hide=1`)).status).toBe(204)
    expect(await statusOf()).toBe(404)
    expect((await manager.get<Employee>(`${path}/${made.id_employe}`)).body).toMatchObject({ publie: false, version: 2 })
    await manager.delete(`${path}/${made.id_employe}`)
  })

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an unknown field', '{"nom":"x"}'],
    ['an unknown condition', '{"email":{"like":"%"}}'],
    ['a list for a text', '{"email":["a"]}'],
    ['__proto__', '{"__proto__":{"email":"x"}}'],
    ['a NUL byte', String.raw`{"email":"\u0000"}`],
    ['too much', JSON.stringify({ email: 'a'.repeat(3_000) })],
  ])('a filter that is %s is rejected', async (_name, filter) => {
    const visitor = await product.client()
    expect((await visitor.get(`${path}?where=${encodeURIComponent(filter)}`)).status).toBe(400)
  })

  test('a repeated filter, or an unknown parameter, is rejected', async () => {
    const visitor = await product.client()
    expect((await visitor.get(`${path}?where={}&where={}`)).status).toBe(400)
    expect((await visitor.get(`${path}?filter={}`)).status).toBe(400)
    expect((await visitor.get(`${path}/0`)).status).toBe(400)
    expect((await visitor.get(`${path}/99999999999`)).status).toBe(400)
    expect((await visitor.get(`${path}/1%27`)).status).toBe(400)
  })

  test.each(Object.keys(person))('%s is required', async (field) => {
    const staff = await product.signIn({ employees: 'read_write' })
    const without: Record<string, string> = { ...person }
    delete without[field]
    expect((await staff.post(path, without)).status).toBe(400)
    const blank = await staff.post<{ errors: { path: string }[] }>(path, { ...person, [field]: ' ' })
    expect(blank.status).toBe(400)
    expect(blank.body.errors[0]?.path).toBe(field)
  })

  test.each([
    ['an unknown department', { departement: 'MAGASIN' }],
    ['a label in place of a value', { departement: 'ÉQUIPE TI' }],
    ['an unknown field', { admin: true }],
    ['a list for a text', { nom: ['x'] }],
    ['an object for a text', { nom: { toString: 'x' } }],
    ['a NUL byte', { nom: 'a\0b' }],
    ['a lone surrogate', { description: '\ud800' }],
    ['50,000 letters', { description: 'a'.repeat(50_000) }],
    ['two lines in a name', { nom: 'Zoé\r\nBcc: x@example.com' }],
    ['two lines in an e-mail', { email: 'zoe@example.com\r\nBcc: x@example.com' }],
    ['two addresses', { email: 'a@example.com, b@example.com' }],
    ['a quoted address', { email: '"a@evil x"@example.com' }],
    ['a photo of another site', { photo: 'https://example.com/a.jpg' }],
    ['a photo nobody stored', { photo: `/media/${'0'.repeat(32)}-640.jpeg` }],
    ['a version that is no number', { version: '1' }],
  ])('rejects %s', async (_name, more) => {
    const staff = await product.signIn({ employees: 'read_write' })
    const response = await staff.post<{ status: number }>(path, { ...person, ...more })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(response.text).not.toMatch(/node_modules|select |\bat /)
  })

  test('rejects nested, polluted, oversized and invalid JSON bodies quickly', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const nested = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    expect((await staff.post(path, undefined, { raw: nested })).status).toBe(400)
    expect((await staff.post(path, undefined, { raw: '{"__proto__":{"admin":true}}' })).status).toBe(400)
    expect((await staff.post(path, undefined, { raw: '{' })).status).toBe(400)
    expect(
      (await staff.post(path, undefined, { raw: JSON.stringify(person), headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415)
    expect((await staff.post(path, { ...person, new_photo: 'a'.repeat(13_000_000) })).status).toBe(413)
  })

  test('SQL and HTML are stored as plain text', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const nom = `' OR 1=1-- <img src=x onerror=alert(1)>`
    const { body } = await staff.post<Employee>(path, { ...person, nom })
    expect(body.nom).toBe(nom)
    await staff.delete(`${path}/${body.id_employe}`)
  })

  test('returns a conflict with both versions to the second of two saves', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const { body: made } = await staff.post<Employee>(path, person)
    const address = `${path}/${made.id_employe}`
    expect((await staff.put(address, { ...person, nom: 'Premier', version: 1 })).status).toBe(200)
    const second = await staff.put<{ current: Employee }>(address, { ...person, nom: 'Second', version: 1 })
    expect(second.status).toBe(409)
    expect(second.body.current).toMatchObject({ nom: 'Premier', version: 2 })
    expect((await staff.get<Employee>(address)).body.nom).toBe('Premier')
    await staff.delete(address)
  })

  test('marks the English as outdated once the French changed alone, until it is changed or reviewed', async () => {
    const staff = await product.signIn({ employees: 'read_write' })
    const { body: made } = await staff.post<Employee>(path, person)
    const address = `${path}/${made.id_employe}`
    const older = await staff.put<Employee>(address, { ...person, description: 'Elle a changé.' })
    expect(older.body.english_older).toEqual({ description: expect.any(String) })
    const reviewed = await staff.put<Employee>(address, {
      ...person,
      description: 'Elle a changé.',
      english_reviewed: ['description'],
    })
    expect(reviewed.body.english_older).toEqual({})
    await staff.delete(address)
  })

  test('rejects writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, person, { employees: 'read_only', jobs: 'administrator' })
    const staff = await product.signIn({ employees: 'read_write' })
    expect((await staff.post(path, person, { headers: { 'x-xsrf-token': 'forged.token' } })).status).toBe(403)
    expect((await staff.get<Employee[]>(path)).body).toEqual([])
  })
})
