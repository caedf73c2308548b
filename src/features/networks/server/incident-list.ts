import { and, asc, desc, eq, gte, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { readTime } from '#src/server/database/database.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Incident, StaffIncident } from '../contract.ts'
import { incidentUpdates, networkIncidents } from './table.ts'

export type IncidentRow = typeof networkIncidents.$inferSelect
export type UpdateRow = typeof incidentUpdates.$inferSelect

const most = 500
const dayMs = 86_400_000

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

export function withoutUndo(incident: StaffIncident): Incident {
  const shown: Partial<StaffIncident> = { ...incident }
  delete shown.undo_until
  delete shown.english_older
  return shown as Incident
}

/** Oldest first. */
export async function findUpdates(db: Database, ids: readonly number[]): Promise<UpdateRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(incidentUpdates)
    .where(inArray(incidentUpdates.incidentId, [...ids]))
    .orderBy(asc(incidentUpdates.at), asc(incidentUpdates.id))
}

export async function findEntity(db: Database, row: IncidentRow) {
  const [entity] = await toEntities(db, [row])
  if (!entity) throw new Error('an incident was not read')
  return entity
}

async function toEntities(db: Database, rows: readonly IncidentRow[]): Promise<StaffIncident[]> {
  const updates = Map.groupBy(
    await findUpdates(
      db,
      rows.map(({ id }) => id),
    ),
    ({ incidentId }) => incidentId,
  )
  const now = rows.some(({ undo }) => undo) ? (await readTime(db)).getTime() : 0
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
    english_older: row.englishOlder,
    undo_until: row.undo && Date.parse(row.undo.until) > now ? row.undo.until : null,
  }))
}
