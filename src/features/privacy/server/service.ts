import { and, asc, desc, eq, getTableName, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { setImmediate } from 'node:timers/promises'
import { company } from '#company/company.ts'
import { purgeSessions, publishEndedSessions } from '#src/features/people/sign-in/server/sessions.ts'
import { translateAll } from '#src/lib/form-result.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import type { App } from '#src/server/types.ts'
import type { RetentionPeriod, TableEnding } from '../contract.ts'
import { retentionTexts } from '../texts.ts'
import { incidentMonths, purgeIncidents } from './incidents.ts'

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
        on_hold: row.onHold,
      },
    }))
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
  retention: {
    months: company.retention.mailMonths,
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

/** Audit log events that contain an address. They are proof, chained to each other, so none can be deleted. */
export const auditLogData: PersonalDataKind = {
  kind: 'journal',
  async find(db, email) {
    const names = sql`addresses_in(${auditLog.before}, ${auditLog.after}) @> array[${email}]`
    const rows = await db.select().from(auditLog).where(names).orderBy(asc(auditLog.id)).limit(500)
    return rows.map((row) => ({
      id: String(row.id),
      at: row.at.toISOString(),
      fields: { who: row.userName, area: row.area, action: row.action, entry: row.entryId },
    }))
  },
  erase: null,
  keptReason: 'audit log',
}

const dayMs = 86_400_000
const author = { userId: null, name: 'retention', address: '' }

/** Records of one transaction: few enough for the embedded database's only connection. */
const partSize = 200
/** Of one kind in a night; the next night goes on. */
const kindMs = 120_000

type Purge = (limit: number) => Promise<number>

/**
 * Applies every retention period; runs each night. Kinds are independent: one that fails is logged, counted and recorded, and
 * the others go on. Returns the number of erased records by kind, and the kinds that failed.
 */
export async function applyRetention(app: App, now = new Date(), part = partSize) {
  const purged: Record<string, number> = {}
  const failed: string[] = []
  const attempt = async (kind: string, purge: () => Promise<Purge>) => {
    purged[kind] = 0
    try {
      const purgePart = await purge()
      const until = performance.now() + kindMs
      for (let erased = part; erased >= part && performance.now() < until;) {
        erased = await purgePart(part)
        purged[kind] += erased
        // On the embedded database, statements that wait come first.
        await setImmediate()
      }
    } catch (error) {
      failed.push(kind)
      app.metrics.retentionFailed(kind)
      app.log.error({ err: error, kind, erased: purged[kind] }, 'retention failed')
    }
  }
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    await attempt(kind, async () => {
      const before =
        'months' in retention
          ? monthsBefore(now, retention.months)
          : new Date(now.getTime() - (await retention.findDays(app.db)) * dayMs)
      return (limit) => retention.purge(app.db, before, limit)
    })
  }
  for (const end of app.tableEnds) {
    if (!('days' in end) || !end.purge) continue
    const { purge, days, label } = end
    await attempt(label.fr, async () => (limit) => purge(app, new Date(now.getTime() - days * dayMs), limit))
  }
  await attempt('incidents', async () => async () => {
    const erased = await purgeIncidents(app.db, monthsBefore(now, incidentMonths))
    purged.incidents = erased
    return 0
  })
  publishEndedSessions(app.events, await purgeSessions(app.db))
  if (failed.length > 0 || Object.values(purged).some((count) => count > 0)) {
    const after = { purged, ...(failed.length > 0 && { failed }) }
    await app.db.transaction((tx) =>
      recordChange(tx, author, { area: 'privacy', action: 'apply retention', entryId: retentionEntry, after }),
    )
  }
  return { purged, failed }
}

const retentionEntry = 'retention'

/** Null where retention last erased everything that was due. */
export async function findRetentionHealth({ db }: App): Promise<HealthReport | null> {
  const [last] = await db
    .select({ after: auditLog.after, at: auditLog.at })
    .from(auditLog)
    .where(and(eq(auditLog.area, 'privacy'), eq(auditLog.entryId, retentionEntry)))
    .orderBy(desc(auditLog.id))
    .limit(1)
  const { failed } = (last?.after ?? {}) as { failed?: string[] }
  if (!last || !failed?.length) return null
  const values = { at: last.at.toISOString(), kinds: failed.join(', ') }
  return {
    label: translateAll(retentionTexts, 'label'),
    status: 'ERROR',
    lines: [translateAll(retentionTexts, 'failed', values)],
    advice: {
      text: translateAll(retentionTexts, 'advice'),
      link: translateAll(retentionTexts, 'link'),
      path: '/admin/privacy',
    },
  }
}

export async function findRetentionPeriods(app: App): Promise<RetentionPeriod[]> {
  const periods: RetentionPeriod[] = []
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    if ('months' in retention) periods.push({ kind, count: retention.months, unit: 'months' })
    else periods.push({ kind, count: await retention.findDays(app.db), unit: 'days' })
  }
  return [...periods, { kind: 'incidents', count: incidentMonths, unit: 'months' }]
}

/** When the rows of each table end: with a kind of `findRetentionPeriods`, after days of their own, or why they stay. */
export const findTableEnds = (app: App): TableEnding[] =>
  app.tableEnds.map((end) => ({
    label: end.label,
    tables: end.tables.map((table) => getTableName(table)),
    kind: 'kind' in end ? end.kind : null,
    days: 'days' in end ? end.days : null,
    reason: 'reason' in end ? end.reason : null,
  }))

function monthsBefore(now: Date, months: number) {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  return before
}
