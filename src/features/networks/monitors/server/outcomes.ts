import { and, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { findAnnouncedSince } from '#src/features/updates/server/service.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, pickText } from '#src/lib/language/language.ts'
import { setTypography, translator } from '#src/lib/language/texts.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatTime } from '#src/lib/time/date-time.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { networkIncidents, networks } from '../../server/table.ts'
import type { IncidentContext } from '../../server/incidents.ts'
import {
  addIncidentUpdate,
  changeIncident,
  createIncident,
  deleteDraft,
  publishIncident,
  transact,
} from '../../server/incidents.ts'
import { findEntity } from '../../server/incident-list.ts'
import { isPublic, lockNetworks } from '../../server/service.ts'
import { elementName } from '../../values.ts'
import type { MonitorState } from '../values.ts'
import { quietMs } from '../values.ts'
import { alertTexts } from './alert-texts.ts'
import type { Result } from './checks.ts'
import { monitorEvents, monitorStatus, networkMonitors } from './table.ts'

export type MonitorRow = typeof networkMonitors.$inferSelect
export type StatusRow = typeof monitorStatus.$inferSelect
export const alertQueue = 'monitor-alerts'
/** As many as an outage may have. */
const mostElements = 200

const { timeZone } = company.hours

/** Monitors act in the audit log and in the history under their number. */
const authorOf = ({ id }: Pick<MonitorRow, 'id'>): Author => ({ userId: null, name: `monitor ${id}`, address: '' })

/** State after a result: a failure counts only when as many in a row as it takes. */
export function judge(
  status: Pick<StatusRow, 'state' | 'failures' | 'downs'>,
  result: MonitorState,
  failuresBefore: number,
): Pick<StatusRow, 'state' | 'failures' | 'downs'> {
  if (result === 'unknown') return { state: status.state, failures: status.failures, downs: status.downs }
  if (result === 'up') return { state: 'up', failures: 0, downs: 0 }
  const failures = status.failures + 1
  const downs = result === 'down' ? status.downs + 1 : 0
  const isSure = failures >= failuresBefore
  return { state: downs >= failuresBefore ? 'down' : isSure ? 'degraded' : status.state, failures, downs }
}

/** `claimedUntil`: the next time that the claim of a silent signal set; `sentAt`: the sender's time of a signal. */
type Occasion = { now?: Date; isSignal?: boolean; sentAt?: Date | undefined; claimedUntil?: Date }

/** Stores a result and does what follows of it: an outage is proposed or published, its end is recorded. Returns the new status. */
export async function recordOutcome(
  app: App,
  context: IncidentContext,
  monitor: MonitorRow,
  result: Result,
  { now = new Date(), isSignal = false, sentAt, claimedUntil }: Occasion = {},
): Promise<StatusRow> {
  const work = async (inner: IncidentContext) => {
    const { db } = inner
    const [before] = await db.select().from(monitorStatus).where(eq(monitorStatus.monitorId, monitor.id)).for('update')
    if (!before) throw new Error('a monitor has no status')
    // A signal arrived since its silence was noticed.
    if (result.reason === 'silent' && claimedUntil && before.nextAt > claimedUntil) return before
    // Who sends a signal has decided already.
    const judged = judge(before, result.state, isSignal ? 1 : monitor.failuresBefore)
    const hasChanged = judged.state !== before.state
    const isBackFromFailure = before.incidentId !== null && before.failures > 0 && judged.failures === 0
    const { state: last, ms, reason, detail } = result
    const values = {
      ...judged,
      since: hasChanged || isBackFromFailure ? now : before.since,
      checkedAt: now,
      result: last,
      ms,
      reason,
      detail: detail.slice(0, 500),
      ...(isSignal && { nextAt: new Date(now.getTime() + monitor.intervalS * 1_000) }),
      ...(sentAt && { signalAt: sentAt }),
    }
    const isNews = last !== before.result || reason !== before.reason || (isSignal && detail !== before.detail)
    if (isNews)
      await db.insert(monitorEvents).values({ monitorId: monitor.id, at: now, state: last, ms, reason, detail: values.detail })
    const followed = await follow(inner, monitor, { ...before, ...values }, now)
    const [after] = await db
      .update(monitorStatus)
      .set({ ...values, ...followed })
      .where(eq(monitorStatus.monitorId, monitor.id))
      .returning()
    if (!after) throw new Error('the status of a monitor was not stored')
    if (followed.alert) await queueAlerts(app, db)
    return after
  }
  // A result alone changes nothing that visitors see.
  return transact(context, work, [])
}

type Followed = Partial<Pick<StatusRow, 'incidentId' | 'alert'>>

/** A refused step, such as that of a component that was removed, must not lose the result. */
async function follow(context: IncidentContext, monitor: MonitorRow, status: StatusRow, now: Date): Promise<Followed> {
  const isFailing = status.state === 'down' || status.state === 'degraded'
  if (!monitor.enabled || (!isFailing && status.incidentId === null)) return {}
  // A failure below its number, after the target was up again.
  if (!isFailing && status.failures > 0) return {}
  try {
    return await context.db.transaction(async (tx) => {
      const inner = { ...context, db: tx }
      return isFailing ? openIncident(inner, monitor, status, now) : closeIncident(inner, monitor, status, now)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    logger.warn({ err: error, monitor: monitor.id }, 'a monitor could not open or close an outage')
    return {}
  }
}

async function openIncident(context: IncidentContext, monitor: MonitorRow, status: StatusRow, now: Date): Promise<Followed> {
  const { db } = context
  const author = authorOf(monitor)
  const severity = status.state === 'down' ? 'ERROR' : 'WARNING'
  if (status.incidentId !== null) {
    const known = await findOwn(db, status.incidentId)
    // Deleted, resolved or declared by a user, who decides about it.
    if (!known || known.resolvedAt) return {}
    await worsen(context, author, known, severity)
    if (!known.draft && known.phase === 'monitoring') {
      const texts = await textsOf(db, monitor, 'again', status.since ?? now)
      await addIncidentUpdate(context, author, known.id, { phase: 'investigating', ...texts, mails: false, next_update_at: null })
    }
    return {}
  }
  if (await isInMaintenance(db, monitor, now)) return {}
  // A certificate that ends soon concerns nobody outside, nor does a network that is a draft.
  const isPublished = monitor.action === 'publish' && status.reason !== 'expires' && (await isListed(db, monitor))
  const places = { banner: false, note: false, mails: true }
  const covering = await findCovering(db, monitor)
  if (covering) {
    if (covering.source === 'monitor') {
      await worsen(context, author, covering, severity)
      if (covering.draft && isPublished) await publishIncident(context, author, covering.id, places)
    }
    return { incidentId: covering.id }
  }
  const joined = await joinRecent(context, author, monitor, { severity, draft: !isPublished, now })
  if (joined !== null) return { incidentId: joined }
  const [title, texts] = [
    await textsOf(db, monitor, status.state === 'down' ? 'downTitle' : 'degradedTitle', now),
    await textsOf(db, monitor, status.state === 'down' ? 'down' : 'degraded', now),
  ]
  const input = {
    title: title.text,
    title_en: title.text_en,
    severity,
    elements: [{ id_reseau: monitor.networkId, nom: monitor.element }],
    meanwhile: '',
    meanwhile_en: '',
    next_update_at: null,
    phase: 'investigating',
    ...texts,
    ...places,
    draft: !isPublished,
  } as const
  const created = await createIncident(context, author, { ...input, elements: [...input.elements] }, 'monitor')
  return { incidentId: created.id_incident, alert: isPublished ? 'published' : 'proposed' }
}

/** Failures within so long of the first are one outage of the network: what they share is likely the cause. */
const togetherMs = 10 * 60_000

/** Adds the component to the outage that a monitor of the same network opened shortly before; null where there is none. */
async function joinRecent(
  context: IncidentContext,
  author: Author,
  monitor: MonitorRow,
  { severity, draft, now }: { severity: IncidentRow['severity']; draft: boolean; now: Date },
) {
  const { db } = context
  const [row] = await db
    .select()
    .from(networkIncidents)
    .where(
      and(
        isNull(networkIncidents.resolvedAt),
        eq(networkIncidents.source, 'monitor'),
        eq(networkIncidents.draft, draft),
        eq(networkIncidents.severity, severity),
        gt(networkIncidents.createdAt, new Date(now.getTime() - togetherMs)),
        sql`${networkIncidents.elements} @> ${JSON.stringify([{ id_reseau: monitor.networkId }])}::jsonb`,
      ),
    )
    .orderBy(networkIncidents.id)
    .limit(1)
  if (!row || row.elements.length >= mostElements) return null
  const { meanwhile, meanwhile_en, next_update_at } = await findEntity(db, row)
  const title = await textsOf(db, { ...monitor, element: '' }, severity === 'ERROR' ? 'manyDownTitle' : 'manyDegradedTitle', now)
  const elements = [...row.elements, { id_reseau: monitor.networkId, nom: monitor.element }]
  const texts = { title: title.text, title_en: title.text_en, meanwhile, meanwhile_en }
  await changeIncident(context, author, row.id, { ...texts, severity, elements, next_update_at })
  return row.id
}

type IncidentRow = typeof networkIncidents.$inferSelect

async function findOwn(db: Database, id: number): Promise<IncidentRow | undefined> {
  const isOwn = and(eq(networkIncidents.id, id), eq(networkIncidents.source, 'monitor'))
  const [row] = await db.select().from(networkIncidents).where(isOwn)
  return row
}

/** An outage that is not over and names the component: public, or proposed by a monitor. */
async function findCovering(db: Database, { networkId, element }: MonitorRow): Promise<IncidentRow | undefined> {
  const named = JSON.stringify([{ id_reseau: networkId, nom: element }])
  const [row] = await db
    .select()
    .from(networkIncidents)
    .where(
      and(
        isNull(networkIncidents.resolvedAt),
        or(eq(networkIncidents.draft, false), eq(networkIncidents.source, 'monitor')),
        sql`${networkIncidents.elements} @> ${named}::jsonb`,
      ),
    )
    .orderBy(networkIncidents.draft, networkIncidents.id)
    .limit(1)
  return row
}

/** From degraded to down; never back, since a user may have raised the severity meanwhile. */
async function worsen(context: IncidentContext, author: Author, row: IncidentRow, severity: IncidentRow['severity']) {
  if (severity !== 'ERROR' || row.severity === 'ERROR') return
  const { title, title_en, elements, meanwhile, meanwhile_en, next_update_at } = await findEntity(context.db, row)
  await changeIncident(context, author, row.id, { title, title_en, severity, elements, meanwhile, meanwhile_en, next_update_at })
}

/** The target is up again: a proposal goes, a public outage is observed for a while. */
async function closeIncident(context: IncidentContext, monitor: MonitorRow, status: StatusRow, now: Date): Promise<Followed> {
  const { db } = context
  const { incidentId } = status
  const gone = { incidentId: null, alert: null }
  if (incidentId === null) return {}
  const known = await findOwn(db, incidentId)
  if (!known || known.resolvedAt) return gone
  const isShared = (await findOthers(db, incidentId, monitor.id)).some(({ state }) => state !== 'up')
  if (known.draft) {
    if (!isShared) await deleteDraft(context, authorOf(monitor), incidentId)
    // Who was not notified of the failure need not know of its end.
    return { incidentId: null, alert: status.alert === 'proposed' ? null : 'recovered' }
  }
  if (!isShared && known.phase !== 'monitoring') {
    const texts = await textsOf(db, monitor, 'back', status.since ?? now)
    const update = { phase: 'monitoring', ...texts, mails: false, next_update_at: null } as const
    await addIncidentUpdate(context, authorOf(monitor), incidentId, update)
    return { alert: status.alert === 'published' ? status.alert : 'recovered' }
  }
  return {}
}

async function findOthers(db: Database, incidentId: number, monitorId: number) {
  const isOther = and(eq(monitorStatus.incidentId, incidentId), ne(monitorStatus.monitorId, monitorId))
  return db.select({ state: monitorStatus.state }).from(monitorStatus).where(isOther)
}

/** Resolves public outages whose targets have all been up for long enough. */
export async function resolveQuiet(context: IncidentContext, now = new Date()) {
  const linked = await context.db
    .select()
    .from(monitorStatus)
    .innerJoin(networkMonitors, eq(networkMonitors.id, monitorStatus.monitorId))
    .where(isNotNull(monitorStatus.incidentId))
  const isQuiet = ({ state, failures, since }: StatusRow) =>
    state === 'up' && failures === 0 && since !== null && since.getTime() <= now.getTime() - quietMs
  for (const [incidentId, rows] of Map.groupBy(linked, ({ network_monitor_status: status }) => status.incidentId ?? 0)) {
    if (!rows.every(({ network_monitor_status: status }) => isQuiet(status))) continue
    const [first] = rows
    if (!first) continue
    const { network_monitors: monitor, network_monitor_status: status } = first
    await transact(context, async (inner) => {
      const unlinked = await inner.db
        .update(monitorStatus)
        .set({ incidentId: null })
        .where(and(eq(monitorStatus.incidentId, incidentId), eq(monitorStatus.state, 'up')))
        .returning({ id: monitorStatus.monitorId })
      const known = await findOwn(inner.db, incidentId)
      if (unlinked.length === 0 || !known || known.draft || known.resolvedAt) return
      const texts = await textsOf(inner.db, monitor, 'resolved', status.since ?? now)
      const update = { phase: 'resolved', ...texts, mails: true, next_update_at: null } as const
      await addIncidentUpdate(inner, authorOf(monitor), incidentId, update)
    })
  }
}

async function isInMaintenance(db: Database, { networkId, element }: MonitorRow, now: Date) {
  const windows = await findAnnouncedSince(db, now)
  return windows.some(
    ({ startsAt, elements }) =>
      startsAt <= now && elements.some(({ id_reseau, nom }) => id_reseau === networkId && (nom === element || nom === '')),
  )
}

async function isListed(db: Database, { networkId }: MonitorRow) {
  const shown = { nom: networks.name, publie: networks.isPublished }
  const [row] = await db.select(shown).from(networks).where(eq(networks.id, networkId))
  return row !== undefined && isPublic(row)
}

/** The component and its network, as customers know them. */
async function nameOf(db: Database, { networkId, element }: Pick<MonitorRow, 'networkId' | 'element'>, language: Language) {
  const [row] = await db.select().from(networks).where(eq(networks.id, networkId))
  if (!row) return element
  const detail = row.details.find((one) => elementName(one) === element)
  const own = detail ? pickText(language, detail.nom, detail.nom_en) : element
  return own ? `${own} (${row.name})` : row.name
}

async function textsOf(db: Database, monitor: MonitorRow, key: keyof (typeof alertTexts)['fr'], at: Date) {
  const [text = '', text_en = ''] = await Promise.all(
    languages.map(async (language) => {
      const values = { name: await nameOf(db, monitor, language), time: formatTime(at.getTime(), language, timeZone) }
      return setTypography(translator(alertTexts, language)(key, values), language)
    }),
  )
  return { text, text_en }
}

/** One mail for what happens together, soon. */
async function queueAlerts(app: App, tx: Database) {
  await app.queue.send(tx, alertQueue, { data: {}, key: 'all', startAfter: new Date(Date.now() + 5_000) })
}

/** Mails the staff who may act about outages that were proposed or published, and about their end. */
export async function mailAlerts(app: App) {
  await app.db.transaction(async (tx) => {
    await lockNetworks(tx)
    const due = await tx.select().from(monitorStatus).where(isNotNull(monitorStatus.alert)).for('update')
    if (due.length === 0) return
    const ids = due.map(({ monitorId }) => monitorId)
    const monitors = await tx.select().from(networkMonitors).where(inArray(networkMonitors.id, ids)).orderBy(networkMonitors.id)
    const [fr, en] = await Promise.all(
      languages.map(async (language) => {
        const t = translator(alertTexts, language)
        const names = await Promise.all(monitors.map((one) => nameOf(tx, one, language)))
        const lines = monitors.map((one, index) => {
          const status = due.find(({ monitorId }) => monitorId === one.id)
          const time = formatTime((status?.since ?? new Date()).getTime(), language, timeZone)
          return t(status?.alert ?? 'proposed', { name: names[index] ?? '', time })
        })
        const address = `${app.config.publicUrl ?? ''}/admin/reseau/pannes`
        const subject = names.length > 3 ? t('subjectMany', { count: names.length }) : t('subject', { names: names.join(', ') })
        return {
          subject: setTypography(subject, language),
          body: setTypography(`${lines.slice(0, 50).join('\n')}\n\n${t('where', { address })}`, language),
        }
      }),
    )
    for (const to of await findRecipients(tx))
      await app.mailer.enqueue(tx, {
        to,
        subject: `${fr?.subject} / ${en?.subject}`,
        body: `${fr?.body}\n\n---\n\n${en?.body}\n`,
      })
    await tx.update(monitorStatus).set({ alert: null }).where(inArray(monitorStatus.monitorId, ids))
  })
}

async function findRecipients(tx: Database) {
  const rows = await tx
    .select({ email: users.email, rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(and(eq(users.locked, false), eq(groups.enabled, true), ne(users.email, '')))
  return rows.filter(({ rights }) => hasRight(rights, 'networks', 'read_write')).map(({ email }) => email)
}
