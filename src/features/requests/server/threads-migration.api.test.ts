import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { findEntries } from './entries.ts'
import { requests } from './table.ts'

describe('a request of the version before', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  test('keeps its message and its comments, in their order', async () => {
    const { db } = database
    await db.execute(sql`drop schema public cascade`)
    await db.execute(sql`create schema public`)
    const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
    const at = known.findIndex((one) => one.sql.some((text) => text.includes('CREATE TABLE "request_entries"')))
    expect(at).toBeGreaterThan(0)
    await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
    await db.execute(sql`insert into requests (id, reference, kind, name, email, message, language, created_at) values
      (1, 'AS-2026-000001', 'support', 'Zoé', 'z@example.com', 'Message', 'fr', '2026-01-01T10:00:00Z'),
      (2, 'CL-2026-000001', 'chat', 'Ana', 'a@example.com', 'Chat', 'en', '2026-01-02T10:00:00Z')`)
    await db.execute(sql`insert into request_comments (request_id, user_name, body, created_at) values
      (1, 'Mireille', 'Premier', '2026-01-01T11:00:00Z'), (1, 'Olivier', 'Second', '2026-01-01T12:00:00Z')`)
    await migrateDatabase(db)
    expect(await findEntries(db, 1)).toMatchObject([
      { kind: 'customer', channel: 'form', author: 'Zoé', text: 'Message', at: '2026-01-01T10:00:00.000Z' },
      { kind: 'internal', author: 'Mireille', text: 'Premier' },
      { kind: 'internal', author: 'Olivier', text: 'Second' },
    ])
    expect(await findEntries(db, 2)).toMatchObject([{ kind: 'customer', channel: 'chat', author: 'Ana', text: 'Chat' }])
    const [row] = await db.select().from(requests).where(eq(requests.id, 1))
    expect(row).toMatchObject({ priority: 'normal', respondBy: null, linkGeneration: 1 })
  })
})
