import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { ImportResult } from '#src/features/imports/contract.ts'
import { users } from '#src/features/people/server/table.ts'
import { verifyFormerJournals } from '#src/server/audit-log/former-journals.ts'
import { exportOf, guichet, stable, startUsedProduct } from './testing.ts'

const running: TestApp[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

/** A product that took the export of another one. */
async function importExport() {
  const { product: former } = await startUsedProduct()
  running.push(former)
  const product = await startTestApp()
  running.push(product)
  const staff = await product.signIn()
  const { file } = await exportOf(former, 'former.zip')
  const before = await exportOf(product, 'before.zip')
  const done = await guichet(product, ['import', 'guichet', file, '--json'])
  expect(done, done.errors).toMatchObject({ code: 0 })
  const result = JSON.parse(done.output) as ImportResult
  const undo = () => staff.post<ImportResult>(`/api/imports/imports/${result.id_import}/undo`)
  return { product, staff, result, undo, before: stable(before.files) }
}

const stays = /^(?:former_journals|long_texts|policy_versions|retention_periods)\.jsonl$/
const recording = 'recordings/2026/11/11111111-2222-3333-4444-555555555555.wav'
const count = async ({ db }: TestApp, table: string, where = sql`true`) =>
  ((await db.execute(sql`select count(*)::int as n from ${sql.identifier(table)} where ${where}`)) as { rows: { n: number }[] })
    .rows[0]?.n

test('an imported export is undone: nothing of it is left but what no undo takes away, each with its reason', async () => {
  const { product, staff, result, undo, before } = await importExport()
  expect(result.undo_until).not.toBeNull()
  expect(existsSync(join(product.dataDir, recording))).toBe(true)
  const undone = await undo()
  expect(undone).toMatchObject({ status: 200, body: { state: 'undone', undo_until: null } })
  expect(undone.body.left_entries.map(({ area }) => area)).toEqual([
    'company/',
    'former_journals',
    'policy_versions',
    'retention_periods',
  ])
  for (const { reason, label } of undone.body.left_entries)
    expect({ reason, label }).toMatchObject({
      reason: { fr: expect.stringMatching(/\.$/) as string, en: expect.stringMatching(/\.$/) as string },
      label: { fr: expect.any(String) as string },
    })

  const { files } = await exportOf(product, 'after.zip')
  const after = stable(files)
  const withoutStaying = (exported: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(exported).filter(
        ([name]) => !stays.test(name) && !/^(?:users|groups)\.jsonl$/.test(name) && !name.startsWith('files/company/'),
      ),
    )
  expect(withoutStaying(after)).toEqual(withoutStaying(before))
  // Whoever was here before is, under another number.
  expect([await count(product, 'users'), await count(product, 'groups')]).toEqual([1, 1])
  expect(await count(product, 'long_texts', sql`french is not null or english is not null or version > 1`)).toBe(0)
  // Files go with the next pass over those that no row names.
  expect(await count(product, 'recording_stray_files', sql`storage_key = ${recording.slice('recordings/'.length)}`)).toBe(1)
  expect(await verifyFormerJournals(product.db)).toMatchObject([{ isIntact: true }])
  expect((await staff.get('/api/auth/me')).status).toBe(200)
  const events = await staff.get<{ action: string; after: { removed: number } | null }[]>('/api/audit/entries?area=imports')
  expect(events.body.find(({ action }) => action === 'undo_import')?.after?.removed).toBeGreaterThan(700)
  expect((await undo()).status).toBe(409)
})

test('what somebody edited since stays with its parts and with what it names, and is listed', async () => {
  const { product, staff, undo } = await importExport()
  const { db } = product
  // A new message belongs to a conversation, an edited request names another one, a new user a group that came.
  await db.execute(
    sql`insert into chat_messages (chat_id, seq, message, from_staff, user_name) values (7, 2, 'Merci', false, 'Zoé')`,
  )
  await db.execute(sql`update requests set status = 'done', version = version + 1 where id = 1`)
  const jobs = await staff.get<{ id_emploi: number; titre: string; version: number }[]>('/api/jobs/emplois?all=1')
  const [job] = jobs.body
  expect((await staff.put(`/api/jobs/emplois/${job?.id_emploi}`, { ...job, titre: 'Modifiée ici' })).status).toBe(200)
  const [other] = await db
    .select()
    .from(users)
    .where(sql`username <> ${staff.user.username}`)
  await db
    .update(users)
    .set({ locked: false })
    .where(eq(users.id, other?.id ?? 0))
  // Visits are counted by the product itself, and hold nothing back.
  await db.execute(sql`update redirects set hits = hits + 1`)

  const undone = await undo()
  expect(undone.status, undone.text).toBe(200)
  const edited = undone.body.left_entries.filter(({ reason }) => reason === null)
  expect([...new Set(edited.map(({ area }) => area))].toSorted()).toEqual([
    'chat_messages',
    'chats',
    'groups',
    'jobs',
    'requests',
    'users',
  ])
  expect(edited.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['jobs, Modifiée ici', `users, ${other?.username}`, 'requests, AS-1', 'requests, AS-700']),
  )
  expect(await count(product, 'jobs')).toBe(1)
  expect(await count(product, 'chat_messages', sql`chat_id = 7`)).toBe(2)
  expect(await count(product, 'requests')).toBe(2)
  expect(await count(product, 'articles')).toBe(0)
  expect(await count(product, 'users')).toBe(2)

  const { body } = await staff.get<ImportResult[]>('/api/imports/imports')
  expect(body[0]).toMatchObject({ state: 'undone', left: undone.body.left })
})

test('an import of an earlier version, of which nothing is remembered, is not undone', async () => {
  const { product, staff, result, undo } = await importExport()
  await product.db.execute(sql`delete from imported_rows`)
  expect((await staff.get<ImportResult>(`/api/imports/imports/${result.id_import}`)).body.undo_until).toBeNull()
  expect((await undo()).status).toBe(409)
})
