import { eq, sql } from 'drizzle-orm'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { users } from '../../server/table.ts'

/** Accounts of staff: found and exported; they end on the users' own page. */
export const userData: PersonalDataKind = {
  kind: 'users',
  async find(db, email) {
    const rows = await db
      .select()
      .from(users)
      .where(eq(sql`lower(${users.email})`, email))
    return rows.map((row) => ({
      id: String(row.id),
      at: row.createdAt.toISOString(),
      fields: {
        username: row.username,
        first_name: row.firstName,
        last_name: row.lastName,
        display_name: row.displayName,
        email: row.email,
        last_login: row.lastLoginAt?.toISOString() ?? null,
      },
    }))
  },
  erase: null,
}
