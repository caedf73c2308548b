import { arrayContains, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { AuditEntry } from '#src/features/audit/contract.ts'
import type { PersonalDataFound } from '#src/features/privacy/contract.ts'
import { applyRetention } from '#src/features/privacy/server/retention.ts'
import { auditLog, auditLogKeys } from '#src/server/audit-log/audit-log-table.ts'
import type { StaffChat } from './protocol.ts'
import { chats as chatTable } from './server/table.ts'
import { ask, createChatSockets } from './testing.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
  technician = await chats.openTechnician()
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

let visitors = 0
const newEmail = () => `visiteur${(visitors += 1)}@client.example.com`

async function open() {
  const email = newEmail()
  const { socket, id, key } = await chats.openChat(technician, { client_name: 'Annie Roi', client_email: email })
  await ask(socket, 'chat:send-message', { id_chat: key, message: 'Bonjour' })
  return { id, email, path: `/api/chat/chats/${id}` }
}

const bodyOf = (email: string, reason = 'Faute de frappe') => ({
  contact: { name: ' Annie Roy ', email, business: 'Clinique' },
  reason,
})

const keysOf = (email: string) =>
  product.db
    .select()
    .from(auditLogKeys)
    .where(arrayContains(auditLogKeys.addresses, [email]))

async function correctionOf(id: number) {
  const officer = await product.signIn()
  const { body } = await officer.get<AuditEntry[]>(`/api/audit/entries?area=chat&action=rectify&entry=${id}`)
  return body[0]
}

describe('the contact of a conversation', () => {
  test('is corrected with a reason, for each console and the search; the audit log alone keeps the former values', async () => {
    const { id, email, path } = await open()
    const corrected = newEmail()
    const pushed = new Promise<StaffChat>((resolve) => {
      technician.on('staff:chat', (chat: StaffChat) => chat.client_email === corrected && resolve(chat))
    })
    expect((await technician.client.put(path, bodyOf(corrected))).status).toBe(204)
    expect(await pushed).toMatchObject({ id, client_name: 'Annie Roy', client_business: 'Clinique' })
    const find = async (search: string) => {
      const found = await ask<{ chats: StaffChat[] }>(technician, 'staff:chats', { scope: 'all', search })
      return found.chats.map((chat) => chat.id)
    }
    expect([await find(corrected), await find(email)]).toEqual([[id], []])
    expect(await correctionOf(id)).toMatchObject({
      before: { name: 'Annie Roi', email },
      after: { name: 'Annie Roy', email: corrected, reason: 'Faute de frappe' },
      is_erased: false,
    })
    const stored = JSON.stringify(await product.db.select().from(auditLog).where(eq(auditLog.action, 'rectify')))
    expect(stored).not.toMatch(new RegExp(`${email}|${corrected}|Faute de frappe`))

    // The same again changes nothing, and is no line of the log.
    const { length } = await keysOf(corrected)
    expect((await technician.client.put(path, bodyOf(corrected))).status).toBe(204)
    expect(await keysOf(corrected)).toHaveLength(length)
  })

  test.each([
    ['the person', (correctedTo: string) => correctedTo],
    ['whoever had the former address', (_: string, former: string) => former],
  ])('leaves nothing of its former values after %s is erased', async (_name, whose) => {
    const { id, email, path } = await open()
    const corrected = newEmail()
    await technician.client.put(path, bodyOf(corrected, 'Mariée à Anne Roy'))
    const officer = await product.signIn()
    const address = whose(corrected, email)
    const found = await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: address })
    const correction = { 'before.name': 'Annie Roi', 'before.email': email, 'after.reason': 'Mariée à Anne Roy' }
    expect(found.body.find(({ kind }) => kind === 'journal')?.findings).toMatchObject([{ fields: correction, certain: true }])
    expect((await officer.post('/api/privacy/erase', { email: address })).status).toBe(200)
    expect(await correctionOf(id)).toMatchObject({ is_erased: true })
    expect(await keysOf(address)).toEqual([])
    expect((await officer.get('/api/audit/entries?area=chat')).text).not.toMatch(new RegExp(`${email}|${corrected}|Mariée`))
    expect((await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: address })).body).toEqual([])
    expect((await officer.get('/api/audit/verification')).body).toMatchObject({ broken_at: null, is_complete: true })
  })

  test('goes with its conversation when the period is over', async () => {
    const { id, email, path } = await open()
    await technician.client.put(path, bodyOf(newEmail()))
    await product.db
      .update(chatTable)
      .set({ status: 'closed', updatedAt: new Date('2000-01-01') })
      .where(eq(chatTable.id, id))
    await applyRetention(product.app)
    expect(await product.db.select().from(chatTable).where(eq(chatTable.id, id))).toEqual([])
    expect(await keysOf(email)).toEqual([])
  })

  test.each([
    ['no reason', { contact: bodyOf('a@example.com').contact }],
    ['no address', bodyOf('nobody')],
    ['no name', { contact: { name: ' ', email: 'a@example.com', business: '' }, reason: 'x' }],
    ['a line break', { contact: { name: 'a\r\nBcc: b@example.com', email: 'a@example.com', business: '' }, reason: 'x' }],
    ['an unknown part', { contact: { ...bodyOf('a@example.com').contact, page: '/' }, reason: 'x' }],
  ])('is not changed by %s', async (_name, body) => {
    const { id, email, path } = await open()
    expect((await technician.client.put(path, body)).status).toBe(400)
    const [row] = await product.db.select().from(chatTable).where(eq(chatTable.id, id))
    expect(row?.clientEmail).toBe(email)
  })

  test('is not changed by who may only read, and a conversation that is gone is said', async () => {
    const { path } = await open()
    const reader = await product.signIn({ chat: 'read_only' })
    expect((await reader.put(path, bodyOf(newEmail()))).status).toBe(403)
    expect((await technician.client.put('/api/chat/chats/999999', bodyOf(newEmail()))).status).toBe(404)
  })
})
