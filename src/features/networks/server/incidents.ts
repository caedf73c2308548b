import { eq, isNotNull, like, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import type { EmergencyNotice } from '#src/features/content/server/feature.ts'
import { noteContent } from '#src/features/notes/server/service.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type {
  IncidentChange,
  IncidentElement,
  IncidentInput,
  IncidentUpdateInput,
  PublishInput,
  UndoableStep,
} from '../contract.ts'
import type { IncidentPhase } from '../values.ts'
import { undoMs } from '../values.ts'
import type { IncidentRow, UpdateRow } from './incident-list.ts'
import { findEntity, findUpdates } from './incident-list.ts'
import { checkElements, restoreStatuses, setBack, setStatuses } from './incident-statuses.ts'
import type { UndoRecord } from './table.ts'
import { incidentUpdates, networkIncidents } from './table.ts'

export type IncidentContext = ContentContext & {
  emergencyNotice: EmergencyNotice | undefined
  /** Queues the mails of an update for a time, in the transaction. */
  planMails: (tx: Database, update: number, at: Date) => Promise<unknown>
}

const { timeZone } = company.hours
const auditId = (id: number) => `incident/${id}`

/** One transaction over several features; what changed, `areas` and what the work adds, is published once, after the commit. */
export async function transact<Result>(
  context: IncidentContext,
  work: (inner: IncidentContext) => Promise<Result>,
  areas: readonly string[] = ['networks'],
) {
  const changed = new Set<string>(areas)
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
  source: IncidentRow['source'] = 'staff',
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
async function publish(context: IncidentContext, author: Author, row: IncidentRow, { banner, note, mails }: PublishInput) {
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
  if (mails) await context.planMails(db, first.id, new Date(now.getTime() + undoMs))
  return store(context, author, row, {
    draft: false,
    number: await nextNumber(db, now),
    startedAt: row.draft && row.source === 'monitor' ? row.startedAt : now,
    statuses: set,
    banner: placed,
    undo: undoOf(row, now, author, { applied: set, note: written?.id_note ?? null, update: null, banner: placed ? 'put' : null }),
  })
}

/** Steps that can still be undone: those of one person, or all. */
export async function findUndoable(db: Database, userId: number | null, all: boolean): Promise<UndoableStep[]> {
  const rows = await db.select().from(networkIncidents).where(isNotNull(networkIncidents.undo))
  const open = rows.flatMap(({ undo, ...row }) =>
    undo && Date.parse(undo.until) > Date.now() && (all || (undo.by !== null && undo.by === userId)) ? [{ ...row, undo }] : [],
  )
  const updates = await findUpdates(
    db,
    open.map(({ id }) => id),
  )
  return open.map(({ id, title, titleEn, undo }) => ({
    id_incident: id,
    title,
    title_en: titleEn,
    undo_until: undo.until,
    mails: updates.some(({ incidentId, mailsAt, mailedAt }) => incidentId === id && mailsAt !== null && mailedAt === null),
  }))
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
    if (input.mails && update) await inner.planMails(db, update.id, new Date(now.getTime() + undoMs))
    const isResolved = input.phase === 'resolved'
    const applied = isResolved ? await restoreStatuses(db, author, row) : []
    const isTaken = isResolved && row.banner !== null
    if (isTaken) await emergencyNotice?.takeBack(inner, author, row.banner)
    return store(inner, author, row, {
      phase: input.phase,
      resolvedAt: isResolved ? now : null,
      nextUpdateAt: isResolved || !input.next_update_at ? null : new Date(input.next_update_at),
      ...(isResolved ? { statuses: [], banner: null } : {}),
      undo: undoOf(row, now, author, { applied, note: null, update: update?.id ?? null, banner: isTaken ? 'taken' : null }),
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
      const unchanged = row.severity === input.severity ? statuses.filter(isKept) : []
      const added = await setStatuses(
        db,
        author,
        row.id,
        input.elements.map((element) => ({ ...element, severity: input.severity })),
      )
      statuses = [...unchanged, ...added]
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

async function lock(db: Database, id: number) {
  const [row] = await db.select().from(networkIncidents).where(eq(networkIncidents.id, id)).for('update')
  if (!row) throw new NotFound('This incident does not exist.')
  return row
}

async function store(context: IncidentContext, author: Author, before: IncidentRow, values: Partial<IncidentRow>) {
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

function undoOf(row: IncidentRow, now: Date, { userId }: Author, rest: Omit<UndoRecord, 'until' | 'before' | 'by'>): UndoRecord {
  return {
    by: userId,
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
function checkTexts(row: IncidentRow, first: UpdateRow, mails: boolean) {
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

/** Year and rank in it, such as 2026-014; one at a time. */
export async function nextNumber(db: Database, now: Date) {
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
  const note_date = localTime(timeZone, at).replace('T', ', ')
  return { note_date, note: join(title, text), note_en: join(title_en, text_en) }
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof NotFound)) throw error
}
