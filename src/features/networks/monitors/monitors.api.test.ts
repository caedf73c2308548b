import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Network } from '../contract.ts'
import { readDetails } from '../values.ts'
import type { ImportResult, Monitor, MonitorHistory } from './contract.ts'
import { claimDue, keepFigures } from './server/runner.ts'
import { monitorFigures, monitorStatus, networkMonitors } from './server/table.ts'
import type { Monitored } from './testing/monitored.ts'
import { monitorsPath as path, startMonitored } from './testing/monitored.ts'
import { startPage } from './testing/target.ts'

let monitored: Monitored
beforeAll(async () => {
  monitored = await startMonitored()
})
afterAll(() => monitored.product.stop())
beforeEach(() => monitored.addNetwork())
afterEach(() => monitored.clear())

const pick = ({ nom, status, version }: Network) => ({ nom, status, version })

describe('a monitor', () => {
  test('is created, changed by its version, paused and deleted, and the audit log records it', async () => {
    const created = await monitored.create('127.0.0.1:9')
    expect(created).toMatchObject({ kind: 'tcp', state: 'unknown', failures: 0, then: 'propose', version: 1, id_incident: null })
    expect(created).not.toHaveProperty('signal_url')
    const input = monitored.inputOf('127.0.0.1:9', { enabled: false, version: 1 })
    const paused = await monitored.staff.put<Monitor>(`${path}/${created.id_monitor}`, input)
    expect(paused.body).toMatchObject({ enabled: false, version: 2 })
    const other = monitored.inputOf('127.0.0.1:10', { version: 1 })
    expect((await monitored.staff.put(`${path}/${created.id_monitor}`, other)).body).toMatchObject({
      status: 409,
      current: { id_monitor: created.id_monitor, enabled: false, version: 2 },
    })
    expect((await monitored.staff.post(`${path}/${created.id_monitor}/check`)).status).toBe(409)
    expect((await monitored.staff.delete(`${path}/${created.id_monitor}`)).status).toBe(204)
    expect((await monitored.staff.get(`${path}/${created.id_monitor}`)).status).toBe(404)
    const entries = await monitored.product.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.area, 'networks'), eq(auditLog.entryId, `monitor/${created.id_monitor}`)))
      .orderBy(auditLog.id)
    expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'refused', 'delete'])
  })

  test('belongs to administrators of the networks', async () => {
    const { id_monitor: id } = await monitored.create('127.0.0.1:9')
    const writer = await monitored.product.signIn({ networks: 'read_write' })
    const calls = [
      ['GET', path],
      ['GET', `${path}/${id}`],
      ['GET', `${path}/${id}/history`],
      ['POST', path],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/check`],
      ['POST', `${path}/${id}/address`],
      ['POST', `${path}/test`],
      ['POST', `${path}/import`],
    ] as const
    const visitor = await monitored.product.client()
    for (const [method, address] of calls) {
      const body = method === 'GET' ? undefined : {}
      expect((await writer.send(method, address, body)).status, `${method} ${address}`).toBe(403)
      expect((await visitor.send(method, address, body)).status, `${method} ${address}`).toBe(401)
    }
  })

  test.each([
    [{ kind: 'tcp', target: '169.254.169.254:80' }, 'target'],
    [{ kind: 'http', target: 'http://169.254.169.254/latest/' }, 'target'],
    [{ kind: 'http', target: 'http://[::ffff:169.254.169.254]/' }, 'target'],
    [{ kind: 'http', target: 'file:///etc/passwd' }, 'target'],
    [{ kind: 'http', target: 'http://user:password@example.com/' }, 'target'],
    [{ kind: 'ping', target: '-f 127.0.0.1' }, 'target'],
    [{ kind: 'ping', target: '' }, 'target'],
    [{ kind: 'signal', target: 'x' }, 'target'],
    [{ kind: 'tcp', target: 'srv' }, 'target'],
    [{ interval_s: 29 }, 'interval_s'],
    [{ interval_s: 3_601 }, 'interval_s'],
    [{ failures_before: 11 }, 'failures_before'],
    [{ element: 'Absent' }, 'elements.0'],
    [{ other: 1 }, ''],
    [{ expect: { header: 'x' } }, 'expect'],
  ])('with %j is refused', async (more, at) => {
    for (const address of [path, `${path}/test`]) {
      if (address.endsWith('test') && at.startsWith('elements')) continue
      const answer = await monitored.staff.post<{ errors: { path: string }[] }>(address, monitored.inputOf('127.0.0.1:9', more))
      expect(answer.status, address).toBe(400)
      expect(answer.body.errors.map((error) => error.path).join(), address).toContain(at)
    }
  })

  test('is tested before it is saved, and nothing of it is stored', async () => {
    const port = await monitored.listen()
    const answer = await monitored.staff.post(`${path}/test`, monitored.inputOf(port.target))
    expect(answer.body).toMatchObject({ state: 'up', reason: null })
    await port.close()
    expect((await monitored.staff.post(`${path}/test`, monitored.inputOf(port.target))).body).toMatchObject({
      state: 'down',
      reason: 'refused',
    })
    expect((await monitored.staff.get<Monitor[]>(path)).body).toEqual([])
  })

  test('follows its component when that is renamed', async () => {
    const created = await monitored.create('127.0.0.1:9', { element: 'Fibre' })
    const { body } = await monitored.staff.get<Network>(`/api/networks/reseau/${monitored.network()}`)
    const details = readDetails(body.details).map((one) => (one.nom === 'Fibre' ? { ...one, nom: 'Fibre optique' } : one))
    await monitored.staff.put(`/api/networks/reseau/${monitored.network()}`, { ...pick(body), details: JSON.stringify(details) })
    expect(await monitored.read(created)).toMatchObject({ element: 'Fibre optique' })
  })
})

describe('the work of the instances', () => {
  test('each monitor is claimed once, and the next times are spread over the interval', async () => {
    for (let index = 0; index < 24; index += 1) await monitored.create(`127.0.0.1:${1_000 + index}`, { interval_s: 60 })
    const now = new Date(Date.now() + 1_000)
    const claims = await Promise.all(Array.from({ length: 4 }, () => claimDue(monitored.product.db, 10, now)))
    const ids = claims.flat().map(({ monitor }) => monitor.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(24)
    const rows = await monitored.product.db.select({ nextAt: monitorStatus.nextAt }).from(monitorStatus)
    const waits = rows.map(({ nextAt }) => nextAt.getTime() - now.getTime())
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
    const sixths = new Set(waits.map((wait) => Math.min(5, Math.floor(wait / 10_000))))
    expect(sixths.size).toBe(6)
    expect(await claimDue(monitored.product.db, 10, now)).toEqual([])
  })

  test('the queue checks what is due, and a target that hangs delays no other', async () => {
    const page = await startPage()
    const hanging = await monitored.listen(() => 'silence')
    monitored.use(page)
    const other = await startTestApp({ queue: true })
    monitored.use(other)
    const administrator = await other.signIn()
    const made = await administrator.post<Network>('/api/networks/reseau', { nom: 'Lévis', status: 'ONLINE', details: '[]' })
    const input = { ...monitored.inputOf('', { kind: 'http', element: '', timeout_ms: 10_000 }), id_reseau: made.body.id_reseau }
    for (let index = 0; index < 5; index += 1)
      await administrator.post(path, { ...input, target: `http://${hanging.target}/${index}` })
    const last = await administrator.post<Monitor>(path, { ...input, target: `${page.url}last` })
    const find = async () => (await administrator.get<Monitor>(`${path}/${last.body.id_monitor}`)).body
    await expect.poll(async () => (await find()).state, { timeout: 20_000 }).toBe('up')
    const { checked_at: at } = await find()
    const others = (await administrator.get<Monitor[]>(path)).body.filter(({ target }) => target !== `${page.url}last`)
    expect(others).toHaveLength(5)
    expect(others.filter(({ checked_at }) => checked_at !== null && checked_at < (at ?? ''))).toEqual([])
    expect(hanging.count()).toBeGreaterThanOrEqual(1)
    const history = async () => (await administrator.get<MonitorHistory>(`${path}/${last.body.id_monitor}/history`)).body
    await expect.poll(async () => (await history()).points.length, { timeout: 20_000 }).toBeGreaterThan(0)
    const { step_s: step, points, events } = await history()
    expect({ step, events }).toMatchObject({ step: 300, events: [{ state: 'up' }] })
    expect(points.every(({ checks, down }) => checks > 0 && down === 0)).toBe(true)
  })
})

describe('the history of a monitor', () => {
  test('is summed up by hour and by day, and deleted after its time', async () => {
    const { id_monitor: id } = await monitored.create('127.0.0.1:9')
    const now = new Date('2056-11-20T15:30:00Z')
    const row = (at: string, more: object = {}) => ({
      monitorId: id,
      step: 300,
      at: new Date(at),
      checks: 10,
      degraded: 1,
      down: 2,
      timed: 8,
      msSum: 800,
      msMax: 300,
      ...more,
    })
    await monitored.product.db
      .insert(monitorFigures)
      .values([row('2056-11-20T14:00:00Z'), row('2056-11-20T14:55:00Z', { msMax: 900 }), row('2056-11-17T14:55:00Z')])
    await keepFigures(monitored.product.db, now)
    await keepFigures(monitored.product.db, now)
    const figures = await monitored.product.db.select().from(monitorFigures).where(eq(monitorFigures.monitorId, id))
    const of = (step: number) => figures.filter((one) => one.step === step)
    expect(of(300)).toHaveLength(2)
    expect(of(3_600)).toMatchObject([{ checks: 20, down: 4, degraded: 2, timed: 16, msSum: 1_600, msMax: 900 }])
    expect(of(86_400)).toMatchObject([{ checks: 20, at: new Date('2056-11-20T00:00:00Z') }])
    await keepFigures(monitored.product.db, new Date('2056-12-25T00:00:00Z'))
    const left = await monitored.product.db.select().from(monitorFigures).where(eq(monitorFigures.monitorId, id))
    expect(left.map(({ step }) => step)).toEqual([86_400])
  })
})

describe('targets in a CSV file', () => {
  const importCsv = async (csv: string, dry_run = false) =>
    (await monitored.staff.post<ImportResult>(`${path}/import`, { csv, dry_run })).body

  test('become paused monitors, once', async () => {
    const csv = [
      'network,component,kind,target,interval_s,status,then',
      'Québec,Téléphonie,tcp,"sip.example.com:5060",60,,publish',
      `${monitored.network()},Fibre (en),http,https://www.example.com/,,204,`,
      'Québec,Absent,ping,srv,,,',
      'Nowhere,,ping,srv,,,',
      'Québec,Fibre,tcp,169.254.169.254:80,,,',
      'Québec,Fibre,tcp,srv:22,5,,',
      'Québec,Fibre,smoke,srv,,,',
    ].join('\r\n')
    const refused = [
      { at: 4, reason: 'component' },
      { at: 5, reason: 'network' },
      { at: 6, reason: 'forbidden address' },
      { at: 7, reason: 'interval_s' },
      { at: 8, reason: 'kind' },
    ]
    await monitored.product.db.delete(networkMonitors)
    const rename = await monitored.staff.put(`/api/networks/reseau/${monitored.network()}`, {
      nom: `Québec ${monitored.network()}`,
      status: 'ONLINE',
      details: JSON.stringify(['Téléphonie', 'Fibre'].map((nom) => ({ nom, nom_en: `${nom} (en)`, statut: 'OK' }))),
    })
    expect(rename.status).toBe(200)
    const own = csv.replaceAll(/^Québec,/gm, `Québec ${monitored.network()},`)
    expect(await importCsv(own, true)).toEqual({ dry_run: true, created: 2, known: 0, refused })
    expect((await monitored.staff.get<Monitor[]>(path)).body).toEqual([])
    expect(await importCsv(own)).toEqual({ dry_run: false, created: 2, known: 0, refused })
    expect((await monitored.staff.get<Monitor[]>(path)).body).toMatchObject([
      { element: 'Fibre', kind: 'http', expect: { status: 204 }, then: 'propose', enabled: false, failures_before: 3 },
      { element: 'Téléphonie', kind: 'tcp', target: 'sip.example.com:5060', then: 'publish', enabled: false },
    ])
    expect(await importCsv(own.replaceAll(',', ';'))).toMatchObject({ created: 0, known: 2 })
  })

  test('with a column that is not known are refused whole', async () => {
    expect((await monitored.staff.post(`${path}/import`, { csv: 'network,kind,password\nQuébec,tcp,x' })).status).toBe(400)
    expect((await monitored.staff.post(`${path}/import`, { csv: '' })).status).toBe(400)
  })
})
