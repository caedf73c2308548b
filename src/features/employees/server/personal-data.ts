import { eq, sql } from 'drizzle-orm'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { employees } from './table.ts'

/** Profiles of the team page: found and exported; they are deleted on the team's own page. */
export const employeeData: PersonalDataKind = {
  kind: 'employees',
  async find(db, email) {
    const rows = await db
      .select()
      .from(employees)
      .where(eq(sql`lower(${employees.email})`, email))
    return rows.map((row) => ({
      id: String(row.id),
      at: row.createdAt.toISOString(),
      fields: { name: row.name, title: row.title, email: row.email, description: row.description, photo: row.photo },
    }))
  },
  erase: null,
}
