import { readdirSync, readFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { company } from '#company/company.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { instantOf } from '#src/lib/time/zoned-time.ts'
import type { ElementHistory, Incident, Network } from './contract.ts'
import { closeMonths, findElementDays, toHistory } from './server/history.ts'
import { elementChanges, elementMonths, networks } from './server/table.ts'
import { readDetails, statusesOf } from './values.ts'

const path = '/api/networks/reseau'
const zone = company.hours.timeZone
type Statut = 'OK' | 'WARNING' | 'ERROR'
const detailsOf = (...elements: [string, Statut][]) =>
  JSON.stringify(elements.map(([nom, statut]) => ({ nom, nom_en: `${nom} (en)`, statut })))

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn({ networks: 'read_write' })
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.db.delete(elementMonths)
})

async function create(...elements: [string, Statut][]) {
  const { body } = await staff.post<Network>(path, { nom: 'Québec', status: 'ONLINE', details: detailsOf(...elements) })
  return body.id_reseau
}
const save = (id: number, status: string, ...elements: [string, Statut][]) =>
  staff.put(`${path}/${id}`, { nom: 'Québec', status, details: detailsOf(...elements) })
const changesOf = async (id: number) =>
  (await product.db.select().from(elementChanges).where(eq(elementChanges.networkId, id)).orderBy(elementChanges.id)).map(
    ({ element, from, to, author }) => [element, from, to, author],
  )
const historyOf = async (id: number, days = 3) =>
  (await staff.get<ElementHistory[]>(`/api/networks/history?days=${days}&id_reseau=${id}`)).body

describe('each change of a component', () => {
  test('is stored with its author, whatever made it', async () => {
    const id = await create(['Voix', 'OK'])
    const name = staff.user.displayName
    await save(id, 'ONLINE', ['Voix', 'ERROR'], ['Fibre', 'WARNING'])
    await save(id, 'OFFLINE', ['Fibre', 'WARNING'])
    expect(await changesOf(id)).toEqual([
      ['', null, 'OK', name],
      ['Voix', null, 'OK', name],
      ['Voix', 'OK', 'ERROR', name],
      ['Fibre', null, 'WARNING', name],
      ['', 'OK', 'ERROR', name],
      ['Voix', 'ERROR', null, name],
      ['Fibre', 'WARNING', 'ERROR', name],
    ])
    expect((await staff.delete(`${path}/${id}`)).status).toBe(204)
    expect((await changesOf(id)).slice(-2)).toEqual([
      ['', 'ERROR', null, name],
      ['Fibre', 'ERROR', null, name],
    ])
    const listed = await staff.get<object[]>(`/api/networks/changes?id_reseau=${id}`)
    expect(listed.body).toHaveLength(9)
    expect((await (await product.client()).get('/api/networks/changes')).status).toBe(401)
  })

  test('that saves the same status adds nothing, and a new name keeps the history', async () => {
    const id = await create(['Courriel', 'WARNING'])
    await save(id, 'ONLINE', ['Courriel', 'WARNING'])
    expect(await changesOf(id)).toHaveLength(2)
    await save(id, 'ONLINE', ['Messagerie', 'WARNING'])
    expect((await changesOf(id)).map(([element]) => element)).toEqual(['', 'Messagerie'])
    await staff.delete(`${path}/${id}`)
  })
})

test('an outage follows its component to its new name, and sets it back', async () => {
  const id = await create(['Voix', 'OK'], ['Fibre', 'OK'])
  const texts = { title: 'Panne', title_en: '', text: 'Nous cherchons.', text_en: '' }
  const declared = await staff.post<Incident>('/api/networks/incidents', {
    ...texts,
    severity: 'ERROR',
    elements: [{ id_reseau: id, nom: 'Voix' }],
  })
  await save(id, 'ONLINE', ['Téléphonie', 'ERROR'], ['Fibre', 'OK'])
  const incident = `/api/networks/incidents/${declared.body.id_incident}`
  expect((await staff.get<Incident>(incident)).body.elements).toEqual([{ id_reseau: id, nom: 'Téléphonie' }])
  await staff.post(`${incident}/updates`, { phase: 'resolved', text: 'Réparé.', text_en: '', mails: false })
  const { body } = await staff.get<Network>(`${path}/${id}`)
  expect(readDetails(body.details).map(({ statut }) => statut)).toEqual(['OK', 'OK'])
  await staff.delete(`${path}/${id}`)
})

test('undoing a publication sets back the components that the outage got since', async () => {
  const id = await create(['Voix', 'OK'], ['Fibre', 'OK'])
  const texts = { title: 'Panne', title_en: '', text: 'Nous cherchons.', text_en: '' }
  const voice = { id_reseau: id, nom: 'Voix' }
  const declared = await staff.post<Incident>('/api/networks/incidents', { ...texts, severity: 'ERROR', elements: [voice] })
  const incident = `/api/networks/incidents/${declared.body.id_incident}`
  const elements = [voice, { id_reseau: id, nom: 'Fibre' }]
  expect((await staff.put(incident, { title: 'Panne', severity: 'WARNING', elements })).status).toBe(200)
  expect((await staff.post(`${incident}/undo`)).status).toBe(200)
  const { body } = await staff.get<Network>(`${path}/${id}`)
  expect(readDetails(body.details).map(({ statut }) => statut)).toEqual(['OK', 'OK'])
  expect(await changesOf(id)).toHaveLength(3)
  await staff.delete(`${path}/${id}`)
})

describe('the history', () => {
  test('has the days of the company with minutes and availability, for visitors too', async () => {
    const id = await create(['Voix', 'OK'])
    const today = dayIn(zone, new Date())
    const yesterday = addDays(today, -1)
    const row = { networkId: id, element: 'Voix', author: 'x' }
    await product.db.delete(elementChanges).where(eq(elementChanges.networkId, id))
    await product.db.insert(elementChanges).values([
      { ...row, to: 'OK', at: instantOf(zone, addDays(today, -30), '00:00') },
      { ...row, from: 'OK', to: 'ERROR', at: instantOf(zone, yesterday, '08:00') },
      { ...row, from: 'ERROR', to: 'WARNING', at: instantOf(zone, yesterday, '09:00') },
      { ...row, from: 'WARNING', to: 'OK', at: instantOf(zone, yesterday, '10:30') },
    ])
    product.app.events.changed('networks')
    const [, voice] = (await (await product.client()).get<ElementHistory[]>(`/api/networks/history?days=2&id_reseau=${id}`)).body
    expect(voice).toMatchObject({ nom: 'Voix', since: instantOf(zone, addDays(today, -30), '00:00').toISOString() })
    expect(voice?.days[0]).toEqual({
      date: yesterday,
      worst: 'ERROR',
      down_minutes: 60,
      degraded_minutes: 90,
      maintenance_minutes: 0,
    })
    expect(voice?.days[1]).toMatchObject({ date: today, worst: 'OK' })
    const csv = await staff.get(`/api/networks/history.csv?days=2&by=day`)
    expect(csv.text).toContain(`Québec,Voix,${yesterday},ERROR,60,90,0,`)
    await staff.delete(`${path}/${id}`)
  })

  test('of years is the same after months were stored, and a component keeps it under a new name', async () => {
    const id = await create(['Voix', 'OK'])
    await product.db.delete(elementChanges).where(eq(elementChanges.networkId, id))
    const row = { networkId: id, element: 'Voix', author: 'x' }
    const start = instantOf(zone, addDays(dayIn(zone, new Date()), -400), '09:00').getTime()
    await product.db.insert(elementChanges).values(
      Array.from({ length: 120 }, (_, index) => ({
        ...row,
        to: (['OK', 'ERROR', 'OK', 'WARNING'] as const)[index % 4] ?? 'OK',
        at: new Date(start + index * 3.3 * 86_400_000),
      })),
    )
    const now = new Date()
    const read = async () => (await findElementDays(product.db, 420, now)).filter((one) => one.id_reseau === id && one.nom)
    const before = await read()
    await closeMonths(product.db, now)
    expect((await product.db.select().from(elementMonths)).length).toBeGreaterThan(10)
    expect(await read()).toEqual(before)
    await closeMonths(product.db, now)
    expect(await read()).toEqual(before)
    await save(id, 'ONLINE', ['Téléphonie', 'OK'])
    const [renamed] = await read()
    expect(renamed?.nom).toBe('Téléphonie')
    const open = now.toISOString().slice(0, 10)
    expect((renamed ? toHistory(renamed).days : []).filter(({ date }) => date < open)).toEqual(
      before.flatMap((one) => toHistory(one).days).filter(({ date }) => date < open),
    )
    await staff.delete(`${path}/${id}`)
  })

  test('of more than the ribbon is for staff, and of a wrong number of days for nobody', async () => {
    const visitor = await product.client()
    expect((await visitor.get('/api/networks/history?days=91')).status).toBe(403)
    expect((await staff.get('/api/networks/history?days=1830')).status).toBe(200)
    expect((await visitor.get('/api/networks/history?days=0')).status).toBe(400)
    expect((await visitor.get('/api/networks/history.csv')).status).toBe(401)
  })

  test('leaves announced maintenance of a component out', async () => {
    const id = await create(['Voix', 'ERROR'])
    await product.db
      .update(elementChanges)
      .set({ at: new Date(Date.now() - 3_600_000) })
      .where(eq(elementChanges.networkId, id))
    const everyone = await product.signIn({ networks: 'read_write', updates: 'read_write' })
    const window = { duration_minutes: 120, public: true, elements: [{ id_reseau: id, nom: 'Voix' }] }
    await everyone.put('/api/updates/alert', { next_update: new Date(Date.now() - 7_000_000).toISOString(), ...window })
    product.app.events.changed('networks')
    const [, voice] = await historyOf(id, 2)
    expect(voice?.days.reduce((sum, day) => sum + day.down_minutes, 0)).toBe(0)
    expect(voice?.days.reduce((sum, day) => sum + day.maintenance_minutes, 0)).toBeGreaterThanOrEqual(59)
    await staff.delete(`${path}/${id}`)
  })

  test('leaves maintenance of a whole network out of each of its components, under its new name too', async () => {
    const id = await create(['Voix', 'ERROR'], ['Fibre', 'ERROR'])
    await product.db
      .update(elementChanges)
      .set({ at: new Date(Date.now() - 3_600_000) })
      .where(eq(elementChanges.networkId, id))
    const everyone = await product.signIn({ networks: 'read_write', updates: 'read_write' })
    const announce = (minutes: number, nom: string) =>
      everyone.put('/api/updates/alert', {
        next_update: new Date(Date.now() - minutes * 60_000).toISOString(),
        duration_minutes: 120,
        public: true,
        elements: [{ id_reseau: id, nom }],
      })
    const downOf = async (nom: string) => {
      const found = (await historyOf(id, 2)).find((one) => one.nom === nom)
      return found?.days.reduce((sum, day) => sum + day.down_minutes, 0)
    }
    await announce(110, 'Voix')
    await save(id, 'ONLINE', ['Téléphonie', 'ERROR'], ['Fibre', 'ERROR'])
    product.app.events.changed('networks')
    expect(await downOf('Téléphonie')).toBe(0)
    expect(await downOf('Fibre')).toBeGreaterThanOrEqual(59)
    await announce(100, '')
    product.app.events.changed('networks')
    expect([await downOf('Téléphonie'), await downOf('Fibre')]).toEqual([0, 0])
    await staff.delete(`${path}/${id}`)
  })
})

test('the migration starts the history with the present statuses, since each network was last changed', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const file = readdirSync(folder).find((name) => name.endsWith('_network_history.sql')) ?? ''
  const insert = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint').at(-1) ?? ''
  const details = [
    { nom: 'Voix', nom_en: '', statut: 'OK' as const },
    { nom: ' Voix ', nom_en: '', statut: 'WARNING' as const },
    { nom: '', nom_en: 'Mail', statut: 'ERROR' as const },
    { nom: '', nom_en: '', statut: 'ERROR' as const },
  ]
  const updatedAt = new Date('2026-01-02T03:04:05Z')
  const rows = await product.db
    .insert(networks)
    .values([
      { name: 'Avant', status: 'ONLINE' as const, details, updatedAt },
      { name: 'Hors ligne', status: 'OFFLINE' as const, details: details.slice(0, 1), updatedAt },
      { name: 'Vide', updatedAt },
    ])
    .returning()
  await product.db.delete(elementChanges)
  await product.db.execute(sql.raw(insert))
  const stored = await product.db.select().from(elementChanges).orderBy(elementChanges.networkId, elementChanges.element)
  const expected = rows.flatMap((row) =>
    [...statusesOf(row)].toSorted().map(([element, to]) => ({ networkId: row.id, element, from: null, to, at: updatedAt })),
  )
  expect(stored.filter(({ networkId }) => rows.some(({ id }) => id === networkId))).toMatchObject(expected)
  expect(expected).toHaveLength(5)
  for (const { id } of rows) await staff.delete(`${path}/${id}`)
})
