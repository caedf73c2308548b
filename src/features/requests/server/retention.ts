import { inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { requests } from './table.ts'

/** Erases the requests older than the company says it keeps them (`retention.requestMonths`), with their mails. */
export async function eraseOldRequests(db: Database, months: number) {
  return db.transaction(async (tx) => {
    const erased = await tx
      .delete(requests)
      .where(lt(requests.createdAt, sql`now() - make_interval(months => ${months})`))
      .returning({ mailId: requests.mailId })
    const mailIds = erased.flatMap(({ mailId }) => mailId ?? [])
    if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
    return erased.length
  })
}
