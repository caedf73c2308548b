import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { RequestDetail, RequestSummary, SuspectedSummary } from '../contract.ts'
import { eraseOldRequests } from './personal-data.ts'
import { receiveRequest } from './receive.ts'
import { mailSuspected, settleDecisions } from './follow-up.ts'
import { requests } from './table.ts'

const path = '/api/requests/requests'
const request = {
  kind: 'support',
  name: 'Zoé Lavallée',
  email: 'zoe@client.example.com',
  subject: 'Imprimante',
  message: 'Rien ne sort. Voir https://a.example et www.b.example',
  language: 'fr',
} as const
let product: TestApp

beforeAll(async () => {
  product = await startTestApp({ environment: { MAIL_SUPPORT_TO: 'soutien@company.example.com' } })
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.db.delete(requests)
  await product.db.delete(mails)
})

async function suspect(fields: Partial<typeof request | { email: string; message: string }> = {}) {
  const { reference } = await receiveRequest(product.app, { ...request, ...fields }, { trap: 'honey', address: '192.0.2.1' })
  const [row] = await product.db.select().from(requests).where(eq(requests.reference, reference))
  if (!row) throw new Error('it was not stored')
  return row
}

const inTenSeconds = () => new Date(Date.now() + 10_001)

describe('what is suspected', () => {
  test('is in its own list with what helps to decide, and in no other', async () => {
    await receiveRequest(product.app, request, { trap: null, address: '192.0.2.2' })
    const row = await suspect()
    await suspect({ email: 'other@client.example.com' })
    const client = await product.signIn({ requests: 'read_only' })
    const all = await client.get<RequestSummary[]>(path)
    expect(all.body).toHaveLength(1)
    expect(all.body[0]?.status).toBe('new')
    expect(all.headers.get('x-total-count')).toBe('1')
    expect((await client.get(`${path}/export.csv`)).text).not.toContain(row.reference)
    const review = await client.get<RequestSummary[]>(`${path}?status=suspected&sort=created_at`)
    expect(review.headers.get('x-total-count')).toBe('2')
    expect(review.body[0]).toMatchObject({
      reference: row.reference,
      status: 'suspected',
      mail_state: null,
      suspicion: { message: request.message, trap: 'honey', known_requests: 1, links: 2, copies: 1 },
    })
    expect(review.body[1]?.suspicion?.known_requests).toBe(0)
    const { body } = await client.get<SuspectedSummary>(`${path}/suspected`)
    expect(body).toMatchObject({ count: 2, oldest_at: row.createdAt.toISOString(), known: 1 })
  })

  test('becomes a request with its time of arrival; the staff are written to when that can no longer be undone', async () => {
    const row = await suspect()
    const at = new Date('2026-11-20T13:41:00Z')
    await product.db.update(requests).set({ createdAt: at })
    const client = await product.signIn({ requests: 'read_write' })
    const { status, body } = await client.put<RequestDetail>(`${path}/${row.id}`, { status: 'new' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'new', created_at: at.toISOString(), reference: row.reference, mail: null })
    await settleDecisions(product.app)
    expect(await product.db.$count(mails)).toBe(0)
    await settleDecisions(product.app, inTenSeconds())
    await settleDecisions(product.app, inTenSeconds())
    const written = await product.db.select().from(mails)
    expect(written.map((mail) => [mail.recipient, mail.replyTo])).toEqual([
      ['soutien@company.example.com', request.email],
      [request.email, 'soutien@company.example.com'],
    ])
    expect((await client.post(`${path}/${row.id}/undo`)).status).toBe(409)
    const lines = await readAuditLog(product.db, eq(auditLog.entryId, String(row.id)))
    expect(lines.map((line) => line.action)).toEqual(['update'])
  })

  test('that was taken can be put back for ten seconds, and no mail leaves', async () => {
    const row = await suspect()
    const client = await product.signIn({ requests: 'read_write' })
    await client.put(`${path}/${row.id}`, { status: 'new' })
    const { status, body } = await client.post<RequestDetail>(`${path}/${row.id}/undo`)
    expect(status).toBe(200)
    expect(body.status).toBe('suspected')
    await settleDecisions(product.app, inTenSeconds())
    expect(await product.db.$count(mails)).toBe(0)
  })

  test('is deleted by who may change requests, comes back for ten seconds, then is gone', async () => {
    const row = await suspect()
    const client = await product.signIn({ requests: 'read_write' })
    expect((await client.delete(`${path}/${row.id}`)).status).toBe(204)
    expect((await client.get(`${path}/${row.id}`)).status).toBe(404)
    expect((await client.put(`${path}/${row.id}`, { status: 'new' })).status).toBe(404)
    expect((await client.get<SuspectedSummary>(`${path}/suspected`)).body.count).toBe(0)
    expect((await client.post<RequestDetail>(`${path}/${row.id}/undo`)).body.status).toBe('suspected')
    expect((await client.get<SuspectedSummary>(`${path}/suspected`)).body.count).toBe(1)
    await client.delete(`${path}/${row.id}`)
    await settleDecisions(product.app)
    expect(await product.db.$count(requests)).toBe(1)
    await settleDecisions(product.app, inTenSeconds())
    expect(await product.db.$count(requests)).toBe(0)
    expect((await client.post(`${path}/${row.id}/undo`)).status).toBe(404)
    const lines = await readAuditLog(product.db, eq(auditLog.entryId, String(row.id)))
    expect(lines.map((line) => line.action)).toEqual(['delete', 'restore', 'delete'])
    expect(JSON.stringify(lines)).not.toContain('Zoé')
  })

  test('is not changed otherwise, and not by who may only see it', async () => {
    const row = await suspect()
    const client = await product.signIn({ requests: 'read_write' })
    for (const change of [{ status: 'open' }, { status: 'done' }, { id_user: client.user.id }]) {
      expect((await client.put(`${path}/${row.id}`, change)).status).toBe(400)
    }
    expect((await client.put(`${path}/${row.id}`, { status: 'suspected' })).status).toBe(400)
    expect((await client.post(`${path}/${row.id}/undo`)).status).toBe(409)
    const reader = await product.signIn({ requests: 'read_only' })
    expect((await reader.put(`${path}/${row.id}`, { status: 'new' })).status).toBe(403)
    expect((await reader.delete(`${path}/${row.id}`)).status).toBe(403)
    expect((await reader.post(`${path}/${row.id}/undo`)).status).toBe(403)
  })

  test('is deleted by itself after thirty days, a request of that age is not', async () => {
    await suspect()
    await receiveRequest(product.app, request, { trap: null, address: '192.0.2.2' })
    await product.db.update(requests).set({ createdAt: new Date(Date.now() - 31 * 86_400_000) })
    expect(await eraseOldRequests(product.db, monthsAgo(24), 100)).toBe(1)
    const left = await product.db.select().from(requests)
    expect(left.map((row) => row.status)).toEqual(['new'])
  })

  test('is part of what is exported and erased of a person', async () => {
    await suspect({ email: 'Trapped@client.example.com' })
    const kind = product.app.personalData.find((one) => one.kind === 'requests')
    const found = await kind?.find(product.db, 'trapped@client.example.com')
    expect(found?.map((one) => one.fields.status)).toEqual(['suspected'])
    expect(await product.db.transaction(async (tx) => kind?.erase?.(tx, 'trapped@client.example.com'))).toBe(1)
    expect(await product.db.$count(requests)).toBe(0)
  })

  test('is written of once a day at most, and only where something came', async () => {
    await mailSuspected(product.app)
    expect(await product.db.$count(mails)).toBe(0)
    await suspect()
    await suspect({ message: 'Autre' })
    await mailSuspected(product.app)
    const written = await product.db.select().from(mails)
    expect(written).toHaveLength(1)
    expect(written[0]?.subject).toBe('2 demandes à vérifier / 2 requests to review')
    expect(written[0]?.body).not.toContain('Zoé')
    await mailSuspected(product.app, new Date(Date.now() + 25 * 3_600_000))
    expect(await product.db.$count(mails)).toBe(1)
  })
})

test('a message left in the chat that a trap caught waits like the others', async () => {
  const client = await product.client()
  const body = { name: 'Zoé', email: 'zoe@client.example.com', message: 'Bonjour', honey: 'x' }
  const { status } = await client.post('/public_api/chat/message', body)
  expect(status).toBe(200)
  const [row] = await product.db.select().from(requests)
  expect(row).toMatchObject({ kind: 'chat', status: 'suspected', trap: 'honey', mailId: null })
})

const monthsAgo = (months: number) => new Date(Date.now() - months * 30.5 * 86_400_000)
