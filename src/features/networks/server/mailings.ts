import { and, asc, eq, gt, inArray, isNotNull, isNull, like, lt, lte, notExists, sql } from 'drizzle-orm'
import type { MaintenanceRow } from '#src/features/updates/server/service.ts'
import { findComingMaintenance } from '#src/features/updates/server/service.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, languages } from '#src/lib/language/language.ts'
import { calendarFiles } from '#src/features/updates/values.ts'
import { secretMarker } from '#src/server/background/mail-secrets.ts'
import type { Database } from '#src/server/database/database.ts'
import { readTime } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { IncidentElement } from '../contract.ts'
import type { MaintenanceNews, NoticeMail } from '../notice-mail.ts'
import { composeMaintenanceMail, composeOutageMail } from '../notice-mail.ts'
import type { Audience, Topic } from '../subscription.ts'
import { findEntity } from './incident-list.ts'
import { readNetworks } from './service.ts'
import { mailingRecipients, mailings, subscribers } from './subscriber-table.ts'
import { originOf, pageOf, replyToOf, tokenOf } from './subscriptions.ts'
import { incidentUpdates, networkIncidents } from './table.ts'

const queueName = 'network-mailing'
/** Recipients of one transaction: few enough that nobody waits for it on the embedded database's only connection. */
const batch = 50
/** A notice that could not be sent within a day is not sent any more. */
export const staleMs = 86_400_000
const dayMs = 86_400_000
/** Who got which mail is stored for so long. */
export const mailingDays = 90
/** So many bounces pause an address. */
const bouncesBeforePause = 3

type Selection = { topic: Topic; networks: number[] | null }

/** Active subscribers of a topic and of any of these networks; null where all networks are concerned. */
const isReader = ({ topic, networks }: Selection) =>
  and(
    eq(subscribers.state, 'active'),
    sql`${topic} = any(${subscribers.topics})`,
    networks === null
      ? undefined
      : sql`(${subscribers.networks} is null or ${subscribers.networks} && ${sql.param(networks)}::int[])`,
  )

export const networksOf = (elements: readonly IncidentElement[]) => [...new Set(elements.map(({ id_reseau }) => id_reseau))]

export async function countAudience(db: Database, selection: Selection): Promise<Audience> {
  const rows = await db
    .select({ language: subscribers.language, count: sql<number>`count(*)::int` })
    .from(subscribers)
    .where(isReader(selection))
    .groupBy(subscribers.language)
  const countOf = (language: Language) => rows.find((row) => row.language === language)?.count ?? 0
  return { fr: countOf('fr'), en: countOf('en') }
}

/** Registers what sends the notices: at their time by a job, and each minute whatever an interruption left. */
export function startMailings(app: App) {
  app.queue.define<{ update: number }>(
    queueName,
    { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 60, expireInSeconds: 600 },
    ({ update }) => mailUpdate(app, update),
  )
  app.queue.schedule('network-notices', '* * * * *', () => sendDueNotices(app))
  app.mailer.onBounce(noteBounces)
}

/** Queues the mails of an update for the moment when it cannot be undone any more, in the caller's transaction. */
export const planMails = (queue: App['queue']) => (tx: Database, update: number, startAfter: Date) =>
  queue.send(tx, queueName, { data: { update }, key: `${update} ${startAfter.getTime()}`, startAfter })

export async function sendDueNotices(app: App, at?: Date) {
  const now = at ?? (await readTime(app.db))
  const due = await app.db
    .select({ id: incidentUpdates.id })
    .from(incidentUpdates)
    .where(and(isNotNull(incidentUpdates.mailsAt), isNull(incidentUpdates.mailedAt), lte(incidentUpdates.mailsAt, now)))
    .orderBy(asc(incidentUpdates.id))
  for (const { id } of due) await mailUpdate(app, id, now)
  await mailMaintenance(app, now)
}

/** One mail of an update to each of its readers, none while it can be undone; continues where it was interrupted. */
export async function mailUpdate(app: App, id: number, at?: Date) {
  const now = at ?? (await readTime(app.db))
  const found = await app.db.transaction(async (tx) => {
    const [known] = await tx
      .select({ incidentId: incidentUpdates.incidentId })
      .from(incidentUpdates)
      .where(eq(incidentUpdates.id, id))
    if (!known) return null
    // Undoing holds the same lock: it comes first and there is nothing to send, or it comes too late.
    const [row] = await tx.select().from(networkIncidents).where(eq(networkIncidents.id, known.incidentId)).for('update')
    const [update] = await tx.select().from(incidentUpdates).where(eq(incidentUpdates.id, id))
    if (!row || row.draft || !update?.mailsAt || update.mailsAt > now || update.mailedAt) return null
    return { incident: await findEntity(tx, row), update }
  })
  if (!found) return
  const { incident, update } = found
  const networks = await readNetworks(app)
  const step = {
    phase: update.phase,
    text: update.text,
    text_en: update.textEn,
    at: update.at.toISOString(),
    next: incident.next_update_at,
  }
  if (now.getTime() - (update.mailsAt?.getTime() ?? 0) < staleMs) {
    await mailReaders(app, `update/${id}`, { topic: 'outages', networks: networksOf(incident.elements) }, (language, leave) =>
      composeOutageMail(incident, step, networks, language, {
        page: inLanguage(`${originOf(app)}/reseau/incident/${incident.id_incident}`, language),
        leave,
      }),
    )
  } else logger.warn({ update: id }, 'the mails of an outage were not sent: the update is older than a day')
  await app.db.update(incidentUpdates).set({ mailedAt: new Date() }).where(eq(incidentUpdates.id, id))
}

const inLanguage = (address: string, language: Language) =>
  language === defaultLanguage ? address : addressInLanguage(address, language)

/** Reminders a day and an hour before, and what became of maintenance that was announced by one. */
async function mailMaintenance(app: App, now: Date) {
  for (const { window, news, key } of await findMaintenanceNews(app.db, now)) {
    const networks = await readNetworks(app)
    const selection = { topic: 'maintenance', networks: window.elements.length > 0 ? networksOf(window.elements) : null } as const
    await mailReaders(app, key, selection, (language, leave) =>
      composeMaintenanceMail(window, news, networks, language, {
        page: inLanguage(`${originOf(app)}/reseau`, language),
        calendar: `${originOf(app)}/reseau/${calendarFiles[language]}`,
        leave,
      }),
    )
  }
}

const hourMs = 3_600_000
type Due = { window: MaintenanceRow; news: MaintenanceNews; key: string }

/** What is to be sent now; the key names the window, the kind of notice, and the start that it announces. */
async function findMaintenanceNews(db: Database, now: Date): Promise<Due[]> {
  const windows = await findComingMaintenance(db, now)
  if (windows.length === 0) return []
  const mailed = await db.select().from(mailings).where(like(mailings.key, 'maintenance/%'))
  return windows.flatMap((window): Due[] => {
    const own = mailed.filter(({ key }) => key.startsWith(`maintenance/${window.id}/`))
    const start = window.startsAt.getTime()
    const keyOf = (kind: string) => `maintenance/${window.id}/${kind}/${start}`
    const isSent = (kind: string) => own.some(({ key, doneAt }) => key === keyOf(kind) && doneAt)
    const hasBegun = (kind: string) => own.some(({ key }) => key === keyOf(kind))
    const due = (kind: string, news: MaintenanceNews) => (isSent(kind) ? [] : [{ window, news, key: keyOf(kind) }])
    if (window.isCancelled) return own.length > 0 ? due('cancelled', 'cancelled') : []
    const before = start - now.getTime()
    const isNewDate = own.length > 0 && !['day', 'hour', 'moved'].some(hasBegun)
    if (isNewDate || (hasBegun('moved') && !isSent('moved'))) return due('moved', 'moved')
    if (before <= hourMs) return due('hour', 'reminder')
    return before <= 24 * hourMs && !isSent('moved') ? due('day', 'reminder') : []
  })
}

/** Queues the mail of each reader once, in small transactions, so that a kill in between loses and repeats nothing. */
export async function mailReaders(
  app: App,
  key: string,
  selection: Selection,
  compose: (language: Language, leave: string) => NoticeMail,
) {
  const { db, mailer } = app
  await db.insert(mailings).values({ key }).onConflictDoNothing()
  const hasMail = db
    .select({ one: sql`1` })
    .from(mailingRecipients)
    .where(and(eq(mailingRecipients.mailing, key), eq(mailingRecipients.subscriberId, subscribers.id)))
  const endsAt = new Date(Date.now() + staleMs)
  const ready = new Map(
    languages.map((language) => {
      const leave = pageOf(app, secretMarker, language)
      const headers = { unsubscribe: `${originOf(app)}/reseau/abonnement/${secretMarker}/quitter` }
      return [language, { ...compose(language, leave), headers, replyTo: replyToOf(app), endsAt }] as const
    }),
  )
  let last = 0
  for (;;) {
    const read = await db.transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(subscribers)
        .where(and(isReader(selection), gt(subscribers.id, last), notExists(hasMail)))
        .orderBy(asc(subscribers.id))
        .limit(batch)
      if (rows.length === 0) return []
      // Another instance may be at the same mailing.
      const taken = await tx
        .insert(mailingRecipients)
        .values(rows.map(({ id }) => ({ mailing: key, subscriberId: id })))
        .onConflictDoNothing()
        .returning({ id: mailingRecipients.subscriberId })
      const own = new Set(taken.map(({ id }) => id))
      for (const language of languages) {
        const readers = rows.filter((row) => row.language === language && own.has(row.id))
        const mail = ready.get(language)
        if (!mail || readers.length === 0) continue
        const recipients = readers.map((row) => ({
          to: row.email,
          secret: tokenOf(tx, row),
          thread: `subscriber/${row.id}`,
        }))
        const ids = await mailer.enqueueBulk(tx, { mail, recipients })
        const readerIds = readers.map(({ id }) => id)
        await tx.execute(sql`
          update ${mailingRecipients} r set mail_id = queued.mail_id
          from unnest(${sql.param(readerIds)}::int[], ${sql.param(ids)}::int[]) as queued(subscriber_id, mail_id)
          where r.mailing = ${key} and r.subscriber_id = queued.subscriber_id`)
      }
      return rows
    })
    const end = read.at(-1)
    if (!end) break
    last = end.id
  }
  await db.update(mailings).set({ doneAt: new Date() }).where(eq(mailings.key, key))
}

/** Counts mails that came back; an address that bounces three times is paused. */
async function noteBounces(tx: Database, mailIds: number[], reason: string) {
  const returned = await tx
    .update(mailingRecipients)
    .set({ bouncedAt: new Date() })
    .where(and(inArray(mailingRecipients.mailId, mailIds), isNull(mailingRecipients.bouncedAt)))
    .returning({ id: mailingRecipients.subscriberId })
  for (const { id } of returned) {
    const [row] = await tx
      .update(subscribers)
      .set({ bounces: sql`${subscribers.bounces} + 1`, bounceReason: reason.slice(0, 500), updatedAt: new Date() })
      .where(eq(subscribers.id, id))
      .returning()
    if (row && row.state === 'active' && row.bounces >= bouncesBeforePause)
      await tx.update(subscribers).set({ state: 'paused' }).where(eq(subscribers.id, id))
  }
  return returned.length
}

/** Mailings that were done before are forgotten. */
export const oldestMailing = (now: Date) => new Date(now.getTime() - mailingDays * dayMs)

/** Deletes who got which mail, after its period. */
export async function forgetMailings(db: Database, now = new Date()) {
  await db.delete(mailings).where(lt(mailings.doneAt, oldestMailing(now)))
}
