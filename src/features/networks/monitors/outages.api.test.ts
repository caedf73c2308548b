import { and, desc, eq, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mails } from '#src/server/background/mail-table.ts'
import type { Network, StaffIncident } from '../contract.ts'
import { contextOf } from '../server/incident-routes.ts'
import { elementChanges } from '../server/table.ts'
import { readDetails } from '../values.ts'
import type { Monitor } from './contract.ts'
import { judge, mailAlerts, resolveQuiet } from './server/outcomes.ts'
import type { Monitored } from './testing/monitored.ts'
import { startMonitored } from './testing/monitored.ts'
import { startPage } from './testing/target.ts'

let monitored: Monitored
beforeAll(async () => {
  monitored = await startMonitored()
})
afterAll(() => monitored.product.stop())
beforeEach(() => monitored.addNetwork())
afterEach(() => monitored.clear())

const incidentsPath = '/api/networks/incidents'
const pick = ({ nom, status, version }: Network) => ({ nom, status, version })
const readIncident = async (id: number | null) => (await monitored.staff.get<StaffIncident>(`${incidentsPath}/${id}`)).body
const statusOf = async (name: string) => {
  const { body } = await monitored.staff.get<Network>(`/api/networks/reseau/${monitored.network()}`)
  return readDetails(body.details).find(({ nom }) => nom === name)?.statut
}
const context = () => contextOf(monitored.product.app)
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

describe('a target that is down', () => {
  test('is proposed as a draft, the staff are mailed once, and the draft goes when it is up again', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target)
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'up', failures: 0 })
    await port.close()
    const down = await monitored.checkNow(monitor)
    expect(down).toMatchObject({ state: 'down', reason: 'refused', failures: 1, id_incident: expect.any(Number) as number })
    const incident = await readIncident(down.id_incident)
    expect(incident).toMatchObject({ draft: true, source: 'monitor', severity: 'ERROR', phase: 'investigating' })
    expect(incident.title).toBe('Téléphonie (Québec) ne répond pas')
    expect(incident.title_en).toBe('Téléphonie (en) (Québec) is not responding')
    expect(JSON.stringify(incident)).not.toContain('127.0.0.1')
    expect(await statusOf('Téléphonie')).toBe('OK')
    const visitor = await monitored.product.client()
    expect((await visitor.get(`${incidentsPath}/${down.id_incident}`)).status).toBe(404)
    await monitored.checkNow(monitor)
    await mailAlerts(monitored.product.app)
    await mailAlerts(monitored.product.app)
    const sent = () =>
      monitored.product.db
        .select({ body: mails.body })
        .from(mails)
        .where(and(eq(mails.recipient, monitored.staff.user.email), like(mails.subject, 'Surveillance%Téléphonie%')))
        .orderBy(desc(mails.id))
    const before = (await sent()).length
    expect((await sent())[0]?.body).toContain('Une panne est proposée')
    await port.open()
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'up', id_incident: null })
    expect((await monitored.staff.get(`${incidentsPath}/${down.id_incident}`)).status).toBe(404)
    await mailAlerts(monitored.product.app)
    expect(await sent()).toHaveLength(before + 1)
  })

  test('is published where that was chosen, is observed when it is up again and resolved after five quiet minutes', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target, { then: 'publish' })
    await port.close()
    const { id_incident: id } = await monitored.checkNow(monitor)
    const visitor = await monitored.product.client()
    expect((await visitor.get<StaffIncident>(`${incidentsPath}/${id}`)).body).toMatchObject({
      draft: false,
      source: 'monitor',
      phase: 'investigating',
      updates: [{ text: expect.stringContaining('ne répond pas depuis') as string }],
    })
    expect(await statusOf('Téléphonie')).toBe('ERROR')
    const [change] = await monitored.product.db
      .select()
      .from(elementChanges)
      .where(eq(elementChanges.networkId, monitored.network()))
      .orderBy(desc(elementChanges.id))
    expect(change).toMatchObject({ to: 'ERROR', author: `monitor ${monitor.id_monitor}` })
    await port.open()
    await monitored.checkNow(monitor)
    expect(await readIncident(id)).toMatchObject({ phase: 'monitoring', resolved_at: null })
    await resolveQuiet(context(), later(4))
    expect(await readIncident(id)).toMatchObject({ phase: 'monitoring', resolved_at: null })
    // Down and up again: the five minutes begin anew, and the outage goes on.
    await port.close()
    await monitored.checkNow(monitor)
    expect(await readIncident(id)).toMatchObject({ phase: 'investigating', updates: { length: 3 } })
    await resolveQuiet(context(), later(6))
    expect(await readIncident(id)).toMatchObject({ resolved_at: null })
    await port.open()
    await monitored.checkNow(monitor)
    await resolveQuiet(context(), later(6))
    expect(await readIncident(id)).toMatchObject({ phase: 'resolved', resolved_at: expect.any(String) as string })
    expect(await statusOf('Téléphonie')).toBe('OK')
    expect(await monitored.read(monitor)).toMatchObject({ state: 'up', id_incident: null })
  })

  test('is proposed alone where its network is a draft', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target, { then: 'publish' })
    const address = `/api/networks/reseau/${monitored.network()}`
    const { body } = await monitored.staff.get<Network>(address)
    await monitored.staff.put(address, { nom: '', status: body.status, details: body.details })
    await port.close()
    const { id_incident: id } = await monitored.checkNow(monitor)
    expect(await readIncident(id)).toMatchObject({ draft: true, source: 'monitor' })
  })

  test('makes visitors load the status again only once it is public', async () => {
    let changes = 0
    const stop = monitored.product.app.events.onChanged((area) => {
      if (area === 'networks') changes += 1
    })
    monitored.use({ stop })
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target, { then: 'publish', failures_before: 2 })
    await monitored.checkNow(monitor)
    await port.close()
    expect(await monitored.checkNow(monitor)).toMatchObject({ failures: 1 })
    expect(changes).toBe(0)
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'down' })
    expect(changes).toBe(1)
  })

  test('counts after as many failures in a row as it takes, whatever happens between', async () => {
    let isDown = true
    const page = await startPage((_request, response) => response.writeHead(isDown ? 503 : 200).end())
    monitored.use(page)
    const monitor = await monitored.create(page.url, { kind: 'http', failures_before: 3 })
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'unknown', failures: 1 })
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'unknown', failures: 2 })
    isDown = false
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'up', failures: 0 })
    isDown = true
    expect(await monitored.checkNow(monitor)).toMatchObject({
      state: 'up',
      failures: 1,
      reason: 'status',
      detail: '503',
      id_incident: null,
    })
    await monitored.checkNow(monitor)
    expect(await monitored.checkNow(monitor)).toMatchObject({
      state: 'down',
      failures: 3,
      id_incident: expect.any(Number) as number,
    })
  })

  test('with two monitors is one outage, which lasts until both are up', async () => {
    const ports = [await monitored.listen(), await monitored.listen()]
    const monitors = await Promise.all(ports.map(({ target }) => monitored.create(target, { then: 'publish' })))
    for (const port of ports) await port.close()
    const down = await Promise.all(monitors.map(monitored.checkNow))
    expect(new Set(down.map(({ id_incident }) => id_incident)).size).toBe(1)
    const id = down[0]?.id_incident ?? 0
    await ports[0]?.open()
    await monitored.checkNow(down[0] as Monitor)
    expect(await readIncident(id)).toMatchObject({ phase: 'investigating' })
    await ports[1]?.open()
    await monitored.checkNow(down[1] as Monitor)
    expect(await readIncident(id)).toMatchObject({ phase: 'monitoring' })
    await resolveQuiet(context(), later(6))
    expect(await readIncident(id)).toMatchObject({ phase: 'resolved' })
  })

  test('and its neighbours of the same network are one outage, which lasts until all are up', async () => {
    const ports = [await monitored.listen(), await monitored.listen()]
    const elements = ['Téléphonie', 'Fibre']
    const monitors = await Promise.all(
      ports.map(({ target }, index) => monitored.create(target, { then: 'publish', element: elements[index] })),
    )
    for (const port of ports) await port.close()
    const [first, second] = [await monitored.checkNow(monitors[0] as Monitor), await monitored.checkNow(monitors[1] as Monitor)]
    expect(second.id_incident).toBe(first.id_incident)
    const incident = await readIncident(first.id_incident)
    expect(incident.elements.map(({ nom }) => nom)).toEqual(elements)
    expect(incident.title).toBe('Québec : plusieurs éléments ne répondent pas')
    expect([await statusOf('Téléphonie'), await statusOf('Fibre')]).toEqual(['ERROR', 'ERROR'])
    await ports[0]?.open()
    await monitored.checkNow(first)
    expect(await readIncident(first.id_incident)).toMatchObject({ phase: 'investigating' })
    await ports[1]?.open()
    await monitored.checkNow(second)
    await resolveQuiet(context(), later(6))
    expect(await readIncident(first.id_incident)).toMatchObject({ phase: 'resolved' })
    expect([await statusOf('Téléphonie'), await statusOf('Fibre')]).toEqual(['OK', 'OK'])
  })

  test('that somebody declared already stays theirs', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target, { then: 'publish' })
    await port.close()
    const declared = await monitored.staff.post<StaffIncident>(incidentsPath, {
      title: 'Coupure',
      severity: 'ERROR',
      elements: [{ id_reseau: monitored.network(), nom: 'Téléphonie' }],
      text: 'Nous cherchons.',
    })
    expect(declared.status).toBe(201)
    expect(await monitored.checkNow(monitor)).toMatchObject({ id_incident: declared.body.id_incident })
    await port.open()
    expect(await monitored.checkNow(monitor)).toMatchObject({ id_incident: null })
    expect(await readIncident(declared.body.id_incident)).toMatchObject({ phase: 'investigating', resolved_at: null })
  })

  test('whose proposal somebody deletes is not proposed again until it was up', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target)
    await port.close()
    const { id_incident: id } = await monitored.checkNow(monitor)
    await monitored.staff.delete(`${incidentsPath}/${id}`)
    await monitored.checkNow(monitor)
    const proposed = async () =>
      (await monitored.staff.get<StaffIncident[]>(incidentsPath)).body.filter(
        ({ elements }) => elements[0]?.id_reseau === monitored.network(),
      )
    expect(await proposed()).toEqual([])
    await port.open()
    await monitored.checkNow(monitor)
    await port.close()
    await monitored.checkNow(monitor)
    expect(await proposed()).toHaveLength(1)
  })

  test('during announced maintenance is no outage', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target, { then: 'publish' })
    const window = { duration_minutes: 60, public: true, elements: [{ id_reseau: monitored.network(), nom: 'Téléphonie' }] }
    const announced = await monitored.staff.put('/api/updates/alert', { next_update: later(-10).toISOString(), ...window })
    expect(announced.status, announced.text).toBe(200)
    await port.close()
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'down', id_incident: null })
  })

  test('of a component that was removed loses no result', async () => {
    const port = await monitored.listen()
    const monitor = await monitored.create(port.target)
    const { body } = await monitored.staff.get<Network>(`/api/networks/reseau/${monitored.network()}`)
    await monitored.staff.put(`/api/networks/reseau/${monitored.network()}`, { ...pick(body), details: '[]' })
    await port.close()
    expect(await monitored.checkNow(monitor)).toMatchObject({ state: 'down', id_incident: null })
  })
})

test('a degraded component is worse than before only after as many failures that say so', () => {
  const start = { state: 'degraded', failures: 5, downs: 0 } as const
  expect(judge(start, 'down', 3)).toEqual({ state: 'degraded', failures: 6, downs: 1 })
  expect(judge({ ...start, downs: 2 }, 'down', 3)).toMatchObject({ state: 'down' })
  expect(judge({ state: 'down', failures: 5, downs: 5 }, 'degraded', 3)).toEqual({ state: 'degraded', failures: 6, downs: 0 })
  expect(judge({ state: 'down', failures: 5, downs: 5 }, 'unknown', 3)).toMatchObject({ state: 'down', failures: 5 })
})
