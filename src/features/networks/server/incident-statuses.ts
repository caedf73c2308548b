import { and, eq, gte, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import type { IncidentElement } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { elementName, worseOf } from '../values.ts'
import { recordStatuses } from './history.ts'
import type { IncidentRow } from './incident-list.ts'
import { networkContent } from './service.ts'
import type { SetStatus } from './table.ts'
import { elementChanges, networkIncidents, networks } from './table.ts'

export async function checkElements(db: Database, elements: readonly IncidentElement[]) {
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

type Target = IncidentElement & { severity: IncidentRow['severity'] }

/** Sets components to a severity, unless they are worse already; returns what it changed. */
export async function setStatuses(
  db: Database,
  author: Author,
  incidentId: number,
  targets: readonly Target[],
): Promise<SetStatus[]> {
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

/** Sets back what the incident had set, but not below the status of another open incident; returns what it changed. */
export async function restoreStatuses(db: Database, author: Author, row: Pick<IncidentRow, 'id' | 'statuses'>) {
  const others = await db
    .select({ elements: networkIncidents.elements, severity: networkIncidents.severity })
    .from(networkIncidents)
    .where(and(eq(networkIncidents.draft, false), isNull(networkIncidents.resolvedAt), ne(networkIncidents.id, row.id)))
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
export async function setBack(db: Database, author: Author, incidentId: number, applied: readonly SetStatus[], since: Date) {
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
