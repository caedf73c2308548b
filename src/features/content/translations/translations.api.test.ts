import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Translation } from './contract.ts'

const path = '/api/translations'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

test('lists entries with missing or outdated English to their editors', async () => {
  const staff = await product.signIn()
  const { body: job } = await staff.post<{ id_emploi: number }>('/api/jobs/emplois', { titre: 'Vendeur', titre_en: 'Salesman' })
  const { body: note } = await staff.post<{ id_note: number }>('/api/notes/notes', { note_date: 'lundi', note: 'Sans anglais' })
  await staff.post('/api/networks/reseau', { nom: 'Fibre', details: '[{"nom":"a","nom_en":"","statut":"OK"}]' })
  expect((await staff.get<Translation[]>(path)).body).toEqual([
    { kind: 'networks', id: expect.any(Number), name: 'Fibre', missing: true, older_since: null },
    { kind: 'notes', id: note.id_note, name: 'lundi', missing: true, older_since: null },
  ])

  await staff.put(`/api/jobs/emplois/${job.id_emploi}`, { titre: 'Vendeuse ou vendeur', titre_en: 'Salesman' })
  await staff.put(`/api/notes/notes/${note.id_note}`, { note_date: 'lundi', note: 'Sans anglais', note_en: 'With English' })
  const writer = await product.signIn({ jobs: 'read_write', notes: 'read_write', networks: 'read_only' })
  expect((await writer.get<Translation[]>(path)).body).toEqual([
    { kind: 'jobs', id: job.id_emploi, name: 'Vendeuse ou vendeur', missing: false, older_since: expect.any(String) },
  ])
  expect((await (await product.client()).get(path)).status).toBe(401)
})
