import { and, arrayContains, asc, desc, eq, inArray, like, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { findPhonesOf } from '../../requests/server/service.ts'
import { gramsOfWord, matching, removeAll, removeOldRecordings } from './service.ts'
import { recordings } from './table.ts'

/**
 * Calls from and to the numbers in a person's requests; the audio itself is played from the list. Anybody can type the
 * number of another person into a form, so that none of them is taken for theirs.
 */
export const recordingData: PersonalDataKind = {
  kind: 'recordings',
  erasedBefore: ['requests'],
  areCandidates: true,
  async find(db, email) {
    return describe(await callsOf(db, email))
  },
  async erase(tx, email, { isChosen = () => false } = {}) {
    const rows = await callsOf(tx, email)
    return removeAll(
      tx,
      rows.filter(({ id, onHold }) => !onHold && isChosen(String(id))).map(({ id }) => id),
    )
  },
  async findHeld(db, email) {
    const rows = await callsOf(db, email)
    return rows.filter(({ onHold }) => onHold).map(({ id }) => String(id))
  },
  candidates: {
    ids: recordings.id,
    async search(db, text, most) {
      const [number] = numberIn(text)
      const rows = await db
        .select({ id: recordings.id })
        .from(recordings)
        .where(matching({ search: number ?? text }) ?? sql`false`)
        .orderBy(desc(recordings.id))
        .limit(most)
      return rows.map(({ id }) => String(id))
    },
    describe: async (db, ids) =>
      describe(
        await db
          .select()
          .from(recordings)
          .where(inArray(recordings.id, ids.map(Number))),
      ),
    async erase(tx, ids) {
      const isFree = and(inArray(recordings.id, ids.map(Number)), eq(recordings.onHold, false))
      const rows = await tx.select({ id: recordings.id }).from(recordings).where(isFree)
      return removeAll(
        tx,
        rows.map(({ id }) => id),
      )
    },
  },
  retention: { purge: removeOldRecordings },
}

const describe = (rows: (typeof recordings.$inferSelect)[]) =>
  rows.map((row) => ({
    id: String(row.id),
    at: row.startedAt.toISOString(),
    fields: {
      direction: row.direction,
      caller: row.caller,
      callee: row.callee,
      agent: row.agent,
      seconds: Math.round(row.durationMs / 1000),
      file: row.fileName,
      on_hold: row.onHold,
    },
  }))

async function callsOf(db: Database, email: string) {
  const numbers = [...new Set((await findPhonesOf(db, email)).flatMap(numberIn))]
  if (numbers.length === 0) return []
  const isWith = numbers.map((number) =>
    and(arrayContains(recordings.grams, gramsOfWord(number)), like(recordings.searched, `%${number}%`)),
  )
  return db
    .select()
    .from(recordings)
    .where(or(...isWith))
    .orderBy(asc(recordings.id))
}

/** The ten digits of a North American number, without prefix or extension; fewer digits would match other people. */
function numberIn(phone: string) {
  const digits =
    phone
      .split(/[a-z#]/i, 1)[0]
      ?.replaceAll(/\D/g, '')
      .replace(/^1(?=\d{10})/, '') ?? ''
  return digits.length >= 10 ? [digits.slice(0, 10)] : []
}
