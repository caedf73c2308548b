import { sql } from 'drizzle-orm'
import { sampleContent } from '#company/sample-content.ts'
import { employees } from '#src/features/employees/server/table.ts'
import { homeInformations } from '#src/features/home/server/table.ts'
import { jobs } from '#src/features/jobs/server/table.ts'
import { networks } from '#src/features/networks/server/table.ts'
import { notes } from '#src/features/notes/server/table.ts'
import { users } from '#src/features/people/users/server/table.ts'
import type { Database } from '#src/server/database/database.ts'

/** Puts the sample content on a database nobody has used yet (`DEMO`); answers whether it did. */
export async function putSampleContent(db: Database) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7148303)`)
    if ((await tx.$count(users)) > 0 || (await tx.$count(networks)) > 0) return false
    const { homeInformation: information } = sampleContent
    await tx.insert(networks).values(
      sampleContent.networks.map(({ nom, status, details }) => ({
        name: nom,
        status,
        details: details.map((detail) => ({ ...detail })),
      })),
    )
    // Oldest first: the list shows the newest on top by the order in which they came.
    for (const note of sampleContent.notes.toReversed()) {
      await tx
        .insert(notes)
        .values({ date: note.note_date, note: note.note, noteEn: note.note_en, createdAt: sql`clock_timestamp()` })
    }
    await tx.insert(employees).values(
      sampleContent.employees.map((person) => ({
        name: person.nom,
        department: person.departement,
        subDepartment: person.sousdepartement,
        title: person.titre,
        titleEn: person.titre_en,
        email: person.email,
        description: person.description,
        descriptionEn: person.description_en,
      })),
    )
    for (const job of sampleContent.jobs.toReversed()) {
      await tx.insert(jobs).values({
        title: job.titre,
        titleEn: job.titre_en,
        employmentType: job.employment_type,
        description: job.description,
        descriptionEn: job.description_en,
        createdAt: sql`clock_timestamp()`,
      })
    }
    await tx.insert(homeInformations).values({
      title: information.title,
      titleEn: information.title_en,
      description: information.description,
      descriptionEn: information.description_en,
    })
    return true
  })
}
