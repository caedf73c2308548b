import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { findFile } from './server/files.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('files that were stored in one piece come out byte for byte after the migration', async () => {
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((migration) =>
    migration.sql.some((statement) => statement.includes('CREATE TABLE "chat_file_pieces"')),
  )
  expect(at).toBeGreaterThan(0)
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  const files = [1, 524_288, 524_289, 1_300_000].map((size) => randomBytes(size))
  await db.execute(
    sql`insert into chats (id, key, client_name, client_email, language, status) values (1, 'k', 'a', 'a@example.com', 'fr', 'closed')`,
  )
  for (const [index, bytes] of files.entries()) {
    const id = index + 1
    await db.execute(
      sql`insert into chat_messages (id, chat_id, seq, message, from_staff, user_name) values (${id}, 1, ${id}, 'a', false, 'a')`,
    )
    await db.execute(sql`insert into chat_files (id, chat_id, message_id, name, type, size, bytes)
      values (${id}, 1, ${id}, 'a.pdf', 'application/pdf', ${bytes.length}, decode(${bytes.toString('hex')}, 'hex'))`)
  }
  await migrateDatabase(db)
  for (const [index, bytes] of files.entries()) {
    const { pieces, size } = await findFile(db, index + 1)
    expect(size).toBe(bytes.length)
    expect((await buffer(pieces)).equals(bytes)).toBe(true)
  }
})
