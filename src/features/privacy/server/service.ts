import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, ilike, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'

const isAbout = (email: string) => or(eq(sql`lower(${mails.recipient})`, email), eq(sql`lower(${mails.replyTo})`, email))

/** Mails to a person, or to the company on their behalf. */
export const mailData: PersonalDataKind = {
  kind: 'mails',
  // They are deleted with their request or application, and would not be counted after it.
  erasedBefore: ['requests', 'applications'],
  addresses: [mails.recipient, mails.replyTo],
  async find(db, email) {
    return describeMails(db, isAbout(email) ?? sql`false`)
  },
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx
      .select({ id: mails.id })
      .from(mails)
      .where(and(isAbout(email), eq(mails.onHold, false)))
    const ids = own.map(({ id }) => id).filter((id) => isChosen(String(id)))
    const erased = await tx.delete(mails).where(inArray(mails.id, ids)).returning({ id: mails.id })
    return erased.length
  },
  async findHeld(db, email) {
    const rows = await db
      .select({ id: mails.id })
      .from(mails)
      .where(and(isAbout(email), eq(mails.onHold, true)))
      .orderBy(asc(mails.id))
    return rows.map(({ id }) => String(id))
  },
  candidates: {
    ids: mails.id,
    async search(db, text, most) {
      const { recipient, replyTo, subject, body } = mails
      // As it is written, without folding each body: there may be a mail for each request ever sent.
      const pattern = `%${text.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
      const rows = await db
        .select({ id: mails.id })
        .from(mails)
        .where(or(...[recipient, replyTo, subject, body].map((column) => ilike(column, pattern))))
        .orderBy(desc(mails.id))
        .limit(most)
      return rows.map(({ id }) => String(id))
    },
    describe: (db, ids) => describeMails(db, inArray(mails.id, ids.map(Number))),
    async erase(tx, ids) {
      const isFree = and(inArray(mails.id, ids.map(Number)), eq(mails.onHold, false))
      return (await tx.delete(mails).where(isFree).returning({ id: mails.id })).length
    },
  },
  retention: {
    async purge(db, before, limit) {
      const old = db
        .select({ id: mails.id })
        .from(mails)
        .where(and(lt(mails.createdAt, before), ne(mails.state, 'waiting'), eq(mails.onHold, false)))
        .orderBy(mails.createdAt)
        .limit(limit)
      const erased = await db.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id })
      return erased.length
    },
  },
}

async function describeMails(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(mails).where(where).orderBy(asc(mails.id))
  return rows.map((row) => ({
    id: String(row.id),
    at: row.createdAt.toISOString(),
    fields: {
      recipient: row.recipient,
      reply_to: row.replyTo,
      subject: row.subject,
      body: row.body,
      state: row.state,
      on_hold: row.onHold,
    },
  }))
}

/** A mail that could not be sent for so long is not sent any more by itself. */
export const waitingMailDays = company.retention.waitingMailDays ?? 30

/** Ends the wait of mails whose time is over, with and without a mail server; staff can still send them again. */
export async function endWaitingMails({ db }: Pick<App, 'db'>, before: Date, limit: number) {
  const over = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'waiting'), or(lt(mails.createdAt, before), lt(mails.endsAt, sql`now()`))))
    .limit(limit)
  const ended = await db
    .update(mails)
    .set({ state: 'failed', lastError: 'not sent within its period' })
    .where(inArray(mails.id, over))
    .returning({ id: mails.id })
  return ended.length
}
