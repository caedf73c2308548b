import { and, asc, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import { networkIncidents } from '../../networks/server/table.ts'
import { isDecided } from './service.ts'
import { requestLinks, requests } from './table.ts'

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

/** What was merged or linked, and other open requests of the same address. */
export async function findRelated(db: Database, request: typeof requests.$inferSelect) {
  const select = () =>
    db
      .select({ id_request: requests.id, reference: requests.reference, subject: requests.subject, status: requests.status })
      .from(requests)
      .$dynamic()
  const [mergedInto] = request.mergedIntoId === null ? [] : await select().where(eq(requests.id, request.mergedIntoId))
  const merged = await select().where(eq(requests.mergedIntoId, request.id)).orderBy(asc(requests.id))
  const pairs = await db
    .select()
    .from(requestLinks)
    .where(or(eq(requestLinks.requestId, request.id), eq(requestLinks.otherId, request.id)))
  const linkedIds = [...new Set(pairs.map(({ requestId, otherId }) => (requestId === request.id ? otherId : requestId)))]
  const linked =
    linkedIds.length === 0 ? [] : await select().where(and(inArray(requests.id, linkedIds), isNull(requests.removedAt)))
  const similar = await select()
    .where(
      and(
        eq(sql`lower(${requests.email})`, request.email.toLowerCase()),
        ne(requests.id, request.id),
        inArray(requests.status, ['new', 'open', 'waiting']),
        isNull(requests.removedAt),
        isNull(requests.mergedIntoId),
        isNull(requests.spamAt),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(5)
  const ofAddress = and(isDecided, isNull(requests.mergedIntoId), eq(sql`lower(${requests.email})`, request.email.toLowerCase()))
  const count = await db.$count(requests, ofAddress)
  const incidents = await findIncidentsOf(db, request.incidentId)
  return { merged_into: mergedInto ?? null, merged, linked, similar, request_count: Math.max(1, count), ...incidents }
}
