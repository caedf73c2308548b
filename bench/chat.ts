import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../chaos/postgres.ts'
import type { Client, Subject } from './chat-subjects.ts'
import { startGuichet, startSocketIo, startWs } from './chat-subjects.ts'
import { memoryOf } from './child.ts'
import { printTable } from './table.ts'

const crowds = [50, 2_000]
const seconds = 10
/** Messages a second of one visitor, below the rate limit, so that refusals do not distort the figures. */
const messagesEach = 4
const joinedAtOnce = 20

/** Connections per GB, acknowledged messages a second and their p99, compared with plain ws and plain Socket.IO echoes. */
export async function benchChat() {
  const postgres = await startPostgres()
  const subjects = [startWs, startSocketIo, () => startGuichet('PGlite'), () => startGuichet('PostgreSQL', postgres.url)]
  for (const crowd of crowds) {
    const rows = []
    for (const start of subjects) rows.push(await measure(await start(), crowd))
    const [plain] = rows
    printTable(
      `Chat, ${crowd} visitors connected, ${crowd * messagesEach} messages a second offered`,
      rows.map((row) => ({
        ...row,
        'ratio of messages': row['acknowledged a second'] / (plain?.['acknowledged a second'] ?? Number.NaN),
      })),
    )
  }
  const commits = await commitsASecond(postgres.url, 50, seconds)
  if (commits) printTable('What PostgreSQL commits', [{ client: 'pgbench, 50 clients, one row a commit', 'a second': commits }])
  await postgres.remove()
}

async function measure(subject: Subject, crowd: number) {
  const clients: Client[] = []
  const join = async (until: number) => {
    while (clients.length < until) {
      const more = Math.min(joinedAtOnce, until - clients.length)
      clients.push(...(await Promise.all(Array.from({ length: more }, (_, index) => subject.join(clients.length + index)))))
    }
  }
  // The first connections warm the server up; the memory of later ones is that of a connection.
  await join(crowd / 5)
  const before = memoryOf(subject.pid)
  await join(crowd)
  const each = (memoryOf(subject.pid) - before) / (crowd - crowd / 5)

  const counts = { acknowledged: 0, again: 0, refused: 0 }
  const times: number[] = []
  const startedAt = performance.now()
  await Promise.all(clients.map((client, number) => sendMessages(client, number / crowd, times, counts)))
  const lasted = (performance.now() - startedAt) / 1_000
  const lost = clients.reduce((sum, client) => sum + client.disconnects(), 0)
  for (const client of clients) client.close()
  await subject.stop()
  const ordered = times.toSorted((one, other) => one - other)
  const at = (ratio: number) => ordered[Math.ceil(ordered.length * ratio) - 1] ?? Number.NaN
  return {
    server: subject.name,
    'connections a GB': 2 ** 30 / Math.max(each, 1),
    'acknowledged a second': counts.acknowledged / lasted,
    'p50 (ms)': at(0.5),
    'p99 (ms)': at(0.99),
    'sent again': counts.again,
    refused: counts.refused,
    disconnects: lost,
  }
}

/**
 * Sends at an even pace with a random phase; when the server is slower, as fast as it responds. Unacknowledged messages are
 * sent again, as the widget does, and their time counts from the first attempt.
 */
async function sendMessages(
  client: Client,
  phase: number,
  times: number[],
  counts: { acknowledged: number; again: number; refused: number },
) {
  const pace = 1_000 / messagesEach
  const first = performance.now() + phase * pace
  const isOver = () => performance.now() - first > seconds * 1_000
  for (let index = 0; index < seconds * messagesEach; index += 1) {
    const wait = first + index * pace - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const id = crypto.randomUUID()
    const startedAt = performance.now()
    let outcome = await client.send(id)
    while (outcome !== 'acknowledged' && !isOver()) {
      counts[outcome] += 1
      outcome = await client.send(id)
    }
    if (outcome !== 'acknowledged') return
    counts.acknowledged += 1
    times.push(performance.now() - startedAt)
    if (isOver()) return
  }
}

const table = `create table if not exists commits
  (id serial primary key, chat_id int not null, seq int not null, message text not null, sent_at timestamptz not null)`
const one = String.raw`\set chat random(1, 1000)
insert into commits (chat_id, seq, message, sent_at)
  values (:chat, 1, 'Bonjour, mon téléphone ne sonne plus depuis ce matin.', now());
`

/** Commits per second of the database alone with this many clients, one row of a message's size each, by pgbench; null without pgbench. */
async function commitsASecond(url: string, clients: number, seconds: number) {
  if (spawnSync('pgbench', ['--version']).status !== 0) return null
  const client = new pg.Client(url)
  await client.connect()
  await client.query(table)
  await client.end()
  const folder = mkdtempSync(join(tmpdir(), 'guichet-commits-'))
  const script = join(folder, 'one.sql')
  writeFileSync(script, one)
  const parameters = ['-n', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script, url]
  const { stdout, stderr } = spawnSync('pgbench', parameters, { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  const found = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!found) throw new Error(`pgbench: ${stderr}`)
  return found
}
