import { and, asc, eq, lt, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { journal } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'

const isAbout = (email: string) => or(eq(sql`lower(${mails.recipient})`, email), eq(sql`lower(${mails.replyTo})`, email))

/** Mails to a person, or to the company on their behalf. */
export const mailData: PersonalDataKind = {
  kind: 'mails',
  async find(db, email) {
    const rows = await db.select().from(mails).where(isAbout(email)).orderBy(asc(mails.id))
    return rows.map((row) => ({
      id: String(row.id),
      at: row.createdAt.toISOString(),
      fields: {
        recipient: row.recipient,
        reply_to: row.replyTo,
        subject: row.subject,
        body: row.body,
        state: row.state,
      },
    }))
  },
  async erase(tx, email) {
    const erased = await tx.delete(mails).where(isAbout(email)).returning({ id: mails.id })
    return erased.length
  },
  retention: {
    months: company.retention.mailMonths,
    async purge(db, before) {
      const erased = await db
        .delete(mails)
        .where(and(lt(mails.createdAt, before), ne(mails.state, 'waiting')))
        .returning({ id: mails.id })
      return erased.length
    },
  },
}

/** Lines of the journal that name a person. They are proof, chained to each other: none can be taken out. */
export const journalData: PersonalDataKind = {
  kind: 'journal',
  async find(db, email) {
    const pattern = `%${email.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const names = sql`(lower(${journal.before}::text) like ${pattern} or lower(${journal.after}::text) like ${pattern})`
    const rows = await db.select().from(journal).where(names).orderBy(asc(journal.id)).limit(500)
    return rows.map((row) => ({
      id: String(row.id),
      at: row.at.toISOString(),
      fields: { who: row.userName, area: row.area, action: row.action, entry: row.entryId },
    }))
  },
  erase: null,
}
