import { and, asc, eq, lt, ne, or, sql } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import { company } from '#company/company.ts'
import { purgeSessions, publishEndedSessions } from '#src/features/people/sign-in/server/sessions.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'
import type { PersonalDataFound, RetentionPeriod } from '../contract.ts'
import { incidentMonths, purgeIncidents } from './incidents.ts'

/** All personal data of an email address, by kind. */
export async function findPersonalData(app: App, email: string): Promise<PersonalDataFound[]> {
  const address = email.toLowerCase()
  const found = []
  for (const { kind, find, erase } of app.personalData) {
    const findings = await find(app.db, address)
    if (findings.length > 0) found.push({ kind, erasable: erase !== null, findings })
  }
  return found
}

/** The same as a file for the person; the export is recorded in the audit log. */
export async function exportPersonalData(app: App, author: Author, email: string, format: 'json' | 'csv') {
  const found = await findPersonalData(app, email)
  await app.db.transaction((tx) =>
    recordChange(tx, author, { area: 'privacy', action: 'export personal data', entryId: proofOf(app, email) }),
  )
  if (format === 'json') return `${JSON.stringify({ email, exported_at: new Date().toISOString(), data: found }, null, 2)}\n`
  const lines = found.flatMap(({ kind, findings }) =>
    findings.flatMap(({ id, at, fields }) =>
      Object.entries(fields).map(([name, value]) => csvLine([kind, id, at, name, value === null ? null : String(value)])),
    ),
  )
  // The byte order mark makes spreadsheets read UTF-8.
  return `\ufeff${csvLine(['kind', 'id', 'at', 'field', 'value'])}${lines.join('')}`
}

/** Erases all erasable data and records the proof in the audit log: the counts, and the address as a keyed hash. */
export async function erasePersonalData(app: App, author: Author, email: string) {
  const address = email.toLowerCase()
  const proof = proofOf(app, email)
  const erased: Record<string, number> = {}
  await app.db.transaction(async (tx) => {
    for (const { kind, erase } of inOrderOfErasure(app.personalData)) {
      if (erase) erased[kind] = await erase(tx, address)
    }
    await recordChange(tx, author, { area: 'privacy', action: 'erase personal data', entryId: proof, after: { erased } })
  })
  return { proof, erased }
}

/** Kinds found through other rows come first: once those rows are deleted, nothing leads to theirs. */
function inOrderOfErasure(kinds: readonly PersonalDataKind[]) {
  return [...kinds.filter(({ foundBy }) => foundBy), ...kinds.filter(({ foundBy }) => !foundBy)]
}

/** A keyed hash: it can be recomputed from the address, and the address cannot be recovered from it. */
function proofOf(app: App, email: string) {
  return createHmac('sha256', app.config.secret).update(`person\n${email.toLowerCase()}`).digest('hex').slice(0, 32)
}

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

/** Audit log events that contain an address. They are proof, chained to each other, so none can be deleted. */
export const auditLogData: PersonalDataKind = {
  kind: 'journal',
  async find(db, email) {
    const pattern = `%${email.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const names = sql`(lower(${auditLog.before}::text) like ${pattern} or lower(${auditLog.after}::text) like ${pattern})`
    const rows = await db.select().from(auditLog).where(names).orderBy(asc(auditLog.id)).limit(500)
    return rows.map((row) => ({
      id: String(row.id),
      at: row.at.toISOString(),
      fields: { who: row.userName, area: row.area, action: row.action, entry: row.entryId },
    }))
  },
  erase: null,
}

const dayMs = 86_400_000
const author = { userId: null, name: 'retention', address: '' }

/** Applies every retention period; runs each night. Returns the number of erased records by kind. */
export async function applyRetention(app: App, now = new Date()) {
  const purged: Record<string, number> = {}
  for (const { kind, retention } of app.personalData) {
    if (!retention) continue
    const before =
      'months' in retention
        ? monthsBefore(now, retention.months)
        : new Date(now.getTime() - (await retention.findDays(app.db)) * dayMs)
    purged[kind] = await retention.purge(app.db, before)
  }
  purged.incidents = await purgeIncidents(app.db, monthsBefore(now, incidentMonths))
  publishEndedSessions(app.events, await purgeSessions(app.db))
  if (Object.values(purged).some((count) => count > 0)) {
    await app.db.transaction((tx) => recordChange(tx, author, { area: 'privacy', action: 'apply retention', after: { purged } }))
  }
  return purged
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

function monthsBefore(now: Date, months: number) {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  return before
}
