import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { administrator, startProduct } from '../../e2e/product.ts'
import type { Network } from '../../src/features/networks/contract.ts'
import type { Monitor } from '../../src/features/networks/monitors/contract.ts'
import type { TestClient } from '../../src/app/testing/test-client.ts'
import { createTestClient } from '../../src/app/testing/test-client.ts'
import { startEmbeddedPostgres } from '../../src/server/testing/embedded-postgres.ts'
import { addTechnicians } from '../actions.ts'
import { addressOf, pause } from '../clients.ts'
import { mount, unmount } from '../disk.ts'

const diskMb = 400
const technicianCount = 3
const monitorCount = 6
const subscriberCount = 5
export const addresses = { support: 'support@company.example.com', contact: 'contact@company.example.com' }
/** A company that never closes: the hours are the subject of another test. */
const always = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, spans: [{ opens: '00:00', closes: '24:00' }] }))

/** What is the same for each instance of each history. */
export const settings = {
  SESSION_SECRET: 'the-same-secret-on-each-of-the-instances',
  DEMO: '0',
  TRUST_PROXY: '1',
  MAIL_SUPPORT_TO: addresses.support,
  MAIL_CONTACT_TO: addresses.contact,
  MAIL_INBOX: 'requests@company.example.com',
}

type Technician = { id: number; username: string; cookies: ReadonlyMap<string, string> }
export type SignalMonitor = { id: number; network: number; element: string; token: string }
/** `component`: whose outages the staff declare. */
type Prepared = {
  technicians: Technician[]
  monitors: SignalMonitor[]
  component: { id_reseau: number; nom: string }
  subscribers: string[]
}

export type Lane = Awaited<ReturnType<typeof startLane>>

/** A PostgreSQL for histories that follow each other, with a database that each of them copies. */
export async function startLane({ program, hasDisks }: { program: string; hasDisks: boolean }) {
  const disk = mkdtempSync(join(tmpdir(), 'guichet-model-'))
  if (hasDisks) mount(disk, diskMb)
  // PostgreSQL runs as a user of its own.
  chmodSync(disk, 0o755)
  const { server, origin } = await startEmbeddedPostgres({
    databaseDir: join(disk, 'data'),
    persistent: true,
    // The machine does not fail, only its processes do.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=120', '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
    database: 'template',
  })
  const query = (text: string, database = 'postgres') => askDatabase(`${origin}/${database}`, text)
  const prepared = await prepare(`${origin}/template`, program)
  let histories = 0

  async function isListening() {
    return query('select 1').then(
      () => true,
      () => false,
    )
  }
  async function start() {
    while (!(await isListening())) {
      await Promise.race([server.start().catch(() => undefined), pause(5_000)])
    }
  }

  return {
    ...prepared,
    program,
    hasDisks,
    disk,
    port: Number(new URL(origin).port),
    query,
    start,
    /** As an operator does: open connections are cut. */
    async restart() {
      await Promise.race([server.stop(), pause(5_000)])
      await start()
    },
    async createDatabase() {
      histories += 1
      const name = `history${histories}`
      await query(`create database ${name} template template`)
      return name
    },
    dropDatabase: (name: string) => query(`drop database ${name} with (force)`),
    async stop() {
      await Promise.race([server.stop(), pause(5_000)])
      if (hasDisks) unmount(disk)
      rmSync(disk, { recursive: true, force: true })
    },
  }
}

async function askDatabase(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // Its end is noticed by the query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** The company, its technicians with their sessions, monitors and subscribers. */
async function prepare(databaseUrl: string, program: string): Promise<Prepared> {
  const product = await startProduct({ ...settings, DATABASE_URL: databaseUrl }, undefined, program)
  const origin = product.address()
  const credentials = await addTechnicians(origin, technicianCount, {
    chat: 'read_write',
    requests: 'read_write',
    networks: 'read_write',
  })
  const admin = await signInAs(origin, administrator, 200)
  await admin.put('/api/chat/settings', { ...(await admin.get<object>('/api/chat/settings')).body, week: always, holidays: [] })
  const technicians: Technician[] = []
  for (const [index, one] of credentials.entries()) {
    const client = await signInAs(origin, one, 201 + index)
    const { body } = await client.get<{ id_user: number }>('/api/auth/me')
    technicians.push({ id: body.id_user, username: one.username, cookies: client.cookies })
  }
  const monitors: SignalMonitor[] = []
  for (let number = 1; number <= monitorCount; number += 1) monitors.push(await addMonitor(admin, number))
  const component = await addNetwork(admin, monitorCount + 1)
  await product.stop()
  const subscribers = Array.from({ length: subscriberCount }, (_, number) => `reader${number}@example.com`)
  const rows = subscribers.map((email, number) => {
    const language = number % 2 === 0 ? 'fr' : 'en'
    return `('${email}', '${language}', '{outages}', 'active', 'Consent', now(), '192.0.2.1', now(), now())`
  })
  // What told the technicians of their passwords is no part of a history.
  await askDatabase(databaseUrl, 'delete from mails')
  await askDatabase(
    databaseUrl,
    `insert into network_subscribers
      (email, language, topics, state, consent_text, consent_at, consent_address, confirmed_at, link_sent_at)
      values ${rows.join(', ')}`,
  )
  return { technicians, monitors, component, subscribers }
}

async function signInAs(origin: string, { username, password }: { username: string; password: string }, number: number) {
  const client = await createTestClient(origin).arrive()
  const headers = { 'x-forwarded-for': addressOf(number) }
  const { status, text } = await client.post('/api/auth/login', { username, password }, { headers })
  if (status !== 200) throw new Error(`sign-in refused: ${text}`)
  return client
}

/** Each on a network of its own: outages of one network within ten minutes are one. */
async function addMonitor(admin: TestClient, number: number): Promise<SignalMonitor> {
  const component = await addNetwork(admin, number)
  const base = { id_reseau: component.id_reseau, element: component.nom, kind: 'signal', interval_s: 3_600 }
  const input = number % 2 === 0 ? { ...base, then: 'publish' } : { ...base, then: 'propose' }
  const { body, status, text } = await admin.post<Monitor & { signal_url: string }>('/api/networks/monitors', input)
  if (status !== 201) throw new Error(`the monitor was refused: ${text}`)
  const token = body.signal_url.split('/').at(-1) ?? ''
  return { id: body.id_monitor, network: component.id_reseau, element: component.nom, token }
}

async function addNetwork(admin: TestClient, number: number) {
  const nom = `Lien ${number}`
  const details = JSON.stringify([{ nom, nom_en: '', statut: 'OK' }])
  const { body } = await admin.post<Network>('/api/networks/reseau', { nom: `Réseau ${number}`, status: 'ONLINE', details })
  return { id_reseau: body.id_reseau, nom }
}
