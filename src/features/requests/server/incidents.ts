import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import { networkIncidents } from '../../networks/server/table.ts'

const columns = {
  id_incident: networkIncidents.id,
  number: networkIncidents.number,
  title: networkIncidents.title,
  title_en: networkIncidents.titleEn,
}

const isPublished = eq(networkIncidents.draft, false)

/** The outage that a request is linked to, and those that are not over, to which it may be linked. */
export async function findIncidentsOf(db: Database, id: number | null) {
  const open = await db
    .select(columns)
    .from(networkIncidents)
    .where(and(isPublished, isNull(networkIncidents.resolvedAt)))
    .orderBy(asc(networkIncidents.id))
    .limit(50)
  return { id_incident: id, incident: await findPublishedIncident(db, id), open_incidents: open }
}

/** Null for a draft too, which customers must not see. */
export async function findPublishedIncident(db: Database, id: number | null) {
  if (id === null) return null
  const [row] = await db
    .select(columns)
    .from(networkIncidents)
    .where(and(isPublished, eq(networkIncidents.id, id)))
  return row ?? null
}

/** Throws where there is no such outage. */
export async function refuseUnknownIncident(db: Database, id: number | null | undefined) {
  if (id && !(await findPublishedIncident(db, id)))
    throw new Invalid('There is no such outage.', [{ path: 'id_incident', message: 'invalid' }])
}
