import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HomeMessage } from '#src/features/home/contract.ts'
import { homeMessages } from '#src/features/home/server/table.ts'
import type { Note } from '#src/features/notes/contract.ts'
import { notes } from '#src/features/notes/server/table.ts'
import type { UpdateAlert } from '#src/features/updates/contract.ts'
import { updateWindows } from '#src/features/updates/server/table.ts'
import { lockChain } from '#src/server/audit-log/chain.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Network, StaffIncident } from './contract.ts'
import type { Monitor } from './monitors/contract.ts'
import { renewToken } from './monitors/server/monitors.ts'
import { storeOne } from './monitors/server/runner.ts'
import { monitorStatus } from './monitors/server/table.ts'
import type { Monitored } from './monitors/testing/monitored.ts'
import { monitorsPath, startMonitored } from './monitors/testing/monitored.ts'
import { networkIncidents, networks } from './server/table.ts'

/* Two changes at once, in the order that makes them wait for each other where they lock the same rows in opposite orders. */

let monitored: Monitored
beforeAll(async () => {
  monitored = await startMonitored()
})
afterAll(() => monitored.product.stop())
beforeEach(async () => {
  await monitored.product.db.delete(networkIncidents)
  await monitored.addNetwork()
  return () => monitored.clear()
})

const incidents = '/api/networks/incidents'
const banners = '/api/home_messages/home_message'

/** Sessions of this database that wait for a lock. */
async function countWaiting() {
  const { rows } = (await monitored.product.db.execute(sql`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)) as { rows: { waiting: number }[] }
  return rows[0]?.waiting ?? 0
}

/** Starts `first`, then `second`, while a lock holds `first` up in its middle; both go on together. */
async function meet<First, Second>(
  hold: (tx: Database) => Promise<unknown>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
) {
  let started: [Promise<First>, Promise<Second>] | undefined
  await monitored.product.db.transaction(async (tx) => {
    await hold(tx)
    const one = first()
    await expect.poll(countWaiting).toBe(1)
    const other = second()
    await expect.poll(countWaiting).toBe(2)
    started = [one, other]
  })
  if (!started) throw new Error('nothing was started')
  return Promise.all(started)
}

const holdNetwork = (tx: Database) => tx.select().from(networks).where(eq(networks.id, monitored.network())).for('update')

function rename(nom: string) {
  const details = [
    { nom, nom_en: '', statut: 'OK' },
    { nom: 'Fibre', nom_en: '', statut: 'OK' },
  ]
  const input = { nom: 'Québec', status: 'ONLINE', details: JSON.stringify(details) }
  return monitored.staff.put<Network>(`/api/networks/reseau/${monitored.network()}`, input)
}

const declare = (more: object = {}) =>
  monitored.staff.post<StaffIncident>(incidents, {
    title: 'Coupures',
    title_en: 'Drops',
    severity: 'ERROR',
    elements: [{ id_reseau: monitored.network(), nom: 'Téléphonie' }],
    text: 'Des appels coupent.',
    text_en: 'Calls drop.',
    ...more,
  })

test('maintenance cannot name a component that gets another name meanwhile', async () => {
  const input = {
    next_update: new Date(Date.now() + 86_400_000).toISOString(),
    elements: [{ id_reseau: monitored.network(), nom: 'Téléphonie' }],
  }
  const [renamed, refused] = await meet(
    holdNetwork,
    () => rename('Voix'),
    () => monitored.staff.put('/api/updates/alert', input),
  )
  expect([renamed.status, refused.status]).toEqual([200, 400])
  expect((await monitored.staff.get('/api/updates/alert')).body).toBeNull()
})

describe('both are done', () => {
  test('where a component gets another name while an outage that names it is published', async () => {
    const { body: draft } = await declare({ draft: true })
    const address = `${incidents}/${draft.id_incident}`
    const [renamed, published] = await meet(
      holdNetwork,
      () => rename('Voix'),
      () => monitored.staff.post(`${address}/publish`, {}),
    )
    expect([renamed.status, published.status]).toEqual([200, 200])
    const { body: after } = await monitored.staff.get<StaffIncident>(address)
    expect(after).toMatchObject({ draft: false, elements: [{ nom: 'Voix' }] })
    const { body: network } = await monitored.staff.get<Network>(`/api/networks/reseau/${monitored.network()}`)
    expect(network.details).toContain('"statut":"ERROR"')
  })

  test('where a component gets another name while its monitor is moved', async () => {
    const monitor = await monitored.create('127.0.0.1:1', { enabled: false })
    const moved = { ...monitored.inputOf('127.0.0.1:1'), element: 'Fibre', enabled: false }
    const answers = await meet(
      holdNetwork,
      () => rename('Voix'),
      () => monitored.staff.put(`${monitorsPath}/${monitor.id_monitor}`, moved),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await monitored.read(monitor)).element).toBe('Fibre')
  })

  test('where a component gets another name while maintenance of it is changed', async () => {
    const input = {
      next_update: new Date(Date.now() + 86_400_000).toISOString(),
      public: true,
      elements: [{ id_reseau: monitored.network(), nom: 'Téléphonie' }],
    }
    const { body: announced } = await monitored.staff.put<UpdateAlert>('/api/updates/alert', input)
    const [changed, renamed] = await meet(
      (tx) => tx.select().from(updateWindows).where(eq(updateWindows.id, announced.id_update)).for('update'),
      () => monitored.staff.put<UpdateAlert>('/api/updates/alert', { ...input, message: 'Fibre', version: announced.version }),
      () => rename('Voix'),
    )
    expect([changed.status, renamed.status]).toEqual([200, 200])
    const { body: after } = await monitored.staff.get<UpdateAlert>('/api/updates/alert')
    expect(after).toMatchObject({ message: 'Fibre', elements: [{ nom: 'Voix' }] })
    expect((await monitored.staff.delete('/api/updates/alert')).status).toBe(204)
  })

  test('where a component gets another name while the address of its signal is renewed', async () => {
    const monitor = await monitored.create('', { kind: 'signal' })
    const author = { userId: null, name: 'test', address: '' }
    const [renamed, token] = await meet(
      lockChain,
      () => rename('Voix'),
      () => renewToken(monitored.product.db, author, monitor.id_monitor),
    )
    expect([renamed.status, token.length]).toEqual([200, 43])
    expect((await monitored.read(monitor)).element).toBe('Voix')
  })

  test('where the banner is saved while an outage puts up its own', async () => {
    const texts = { title: 'Tempête', title_en: 'Storm', message: '<p>Neige</p>', message_en: '<p>Snow</p>' }
    const { body: banner } = await monitored.staff.post<HomeMessage>(banners, texts)
    const [saved, declared] = await meet(
      (tx) => tx.select().from(homeMessages).for('update'),
      () => monitored.staff.put(`${banners}/${banner.id_home_message}`, { ...texts, title: 'Verglas' }),
      () => declare({ banner: true }),
    )
    expect([saved.status, declared.status]).toEqual([200, 201])
    const [shown] = (await monitored.staff.get<HomeMessage[]>(banners)).body
    expect(shown?.title).toBe('Coupures')
    expect((await monitored.staff.delete(`${banners}/${banner.id_home_message}`)).status).toBe(204)
  })

  test('where the note of an outage is saved while the outage is undone', async () => {
    const { body: incident } = await declare({ note: true })
    const [note] = (await monitored.staff.get<Note[]>('/api/notes/notes')).body
    if (!note) throw new Error('no note was written')
    const [saved, undone] = await meet(
      (tx) => tx.select().from(notes).where(eq(notes.id, note.id_note)).for('update'),
      () => monitored.staff.put(`/api/notes/notes/${note.id_note}`, { note: 'Une précision', note_date: note.note_date }),
      () => monitored.staff.post(`${incidents}/${incident.id_incident}/undo`, {}),
    )
    expect([saved.status, undone.status]).toEqual([200, 200])
    expect((await monitored.staff.get<Note[]>('/api/notes/notes')).body).toEqual([])
  })

  const holdStatus = (monitor: Monitor) => (tx: Database) =>
    tx.select().from(monitorStatus).where(eq(monitorStatus.monitorId, monitor.id_monitor)).for('update')

  test('where a monitor is paused while its result is stored', async () => {
    const monitor = await monitored.create('127.0.0.1:1')
    const path = `${monitorsPath}/${monitor.id_monitor}`
    const paused = { ...monitored.inputOf('127.0.0.1:1'), enabled: false }
    const answers = await meet(
      holdStatus(monitor),
      () => monitored.staff.post(`${path}/check`),
      () => monitored.staff.put(path, paused),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('where a monitor is paused while its figures are added', async () => {
    const monitor = await monitored.create('127.0.0.1:1')
    const paused = { ...monitored.inputOf('127.0.0.1:1'), enabled: false }
    const result = { state: 'up', ms: 3, reason: null, detail: '' } as const
    const [, changed] = await meet(
      holdStatus(monitor),
      () => storeOne(monitored.product.db, monitor.id_monitor, new Date(), result),
      () => monitored.staff.put(`${monitorsPath}/${monitor.id_monitor}`, paused),
    )
    expect(changed.status).toBe(200)
  })
})
