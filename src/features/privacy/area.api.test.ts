import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { groups } from '../people/server/table.ts'

let database: OpenDatabase
let product: TestApp
beforeAll(async () => {
  database = await openTestDatabase()
  product = await startTestApp()
})
afterAll(async () => {
  await product.stop()
  await database.close()
})

test('who could search and erase through the audit log has the area of privacy after the migration, and nobody else', async () => {
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((migration) => migration.sql.some((statement) => statement.includes('"privacy": "administrator"')))
  expect(at).toBeGreaterThan(0)
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  for (const [name, rights] of Object.entries({
    officers: { audit: 'administrator', chat: 'read_only' },
    readers: { audit: 'read_write' },
    others: { groups: 'administrator' },
  }))
    await db.execute(sql`insert into groups (name, rights) values (${name}, ${JSON.stringify(rights)}::jsonb)`)
  await migrateDatabase(db)
  const rows = await db.select({ name: groups.name, rights: groups.rights }).from(groups)
  expect(Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))).toEqual({
    officers: { audit: 'administrator', chat: 'read_only', privacy: 'administrator' },
    readers: { audit: 'read_write' },
    others: { groups: 'administrator' },
  })
})

test('a person is searched with a keyed hash of the words in the audit log, and not the words', async () => {
  const officer = await product.signIn({ privacy: 'read_write', audit: 'read_only' })
  const search = (email: string) => officer.post('/api/privacy/search', { email })
  for (const email of ['searched@client.example.com', 'SEARCHED@client.example.com', 'else@client.example.com'])
    expect((await search(email)).status).toBe(200)
  const log = await officer.get<{ action: string; entry_id: string }[]>('/api/audit/entries?area=privacy')
  const ids = log.body.filter(({ action }) => action === 'search').map(({ entry_id: id }) => id)
  expect(ids[1]).toBe(ids[2])
  expect(ids[0]).not.toBe(ids[1])
  expect(log.text).not.toContain('searched@')
})

test('information about people and the registers have an area of their own, which the audit log does not open', async () => {
  const reader = await product.signIn({ audit: 'administrator', requests: 'administrator', users: 'administrator' })
  const stranger = await product.client()
  const routes: [string, string][] = [
    ['POST', 'search'],
    ['POST', 'export'],
    ['POST', 'erase'],
    ['GET', 'retention'],
    ['GET', 'incidents'],
    ['POST', 'incidents'],
    ['PUT', 'incidents/1'],
  ]
  for (const [method, path] of routes) {
    const body = method === 'GET' ? undefined : {}
    expect((await reader.send(method, `/api/privacy/${path}`, body)).status).toBe(403)
    expect((await stranger.send(method, `/api/privacy/${path}`, body)).status).toBe(401)
  }
  const auditor = await product.signIn({ privacy: 'read_only' })
  for (const path of ['retention', 'tables', 'incidents']) expect((await auditor.get(`/api/privacy/${path}`)).status).toBe(200)
  for (const path of ['search', 'export', 'erase', 'incidents'])
    expect((await auditor.post(`/api/privacy/${path}`, {})).status).toBe(403)
})
