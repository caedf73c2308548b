import type { SQL } from 'drizzle-orm'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { findByWords } from '#src/server/search/stored-texts.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { sourceText } from '#src/lib/visit-source.ts'
import { deleteApplications, eraseOldApplications } from './service.ts'
import { applicationFiles, applications } from './table.ts'

const isFrom = (email: string) => eq(sql`lower(${applications.email})`, email)

/** Job applications of a person, with their files and the mails about them. */
export const applicationData: PersonalDataKind = {
  kind: 'applications',
  addresses: [applications.email],
  find: (db, email) => describe(db, isFrom(email)),
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx.select({ reference: applications.reference }).from(applications).where(isFrom(email))
    const chosen = own.map(({ reference }) => reference).filter(isChosen)
    return chosen.length > 0 ? deleteApplications(tx, and(isFrom(email), inArray(applications.reference, chosen))) : 0
  },
  candidates: {
    ids: applications.reference,
    search: (db, text, most) => {
      const { id, reference, firstName, lastName, email, phone, message, note } = applications
      const columns = [firstName, lastName, email, phone, message, note, reference]
      return findByWords(db, { id, key: reference, columns }, text, most)
    },
    describe: (db, ids) => describe(db, inArray(applications.reference, [...ids])),
    erase: (tx, ids) => deleteApplications(tx, inArray(applications.reference, [...ids])),
  },
  retention: { purge: eraseOldApplications },
}

/** Applications with the addresses of their files. */
async function describe(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(applications).where(where).orderBy(asc(applications.id))
  const ids = rows.map(({ id }) => id)
  const files = ids.length > 0 ? await db.select().from(applicationFiles).where(inArray(applicationFiles.applicationId, ids)) : []
  return rows.map((row) => ({
    id: row.reference,
    at: row.createdAt.toISOString(),
    fields: {
      job_title: row.jobTitle,
      name: `${row.firstName} ${row.lastName}`,
      email: row.email,
      phone: row.phone,
      message: row.message,
      note: row.note,
      status: row.status,
      language: row.language,
      source: sourceText(row.source),
      files: files
        .filter(({ applicationId }) => applicationId === row.id)
        .map(({ id, name }) => `[${name}] /api/applications/applications/${row.id}/files/${id}`)
        .join('\n'),
    },
  }))
}
