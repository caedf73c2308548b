import type { SQL } from 'drizzle-orm'
import { and, arrayContains, count, eq, gte, like, lt, sql, inArray } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import { NotFound, Conflict } from '#src/server/problems.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Recording, RecordingDetail, RecordingQuery, RecordingSettings } from '../contract.ts'
import { countedMost, recordingsPerPage } from '../values.ts'
import { recordingPeaks, recordings, recordingSettingsTable } from './table.ts'
import { markFilesForRemoval } from './storage.ts'

export type RecordingRow = typeof recordings.$inferSelect

const { timeZone } = company.hours
/** Matches the index: with another order of nulls it would not be used. */
const newestFirst = [sql`${recordings.startedAt} desc nulls last`, sql`${recordings.id} desc nulls last`]

/** A page of the matching calls, newest first, and the number of matches up to `countedMost`. */
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

/** The stored row; throws `NotFound`. */
export async function findRecordingRow(db: Database, id: number): Promise<RecordingRow> {
  const [row] = await db.select().from(recordings).where(eq(recordings.id, id))
  if (!row) throw new NotFound('This recording does not exist.')
  return row
}

/** Entries of the audit log outlive the recording, so they contain nothing about the caller. */
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

/** Calls of these days with all the words. */
export function matching({ from, to, search }: Pick<RecordingQuery, 'from' | 'to' | 'search'>): SQL | undefined {
  const words = searchedWords(search ?? '')
  const grams = [...new Set(words.flatMap(gramsOfWord))]
  return and(
    from ? gte(recordings.startedAt, startOf(from)) : undefined,
    to ? lt(recordings.startedAt, startOf(to, 1)) : undefined,
    grams.length > 0 ? arrayContains(recordings.grams, grams) : undefined,
    // A row may contain all trigrams of a word without the word.
    ...words
      .filter((word) => word.length > 3)
      .map((word) => like(recordings.searched, `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)),
  )
}

/** Midnight in the company's time zone, also on days of 23 or 25 hours. */
function startOf(day: string, later = 0) {
  return sql<Date>`((${day}::date + ${later}::int)::timestamp at time zone ${timeZone})`
}

const gramLength = 3

/** Lower case without accents. */
function fold(text: string) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const isNumber = (word: string) => /^[\d()+.\-#*]+$/.test(word) && /\d/.test(word)
const digitsOf = (word: string) => word.replaceAll(/\D/g, '')

/** The searchable text of a row: its words, and its numbers as digits. */
export function searchedText(fields: readonly string[]) {
  const words = fields.flatMap((field) => {
    const folded = fold(field).trim()
    const digits = digitsOf(folded)
    return isNumber(folded.replaceAll(' ', '')) ? [digits] : [folded, ...(digits.length > 2 ? [digits] : [])]
  })
  return words.filter(Boolean).join('|')
}

/** The words of a search; a row must contain each of them. */
export function searchedWords(search: string) {
  const words = fold(search).split(/[\s|]+/)
  // Any apostrophe, hyphen or none: each part must be there.
  return words
    .flatMap((word) => (isNumber(word) ? digitsOf(word) : word.split(/(?<=\p{L})[-‐-―'‘’ʼ´`](?=\p{L})/u)))
    .filter(Boolean)
}

/** All substrings of one, two and three characters, which the index contains. */
export function gramsOf(text: string) {
  const grams = new Set<string>()
  for (const part of text.split(/[\s|]+/)) {
    for (let length = 1; length <= gramLength; length++) {
      for (let at = 0; at + length <= part.length; at++) grams.add(part.slice(at, at + length))
    }
  }
  return [...grams]
}

/** The longest indexed substrings of a word, enough to find it. */
export function gramsOfWord(word: string) {
  if (word.length <= gramLength) return [word]
  return [...new Set(Array.from({ length: word.length - gramLength + 1 }, (_, at) => word.slice(at, at + gramLength)))]
}

const theRow = 1

const defaults: RecordingSettings = {
  version: 0,
  play: 'read_only',
  download: 'read_write',
  delete: 'administrator',
}

export async function findRecordingSettings(db: Database): Promise<RecordingSettings> {
  const [row] = await db.select().from(recordingSettingsTable).where(eq(recordingSettingsTable.id, theRow))
  if (!row) return defaults
  const { version, play, download } = row
  return { version, play, download, delete: row.delete }
}

/** Saves all settings; throws `Conflict` with the stored settings when `version` is outdated. */
export async function saveRecordingSettings(db: Database, author: Author, input: RecordingSettings) {
  const save = async (tx: Database) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('recording_settings'))`)
    const before = await findRecordingSettings(tx)
    if (before.version !== input.version) {
      const after = { ...input, version: before.version }
      throw await RefusedVersion.of(tx, author, { area, entryId: 'settings', before, after })
    }
    const row = { ...input, version: input.version + 1 }
    await tx
      .insert(recordingSettingsTable)
      .values({ id: theRow, ...row })
      .onConflictDoUpdate({ target: recordingSettingsTable.id, set: row })
    const after = { ...input, version: row.version }
    await recordChange(tx, author, { area, action: 'update', entryId: 'settings', before, after })
    return after
  }
  return db.transaction(save).catch(keepRefused(db))
}

/** The level required to play, download or delete is read from the settings at each request. */
export function accessFor(work: 'play' | 'download' | 'delete') {
  return { area: 'recordings' as const, findLevel: async (db: Database) => (await findRecordingSettings(db))[work] }
}

const area = 'recordings'

/** Deletes a recording; the next sweep deletes its file. */
export async function removeRecording(db: Database, author: Author, id: number) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold) throw new Conflict('This recording is under a legal hold.')
    await tx.delete(recordings).where(eq(recordings.id, id))
    await markFilesForRemoval(tx, [row.storageKey])
    await recordChange(tx, author, { area, action: 'delete', entryId: id, before: auditFactsOf(row) })
  })
}

/** Places a recording on legal hold, or lifts it. */
export async function holdRecording(db: Database, author: Author, id: number, onHold: boolean) {
  await db.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    if (row.onHold === onHold) return
    await tx.update(recordings).set({ onHold }).where(eq(recordings.id, id))
    const action = onHold ? 'hold' : 'release'
    await recordChange(tx, author, {
      area,
      action,
      entryId: id,
      before: auditFactsOf(row),
      after: auditFactsOf({ ...row, onHold }),
    })
  })
}

/** Deletes recordings older than this time, except those on hold; returns their number. */
export async function removeOldRecordings(db: Database, before: Date, limit: number) {
  const isOld = and(eq(recordings.onHold, false), lt(recordings.startedAt, before))
  return db.transaction(async (tx) => {
    const old = await tx.select({ id: recordings.id }).from(recordings).where(isOld).limit(limit).for('update')
    return removeAll(
      tx,
      old.map(({ id }) => id),
    )
  })
}

/** Deletes these rows, and their files with the next sweep; returns the number of rows. */
export async function removeAll(tx: Database, ids: readonly number[]) {
  if (ids.length === 0) return 0
  const gone = await tx
    .delete(recordings)
    .where(inArray(recordings.id, [...ids]))
    .returning({ storageKey: recordings.storageKey })
  await markFilesForRemoval(
    tx,
    gone.map(({ storageKey }) => storageKey),
  )
  return gone.length
}

async function lockRow(tx: Database, id: number) {
  const [row] = await tx.select().from(recordings).where(eq(recordings.id, id)).for('update')
  if (!row) throw new NotFound('This recording does not exist.')
  return row
}
