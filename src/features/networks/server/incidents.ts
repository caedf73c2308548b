import { and, asc, desc, eq, gte, inArray, isNull, like, lt, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import type { EmergencyNotice } from '#src/features/content/server/feature.ts'
import { noteContent } from '#src/features/notes/server/service.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type {
  Incident,
  IncidentChange,
  IncidentElement,
  IncidentInput,
  IncidentUpdateInput,
  PublishInput,
  StaffIncident,
} from '../contract.ts'
import type { IncidentPhase, NetworkStatus } from '../values.ts'
import { elementName, undoMs, worseOf } from '../values.ts'
import { recordStatuses } from './history.ts'
import { networkContent } from './service.ts'
import type { SetStatus, UndoRecord } from './table.ts'
import { elementChanges, incidentUpdates, networkIncidents, networks } from './table.ts'

export type IncidentContext = ContentContext & { emergencyNotice: EmergencyNotice | undefined }
type Row = typeof networkIncidents.$inferSelect
type UpdateRow = typeof incidentUpdates.$inferSelect
type Severity = Row['severity']

const { timeZone } = company.hours
const most = 500
const dayMs = 86_400_000
const auditId = (id: number) => `incident/${id}`

/** One transaction over several features; what changed is published once, after the commit. */
async function transact<Result>(context: IncidentContext, work: (inner: IncidentContext) => Promise<Result>) {
  const changed = new Set<string>(['networks'])
  const result = await context.db.transaction((tx) =>
    work({ ...context, db: tx, events: { changed: (area: string) => changed.add(area) } }),
  )
  for (const area of changed) context.events.changed(area)
  return result
}

export async function createIncident(
  context: IncidentContext,
  author: Author,
  input: IncidentInput,
  source: Row['source'] = 'staff',
) {
  return transact(context, async (inner) => {
    const { db } = inner
    await checkElements(db, input.elements)
    const [row] = await db
      .insert(networkIncidents)
      .values({ ...fieldsOf(input), phase: input.phase, draft: true, source, startedAt: new Date() })
      .returning()
    if (!row) throw new Error('the incident was not stored')
    await db
      .insert(incidentUpdates)
      .values({ incidentId: row.id, phase: input.phase, text: input.text, textEn: input.text_en, at: row.startedAt })
    await recordChange(db, author, {
      area: 'networks',
      action: 'create',
      entryId: auditId(row.id),
      after: await findEntity(db, row),
    })
    // French comes first: what has only English waits as a draft.
    const isPublishable = input.title.trim() !== '' && input.text.trim() !== ''
    if (input.draft || !isPublishable) return findEntity(db, row)
    return publish(inner, author, row, input)
  })
}

export async function publishIncident(context: IncidentContext, author: Author, id: number, places: PublishInput) {
  return transact(context, async (inner) => {
    const row = await lock(inner.db, id)
    if (!row.draft) throw new Conflict('This incident is already published.')
    return publish(inner, author, row, places)
  })
}

/** Sets the statuses, and puts the incident where it was chosen to be; mails wait until it cannot be undone any more. */
async function publish(context: IncidentContext, author: Author, row: Row, { banner, note, mails }: PublishInput) {
  const { db, emergencyNotice } = context
  const [first] = await findUpdates(db, [row.id])
  if (!first) throw new Error('an incident has no update')
  checkTexts(row, first, mails)
  const now = new Date()
  const set = await setStatuses(
    db,
    author,
    row.id,
    row.elements.map((element) => ({ ...element, severity: row.severity })),
  )
  const texts = { title: row.title, title_en: row.titleEn, text: first.text, text_en: first.textEn }
  const placed = banner ? ((await emergencyNotice?.put(context, author, texts)) ?? null) : null
  const written = note ? await noteContent.create(context, author, noteOf(texts, now)) : null
  await db
    .update(incidentUpdates)
    .set({ at: now, mailsAt: mails ? new Date(now.getTime() + undoMs) : null })
    .where(eq(incidentUpdates.id, first.id))
  return store(context, author, row, {
    draft: false,
    number: await nextNumber(db, now),
    startedAt: row.draft && row.source === 'monitor' ? row.startedAt : now,
    statuses: set,
    banner: placed,
    undo: undoOf(row, now, { applied: set, note: written?.id_note ?? null, update: null, banner: placed ? 'put' : null }),
  })
}

/** The last step of an incident, as long as it can be undone. */
export async function undoIncident(context: IncidentContext, author: Author, id: number) {
  return transact(context, async (inner) => {
    const { db, emergencyNotice } = inner
    const row = await lock(db, id)
    const { undo } = row
    if (!undo || Date.parse(undo.until) < Date.now()) throw new Conflict('This can no longer be undone.')
    const { before } = undo
    await setBack(db, author, row.id, undo.applied, new Date(Date.parse(undo.until) - undoMs))
    if (undo.note) await noteContent.remove(inner, author, undo.note).catch(ignoreMissing)
    if (undo.update) await db.delete(incidentUpdates).where(eq(incidentUpdates.id, undo.update))
    else await db.update(incidentUpdates).set({ mailsAt: null }).where(eq(incidentUpdates.incidentId, row.id))
    let banner = row.banner
    if (undo.banner === 'put') {
      await emergencyNotice?.takeBack(inner, author, row.banner)
      banner = null
    }
    if (undo.banner === 'taken') {
      const [first] = await findUpdates(db, [row.id])
      const texts = { title: row.title, title_en: row.titleEn, text: first?.text ?? '', text_en: first?.textEn ?? '' }
      banner = (await emergencyNotice?.put(inner, author, texts)) ?? null
    }
    return store(inner, author, row, {
      draft: before.draft,
      number: before.number,
      phase: before.phase as IncidentPhase,
      startedAt: new Date(before.started_at),
      resolvedAt: before.resolved_at ? new Date(before.resolved_at) : null,
      nextUpdateAt: before.next_update_at ? new Date(before.next_update_at) : null,
      statuses: before.set,
      banner,
      undo: null,
    })
  })
}

/** A later phase; `resolved` sets back what the incident had set, unless it was changed since. */
export async function addIncidentUpdate(context: IncidentContext, author: Author, id: number, input: IncidentUpdateInput) {
  return transact(context, async (inner) => {
    const { db, emergencyNotice } = inner
    const row = await lock(db, id)
    if (row.draft) throw new Conflict('This incident is a draft: publish it first.')
    if (row.resolvedAt) throw new Conflict('This incident is resolved.')
    if (!input.text.trim()) throw new Invalid('Some values are not valid.', [{ path: 'text', message: 'required' }])
    checkEnglish(input.text_en, input.mails)
    const now = new Date()
    const [update] = await db
      .insert(incidentUpdates)
      .values({
        incidentId: row.id,
        phase: input.phase,
        text: input.text,
        textEn: input.text_en,
        at: now,
        mailsAt: input.mails ? new Date(now.getTime() + undoMs) : null,
      })
      .returning({ id: incidentUpdates.id })
    const isResolved = input.phase === 'resolved'
    const applied = isResolved ? await restoreStatuses(db, author, row) : []
    const isTaken = isResolved && row.banner !== null
    if (isTaken) await emergencyNotice?.takeBack(inner, author, row.banner)
    return store(inner, author, row, {
      phase: input.phase,
      resolvedAt: isResolved ? now : null,
      nextUpdateAt: isResolved || !input.next_update_at ? null : new Date(input.next_update_at),
      ...(isResolved ? { statuses: [], banner: null } : {}),
      undo: undoOf(row, now, { applied, note: null, update: update?.id ?? null, banner: isTaken ? 'taken' : null }),
    })
  })
}

export async function changeIncident(context: IncidentContext, author: Author, id: number, input: IncidentChange) {
  return transact(context, async (inner) => {
    const { db } = inner
    const row = await lock(db, id)
    if (input.version !== undefined && input.version !== row.version) {
      throw new Conflict('Someone else saved this entry in the meantime.', { current: await findEntity(db, row) })
    }
    await checkElements(db, input.elements)
    const isLive = !row.draft && !row.resolvedAt
    if (!row.draft && (input.text !== undefined || input.text_en !== undefined || input.phase !== undefined))
      throw new Conflict('This incident is published: add an update instead.')
    if (!row.draft && !input.title.trim())
      throw new Invalid('Some values are not valid.', [{ path: 'title', message: 'required' }])
    let { statuses } = row
    if (isLive) {
      const isKept = ({ id_reseau, nom }: IncidentElement) =>
        input.elements.some((one) => one.id_reseau === id_reseau && one.nom === nom)
      await restoreStatuses(db, author, {
        ...row,
        statuses: statuses.filter((one) => !isKept(one) || row.severity !== input.severity),
      })
      const kept = row.severity === input.severity ? statuses.filter(isKept) : []
      const added = await setStatuses(
        db,
        author,
        row.id,
        input.elements.map((element) => ({ ...element, severity: input.severity })),
      )
      statuses = [...kept, ...added]
    }
    if (row.draft) {
      const [first] = await findUpdates(db, [id])
      const phase = input.phase ?? row.phase
      const texts = { text: input.text ?? first?.text ?? '', textEn: input.text_en ?? first?.textEn ?? '' }
      await db
        .update(incidentUpdates)
        .set({ ...texts, phase })
        .where(eq(incidentUpdates.incidentId, id))
    }
    const phase = row.draft && input.phase ? input.phase : row.phase
    return store(inner, author, row, { ...fieldsOf(input), phase, statuses })
  })
}

export async function deleteDraft(context: IncidentContext, author: Author, id: number) {
  await transact(context, async ({ db }) => {
    const row = await lock(db, id)
    if (!row.draft) throw new Conflict('Only a draft can be deleted: resolve the incident instead.')
    const before = await findEntity(db, row)
    await db.delete(networkIncidents).where(eq(networkIncidents.id, id))
    await recordChange(db, author, { area: 'networks', action: 'delete', entryId: auditId(id), before })
  })
}

/** Incidents of a span of time, newest first, with what is still open; drafts for staff only. */
export async function findIncidents(db: Database, { from, until, drafts }: { from: Date; until: Date; drafts: boolean }) {
  const rows = await db
    .select()
    .from(networkIncidents)
    .where(
      and(
        drafts ? undefined : eq(networkIncidents.draft, false),
        or(
          and(gte(networkIncidents.startedAt, from), lt(networkIncidents.startedAt, until)),
          isNull(networkIncidents.resolvedAt),
        ),
      ),
    )
    .orderBy(desc(networkIncidents.startedAt), desc(networkIncidents.id))
    .limit(most)
  return toEntities(db, rows)
}

export async function findIncident(db: Database, id: number): Promise<StaffIncident> {
  const [row] = await db.select().from(networkIncidents).where(eq(networkIncidents.id, id))
  if (!row) throw new NotFound('This incident does not exist.')
  return findEntity(db, row)
}

/** What the status page shows: published incidents of the last three months and those not over. */
export const readIncidents = ({ content, db }: Reader): Promise<Incident[]> =>
  content.read('networks', 'incidents', async () => {
    const now = Date.now()
    const found = await findIncidents(db, { from: new Date(now - 92 * dayMs), until: new Date(now + dayMs), drafts: false })
    return found.map(withoutUndo)
  })

export function withoutUndo({ undo_until: _, ...rest }: StaffIncident): Incident {
  return rest
}

async function lock(db: Database, id: number) {
  const [row] = await db.select().from(networkIncidents).where(eq(networkIncidents.id, id)).for('update')
  if (!row) throw new NotFound('This incident does not exist.')
  return row
}

async function store(context: IncidentContext, author: Author, before: Row, values: Partial<Row>) {
  const was = await findEntity(context.db, before)
  const [row] = await context.db
    .update(networkIncidents)
    .set({ ...values, version: before.version + 1, updatedAt: new Date() })
    .where(eq(networkIncidents.id, before.id))
    .returning()
  if (!row) throw new Error('the incident was not stored')
  const after = await findEntity(context.db, row)
  await recordChange(context.db, author, { area: 'networks', action: 'update', entryId: auditId(row.id), before: was, after })
  return after
}

const fieldsOf = (input: IncidentInput | IncidentChange) => ({
  title: input.title.trim(),
  titleEn: input.title_en.trim(),
  severity: input.severity,
  elements: input.elements,
  meanwhile: input.meanwhile,
  meanwhileEn: input.meanwhile_en,
  nextUpdateAt: input.next_update_at ? new Date(input.next_update_at) : null,
})

function undoOf(row: Row, now: Date, rest: Omit<UndoRecord, 'until' | 'before'>): UndoRecord {
  return {
    until: new Date(now.getTime() + undoMs).toISOString(),
    before: {
      draft: row.draft,
      phase: row.phase,
      number: row.number,
      started_at: row.startedAt.toISOString(),
      resolved_at: row.resolvedAt?.toISOString() ?? null,
      next_update_at: row.nextUpdateAt?.toISOString() ?? null,
      set: row.statuses,
    },
    ...rest,
  }
}

/** A published incident has its French; mails go to readers of both languages. */
function checkTexts(row: Row, first: UpdateRow, mails: boolean) {
  const missing = [
    ...(row.title.trim() ? [] : ['title']),
    ...(first.text.trim() ? [] : ['text']),
    ...(mails && !row.titleEn.trim() ? ['title_en'] : []),
  ]
  if (missing.length > 0)
    throw new Invalid(
      'The text is not complete.',
      missing.map((path) => ({ path, message: 'required' })),
    )
  checkEnglish(first.textEn, mails)
}

function checkEnglish(english: string, mails: boolean) {
  if (mails && !english.trim()) throw new Invalid('The text is not complete.', [{ path: 'text_en', message: 'required' }])
}

async function checkElements(db: Database, elements: readonly IncidentElement[]) {
  const known = await findNetworks(db, elements)
  for (const [index, { id_reseau, nom }] of elements.entries()) {
    const network = known.get(id_reseau)
    if (!network || (nom !== '' && !network.details.some((detail) => elementName(detail) === nom)))
      throw new Invalid('Some values are not valid.', [{ path: `elements.${index}`, message: 'unknown' }])
  }
}

async function findNetworks(db: Database, elements: readonly IncidentElement[]) {
  const ids = [...new Set(elements.map(({ id_reseau }) => id_reseau))]
  if (ids.length === 0) return new Map<number, typeof networks.$inferSelect>()
  const rows = await db.select().from(networks).where(inArray(networks.id, ids)).orderBy(networks.id).for('update')
  return new Map(rows.map((row) => [row.id, row]))
}

type Target = IncidentElement & { severity: Severity }

/** Sets components to a severity, unless they are worse already; returns what it changed. */
async function setStatuses(db: Database, author: Author, incidentId: number, targets: readonly Target[]): Promise<SetStatus[]> {
  const changed: SetStatus[] = []
  await changeNetworks(db, author, incidentId, targets, (nom, current) => {
    const target = targets.find((one) => one.id_reseau === current.id && one.nom === nom)
    if (!target) return null
    // A network as such knows no degraded status.
    const to =
      nom === ''
        ? target.severity === 'ERROR'
          ? 'OFFLINE'
          : current.status
        : worseOf(current.status as NetworkStatus, target.severity)
    if (to === current.status) return null
    changed.push({ id_reseau: current.id, nom, from: current.status, to })
    return to
  })
  return changed
}

/** Sets back what the incident had set, but not below what another open incident says; returns what it changed. */
async function restoreStatuses(db: Database, author: Author, row: Pick<Row, 'id' | 'statuses'>) {
  const others = await db
    .select({ elements: networkIncidents.elements, severity: networkIncidents.severity })
    .from(networkIncidents)
    .where(and(eq(networkIncidents.draft, false), isNull(networkIncidents.resolvedAt), sql`${networkIncidents.id} <> ${row.id}`))
  const back: SetStatus[] = []
  await changeNetworks(db, author, row.id, row.statuses, (nom, current) => {
    const set = row.statuses.find((one) => one.id_reseau === current.id && one.nom === nom)
    if (!set || set.to !== current.status) return null
    const held = others.filter(({ elements }) => elements.some((one) => one.id_reseau === current.id && one.nom === nom))
    const to =
      nom === ''
        ? held.some(({ severity }) => severity === 'ERROR')
          ? 'OFFLINE'
          : set.from
        : held.reduce((worst: NetworkStatus, { severity }) => worseOf(worst, severity), set.from as NetworkStatus)
    if (to === current.status) return null
    back.push({ id_reseau: current.id, nom, from: current.status, to })
    return to
  })
  return back
}

/** Undoes changes of statuses made since a moment: they leave no trace in the history. */
async function setBack(db: Database, author: Author, incidentId: number, applied: readonly SetStatus[], since: Date) {
  const before = await db.select({ max: sql<number>`coalesce(max(${elementChanges.id}), 0)` }).from(elementChanges)
  const undone: IncidentElement[] = []
  await changeNetworks(db, author, incidentId, applied, (nom, current) => {
    const done = applied.find((one) => one.id_reseau === current.id && one.nom === nom)
    if (!done || done.to !== current.status) return null
    undone.push({ id_reseau: current.id, nom })
    return done.from
  })
  // The change and its reversal cancel out; one that somebody made in between stays, and so do those around it.
  const isOwn = and(eq(elementChanges.incidentId, incidentId), gte(elementChanges.at, since))
  const foreign = await db
    .select({ id: elementChanges.networkId, nom: elementChanges.element })
    .from(elementChanges)
    .where(
      and(
        gte(elementChanges.at, since),
        sql`${elementChanges.incidentId} is distinct from ${incidentId}`,
        sql`${elementChanges.id} <= ${before[0]?.max ?? 0}`,
      ),
    )
  const networksTouched = new Set(foreign.map(({ id }) => id))
  const clean = [...new Set(undone.map(({ id_reseau }) => id_reseau))].filter((id) => !networksTouched.has(id))
  if (clean.length > 0) await db.delete(elementChanges).where(and(isOwn, inArray(elementChanges.networkId, clean)))
}

type Current = { id: number; status: string }

/** Changes statuses of components, or of a network under the empty name, where `decide` returns another one. */
async function changeNetworks(
  db: Database,
  author: Author,
  incidentId: number,
  elements: readonly IncidentElement[],
  decide: (nom: string, current: Current) => string | null,
) {
  for (const row of (await findNetworks(db, elements)).values()) {
    const own = decide('', { id: row.id, status: row.status })
    const details = row.details.map((detail) => {
      const name = elementName(detail)
      const statut = name ? decide(name, { id: row.id, status: detail.statut }) : null
      return statut ? { ...detail, statut: statut as NetworkStatus } : detail
    })
    const hasChanged = own !== null || details.some((detail, index) => detail !== row.details[index])
    if (!hasChanged) continue
    const [stored] = await db
      .update(networks)
      .set({
        details,
        ...(own !== null && { status: own as typeof row.status }),
        version: row.version + 1,
        updatedAt: new Date(),
      })
      .where(eq(networks.id, row.id))
      .returning()
    if (!stored) throw new Error('the network was not stored')
    const [before, after] = [networkContent.toEntity(row), networkContent.toEntity(stored)]
    await recordChange(db, author, { area: 'networks', action: 'update', entryId: row.id, before, after })
    await recordStatuses(db, author, before, after, incidentId)
  }
}

/** Year and rank in it, such as 2026-014; one at a time. */
async function nextNumber(db: Database, now: Date) {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('network_incident_number'))`)
  const year = dayIn(timeZone, now).slice(0, 4)
  const [last] = await db
    .select({ rank: sql<number>`coalesce(max(split_part(${networkIncidents.number}, '-', 2)::int), 0)` })
    .from(networkIncidents)
    .where(like(networkIncidents.number, `${year}-%`))
  return `${year}-${String((last?.rank ?? 0) + 1).padStart(3, '0')}`
}

function noteOf(
  { title, title_en, text, text_en }: { title: string; title_en: string; text: string; text_en: string },
  at: Date,
) {
  const join = (head: string, body: string) => (body.trim() ? [head.trim(), body.trim()].filter(Boolean).join('\n') : '')
  const note_date = formatDateTime(at.toISOString(), 'fr', { month: 'long', timeZone })
  return { note_date, note: join(title, text), note_en: join(title_en, text_en) }
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof NotFound)) throw error
}

/** Oldest first. */
async function findUpdates(db: Database, ids: readonly number[]): Promise<UpdateRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(incidentUpdates)
    .where(inArray(incidentUpdates.incidentId, [...ids]))
    .orderBy(asc(incidentUpdates.at), asc(incidentUpdates.id))
}

async function findEntity(db: Database, row: Row) {
  const [entity] = await toEntities(db, [row])
  if (!entity) throw new Error('an incident was not read')
  return entity
}

async function toEntities(db: Database, rows: readonly Row[]): Promise<StaffIncident[]> {
  const updates = Map.groupBy(
    await findUpdates(
      db,
      rows.map(({ id }) => id),
    ),
    ({ incidentId }) => incidentId,
  )
  return rows.map((row) => ({
    id_incident: row.id,
    number: row.number,
    title: row.title,
    title_en: row.titleEn,
    severity: row.severity,
    phase: row.phase,
    started_at: row.startedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    elements: row.elements,
    updates: (updates.get(row.id) ?? []).map(({ id, phase, text, textEn, at }) => ({
      id_update: id,
      phase,
      text,
      text_en: textEn,
      at: at.toISOString(),
    })),
    source: row.source,
    draft: row.draft,
    next_update_at: row.nextUpdateAt?.toISOString() ?? null,
    meanwhile: row.meanwhile,
    meanwhile_en: row.meanwhileEn,
    version: row.version,
    undo_until: row.undo && Date.parse(row.undo.until) > Date.now() ? row.undo.until : null,
  }))
}
