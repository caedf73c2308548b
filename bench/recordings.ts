import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { RecordingQuery } from '#src/features/recordings/contract.ts'
import { gramsOf, searchedText, findRecordings } from '../src/features/recordings/server/service.ts'
import { recordings } from '#src/features/recordings/server/table.ts'
import type { Database } from '#src/server/database/database.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { printTable } from './table.ts'

const calls = 100_000
const batch = 1_000
const runs = 15
const wantedMs = 50
const areaCodes = ['418', '514', '581', '819', '450']

const questions: Record<string, Partial<RecordingQuery>> = {
  'the list': {},
  'its page 400': { page: 400 },
  'one month': { from: '2026-06-01', to: '2026-06-30' },
  'a whole number': { search: '4185550005' },
  'a part of a number': { search: '555-00' },
  'an area code': { search: '418' },
  'an agent': { search: 'agent 12' },
  'an agent in a month': { search: 'zoé 12', from: '2026-06-01', to: '2026-06-30' },
  'one digit': { search: '4' },
  'nothing that is there': { search: 'zzzz' },
}

/** Time of the list of 100,000 calls on the embedded database, the slower of the two. */
export async function benchRecordings() {
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-bench-'))
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  try {
    await migrateDatabase(database.db)
    await fill(database.db)
    const rows = []
    for (const [name, question] of Object.entries(questions)) {
      rows.push({ search: name, ...(await time(database.db, { page: 1, ...question })) })
    }
    printTable(`${calls} recordings on the embedded database, in milliseconds (wanted: ${wantedMs})`, rows)
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function time(db: Database, query: RecordingQuery) {
  const times = []
  let total = 0
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    total = (await findRecordings(db, query)).total
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  return { median: times[Math.floor(runs / 2)] ?? 0, most: times.at(-1) ?? 0, found: total }
}

async function fill(db: Database) {
  for (let at = 0; at < calls; at += batch) {
    await db.insert(recordings).values(Array.from({ length: batch }, (_, index) => makeCall(at + index)))
  }
  await db.execute(sql`analyze recordings`)
}

function makeCall(number: number) {
  const caller = `${areaCodes[number % areaCodes.length]}555${String((number * 7_919) % 10_000).padStart(4, '0')}`
  const callee = String(101 + (number % 40))
  const agent = `Zoé Agent ${number % 40}`
  const searched = searchedText([caller, callee, agent])
  return {
    startedAt: new Date(Date.UTC(2026, 0, 1) + number * 300_000),
    direction: 'in' as const,
    caller,
    callee,
    agent,
    durationMs: 1_000 * (number % 600),
    fileName: `call-${number}.wav`,
    sha256: String(number).padStart(64, '0'),
    storageKey: `call-${number}`,
    type: 'wav' as const,
    bytes: 1_000,
    searched,
    grams: gramsOf(searched),
  }
}
