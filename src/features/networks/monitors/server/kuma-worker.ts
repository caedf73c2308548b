import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { KumaFile } from './kuma.ts'
import { isSqlite, kumaMonitorsMax } from './kuma.ts'

/*
 * Reads a file of Uptime Kuma in a process of its own, which is killed when it takes too long: neither a query of SQLite nor the
 * parsing of JSON can be interrupted in a thread.
 */

const [path = ''] = process.argv.slice(2)
const memoryBytes = 100_000_000

/** Columns that every version has, and those that came later. */
const needed = ['id', 'name', 'type']
const wanted = [
  ...needed,
  ...['interval', 'timeout', 'url', 'hostname', 'port', 'keyword', 'invert_keyword', 'maxretries', 'upside_down'],
  ...['accepted_statuscodes_json', 'dns_resolve_type', 'parent'],
]

function readDatabase(): KumaFile | null {
  const address = pathToFileURL(path)
  // Without its log a database in WAL mode cannot be opened read-only, unless nothing changes it.
  address.search = 'immutable=1'
  const database = new DatabaseSync(address, { readOnly: true })
  for (const setting of ['trusted_schema = off', 'cell_size_check = on', `hard_heap_limit = ${memoryBytes}`])
    database.prepare(`pragma ${setting}`).all()
  const isTable = database
    .prepare("select 1 from sqlite_schema where name = 'monitor' and type = 'table' and sql not like 'create virtual%'")
    .get()
  if (!isTable) return null
  const columns = database.prepare('pragma table_xinfo(monitor)').all() as { name: string; hidden: number }[]
  // A computed column could compute without end.
  const names = new Set(columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name))
  if (names.size !== columns.length || !needed.every((name) => names.has(name))) return null
  const chosen = wanted.filter((name) => names.has(name)).join(', ')
  const statement = database.prepare(`select ${chosen} from monitor order by id limit ${kumaMonitorsMax + 1}`)
  return { monitors: [...statement.iterate()] }
}

function readBackup(text: string): KumaFile | null {
  const parsed = JSON.parse(text) as { monitorList?: unknown } | null
  return Array.isArray(parsed?.monitorList) ? { monitors: parsed.monitorList.slice(0, kumaMonitorsMax + 1) as unknown[] } : null
}

function read() {
  const bytes = readFileSync(path)
  try {
    return isSqlite(bytes) ? readDatabase() : readBackup(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    // Neither a database nor JSON, or a damaged one.
    return null
  }
}

process.stdout.write(JSON.stringify(read()))
