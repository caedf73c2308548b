import { asc } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Label } from '#src/lib/feature.ts'
import { defineTexts, translator } from '#src/lib/language/texts.ts'
import type { Period, RetentionKind } from '#src/lib/retention.ts'
import { retentionKinds } from '#src/lib/retention.ts'
import type { Database } from '../database/database.ts'
import { retentionPeriods } from './retention-table.ts'

const { chatMonths, requestMonths, recordingMonths, applicationMonths, mailMonths } = company.retention
const months = (count: number): Period => ({ count, unit: 'months' })

/** What a kind has before an administrator changes it: the company's own figures, or the law's. */
export const initialPeriods: Record<RetentionKind, Period> = {
  requests: months(requestMonths),
  inbox: months(requestMonths),
  chats: months(chatMonths),
  recordings: months(recordingMonths),
  applications: months(applicationMonths),
  mails: months(mailMonths),
  subscribers: months(mailMonths),
  push_devices: { count: 60, unit: 'days' },
  incidents: months(60),
  journal: months(60),
}

type Periods = Record<RetentionKind, Period>

/** Stores the first value of each kind that has none: later changes of the company's file change no promise. */
export async function storeMissingPeriods(db: Database) {
  const rows = retentionKinds.map((kind) => ({ kind, ...initialPeriods[kind] }))
  await db.insert(retentionPeriods).values(rows).onConflictDoNothing()
}

export async function findPeriods(db: Database): Promise<Periods> {
  const rows = await db.select().from(retentionPeriods).orderBy(asc(retentionPeriods.kind))
  return { ...initialPeriods, ...Object.fromEntries(rows.map(({ kind, count, unit }) => [kind, { count, unit }])) }
}

let shown: Periods = initialPeriods

/** Reads the periods that pages name from now on: texts are rendered once, not at each request. */
export async function showPeriods(db: Database) {
  shown = await findPeriods(db)
  return shown
}

export const shownPeriods = () => shown

/** The moment before which what a period ends is due. */
export function beginningOf({ count, unit }: Period, now: Date) {
  const before = new Date(now)
  if (unit === 'months') before.setUTCMonth(before.getUTCMonth() - count)
  else before.setUTCDate(before.getUTCDate() - count)
  return before
}

const texts = defineTexts({
  fr: { months: '{count} mois', days: '{count} {count|jour|jours}' },
  en: { months: '{count} {count|month|months}', days: '{count} {count|day|days}' },
})

/** A period in words: “12 months”. */
export const labelOfPeriod = ({ count, unit }: Period): Label => ({
  fr: translator(texts, 'fr')(unit, { count }),
  en: translator(texts, 'en')(unit, { count }),
})
