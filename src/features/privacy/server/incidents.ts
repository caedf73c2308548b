import { desc, eq, lt } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { csvFile } from '#src/lib/text/escape.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { Incident, IncidentInput } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import { refuseFuture } from './register-days.ts'
import { incidents } from './table.ts'

type Row = typeof incidents.$inferSelect

const days = ['happened_on', 'discovered_on', 'commission_told_on', 'people_told_on'] as const

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
  refuseFuture(input, days)
  return db.transaction(async (tx) => {
    const [row] = await tx.insert(incidents).values(toRow(input)).returning()
    if (!row) throw new Error('the incident was not stored')
    const after = toIncident(row)
    await recordChange(tx, author, { area: 'privacy', action: 'create incident', entryId: row.id, after })
    return after
  })
}

export async function updateIncident(db: Database, author: Author, id: number, input: IncidentInput) {
  refuseFuture(input, days)
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

/** The register as the Commission may ask for it, newest first. */
export async function exportIncidents(db: Database, language: Language) {
  const t = translator(privacyTexts, language)
  const heads = [
    t('number'),
    t('discoveredOn'),
    t('happened'),
    t('happenedOn'),
    t('information'),
    t('circumstances'),
    t('peopleCount'),
    t('riskAssessment'),
    t('seriousRisk'),
    t('commissionNotifiedOn'),
    t('peopleNotifiedOn'),
    t('measures'),
  ]
  const rows = (await findAllIncidents(db)).map((one) => [
    one.id_incident,
    one.discovered_on,
    one.happened,
    one.happened_on,
    one.information,
    one.circumstances,
    one.people_count,
    one.risk_assessment,
    t(one.serious_risk ? 'serious' : 'notSerious'),
    one.commission_told_on,
    one.people_told_on,
    one.measures,
  ])
  return csvFile([heads, ...rows], language)
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
    happenedOn: input.happened_on,
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
    happened_on: row.happenedOn,
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
