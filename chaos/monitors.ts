import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { administrator, startProduct } from '../e2e/product.ts'
import type { Network, StaffIncident } from '../src/features/networks/contract.ts'
import type { Monitor, MonitorHistory } from '../src/features/networks/monitors/contract.ts'
import { monitorEvents, monitorFigures } from '../src/features/networks/monitors/server/table.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/database/database.ts'
import type { TestClient } from '../src/app/testing/test-client.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { pause, trusting } from './clients.ts'
import type { Row } from './row.ts'

const networks = 5
const elementsEach = 100
const monitors = networks * elementsEach
const intervalS = 60
const timeoutMs = 5_000
/** Every fifth target answers only after this time. */
const slowMs = 2_000
const latestMs = 5_000
/** Both tries of a check that times out lie within this time. */
const mostTriesMs = timeoutMs + 3_000
/** Fewer, by `CHAOS_MINUTES`, to try the row itself. */
const minutes = Number(process.env.CHAOS_MINUTES ?? 10)
const losses = 100 * minutes
const baselineMs = 60_000
const path = '/api/networks/monitors'

export const monitorLoad: Row = {
  name: 'monitors',
  fault: `${monitors} checks a minute for ${minutes} minutes with ${losses} single lost packets, then the monitored host goes down; every fifth target is slow`,
  async run() {
    const host = await startHost()
    const product = await startProduct({ ...trusting })
    const pid = product.pid()
    const client = await createTestClient(product.address()).arrive()
    await client.post('/api/auth/login', administrator)

    // Paused at first, so that the same pages are read with and without the checks.
    const created = await createMonitors(client, host.port)
    const readers = readPages(product.address())
    const idle = measure(pid)
    await pause(baselineMs)
    const before = { cpu: idle(), pages: readers.take() }
    const ids = await resume(client, created)
    await pause(intervalS * 1_000)
    const started = host.count()
    const loaded = measure(pid)
    const memory = memoryOf(pid)
    readers.take()
    host.startTiming()
    host.lose(losses, minutes * 60_000)
    await pause(minutes * 60_000)
    const during = { cpu: loaded(), pages: readers.take(), memory: memoryOf(pid) }
    const checks = host.count() - started - host.lost()
    const late = host.delays()
    const falseIncidents = (await client.get<StaffIncident[]>('/api/networks/incidents')).body.length

    const closedAt = Date.now()
    await host.stop()
    const deadline = closedAt + (intervalS + 60) * 1_000
    let incidents: StaffIncident[] = []
    while (countOf(incidents) < monitors && Date.now() < deadline + 60_000) {
      await pause(1_000)
      incidents = (await client.get<StaffIncident[]>('/api/networks/incidents')).body.filter(({ draft }) => !draft)
    }
    const allPublicAfter = (Date.now() - closedAt) / 1_000
    const delays = await findDelays(client, ids)
    await readers.stop()
    await product.end('SIGTERM')
    const rows = await countRows(product.dataDir)
    await product.stop()

    const cost = during.cpu - before.cpu
    const longest = Math.max(...delays)
    return {
      good:
        falseIncidents === 0 &&
        checks >= monitors * minutes * 0.95 &&
        cost < 0.05 &&
        Math.max(...late) <= latestMs &&
        countOf(incidents) === monitors &&
        delays.length === monitors &&
        longest <= 60_000,
      figures: {
        'checks a minute': Math.round(checks / minutes),
        'single lost packets': host.lost(),
        'slow targets': Math.ceil(elementsEach / 5) * networks,
        'a check after its time: p50, p99, longest (ms)': `${percentiles(late)}, ${Math.round(Math.max(...late))}`,
        'false outages': falseIncidents,
        'processor without monitors (% of a core)': percent(before.cpu),
        'with them (% of a core)': percent(during.cpu),
        'the checks alone (% of a core)': percent(cost),
        'memory before (MB)': memory,
        'memory after (MB)': during.memory,
        'rows of results, of changes of result': `${rows.figures}, ${rows.events}`,
        'their size, with indexes (MB)': (rows.bytes / 1e6).toFixed(1),
        'page without monitors: p50, p99 (ms)': percentiles(before.pages),
        'with them: p50, p99 (ms)': percentiles(during.pages),
        'components in public outages': countOf(incidents),
        'outages, one for each network': incidents.length,
        'from the failure to the publication: longest (ms)': longest,
        'all public after (s)': Math.round(allPublicAfter),
      },
    }
  },
}

/** The strictest setting: a single failure is an outage, and it is public. */
async function createMonitors(client: TestClient, port: number) {
  const created: { id: number; input: object }[] = []
  for (let network = 0; network < networks; network += 1) {
    const details = Array.from({ length: elementsEach }, (_, index) => ({ nom: `E${index}`, nom_en: '', statut: 'OK' }))
    const made = { nom: `Network ${network}`, status: 'ONLINE', details: JSON.stringify(details) }
    const { body } = await client.post<Network>('/api/networks/reseau', made)
    for (const { nom } of details) {
      const input = {
        id_reseau: body.id_reseau,
        element: nom,
        kind: 'http',
        target: `http://127.0.0.1:${port}/${network}/${nom}`,
        interval_s: intervalS,
        timeout_ms: timeoutMs,
        failures_before: 1,
        then: 'publish',
      }
      const answer = await client.post<Monitor>(path, { ...input, enabled: false })
      if (answer.status !== 201) throw new Error(`the monitor was refused: ${answer.text}`)
      created.push({ id: answer.body.id_monitor, input })
    }
  }
  return created
}

async function resume(client: TestClient, created: readonly { id: number; input: object }[]) {
  for (const { id, input } of created) await client.put(`${path}/${id}`, { ...input, enabled: true })
  return created.map(({ id }) => id)
}

const countOf = (incidents: readonly StaffIncident[]) => incidents.reduce((sum, { elements }) => sum + elements.length, 0)

/** Milliseconds from the failure of each monitor to the change of its component's public status. */
async function findDelays(client: TestClient, ids: readonly number[]) {
  const { body: changes } = await client.get<Change[]>('/api/networks/changes?days=1')
  const failedAt = new Map(changes.filter(({ to }) => to === 'ERROR').map((one) => [`${one.id_reseau} ${one.nom}`, one.at]))
  const delays: number[] = []
  for (const id of ids) {
    const { body: monitor } = await client.get<Monitor>(`${path}/${id}`)
    const { body: history } = await client.get<MonitorHistory>(`${path}/${id}/history`)
    const failed = history.events.find(({ state }) => state === 'down')
    const published = failedAt.get(`${monitor.id_reseau} ${monitor.element}`)
    if (failed && published) delays.push(Math.max(0, Date.parse(published) - Date.parse(failed.at)))
  }
  return delays
}

/** What the checks wrote: figures of five minutes, an hour and a day, and changes of result. */
async function countRows(dataDir: string) {
  const opened = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  const { rows } = (await opened.db.execute(sql`
    select (select count(*) from ${monitorFigures})::int as figures, (select count(*) from ${monitorEvents})::int as events,
      (pg_total_relation_size('network_monitor_figures') + pg_total_relation_size('network_monitor_events')
        + pg_total_relation_size('network_monitor_status'))::int as bytes`)) as {
    rows: { figures: number; events: number; bytes: number }[]
  }
  await opened.close()
  const [found] = rows
  if (!found) throw new Error('the rows were not counted')
  return found
}

type Change = { id_reseau: number; nom: string; to: string | null; at: string }

/** A host that loses the first connection of a check now and then, by a reset or by silence, and never two in a row. */
async function startHost() {
  const before = new Set<string>()
  const lastAt = new Map<string, number>()
  let delays: number[] = []
  let count = 0
  let lost = 0
  let plan = { most: 0, from: 0, lasting: 1 }
  const server: Server = createServer((request, response) => {
    count += 1
    const target = request.url ?? ''
    const [now, last] = [performance.now(), lastAt.get(target)]
    // The second try of a check is none of its own.
    if (last === undefined || now - last > mostTriesMs) {
      if (last !== undefined) delays.push(Math.max(0, now - last - intervalS * 1_000))
      lastAt.set(target, now)
    }
    const due = Math.min(plan.most, Math.ceil(((Date.now() - plan.from) / plan.lasting) * plan.most))
    if (lost < due && !before.has(target)) {
      lost += 1
      before.add(target)
      if (lost % 2 === 0) request.socket.resetAndDestroy()
      return
    }
    before.delete(target)
    if (/[05]$/.test(target)) setTimeout(() => response.end('ok'), slowMs)
    else response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    lost: () => lost,
    /** Forgets the checks so far: a monitor that resumes is checked at once, and then at its own time of the interval. */
    startTiming() {
      lastAt.clear()
      delays = []
    },
    delays: () => delays,
    lose(most: number, lasting: number) {
      plan = { most, from: Date.now(), lasting }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Somebody reads the home page up to five times a second. */
function readPages(origin: string) {
  let times: number[] = []
  const over = new AbortController()
  const read = async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      await (await fetch(`${origin}/`)).text()
      times.push(performance.now() - startedAt)
      await pause(200)
    }
  }
  const reading = read().catch(() => undefined)
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    stop() {
      over.abort()
      return reading
    },
  }
}

const ticksASecond = 100

/** Share of a core that a process uses until the returned function is called. */
function measure(pid: number) {
  const read = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksASecond
  }
  const [cpu, at] = [read(), performance.now()]
  return () => (read() - cpu) / ((performance.now() - at) / 1_000)
}

const memoryOf = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)
const percent = (share: number) => (share * 100).toFixed(2)

function percentiles(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)
  return `${at(0.5)}, ${at(0.99)}`
}
