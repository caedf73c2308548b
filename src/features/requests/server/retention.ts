import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { suspectedDays } from '../values.ts'
import { requests } from './table.ts'
import { eraseOldCounts } from './traps.ts'

/**
 * Erases the requests older than the company says it keeps them (`retention.requestMonths`), with their mails, and what
 * was suspected and nobody took.
 */
export async function eraseOldRequests(db: Database, months: number) {
  return db.transaction(async (tx) => {
    const isOld = lt(requests.createdAt, sql`now() - make_interval(months => ${months})`)
    const isForgotten = and(
      eq(requests.status, 'suspected'),
      lt(requests.createdAt, sql`now() - make_interval(days => ${suspectedDays})`),
    )
    const erased = await tx.delete(requests).where(or(isOld, isForgotten)).returning({ mailId: requests.mailId })
    const mailIds = erased.flatMap(({ mailId }) => mailId ?? [])
    if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
    await eraseOldCounts(tx)
    return erased.length
  })
}
