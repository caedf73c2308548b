import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { csvFile } from '#src/lib/text/escape.ts'
import { addDays } from '#src/lib/time/dates.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { Demand, DemandInput } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import { refuseFuture, today } from './register-days.ts'
import { demands } from './table.ts'

type Row = typeof demands.$inferSelect

/** Days to answer (Act respecting the protection of personal information in the private sector, section 32). */
const daysToAnswer = 30
const days = ['received_on', 'answered_on'] as const

/** Those that wait for an answer first, the oldest on top. */
export async function findAllDemands(db: Database): Promise<Demand[]> {
  const find = (where: SQL) => db.select().from(demands).where(where)
  const waiting = await find(isNull(demands.answeredOn)).orderBy(asc(demands.receivedOn), asc(demands.id))
  const answered = await find(isNotNull(demands.answeredOn)).orderBy(desc(demands.receivedOn), desc(demands.id))
  return [...waiting, ...answered].map(toDemand)
}

export async function findDemand(db: Database, id: number): Promise<Demand> {
  const [row] = await db.select().from(demands).where(eq(demands.id, id))
  if (!row) throw new NotFound('This request is not in the register.')
  return toDemand(row)
}

/** How many are past their day without an answer. */
export const countLateDemands = (db: Database) =>
  db.$count(demands, and(isNull(demands.answeredOn), lt(demands.receivedOn, addDays(today(), -daysToAnswer))))

export async function createDemand(db: Database, author: Author, input: DemandInput) {
  refuseFuture(input, days)
  return db.transaction(async (tx) => {
    const [row] = await tx.insert(demands).values(toRow(input)).returning()
    if (!row) throw new Error('the request was not stored')
    const after = toDemand(row)
    await recordChange(tx, author, { area: 'privacy', action: 'create demand', entryId: row.id, after })
    return after
  })
}

export async function updateDemand(db: Database, author: Author, id: number, input: DemandInput) {
  refuseFuture(input, days)
  return db.transaction(async (tx) => {
    const [locked] = await tx.select().from(demands).where(eq(demands.id, id)).for('update')
    if (!locked) throw new NotFound('This request is not in the register.')
    const before = toDemand(locked)
    if (input.version !== undefined && input.version !== before.version)
      throw new Conflict('Someone else saved this request in the meantime.', { current: before })
    const [row] = await tx
      .update(demands)
      .set({ ...toRow(input), version: before.version + 1, updatedAt: new Date() })
      .where(eq(demands.id, id))
      .returning()
    const after = toDemand(row ?? locked)
    await recordChange(tx, author, { area: 'privacy', action: 'update demand', entryId: id, before, after })
    return after
  })
}

/** Answered ones alone: what waits for an answer stays. */
export async function purgeDemands(db: Database, before: Date, limit: number) {
  const day = before.toISOString().slice(0, 10)
  const old = db
    .select({ id: demands.id })
    .from(demands)
    .where(and(isNotNull(demands.answeredOn), lt(demands.answeredOn, day)))
    .limit(limit)
  const erased = await db.delete(demands).where(inArray(demands.id, old)).returning({ id: demands.id })
  return erased.length
}

export async function exportDemands(db: Database, language: Language) {
  const t = translator(privacyTexts, language)
  const heads = [t('number'), t('demandKind'), t('receivedOn'), t('dueOn'), t('answeredOn'), t('outcome'), t('note')]
  const rows = (await findAllDemands(db)).map((one) => [
    one.id_demand,
    t(one.kind),
    one.received_on,
    one.due_on,
    one.answered_on,
    one.outcome,
    one.note,
  ])
  return csvFile([heads, ...rows], language)
}

const toRow = ({ kind, received_on: receivedOn, answered_on: answeredOn, outcome, note }: DemandInput) => ({
  kind,
  receivedOn,
  answeredOn,
  outcome,
  note,
})

function toDemand({ id, kind, receivedOn, answeredOn, outcome, note, version }: Row): Demand {
  return {
    id_demand: id,
    kind,
    received_on: receivedOn,
    due_on: addDays(receivedOn, daysToAnswer),
    answered_on: answeredOn,
    outcome,
    note,
    version,
  }
}
