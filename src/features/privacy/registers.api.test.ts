import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import type { Demand, Incident } from './contract.ts'
import { applyRetention } from './server/retention.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const monthsAgo = (months: number) => {
  const date = new Date()
  date.setUTCMonth(date.getUTCMonth() - months)
  return date
}

describe('the incident register', () => {
  const incident = {
    information: 'Noms et courriels de 12 clients',
    circumstances: 'Portable volé dans une auto',
    happened: '3 novembre 2026',
    discovered_on: '2026-11-04',
    people_count: 12,
    risk_assessment: 'Disque chiffré : aucun risque sérieux',
    serious_risk: false,
    commission_told_on: null,
    people_told_on: null,
    measures: 'Mot de passe changé, appareil effacé à distance',
  }

  test('records incidents and corrections, and allows no deletion', async () => {
    const officer = await product.signIn()
    const created = await officer.post<Incident>('/api/privacy/incidents', incident)
    expect(created.status).toBe(201)
    const path = `/api/privacy/incidents/${created.body.id_incident}`
    const changed = await officer.put<Incident>(path, { ...incident, people_told_on: '2026-11-05', version: 1 })
    expect(changed.body).toMatchObject({ people_told_on: '2026-11-05', version: 2 })
    expect((await officer.put(path, { ...incident, version: 1 })).status).toBe(409)
    expect((await officer.delete(path)).status).toBe(404)
    expect((await officer.post('/api/privacy/incidents', { ...incident, measures: ' ' })).status).toBe(400)
    for (const wrong of [
      { happened_on: '2026-11-05' },
      { commission_told_on: '2026-11-03' },
      { people_told_on: '2026-11-03' },
      { discovered_on: '2999-01-01' },
      { people_told_on: '2999-01-01' },
    ])
      expect((await officer.post('/api/privacy/incidents', { ...incident, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
    const csv = await officer.get('/api/privacy/incidents.csv?language=en')
    expect(csv.headers.get('content-disposition')).toContain('confidentiality-incidents-')
    expect(csv.text).toContain(`${created.body.id_incident},2026-11-04,`)
  })

  test('keeps an incident five years', async () => {
    const officer = await product.signIn()
    await officer.post('/api/privacy/incidents', { ...incident, discovered_on: monthsAgo(61).toISOString().slice(0, 10) })
    await officer.post('/api/privacy/incidents', { ...incident, discovered_on: monthsAgo(59).toISOString().slice(0, 10) })
    expect((await applyRetention(product.app)).purged.incidents).toBe(1)
  })
})

describe('the register of requests about information', () => {
  const day = (ago: number) => addDays(dayIn(company.hours.timeZone, new Date()), -ago)
  const asked = { kind: 'access', received_on: day(3), answered_on: null, outcome: '', note: 'Par téléphone' } as const
  const path = '/api/privacy/demands'

  test('records requests and answers, says until when each is due, and counts the late ones on the landing screen', async () => {
    const officer = await product.signIn({ privacy: 'read_write' })
    const figure = async () => {
      const { body } = await officer.get<{ late_demands?: number }>('/api/counter')
      return body.late_demands
    }
    expect(await figure()).toBeUndefined()
    const created = await officer.post<Demand>(path, asked)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ ...asked, id_demand: expect.any(Number), due_on: day(-27), version: 1 })
    const late = await officer.post<Demand>(path, { ...asked, kind: 'complaint', received_on: day(31) })
    const due = await officer.post<Demand>(path, { ...asked, kind: 'erasure', received_on: day(30) })
    expect(due.body.due_on).toBe(day(0))
    expect(await figure()).toBe(1)
    expect((await officer.get<Demand[]>(path)).body.map(({ kind }) => kind)).toEqual(['complaint', 'erasure', 'access'])

    const answer = { ...asked, kind: 'complaint', received_on: day(31), answered_on: day(0), outcome: '=Fait', version: 1 }
    const own = `${path}/${late.body.id_demand}`
    expect((await officer.put<Demand>(own, answer)).body).toMatchObject({ outcome: '=Fait', version: 2 })
    expect((await officer.put(own, answer)).status).toBe(409)
    expect(await figure()).toBeUndefined()
    expect((await officer.get<Demand[]>(path)).body.map(({ kind }) => kind)).toEqual(['erasure', 'access', 'complaint'])

    const csv = await officer.get(`${path}.csv?language=fr`)
    expect(csv.headers.get('content-disposition')).toMatch(/filename="demandes-a-propos-de-renseignements-\d{4}-\d\d-\d\d\.csv"/)
    expect(csv.text.split('\r\n')[3]).toBe(`${late.body.id_demand};Plainte;${day(31)};${day(1)};${day(0)};'=Fait;Par téléphone`)
    expect((await officer.get(`${path}.csv?language=de`)).status).toBe(400)
  })

  test('refuses days that do not agree, what is no request, and who has no right to it', async () => {
    const officer = await product.signIn({ privacy: 'read_write' })
    for (const wrong of [
      { received_on: day(-1) },
      { answered_on: day(-1) },
      { answered_on: day(4) },
      { received_on: '2026-02-30' },
      { kind: 'other' },
      { outcome: 'x'.repeat(10_001) },
      { due_on: day(0) },
    ])
      expect((await officer.post(path, { ...asked, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
    expect((await officer.get(`${path}/99999`)).status).toBe(404)
    const reader = await product.signIn({ privacy: 'read_only' })
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(path, asked)).status).toBe(403)
    for (const address of [path, `${path}.csv`, '/api/privacy/incidents.csv'])
      expect((await (await product.signIn({ chat: 'administrator' })).get(address)).status).toBe(403)
  })

  test('forgets an answered request after five years, and no other', async () => {
    const years = day(6 * 366)
    const officer = await product.signIn({ privacy: 'read_write' })
    await officer.post(path, { ...asked, received_on: years, note: 'attend' })
    await officer.post(path, { ...asked, received_on: years, answered_on: years, note: 'ancienne' })
    await applyRetention(product.app)
    const notes = (await officer.get<Demand[]>(path)).body.map(({ note }) => note)
    expect(notes).toContain('attend')
    expect(notes).not.toContain('ancienne')
  })
})
