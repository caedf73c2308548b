import { eq, like, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import type { EmergencyNotice } from '#src/features/content/server/feature.ts'
import { noteContent } from '#src/features/notes/server/service.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import { updateEnglishOlder } from '#src/lib/language/english-older.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { findLastChange, recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { readTime } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { IncidentChange, IncidentElement, IncidentInput, IncidentUpdateInput, PublishInput } from '../contract.ts'
import { undoMs } from '../values.ts'
import type { IncidentRow, UpdateRow } from './incident-list.ts'
import { findEntity, findUpdates } from './incident-list.ts'
import { checkElements, restoreStatuses, setStatuses } from './incident-statuses.ts'
import { lockNetworks } from './service.ts'
import type { UndoRecord } from './table.ts'
import { incidentUpdates, networkIncidents } from './table.ts'

export type IncidentContext = ContentContext & {
  emergencyNotice: EmergencyNotice | undefined
  /** Queues the mails of an update for a time, in the transaction. */
  planMails: (tx: Database, update: number, at: Date) => Promise<unknown>
}

const { timeZone } = company.hours
const auditId = (id: number) => `incident/${id}`
/** The text is that of a draft's only update. */
const incidentPairs = [
  ['title', 'title_en'],
  ['text', 'text_en'],
  ['meanwhile', 'meanwhile_en'],
] as const

/**
 * One transaction over several features, which locks what it may change before anything else; what changed, `areas` and what the
 * work adds, is published once, after the commit.
 */
export async function transact<Result>(
  context: IncidentContext,
  work: (inner: IncidentContext) => Promise<Result>,
  areas: readonly string[] = ['networks'],
) {
  const changed = new Set<string>(areas)
  const change = async (tx: Database) => {
    await lockNetworks(tx)
    await context.emergencyNotice?.lock(tx)
    return work({ ...context, db: tx, events: { changed: (area: string) => changed.add(area) } })
  }
  const result = await context.db.transaction(change).catch(keepRefused(context.db))
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
    const clientId = input.client_id ?? null
    const [row] = await db
      .insert(networkIncidents)
      .values({ ...fieldsOf(input), phase: input.phase, draft: true, source, startedAt: new Date(), clientId })
      .onConflictDoNothing({ target: networkIncidents.clientId })
      .returning()
    if (!row) return findEntity(db, await findByClientId(db, clientId))
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
    if (!row.draft) return refuse(inner.db, row, 'This incident is already published.')
    await checkVersion(inner.db, row, places.version)
    return publish(inner, author, row, places)
  })
}

/** Sets the statuses, and puts the incident where it was chosen to be; mails wait until it cannot be undone any more. */
async function publish(context: IncidentContext, author: Author, row: IncidentRow, { banner, note, mails }: PublishInput) {
  const { db, emergencyNotice } = context
  const [first] = await findUpdates(db, [row.id])
  if (!first) throw new Error('an incident has no update')
  checkTexts(row, first, mails)
  const now = await readTime(db)
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
    // A published text is not changed any more.
    englishOlder: Object.fromEntries(Object.entries(row.englishOlder).filter(([french]) => french !== 'text')),
    undo: undoOf(row, now, author, { applied: set, note: written?.id_note ?? null, update: null, banner: placed ? 'put' : null }),
  })
}

/** A later phase; `resolved` sets back what the incident had set, unless it was changed since. */
export async function addIncidentUpdate(context: IncidentContext, author: Author, id: number, input: IncidentUpdateInput) {
  return transact(context, async (inner) => {
    const { db, emergencyNotice } = inner
    const row = await lock(db, id)
    if (row.draft) throw new Conflict('This incident is a draft: publish it first.')
    if (row.resolvedAt) return refuse(db, row, 'This incident is resolved.')
    await checkVersion(db, row, input.version)
    if (!input.text.trim()) throw new Invalid('Some values are not valid.', [{ path: 'text', message: 'required' }])
    checkEnglish(input.text_en, input.mails)
    const now = await readTime(db)
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
      const before = await findEntity(db, row)
      const after = { ...before, ...input, version: row.version }
      throw await RefusedVersion.of(db, author, { area: 'networks', entryId: auditId(id), before, after })
    }
    await checkElements(db, input.elements)
    const isLive = !row.draft && !row.resolvedAt
    if (!row.draft && (input.text !== undefined || input.text_en !== undefined || input.phase !== undefined))
      throw new Conflict('This incident is published: add an update instead.')
    if (!row.draft && !input.title.trim())
      throw new Invalid('Some values are not valid.', [{ path: 'title', message: 'required' }])
    let { statuses } = row
    const was = await findEntity(db, row)
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
    const [first] = was.updates
    const former = { ...was, text: first?.text ?? '', text_en: first?.text_en ?? '' }
    const texts = { text: input.text ?? former.text, text_en: input.text_en ?? former.text_en }
    const phase = row.draft && input.phase ? input.phase : row.phase
    if (row.draft) {
      await db
        .update(incidentUpdates)
        .set({ text: texts.text, textEn: texts.text_en, phase })
        .where(eq(incidentUpdates.incidentId, id))
    }
    const pairs = row.draft ? incidentPairs : incidentPairs.filter(([french]) => french !== 'text')
    const englishOlder = updateEnglishOlder(pairs, row.englishOlder, former, { ...input, ...texts }, input.english_reviewed)
    return store(inner, author, row, { ...fieldsOf(input), phase, statuses, englishOlder })
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

export async function lock(db: Database, id: number) {
  const [row] = await db.select().from(networkIncidents).where(eq(networkIncidents.id, id)).for('update')
  if (!row) throw new NotFound('This incident does not exist.')
  return row
}

async function findByClientId(db: Database, clientId: string | null) {
  const [row] = await db
    .select()
    .from(networkIncidents)
    .where(eq(networkIncidents.clientId, clientId ?? ''))
  if (!row) throw new Error('the incident was not stored')
  return row
}

/** A conflict with the stored incident, its last author and time. */
async function refuse(db: Database, row: IncidentRow, message: string): Promise<never> {
  const changed = await findLastChange(db, 'networks', auditId(row.id))
  throw new Conflict(message, { current: await findEntity(db, row), changed })
}

async function checkVersion(db: Database, row: IncidentRow, version: number | undefined) {
  if (version !== undefined && version !== row.version) await refuse(db, row, 'Someone else saved this entry in the meantime.')
}

export async function store(context: IncidentContext, author: Author, before: IncidentRow, values: Partial<IncidentRow>) {
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
  return { note_date, note: join(title, text), note_en: join(title_en, text_en), publie: true, opens_on: null, closes_on: null }
}
