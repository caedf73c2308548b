import { eq, sql } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { Officer, OfficerInput } from '../contract.ts'
import { officer, officerInput } from '../contract.ts'
import { applyStoredFacts, suppliedOfficer } from './service.ts'
import { companySettingsTable as table, theRow } from './table.ts'

/** Who is in charge of the protection of personal information: as it was saved here, or as `company/company.ts` says. */
async function readOfficer(db: Database): Promise<Officer> {
  const [row] = await db.select({ officer: table.officer }).from(table).where(eq(table.id, theRow))
  const stored = row?.officer
  const { name, title, email } = stored?.person ?? suppliedOfficer
  return { name, title: title.fr, title_en: title.en, email, version: stored?.version ?? 1, is_default: !stored?.person }
}

/** Pages, notices and the policy name the new officer at once. Throws `Conflict` where the version is not the last. */
async function saveOfficer({ db, events }: App, author: Author, input: OfficerInput): Promise<Officer> {
  const { name, title, title_en, email, version } = input
  const person = { name, title: { fr: title, en: title_en }, email }
  const after = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('company_settings'))`)
    const before = await readOfficer(tx)
    if (version !== undefined && version !== before.version)
      throw new Conflict('Somebody else changed the officer.', { current: before })
    // The person of the files is not stored, so that it goes on following the files.
    const isSupplied = JSON.stringify(person) === JSON.stringify(suppliedOfficer)
    const stored = { version: before.version + 1, person: isSupplied ? null : person }
    await tx
      .insert(table)
      .values({ id: theRow, version: 0, settings: null, officer: stored, updatedAt: new Date() })
      .onConflictDoUpdate({ target: table.id, set: { officer: stored } })
    const saved = await readOfficer(tx)
    await recordChange(tx, author, { area: 'privacy', action: 'update officer', before, after: saved })
    return saved
  })
  await applyStoredFacts(db)
  events.changed('company')
  return after
}

/** `/api/privacy/officer`. */
export const officerRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'privacy read_only' }, schema: { response: { 200: officer } } }, () => readOfficer(app.db))
  app.put(
    '/',
    { config: { access: 'privacy administrator' }, schema: { body: officerInput, response: { 200: officer } } },
    (request) => saveOfficer(app, request.author, request.body),
  )
}
