import type { SQL } from 'drizzle-orm'
import { and, arrayContains, count, eq, gte, like, lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Recording, RecordingDetail, RecordingQuery } from '../contract.ts'
import { countedMost, recordingsPerPage } from '../values.ts'
import { gramsOfWord, searchedWords } from './search-text.ts'
import { recordingPeaks, recordings } from './table.ts'

export type RecordingRow = typeof recordings.$inferSelect

const { timeZone } = company.hours
/** As the index has them: with its nulls elsewhere, it would not be used. */
const newestFirst = [sql`${recordings.startedAt} desc nulls last`, sql`${recordings.id} desc nulls last`]

/** A page of the calls that match, newest first, and how many match, counted up to `countedMost`. */
export async function findRecordings(db: Database, query: RecordingQuery): Promise<{ rows: Recording[]; total: number }> {
  const where = matching(query)
  const rows = await db
    .select()
    .from(recordings)
    .where(where)
    .orderBy(...newestFirst)
    .limit(recordingsPerPage)
    .offset((query.page - 1) * recordingsPerPage)
  const some = db.select({ id: recordings.id }).from(recordings).where(where).limit(countedMost).as('some')
  const [counted] = await db.select({ total: count() }).from(some)
  return { rows: rows.map(toRecording), total: counted?.total ?? 0 }
}

export async function findRecording(db: Database, id: number): Promise<RecordingDetail> {
  const row = await findRecordingRow(db, id)
  const [drawn] = await db.select().from(recordingPeaks).where(eq(recordingPeaks.recordingId, id))
  return { ...toRecording(row), peaks: drawn?.peaks ?? '' }
}

/** The row as it is stored; `NotFound` where there is none. */
export async function findRecordingRow(db: Database, id: number): Promise<RecordingRow> {
  const [row] = await db.select().from(recordings).where(eq(recordings.id, id))
  if (!row) throw new NotFound('This recording does not exist.')
  return row
}

/** The audit log is permanent, so its facts hold nothing about the caller. */
export function auditFactsOf({ startedAt, direction, durationMs, onHold }: RecordingRow) {
  return { date: startedAt.toISOString(), direction, duration: Math.round(durationMs / 1000), on_hold: onHold }
}

export function toRecording(row: RecordingRow): Recording {
  return {
    id_recording: row.id,
    date: row.startedAt.toISOString(),
    direction: row.direction,
    caller: row.caller,
    callee: row.callee,
    agent: row.agent,
    duration: row.durationMs / 1000,
    file: row.fileName,
    size: row.bytes,
    on_hold: row.onHold,
  }
}

function matching({ from, to, search }: RecordingQuery): SQL | undefined {
  const words = searchedWords(search ?? '')
  const grams = [...new Set(words.flatMap(gramsOfWord))]
  return and(
    from ? gte(recordings.startedAt, startOf(from)) : undefined,
    to ? lt(recordings.startedAt, startOf(to, 1)) : undefined,
    grams.length > 0 ? arrayContains(recordings.grams, grams) : undefined,
    // Runs of three can be there without the word.
    ...words
      .filter((word) => word.length > 3)
      .map((word) => like(recordings.searched, `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)),
  )
}

/** Midnight of the company's clock, also where a night has 23 or 25 hours. */
function startOf(day: string, later = 0) {
  return sql<Date>`((${day}::date + ${later}::int)::timestamp at time zone ${timeZone})`
}
