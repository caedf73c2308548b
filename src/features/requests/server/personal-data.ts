import { eq, inArray, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { eraseOldRequests } from './retention.ts'
import { requests } from './table.ts'

const isFrom = (email: string) => eq(sql`lower(${requests.email})`, email)

/** Service calls and contact messages of a person, with their mails. */
export const requestData: PersonalDataKind = {
  kind: 'requests',
  async find(db, email) {
    const rows = await db.select().from(requests).where(isFrom(email)).orderBy(requests.id)
    return rows.map((row) => ({
      id: row.reference,
      at: row.createdAt.toISOString(),
      fields: {
        name: row.name,
        email: row.email,
        phone: row.phone,
        subject: row.subject,
        message: row.message,
        language: row.language,
        page: row.page,
        status: row.status,
      },
    }))
  },
  async erase(tx, email) {
    const erased = await tx.delete(requests).where(isFrom(email)).returning({ mailId: requests.mailId })
    const mailIds = erased.flatMap(({ mailId }) => mailId ?? [])
    if (mailIds.length > 0) await tx.delete(mails).where(inArray(mails.id, mailIds))
    return erased.length
  },
  retention: {
    months: company.retention.requestMonths,
    purge: (db) => eraseOldRequests(db, company.retention.requestMonths),
  },
}
