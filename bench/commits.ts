import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const table = `create table if not exists commits
  (id serial primary key, chat_id int not null, seq int not null, message text not null, sent_at timestamptz not null)`
const one = String.raw`\set chat random(1, 1000)
insert into commits (chat_id, seq, message, sent_at)
  values (:chat, 1, 'Bonjour, mon téléphone ne sonne plus depuis ce matin.', now());
`

/** Commits per second of the database alone with this many clients, one row of a message's size each, by pgbench; null without pgbench. */
export async function commitsASecond(url: string, clients: number, seconds: number) {
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
