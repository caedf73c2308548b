import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { chatSettings } from './contract.ts'
import { findChatSettings } from './server/settings.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('hours of one span a day are the same hours after the migration', async () => {
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((migration) =>
    migration.sql.some((statement) => statement.includes("jsonb_build_array(jsonb_build_object('opens'")),
  )
  expect(at).toBeGreaterThan(0)
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  const week = [
    { day: 2, opens: '09:00', closes: '12:30' },
    { day: 6, opens: '00:00', closes: '23:59' },
  ]
  const holidays = [
    { date: '2026-12-28', name: 'Lendemain', name_en: '' },
    { date: '2026-12-25', name: 'Noël', name_en: 'Christmas' },
  ]
  const settings = { week, holidays, auto_reply: true, auto_reply_message: 'On arrive.', no_answer_minutes: 7 }
  await db.execute(
    sql`insert into chat_settings (id, version, settings, updated_at) values (1, 4, ${JSON.stringify(settings)}::jsonb, now())`,
  )
  await migrateDatabase(db)
  const migrated = await findChatSettings(db)
  expect(chatSettings.safeParse(migrated).error).toBeUndefined()
  expect(migrated).toMatchObject({
    version: 4,
    auto_reply_message: 'On arrive.',
    no_answer_minutes: 7,
    week: [
      { day: 2, spans: [{ opens: '09:00', closes: '12:30' }] },
      { day: 6, spans: [{ opens: '00:00', closes: '23:59' }] },
    ],
    holidays: [
      { date: '2026-12-25', name: 'Noël', name_en: 'Christmas', spans: [] },
      { date: '2026-12-28', name: 'Lendemain', name_en: '', spans: [] },
    ],
  })
})
