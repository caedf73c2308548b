import { undoMs } from '#src/lib/suspected.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Application, ApplicationSummary } from './contract.ts'
import { mailSuspected, settleDecisions } from './server/service.ts'
import { applicationFilePieces, applicationFiles, applications } from './server/table.ts'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn({ applications: 'read_write' })
})
afterAll(() => product.stop())

const base = '/api/applications/applications'
const inTenSeconds = () => new Date(Date.now() + undoMs)
let counter = 0
async function suspect() {
  counter += 1
  const [row] = await product.db
    .insert(applications)
    .values({
      ...{ reference: `CA-2026-9${counter}`, jobTitle: 'Technicienne', status: 'suspected', language: 'fr', trap: 'honey' },
      ...{ firstName: 'Zoé', lastName: 'Roy', email: `decided${counter}@example.com`, phone: '418 555-0199', message: '' },
    })
    .returning()
  if (!row) throw new Error('no application')
  return row
}
const mailsTo = (email: string) => product.db.$count(mails, eq(mails.recipient, email))
const listed = async (status: string) =>
  (await staff.get<ApplicationSummary[]>(`${base}?status=${status}`)).body.map((one) => one.id_application)

test('a suspected application that was taken can be put back for ten seconds, and no mail leaves before', async () => {
  const { id, email } = await suspect()
  expect((await staff.put<Application>(`${base}/${id}`, { status: 'new', version: 1 })).body.status).toBe('new')
  await settleDecisions(product.app)
  const undone = await staff.post<Application>(`${base}/${id}/undo`)
  expect([undone.status, undone.body.status]).toEqual([200, 'suspected'])
  expect((await staff.post(`${base}/${id}/undo`)).status).toBe(409)
  await settleDecisions(product.app, inTenSeconds())
  expect([await mailsTo(email), await listed('suspected')]).toEqual([0, expect.arrayContaining([id])])
})

test('is announced once when the time to undo is over, whoever settles it, and cannot be put back then', async () => {
  const { id, email } = await suspect()
  await staff.put(`${base}/${id}`, { status: 'new' })
  // Its status may go on meanwhile.
  await staff.put(`${base}/${id}`, { status: 'interview' })
  expect((await staff.post(`${base}/${id}/undo`)).status).toBe(409)
  await Promise.all([settleDecisions(product.app, inTenSeconds()), settleDecisions(product.app, inTenSeconds())])
  await settleDecisions(product.app, inTenSeconds())
  expect(await mailsTo(email)).toBe(1)
})

test('that was deleted is gone from every list and file, comes back for ten seconds, and is erased afterwards', async () => {
  const { id } = await suspect()
  const [file] = await product.db.insert(applicationFiles).values({ applicationId: id, name: 'cv.pdf', size: 1 }).returning()
  await product.db.insert(applicationFilePieces).values({ fileId: file?.id ?? 0, position: 0, bytes: Buffer.from('x') })
  expect((await staff.get(`${base}/${id}/files/${file?.id}`)).status).toBe(200)
  expect((await staff.delete(`${base}/${id}`)).status).toBe(204)
  expect(await listed('suspected')).not.toContain(id)
  for (const path of [`${base}/${id}`, `${base}/${id}/files/${file?.id}`]) expect((await staff.get(path)).status).toBe(404)
  expect((await staff.put(`${base}/${id}`, { status: 'new' })).status).toBe(404)
  expect((await staff.delete(`${base}/${id}`)).status).toBe(404)
  expect((await staff.post<Application>(`${base}/${id}/undo`)).body).toMatchObject({ status: 'suspected', version: 2 })
  expect(await listed('suspected')).toContain(id)

  await staff.delete(`${base}/${id}`)
  await settleDecisions(product.app, inTenSeconds())
  expect(await product.db.$count(applications, eq(applications.id, id))).toBe(0)
  expect((await staff.post(`${base}/${id}/undo`)).status).toBe(404)
})

test('an undo that is in time wins over the deletion that waits for it', async () => {
  const { id } = await suspect()
  await staff.delete(`${base}/${id}`)
  let settled: Promise<void> | undefined
  await product.db.transaction(async (tx) => {
    await tx.update(applications).set({ removedAt: null }).where(eq(applications.id, id))
    settled = settleDecisions(product.app, inTenSeconds())
  })
  await settled
  expect(await listed('suspected')).toContain(id)
})

test('of two who decide at once, the second is told; it is taken before anything else', async () => {
  const { id } = await suspect()
  expect((await staff.put(`${base}/${id}`, { status: 'declined', version: 1 })).status).toBe(400)
  expect((await staff.put(`${base}/${id}`, { note: 'Robot?', version: 1 })).status).toBe(400)
  const both = await Promise.all([
    staff.put(`${base}/${id}`, { status: 'new', version: 1 }),
    staff.put(`${base}/${id}`, { status: 'new', version: 1 }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('is neither decided nor undone by who may only read, and what was deleted is in no mail of the day', async () => {
  await product.db.delete(applications)
  await product.db.delete(mails)
  const { id } = await suspect()
  await staff.delete(`${base}/${id}`)
  await mailSuspected(product.app)
  expect(await product.db.$count(mails)).toBe(0)
  const reader = await product.signIn({ applications: 'read_only' })
  expect((await reader.post(`${base}/${id}/undo`)).status).toBe(403)
  expect((await staff.post(`${base}/999999/undo`)).status).toBe(404)
})
