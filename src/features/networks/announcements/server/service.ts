import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import { users } from '#src/features/people/server/table.ts'
import { languages } from '#src/lib/language/language.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { readTime } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { composeNewsMail } from '../../notice-mail.ts'
import { countAudience, mailReaders, staleMs } from '../../server/mailings.ts'
import { mailingRecipients, mailings } from '../../server/subscriber-table.ts'
import { originOf, replyToOf } from '../../server/subscriptions.ts'
import { undoMs } from '../../values.ts'
import type { Announcement, AnnouncementInput } from '../contract.ts'
import { alreadySent } from '../values.ts'
import type { AnnouncementCounts } from './table.ts'
import { announcements as table } from './table.ts'

type Row = typeof table.$inferSelect
type Texts = Pick<AnnouncementInput, 'subject' | 'subject_en' | 'text' | 'text_en'>

const queueName = 'news-mailing'
const everybody = { topic: 'news', networks: null } as const
/** The same text again in this time is a mistake: two people, or one who pressed twice. */
const sameMs = 86_400_000
const newest = 50

const keyOf = (id: number) => `announcement/${id}`

export const countReaders = (db: Database) => countAudience(db, everybody)

/** Registers what sends announcements: at their time by a job, and each minute whatever an interruption left. */
export function startAnnouncements(app: App) {
  app.queue.define<{ id: number }>(
    queueName,
    { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 60, expireInSeconds: 600 },
    ({ id }) => mailAnnouncement(app, id),
  )
  app.queue.schedule('news-mailings', '* * * * *', () => sendDueAnnouncements(app))
}

/** As it is stored: cleaned, without pictures and tables, which mails do not show alike. */
function clean({ subject, subject_en, text, text_en }: Texts): Texts {
  const cleaned = {
    subject,
    subject_en,
    text: cleanRichText(text, 'text', { tables: false }),
    text_en: cleanRichText(text_en, 'text_en', { tables: false }),
  }
  for (const field of ['text', 'text_en'] as const)
    if (cleaned[field] === '') throw new Invalid('The text is empty.', [{ path: field, message: 'required' }])
  return cleaned
}

/**
 * Stores an announcement, which leaves after a minute. Throws `Conflict` where the same text was sent within a day: its
 * `current` says by whom and when.
 */
export async function announce(app: App, author: Author, input: AnnouncementInput, at?: Date): Promise<Announcement> {
  const texts = clean(input)
  const now = at ?? (await readTime(app.db))
  return app.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('network_announcements'))`)
    const [same] = await tx
      .select()
      .from(table)
      .where(
        and(
          eq(table.subject, texts.subject),
          eq(table.subjectEn, texts.subject_en),
          eq(table.text, texts.text),
          eq(table.textEn, texts.text_en),
          isNull(table.undoneAt),
          gt(table.createdAt, new Date(now.getTime() - sameMs)),
        ),
      )
    if (same)
      throw new Conflict('The same announcement was sent already.', {
        reason: 'sent',
        errors: [{ path: 'subject', message: alreadySent }],
        current: await toEntity(tx, same, now),
      })
    const mailsAt = new Date(now.getTime() + undoMs)
    const { subject, subject_en: subjectEn, text, text_en: textEn } = texts
    const [row] = await tx
      .insert(table)
      .values({ subject, subjectEn, text, textEn, author: author.name, createdAt: now, mailsAt })
      .returning()
    if (!row) throw new Error('the announcement was not stored')
    await app.queue.send(tx, queueName, { data: { id: row.id }, key: String(row.id), startAfter: mailsAt })
    await recordChange(tx, author, {
      area: 'company',
      action: 'send announcement',
      entryId: `announcement/${row.id}`,
      after: texts,
    })
    return toEntity(tx, row, now)
  })
}

/** Sends both languages to the author alone, who has no subscription to leave; returns the address. */
export async function sendTest(app: App, author: Author, input: AnnouncementInput) {
  const { userId } = author
  const [user] = userId === null ? [] : await app.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const to = user?.email ?? ''
  if (to === '') throw new Conflict('Your account has no email address.', { reason: 'no address' })
  const texts = clean(input)
  await app.db.transaction(async (tx) => {
    for (const language of languages) {
      const mail = composeNewsMail(texts, language, { origin: originOf(app), leave: `${originOf(app)}/reseau#abonnement` })
      await app.mailer.enqueue(tx, { to, ...mail, replyTo: replyToOf(app), headers: { language } })
    }
  })
  return to
}

/** Nothing was sent yet; throws `Conflict` once the minute is over. */
export async function undo(app: App, author: Author, id: number, at?: Date): Promise<Announcement> {
  const now = at ?? (await readTime(app.db))
  return app.db.transaction(async (tx) => {
    const [row] = await tx.select().from(table).where(eq(table.id, id)).for('update')
    if (!row) throw new NotFound('There is no such announcement.')
    if (row.undoneAt) return toEntity(tx, row, now)
    const isBegun = (await tx.$count(mailings, eq(mailings.key, keyOf(id)))) > 0
    if (row.mailsAt <= now || isBegun) throw new Conflict('This can no longer be undone.', { reason: 'too late' })
    const [stored] = await tx.update(table).set({ undoneAt: now }).where(eq(table.id, id)).returning()
    await recordChange(tx, author, { area: 'company', action: 'undo announcement', entryId: `announcement/${id}` })
    return toEntity(tx, stored ?? row, now)
  })
}

export async function sendDueAnnouncements(app: App, at?: Date) {
  const now = at ?? (await readTime(app.db))
  const due = await app.db
    .select({ id: table.id })
    .from(table)
    .where(and(isNull(table.mailedAt), isNull(table.undoneAt), lte(table.mailsAt, now)))
    .orderBy(table.id)
  for (const { id } of due) await mailAnnouncement(app, id, now)
}

/** One mail to each reader; continues where it was interrupted, and repeats none. */
export async function mailAnnouncement(app: App, id: number, at?: Date) {
  const now = at ?? (await readTime(app.db))
  const row = await app.db.transaction(async (tx) => {
    // Undoing holds the same lock: it comes first and there is nothing to send, or it comes too late.
    const [found] = await tx.select().from(table).where(eq(table.id, id)).for('update')
    if (!found || found.undoneAt || found.mailedAt || found.mailsAt > now) return null
    // From here on it is sent, also where the clock of another instance is behind.
    await tx
      .insert(mailings)
      .values({ key: keyOf(id) })
      .onConflictDoNothing()
    return found
  })
  if (!row) return
  if (now.getTime() - row.mailsAt.getTime() < staleMs) {
    const texts = { subject: row.subject, subject_en: row.subjectEn, text: row.text, text_en: row.textEn }
    await mailReaders(app, keyOf(id), everybody, (language, leave) =>
      composeNewsMail(texts, language, { origin: originOf(app), leave }),
    )
  } else logger.warn({ announcement: id }, 'an announcement was not sent: it is older than a day')
  await app.db.update(table).set({ mailedAt: new Date() }).where(eq(table.id, id))
}

/** Announcements, the newest first. */
export async function findAnnouncements(db: Database, at?: Date) {
  const now = at ?? (await readTime(db))
  const rows = await db.select().from(table).orderBy(desc(table.id)).limit(newest)
  return Promise.all(rows.map((row) => toEntity(db, row, now)))
}

async function toEntity(db: Database, row: Row, now: Date): Promise<Announcement> {
  const isBegun = row.mailsAt <= now && !row.undoneAt
  const counts = row.counts ?? (row.undoneAt ? none : isBegun ? await countMails(db, row) : await countWaiting(db))
  const isDone = row.mailedAt !== null && counts.waiting === 0
  return {
    id_announcement: row.id,
    subject: row.subject,
    subject_en: row.subjectEn,
    text: row.text,
    text_en: row.textEn,
    author: row.author,
    created_at: row.createdAt.toISOString(),
    undo_until: row.mailsAt.toISOString(),
    state: row.undoneAt ? 'undone' : !isBegun ? 'waiting' : isDone ? 'sent' : 'sending',
    ...counts,
  }
}

const none: AnnouncementCounts = { to: 0, waiting: 0, sent: 0, bounced: 0, left: 0 }

async function countWaiting(db: Database): Promise<AnnouncementCounts> {
  const { fr, en } = await countReaders(db)
  return { ...none, to: fr + en }
}

/** A mail whose row is gone was sent: only those are deleted, at the end of their period. */
async function countMails(db: Database, { id }: Pick<Row, 'id'>): Promise<AnnouncementCounts> {
  const { rows } = (await db.execute(sql`
    select count(*)::int as "to",
      count(*) filter (where m.state = 'waiting')::int as waiting,
      count(*) filter (where m.state is null or m.state = 'sent')::int as sent,
      count(r.bounced_at)::int as bounced,
      count(*) filter (where (s.state = 'left' or not 'news' = any(s.topics))
        and coalesce(s.left_at, s.updated_at) between mailing.started_at and coalesce(next.started_at, now()))::int as left
    from ${mailingRecipients} r
    join ${mailings} mailing on mailing.key = r.mailing
    join network_subscribers s on s.id = r.subscriber_id
    left join mails m on m.id = r.mail_id
    left join lateral (
      select min(other.started_at) as started_at from ${mailings} other
      where other.key like 'announcement/%' and other.started_at > mailing.started_at) next on true
    where r.mailing = ${keyOf(id)}`)) as { rows: AnnouncementCounts[] }
  return rows[0] ?? none
}

/** Before who got them is forgotten, their counts are stored. */
export async function keepCounts(db: Database, before: Date) {
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .innerJoin(mailings, eq(mailings.key, sql`'announcement/' || ${table.id}`))
    .where(and(isNull(table.counts), lte(mailings.doneAt, before)))
  for (const { id } of rows)
    await db
      .update(table)
      .set({ counts: await countMails(db, { id }) })
      .where(eq(table.id, id))
}
