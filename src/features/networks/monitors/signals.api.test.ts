import { request } from 'node:http'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Network, StaffIncident } from '../contract.ts'
import { networkIncidents } from '../server/table.ts'
import type { CreatedMonitor, Monitor, MonitorHistory } from './contract.ts'
import { claimDue } from './server/runner.ts'
import { monitorStatus, networkMonitors } from './server/table.ts'

const path = '/api/networks/monitors'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let network: number
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
  staff = await product.signIn()
  const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fibre', statut: 'OK' }])
  const made = await staff.post<Network>('/api/networks/reseau', { nom: 'Signaux', status: 'ONLINE', details })
  network = made.body.id_reseau
})
afterAll(() => product.stop())
afterEach(async () => {
  await product.db.delete(networkMonitors)
  await product.db.delete(networkIncidents)
})

async function create(more: object = {}) {
  const input = { id_reseau: network, element: 'Fibre', kind: 'signal', target: '', interval_s: 60, then: 'publish', ...more }
  const answer = await staff.post<CreatedMonitor>(path, input)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
let sender = 0
/** Another system: no cookie, no token, no origin. */
async function send(monitor: Pick<CreatedMonitor, 'signal_url'>, body: unknown, headers: Record<string, string> = {}) {
  sender += 1
  const response = await fetch(monitor.signal_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${sender % 250}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return response.status
}
const read = async ({ id_monitor: id }: Monitor) => (await staff.get<Monitor>(`${path}/${id}`)).body
const incidents = async () => (await staff.get<StaffIncident[]>('/api/networks/incidents')).body
const statusRow = async ({ id_monitor: id }: Monitor) => {
  const [row] = await product.db.select().from(monitorStatus).where(eq(monitorStatus.monitorId, id))
  return row
}

describe('a signal', () => {
  test('has an address that is given once, and stored as a hash', async () => {
    const created = await create()
    expect(created.signal_url).toMatch(new RegExp(`^${product.origin}/api/networks/signals/[\\w-]{43}$`))
    const token = created.signal_url?.split('/').at(-1) ?? ''
    expect(JSON.stringify((await staff.get(path)).body)).not.toContain('signal_url')
    const [row] = await product.db.select().from(networkMonitors).where(eq(networkMonitors.id, created.id_monitor))
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row?.tokenHash).toHaveLength(43)
    const renewed = await staff.post<{ signal_url: string }>(`${path}/${created.id_monitor}/address`)
    expect(await send(created, { state: 'up' })).toBe(404)
    expect(await send(renewed.body, { state: 'up' })).toBe(204)
  })

  test('opens an outage at once, whatever the number of failures, and ends it', async () => {
    const monitor = await create({ failures_before: 5 })
    expect(await send(monitor, { state: 'up' })).toBe(204)
    expect(await read(monitor)).toMatchObject({ state: 'up', reason: null })
    expect(await send(monitor, { state: 'degraded', message: 'perte de 12 %' })).toBe(204)
    expect(await read(monitor)).toMatchObject({ state: 'degraded', reason: 'signal', detail: 'perte de 12 %' })
    const [first] = await incidents()
    expect(first).toMatchObject({ severity: 'WARNING', source: 'monitor', draft: false })
    expect(JSON.stringify(first)).not.toContain('12 %')
    expect(await send(monitor, { state: 'down' })).toBe(204)
    expect(await incidents()).toMatchObject([{ id_incident: first?.id_incident, severity: 'ERROR' }])
    expect(await send(monitor, { state: 'up' })).toBe(204)
    expect(await incidents()).toMatchObject([{ phase: 'monitoring' }])
    const { body } = await staff.get<MonitorHistory>(`${path}/${monitor.id_monitor}/history`)
    expect(body.points).toMatchObject([{ checks: 4, degraded: 1, down: 1, ms: null }])
    expect(body.events.map(({ state }) => state)).toEqual(['up', 'down', 'degraded', 'up'])
  })

  test('sent many times at once opens one outage', async () => {
    const monitor = await create()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(monitor, { state: 'down' })))
    expect(new Set(answers)).toEqual(new Set([204]))
    expect(await incidents()).toHaveLength(1)
  })

  test('with the time of its sender is taken once, in its order', async () => {
    const monitor = await create()
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const later = { state: 'down', at: at(-10) }
    expect(await send(monitor, later)).toBe(204)
    expect(await send(monitor, later)).toBe(409)
    expect(await send(monitor, { state: 'up', at: at(-20) })).toBe(409)
    expect(await send(monitor, { state: 'up', at: at(-3_600) })).toBe(400)
    expect(await send(monitor, { state: 'up', at: at(3_600) })).toBe(400)
    expect(await read(monitor)).toMatchObject({ state: 'down' })
  })

  test('may be a posted form, for systems that send nothing else', async () => {
    const monitor = await create()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send(monitor, 'state=degraded&message=lent', form)).toBe(204)
    expect(await read(monitor)).toMatchObject({ state: 'degraded', detail: 'lent' })
    expect(await send(monitor, 'state=degraded&other=1', form)).toBe(400)
  })

  test('changes nothing while its monitor is paused', async () => {
    const monitor = await create({ enabled: false })
    expect(await send(monitor, { state: 'down' })).toBe(204)
    expect(await read(monitor)).toMatchObject({ state: 'unknown' })
    expect(await incidents()).toEqual([])
  })

  test.each([{}, { state: 'UP' }, { state: 'up', extra: 1 }, { state: ['up'] }, { state: 'up', message: 'x'.repeat(501) }])(
    'with the body %j is refused',
    async (body) => {
      expect(await send(await create(), body)).toBe(400)
    },
  )
  test('too many are refused until they pass, and so are guessed addresses', async () => {
    const monitor = await create()
    const answers = await Promise.all(Array.from({ length: 70 }, () => send(monitor, { state: 'up' })))
    expect(answers.filter((status) => status === 204)).toHaveLength(60)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
    const guess = { signal_url: `${product.origin}/api/networks/signals/${'x'.repeat(43)}` }
    const from = { 'x-forwarded-for': '198.51.100.77' }
    const guesses = await Promise.all(Array.from({ length: 35 }, () => send(guess, { state: 'up' }, from)))
    expect(guesses.filter((status) => status === 404)).toHaveLength(30)
    expect(guesses.filter((status) => status === 429)).toHaveLength(5)
  })

  test('to an unknown address is a 404 before its body is read', async () => {
    const { hostname, port } = new URL(product.origin)
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': '1000' }
      const options = { hostname, port, method: 'POST', path: '/api/networks/signals/nothing', headers }
      const sent = request(options, (response) => {
        resolve(response.statusCode ?? 0)
        sent.destroy()
      })
      sent.on('error', reject)
      // The body never comes.
      sent.flushHeaders()
    })
    expect(status).toBe(404)
  })
})

describe('a silent sender', () => {
  test('is due only after a whole interval, and each signal begins it anew', async () => {
    const monitor = await create({ interval_s: 60 })
    const isDue = async (seconds: number) => (await claimDue(product.db, 10, new Date(Date.now() + seconds * 1_000))).length > 0
    expect(await isDue(50)).toBe(false)
    await send(monitor, { state: 'up' })
    const wait = ((await statusRow(monitor))?.nextAt.getTime() ?? 0) - Date.now()
    expect(wait).toBeGreaterThan(50_000)
    expect(await isDue(61)).toBe(true)
    expect(await isDue(62)).toBe(false)
  })

  test('counts as down once the queue notices it, and is up with the next signal', async () => {
    const other = await startTestApp({ queue: true })
    try {
      const administrator = await other.signIn()
      const made = await administrator.post<Network>('/api/networks/reseau', { nom: 'Lévis', status: 'ONLINE', details: '[]' })
      const input = { id_reseau: made.body.id_reseau, kind: 'signal', interval_s: 3_600 }
      const { body: monitor } = await administrator.post<CreatedMonitor>(path, input)
      const find = async () => (await administrator.get<Monitor>(`${path}/${monitor.id_monitor}`)).body
      // As if its hour were over: less than what a stopped product is forgiven.
      await other.db.update(monitorStatus).set({ nextAt: new Date(Date.now() - 1) })
      await expect.poll(async () => await find(), { timeout: 20_000 }).toMatchObject({ state: 'down', reason: 'silent' })
      expect((await find()).id_incident).not.toBeNull()
      await send(monitor, { state: 'up' })
      expect(await find()).toMatchObject({ state: 'up', id_incident: null })
    } finally {
      await other.stop()
    }
  })

  test('is not blamed for the time in which the product itself did not run', async () => {
    const other = await startTestApp()
    try {
      const administrator = await other.signIn()
      const made = await administrator.post<Network>('/api/networks/reseau', { nom: 'Lévis', status: 'ONLINE', details: '[]' })
      const input = { id_reseau: made.body.id_reseau, kind: 'signal', interval_s: 3_600 }
      const { body: monitor } = await administrator.post<CreatedMonitor>(path, input)
      await other.db.update(monitorStatus).set({ nextAt: new Date(Date.now() - 3_600_000) })
      await other.app.queue.start('America/Toronto')
      const find = async () => {
        const [row] = await other.db
          .select()
          .from(monitorStatus)
          .where(and(eq(monitorStatus.monitorId, monitor.id_monitor)))
        return row
      }
      await expect.poll(async () => (await find())?.nextAt.getTime(), { timeout: 20_000 }).toBeGreaterThan(Date.now() + 3_000_000)
      expect(await find()).toMatchObject({ state: 'unknown' })
    } finally {
      await other.stop()
    }
  })
})
