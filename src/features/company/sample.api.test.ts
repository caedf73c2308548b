import { eq } from 'drizzle-orm'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleContent } from '#company/sample-content.ts'
import { putSampleContent } from '#src/app/sample-content.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { everyRight, startTestApp } from '#src/app/testing/test-app.ts'
import { employees } from '../employees/server/table.ts'
import { users } from '../people/server/table.ts'
import { jobs } from '../jobs/server/table.ts'
import { networks } from '../networks/server/table.ts'
import { subscribers } from '../networks/server/subscriber-table.ts'
import { updateWindows } from '../updates/server/table.ts'
import { networkMonitors } from '../networks/monitors/server/table.ts'
import type { SampleCount, SampleEmptied } from './contract.ts'
import { sampleRows } from './server/sample-table.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({
    prepare: async ({ db }) => {
      await putSampleContent(db)
    },
  })
})
afterAll(() => product.stop())

const path = '/api/company/sample'

test('the sample content goes by one press, and what the company made of it stays (R-335)', async () => {
  const staff = await product.signIn()
  const { count } = (await staff.get<SampleCount>(path)).body
  const lists = [sampleContent.jobs, sampleContent.networks, sampleContent.employees, sampleContent.notes]
  expect(count).toBeGreaterThan(lists.flat().length)

  // An earlier version kept no list: its sample content is found again, without what staff wrote a moment later.
  const own = await staff.post('/api/notes/notes', { note_date: '12 mars', note: 'Fibre réparée', note_en: 'Fibre repaired' })
  expect(own.status, own.text).toBe(201)
  const listed = await product.db.select().from(sampleRows).orderBy(sampleRows.place, sampleRows.rowId)
  await product.db.delete(sampleRows)
  const migration = await readFile('migrations/0059_sample_rows.sql', 'utf8')
  for (const statement of migration.split('--> statement-breakpoint')) await product.db.execute(statement)
  expect(await product.db.select().from(sampleRows).orderBy(sampleRows.place, sampleRows.rowId)).toEqual(listed)

  const [job] = await product.db.select().from(jobs).limit(1)
  const [network, maintained, followed] = await product.db.select().from(networks).orderBy(networks.id)
  if (!job || !network || !maintained || !followed) throw new Error('the sample content is not there')
  const { title: titre, description, version } = job
  const saved = await staff.put(`/api/jobs/emplois/${job.id}`, { titre: `${titre} (Matane)`, description, version })
  expect(saved.status, saved.text).toBe(200)
  const monitor = { kind: 'tcp', target: '192.0.2.1:80', element: '', intervalS: 60, timeoutMs: 1000 } as const
  await product.db
    .insert(networkMonitors)
    .values({ ...monitor, networkId: network.id, failuresBefore: 2, expect: {}, action: 'propose', enabled: true })
  const hour = 3_600_000
  await product.db.insert(updateWindows).values({
    ...{ startsAt: new Date(Date.now() + hour), endsAt: new Date(Date.now() + 2 * hour), message: 'Entretien', messageEn: '' },
    ...{ public: false, elements: [{ id_reseau: maintained.id, nom: '' }] },
  })
  await product.db.insert(subscribers).values({
    ...{ email: 'claude@example.com', language: 'fr', networks: [followed.id], topics: ['outages'], state: 'active' },
    ...{ consentText: 'oui', consentAt: new Date(), consentAddress: '192.0.2.7', linkSentAt: new Date() },
  })
  const [employee] = await product.db.select().from(employees).limit(1)
  await product.db.update(users).set({ employeeId: employee?.id }).where(eq(users.id, staff.user.id))

  expect((await staff.get<SampleCount>(path)).body.count).toBe(count - 1)
  const emptied = await staff.delete<SampleEmptied>(path)
  expect(emptied.status, emptied.text).toBe(200)
  expect(emptied.body.kept.toSorted()).toEqual(
    [`${titre} (Matane)`, network.name, maintained.name, followed.name, employee?.name].toSorted(),
  )
  expect(emptied.body.removed).toBe(count - 5)
  expect((await staff.get<SampleCount>(path)).body.count).toBe(0)
  expect(await product.db.$count(jobs)).toBe(1)
  expect(await product.db.$count(networks)).toBe(3)
  expect((await staff.get<object[]>('/api/employees/employes')).body).toHaveLength(1)
  expect((await staff.get<{ note: string }[]>('/api/notes/notes')).body.map(({ note }) => note)).toEqual(['Fibre réparée'])
  expect((await staff.delete<SampleEmptied>(path)).body).toEqual({ removed: 0, kept: [] })
  expect(await product.db.$count(networkMonitors, eq(networkMonitors.networkId, network.id))).toBe(1)
})

test('only an administrator of the company empties it', async () => {
  const staff = await product.signIn({ ...everyRight, company: 'read_write' })
  expect([(await staff.get(path)).status, (await staff.delete(path)).status]).toEqual([403, 403])
})
