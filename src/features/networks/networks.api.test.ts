import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Network } from './contract.ts'

const path = '/api/networks/reseau'
const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fibre', statut: 'OK' }])

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('networks', () => {
  test('are created, read, changed and deleted with write access', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const created = await staff.post<Network>(path, { nom: 'Québec', status: 'ONLINE', details })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id_reseau: expect.any(Number),
      nom: 'Québec',
      status: 'ONLINE',
      details,
      publie: true,
      version: 1,
    })

    const address = `${path}/${created.body.id_reseau}`
    const visitor = await product.client()
    expect((await visitor.get<Network>(address)).body).toEqual(created.body)

    const changed = await staff.put<Network>(address, { nom: 'Québec', status: 'OFFLINE', details })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ status: 'OFFLINE', version: 2 })
    expect((await visitor.get(`${path}/status`)).body).toBe('ERROR')

    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
    expect((await visitor.get(`${path}/status`)).body).toBe('OK')
  })

  test('start with an empty status and no details', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const created = await staff.post<Network>(path, { nom: 'Vide' })
    expect(created.body).toMatchObject({ status: '', details: '[]' })
    await staff.delete(`${path}/${created.body.id_reseau}`)
  })

  test('nothing is required', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const created = await staff.post<Network>(path, {})
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ nom: '', status: '', details: '[]' })
    // Without a name it is a draft: staff alone get it, and what is down in it changes no light.
    const { id_reseau: id } = created.body
    const down = JSON.stringify([{ nom: 'Voix', nom_en: '', statut: 'ERROR' }])
    expect((await staff.put(`${path}/${id}`, { nom: ' ', status: 'OFFLINE', details: down })).status).toBe(200)
    const visitor = await product.client()
    const idsOf = async (who: typeof visitor, query: string) =>
      (await who.get<Network[]>(`${path}${query}`)).body.map((one) => one.id_reseau)
    expect(await idsOf(staff, '?drafts=1')).toContain(id)
    for (const query of ['', '?drafts=1']) expect(await idsOf(visitor, query)).not.toContain(id)
    expect((await visitor.get(`${path}/${id}`)).status).toBe(404)
    expect((await staff.get<Network>(`${path}/${id}`)).body.id_reseau).toBe(id)
    expect((await visitor.get(`${path}/status`)).body).toBe('OK')
    await staff.delete(`${path}/${created.body.id_reseau}`)
  })

  test('a draft is shown nowhere, and found by staff', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const name = 'Brouillonage'
    const inside = JSON.stringify([{ nom: name, nom_en: name, statut: 'ERROR' }])
    const { body } = await staff.post<Network>(path, { nom: '', status: 'OFFLINE', details: inside })
    const visitor = await product.client()
    const feeds = ['/reseau/feed.fr.xml', '/reseau/feed.en.xml']
    const reads = ['/api/networks/overview', '/api/networks/history', '/api/networks/status_page?lang=fr']
    for (const address of [...feeds, ...reads]) {
      const { status, text } = await visitor.get(address)
      expect([status, text.includes(name), text.includes(`network-${body.id_reseau}-`)], address).toEqual([200, false, false])
    }
    expect((await staff.get('/api/networks/history')).text).toContain(name)
    expect((await staff.get(`/api/palette?q=${name}`)).text).toContain(name)
    await staff.put(`${path}/${body.id_reseau}`, { nom: 'Ouvert', status: 'ONLINE', details: inside })
    for (const address of [...feeds, ...reads]) expect((await visitor.get(address)).text, address).toContain(name)
    await staff.delete(`${path}/${body.id_reseau}`)
  })

  test('a warning of one element warns the header, an error outweighs it', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const elements = (statut: string) => JSON.stringify([{ nom: 'Courriel', nom_en: '', statut }])
    const { body } = await staff.post<Network>(path, { nom: 'A', status: 'ONLINE', details: elements('WARNING') })
    expect((await staff.get(`${path}/status`)).body).toBe('WARNING')
    await staff.put(`${path}/${body.id_reseau}`, { nom: 'A', status: 'ONLINE', details: elements('ERROR') })
    expect((await staff.get(`${path}/status`)).body).toBe('ERROR')
    await staff.delete(`${path}/${body.id_reseau}`)
  })

  test('the second of two saves from the same version gets a conflict, and replaces nothing', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const { body: made } = await staff.post<Network>(path, { nom: 'Conflit', status: 'ONLINE', details })
    const address = `${path}/${made.id_reseau}`
    expect((await staff.put(address, { nom: 'Premier', version: 1 })).status).toBe(200)
    const second = await staff.put<{ current: Network }>(address, { nom: 'Second', version: 1 })
    expect(second.status).toBe(409)
    expect(second.body.current.nom).toBe('Premier')
    expect((await staff.get<Network>(address)).body.nom).toBe('Premier')
    await staff.delete(address)
  })

  test.each([
    ['details that are no list', { nom: 'x', details: '{}' }],
    ['details that are no JSON', { nom: 'x', details: '[' }],
    ['an unknown status of an element', { nom: 'x', details: '[{"nom":"a","nom_en":"","statut":"DOWN"}]' }],
    ['an unknown status', { nom: 'x', status: 'MAYBE' }],
    ['an unknown field', { nom: 'x', status: '', details: '[]', admin: true }],
    ['a list for a text', { nom: ['x'] }],
    ['a NUL byte', { nom: 'a\0b' }],
    ['a lone surrogate', { nom: '\ud800' }],
    ['50,000 letters', { nom: 'a'.repeat(50_000) }],
  ])('refuses %s', async (_name, body) => {
    const staff = await product.signIn({ networks: 'read_write' })
    const answer = await staff.post<{ status: number; errors: unknown[] }>(path, body)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(answer.body).toMatchObject({ status: 400, errors: expect.any(Array) })
  })

  test('SQL in a name is a name', async () => {
    const staff = await product.signIn({ networks: 'read_write' })
    const nom = "' OR 1=1--"
    const { body } = await staff.post<Network>(path, { nom })
    expect(body.nom).toBe(nom)
    await staff.delete(`${path}/${body.id_reseau}`)
  })

  test('rejects writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, { nom: 'x' }, { networks: 'read_only', jobs: 'administrator' })
  })
})
