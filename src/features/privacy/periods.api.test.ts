import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import type { Period } from '#src/lib/retention.ts'
import { retentionKinds } from '#src/lib/retention.ts'
import { findPeriods, storeMissingPeriods } from '#src/server/retention/periods.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import type { ChatAvailability } from '../chat/contract.ts'
import type { RetentionPeriod } from './contract.ts'
import { applyRetention } from './server/retention.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const path = '/api/privacy/retention'

test('every kind that the night deletes has its period in the one table', async () => {
  const officer = await product.signIn({ privacy: 'read_only' })
  const { body } = await officer.get<RetentionPeriod[]>(path)
  expect(body.map(({ kind }) => kind)).toEqual([...retentionKinds])
  const purged = product.app.personalData.filter(({ retention }) => retention).map(({ kind }) => kind)
  expect(retentionKinds).toEqual(expect.arrayContaining(purged))
})

test('a changed period is that of the notices, the policy, the chat and the night', async () => {
  const officer = await product.signIn()
  const visitor = await product.client()
  const periods: RetentionPeriod[] = [
    { kind: 'chats', count: 40, unit: 'days' },
    { kind: 'recordings', count: 7, unit: 'months' },
    { kind: 'requests', count: 500, unit: 'days' },
    { kind: 'mails', count: 1, unit: 'days' },
  ]
  expect((await officer.put(path, periods)).status).toBe(200)
  const policy = async (language: string) =>
    (await visitor.get<string>(`/about/personal_information?lang=${language}`)).text.replaceAll('\u00a0', ' ')
  for (const [language, words] of [
    ['fr', ['40 jours', '7 mois', '500 jours']],
    ['en', ['40 days', '7 months', '500 days']],
  ] as const) {
    const { text } = await visitor.get<string>(`/api/site/texts/privacy?lang=${language}`)
    for (const word of words) expect(`${text} ${await policy(language)}`.replaceAll('\u00a0', ' ')).toContain(word)
  }
  const { body: availability } = await visitor.get<ChatAvailability>('/public_api/chat/available-users')
  expect(availability.retention).toEqual({ count: 40, unit: 'days' })
  const { body: facts } = await visitor.get<{ periods: unknown }>('/api/company/facts')
  expect(facts.periods).toEqual({
    applications: { fr: '12 mois', en: '12 months' },
    requests: { fr: '500 jours', en: '500 days' },
    mails: { fr: '1 jour', en: '1 day' },
  })

  const sent = { recipient: 'a@example.com', subject: 'S', body: '', state: 'sent' as const }
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await product.db.insert(mails).values([
    { ...sent, messageId: '<two-days@test>', createdAt: ago(2) },
    { ...sent, messageId: '<today@test>', createdAt: ago(0.5) },
  ])
  await applyRetention(product.app)
  const left = await product.db.select({ id: mails.messageId }).from(mails).where(eq(mails.recipient, 'a@example.com'))
  expect(left.map(({ id }) => id)).toEqual(['<today@test>'])
  const log = await officer.get<{ entry_id: string; after: unknown }[]>('/api/audit/entries?area=privacy')
  expect(log.body.find(({ entry_id: id }) => id === 'periods')?.after).toMatchObject({ chats: '40 days', mails: '1 days' })
})

test.each<[string, unknown]>([
  ['no day', { kind: 'chats', count: 0, unit: 'days' }],
  ['half a day', { kind: 'chats', count: 0.5, unit: 'days' }],
  ['10,000 days', { kind: 'recordings', count: 10_000, unit: 'days' }],
  ['121 months', { kind: 'mails', count: 121, unit: 'months' }],
  ['an unknown kind', { kind: 'nothing', count: 1, unit: 'months' }],
  ['a register of 59 months', { kind: 'incidents', count: 59, unit: 'months' }],
  ['a register in days', { kind: 'incidents', count: 3650, unit: 'days' }],
])('a period of %s is refused', async (_name, period) => {
  const officer = await product.signIn({ privacy: 'administrator' })
  const before = (await officer.get(path)).body
  expect((await officer.put(path, [period])).status).toBe(400)
  expect((await officer.put(path, { chats: period })).status).toBe(400)
  expect((await officer.get(path)).body).toEqual(before)
})

test('periods that were set for the chat and for recordings are those of the table after the migration', async () => {
  const database = await openTestDatabase()
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((migration) => migration.sql.some((one) => one.includes('CREATE TABLE "retention_periods"')))
  expect(at).toBeGreaterThan(0)
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  await db.execute(sql`insert into chat_settings (id, version, settings, updated_at)
    values (1, 1, '{"retention_days": 30, "release_minutes": 4}'::jsonb, now())`)
  await db.execute(sql`insert into recording_settings (id, version, retention_days, play, download, "delete")
    values (1, 1, 2500, 'read_only', 'read_only', 'administrator')`)
  const french = { title: 'T', description: '', lead: '', body: 'pendant {chatMonths}\u00a0mois; pendant {recordingMonths} mois' }
  await db.execute(sql`insert into long_texts (name, french) values ('privacy', ${JSON.stringify(french)}::jsonb)`)
  await migrateDatabase(db)
  await storeMissingPeriods(db)
  const periods = await findPeriods(db)
  expect(periods).toMatchObject<Record<string, Period>>({
    chats: { count: 30, unit: 'days' },
    recordings: { count: 2500, unit: 'days' },
    requests: { count: 24, unit: 'months' },
    incidents: { count: 60, unit: 'months' },
  })
  const { rows } = (await db.execute(sql`select french->>'body' as body, settings from long_texts, chat_settings`)) as {
    rows: { body: string; settings: object }[]
  }
  expect(rows).toEqual([{ body: 'pendant {chatPeriod}; pendant {recordingPeriod}', settings: { release_minutes: 4 } }])
  await database.close()
})
