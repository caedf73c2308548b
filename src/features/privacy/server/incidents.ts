import { desc, eq, lt } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { Incident, IncidentInput } from '../contract.ts'
import { incidents } from './table.ts'

type Row = typeof incidents.$inferSelect

export async function findAllIncidents(db: Database): Promise<Incident[]> {
  const rows = await db.select().from(incidents).orderBy(desc(incidents.discoveredOn), desc(incidents.id))
  return rows.map(toIncident)
}

export async function findIncident(db: Database, id: number): Promise<Incident> {
  const [row] = await db.select().from(incidents).where(eq(incidents.id, id))
  if (!row) throw new NotFound('This incident does not exist.')
  return toIncident(row)
}

export async function createIncident(db: Database, author: Author, input: IncidentInput) {
  return db.transaction(async (tx) => {
    const [row] = await tx.insert(incidents).values(toRow(input)).returning()
    if (!row) throw new Error('the incident was not stored')
    const after = toIncident(row)
    await recordChange(tx, author, { area: 'privacy', action: 'create incident', entryId: row.id, after })
    return after
  })
}

export async function updateIncident(db: Database, author: Author, id: number, input: IncidentInput) {
  return db.transaction(async (tx) => {
    const [locked] = await tx.select().from(incidents).where(eq(incidents.id, id)).for('update')
    if (!locked) throw new NotFound('This incident does not exist.')
    const before = toIncident(locked)
    if (input.version !== undefined && input.version !== before.version) {
      throw new Conflict('Someone else saved this incident in the meantime.', { current: before })
    }
    const [row] = await tx
      .update(incidents)
      .set({ ...toRow(input), version: before.version + 1, updatedAt: new Date() })
      .where(eq(incidents.id, id))
      .returning()
    const after = toIncident(row ?? locked)
    await recordChange(tx, author, { area: 'privacy', action: 'update incident', entryId: id, before, after })
    return after
  })
}

/** The only way to delete an incident. */
export async function purgeIncidents(db: Database, before: Date) {
  const day = before.toISOString().slice(0, 10)
  const erased = await db.delete(incidents).where(lt(incidents.discoveredOn, day)).returning({ id: incidents.id })
  return erased.length
}

function toRow(input: IncidentInput) {
  return {
    information: input.information,
    circumstances: input.circumstances,
    happened: input.happened,
    discoveredOn: input.discovered_on,
    peopleCount: input.people_count,
    riskAssessment: input.risk_assessment,
    seriousRisk: input.serious_risk,
    commissionNotifiedOn: input.commission_told_on,
    peopleNotifiedOn: input.people_told_on,
    measures: input.measures,
  }
}

function toIncident(row: Row): Incident {
  return {
    id_incident: row.id,
    information: row.information,
    circumstances: row.circumstances,
    happened: row.happened,
    discovered_on: row.discoveredOn,
    people_count: row.peopleCount,
    risk_assessment: row.riskAssessment,
    serious_risk: row.seriousRisk,
    commission_told_on: row.commissionNotifiedOn,
    people_told_on: row.peopleNotifiedOn,
    measures: row.measures,
    version: row.version,
  }
}
