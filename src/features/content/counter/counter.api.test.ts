import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { requests } from '#src/features/requests/server/table.ts'
import type { Counter } from './contract.ts'

const path = '/api/counter'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const read = async (client: TestClient) => (await client.get<Counter>(path)).body

test('has in one response what waits, what is wrong, what changed and what is not set up', async () => {
  const staff = await product.signIn()
  const before = await read(staff)
  expect(before).toMatchObject({
    banner: null,
    networks: { open: 0, late: 0, drafts: 0, status: 'OK' },
    chat: { state: expect.any(String) },
  })
  expect(before.figures['/admin/notes']).toEqual({ fr: 'Aucun bandeau', en: 'No banner' })

  const row = {
    kind: 'support',
    language: 'fr',
    name: 'Annie',
    email: 'annie@example.com',
    phone: '',
    subject: 'Imprimante',
    message: 'x',
  } as const
  const yesterday = new Date(Date.now() - 86_400_000)
  const [fresh, late] = await product.db
    .insert(requests)
    .values([
      { ...row, reference: 'AS-2026-900001', firstName: 'Annie', lastName: 'Roy' },
      { ...row, reference: 'AS-2026-900002', firstName: 'Annie', lastName: 'Roy', respondBy: yesterday, status: 'open' },
      { ...row, reference: 'AS-2026-900003', firstName: 'Annie', lastName: 'Roy', respondBy: yesterday, status: 'done' },
    ])
    .returning()
  await staff.post('/api/home_messages/home_message', { message: '<p>Panne générale</p>', message_en: '' })
  await staff.post('/api/networks/reseau', { nom: 'Fibre', details: '[{"nom":"Téléphonie","nom_en":"","statut":"ERROR"}]' })
  await staff.post('/api/jobs/emplois', { titre: 'Vendeuse', titre_en: 'Salesperson' })

  const after = await read(staff)
  expect(after.requests).toMatchObject({ new: (before.requests?.new ?? 0) + 1, late: (before.requests?.late ?? 0) + 1 })
  // The late one comes first, and what is done not at all.
  expect(after.requests?.rows.map(({ id_request, is_late }) => [id_request, is_late])).toEqual([
    [late?.id, true],
    [fresh?.id, false],
  ])
  // The lamp is the one of the public pages: an emergency wins over the hours.
  expect(before.chat?.lamp).toBe(before.chat?.state)
  expect(after.chat).toMatchObject({ lamp: 'emergency', state: before.chat?.state })
  expect(after.banner).toMatchObject({ message: '<p>Panne générale</p>' })
  expect(after.networks?.status).toBe('ERROR')
  expect(after.figures).toMatchObject({
    '/admin/notes': { fr: 'Bandeau affiché' },
    '/admin/reseau': { fr: '1 élément touché', en: '1 component affected' },
    '/admin/emplois': { fr: '1 affiché', en: '1 posted' },
  })
  expect(after.translations.map(({ kind }) => kind)).toContain('networks')
  expect(after.changes?.slice(0, 2).map(({ area, action, name }) => [area, action, name])).toEqual([
    ['jobs', 'create', 'Vendeuse'],
    ['networks', 'create', 'Fibre'],
  ])
})

test('counts the outages in progress, those whose next update is late, and the drafts', async () => {
  const staff = await product.signIn()
  const details = '[{"nom":"Voix","nom_en":"","statut":"OK"}]'
  const { body } = await staff.post<{ id_reseau: number }>('/api/networks/reseau', { nom: 'Lévis', details })
  const before = (await read(staff)).networks
  const outage = {
    title: 'Panne',
    text: 'Nous cherchons.',
    severity: 'ERROR',
    elements: [{ id_reseau: body.id_reseau, nom: 'Voix' }],
  }
  const declare = async (more: object) =>
    expect((await staff.post('/api/networks/incidents', { ...outage, ...more })).status).toBe(201)
  await declare({ next_update_at: new Date(Date.now() - 60_000).toISOString() })
  await declare({})
  await declare({ draft: true })
  const { open = 0, late = 0, drafts = 0 } = before ?? {}
  expect((await read(staff)).networks).toMatchObject({ status: 'ERROR', open: open + 2, late: late + 1, drafts: drafts + 1 })
})

test('a step of the setup is found out by the server, and only by those who can do it', async () => {
  const staff = await product.signIn()
  const steps = (await read(staff)).setup
  expect(Object.fromEntries(steps.map(({ name, is_done }) => [name, is_done]))).toMatchObject({
    mail: false,
    hours: false,
    totp: false,
    backup: false,
    company: false,
    logo: false,
    colleague: true,
  })
  const { body: settings } = await staff.get<Record<string, unknown>>('/api/chat/settings')
  expect((await staff.put('/api/chat/settings', settings)).status).toBe(200)
  expect((await read(staff)).setup.find(({ name }) => name === 'hours')?.is_done).toBe(true)
  expect((await read(await product.signIn({ chat: 'read_write' }))).setup.map(({ name }) => name)).toEqual(['totp'])
})

test('nobody reads what their group does not grant', async () => {
  const without = await read(await product.signIn({}))
  expect(without).toMatchObject({ figures: {}, translations: [] })
  for (const name of ['requests', 'networks', 'banner', 'changes']) expect(without).not.toHaveProperty(name)

  const requestsOnly = await read(await product.signIn({ requests: 'read_only' }))
  expect(requestsOnly.requests?.rows.length).toBeGreaterThan(0)
  expect(requestsOnly).not.toHaveProperty('changes')
  expect((await (await product.client()).get(path)).status).toBe(401)
})
