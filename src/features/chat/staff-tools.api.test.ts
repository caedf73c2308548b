import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { RequestDetail } from '../requests/contract.ts'
import type { Block, CannedReply, ChatContext, LinkedRequest, TestMail } from './contract.ts'
import { purgeBlocks } from './server/blocks.ts'
import { mailUnanswered, notifyUnanswered } from './server/escalation.ts'
import { cannedReplies, chats as chatTable } from './server/table.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let chats: ReturnType<typeof createChatSockets>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>
beforeAll(async () => {
  smtp = await startTestSmtp()
  product = await startTestApp({ environment: { SMTP_URL: smtp.url }, queue: true })
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
  await smtp.stop()
})
beforeEach(async () => {
  technician = await chats.openTechnician()
})

const staff = () => product.app.realtime.io.of('/staff')
const minutesFrom = (base: Date, minutes: number) => new Date(base.getTime() + minutes * 60_000)

describe('who may not', () => {
  test('allows reading with read_only, nothing with another right, and nothing without a session', async () => {
    const { id } = await chats.openChat(technician)
    const reader = await product.signIn({ chat: 'read_only' })
    const other = await product.signIn({ requests: 'administrator' })
    const stranger = await product.client()
    const blockInput = { id_chat: id, by_email: true, by_address: false, reason: 'x', hours: 1 }
    for (const [path, body] of [
      ['canned_replies', { shortcut: 'x', reply: 'x' }],
      ['blocks', blockInput],
      [`chats/${id}/request`, { subject: 'x' }],
      ['test_mail', {}],
    ] as const) {
      for (const client of [reader, other]) expect((await client.post(`/api/chat/${path}`, body)).status, path).toBe(403)
      expect((await stranger.post(`/api/chat/${path}`, body)).status, path).toBe(401)
    }
    const { body } = await technician.client.post<CannedReply>('/api/chat/canned_replies', {
      shortcut: 'merci',
      reply: 'Merci !',
    })
    const canned = `canned_replies/${body.id_canned}`
    for (const path of ['canned_replies', canned, 'blocks', `chats/${id}/context`]) {
      expect((await other.get(`/api/chat/${path}`)).status, path).toBe(403)
      expect((await reader.get(`/api/chat/${path}`)).status, path).toBe(200)
    }
    expect((await reader.delete(`/api/chat/${canned}`)).status).toBe(403)
    expect((await technician.client.delete(`/api/chat/${canned}`)).status).toBe(204)
    expect((await reader.delete('/api/chat/blocks/1')).status).toBe(403)
  })
})

describe('canned replies', () => {
  test('come in pairs under a shortcut that is theirs alone', async () => {
    const { client } = technician
    const input = { shortcut: 'bonjour', reply: 'Bonjour !', reply_en: 'Hello!' }
    const { status, body } = await client.post<CannedReply>('/api/chat/canned_replies', input)
    expect(status).toBe(201)
    expect(body).toMatchObject(input)
    const double = await client.post('/api/chat/canned_replies', { shortcut: 'BONJOUR', reply: 'Allô' })
    expect(double).toMatchObject({ status: 400, body: { errors: [{ path: 'shortcut', message: 'taken' }] } })
    const address = `/api/chat/canned_replies/${body.id_canned}`
    const changed = await client.put<CannedReply>(address, { ...input, reply: 'Bon matin !', version: 1 })
    expect(changed.body).toMatchObject({ version: 2, english_older: { reply: expect.any(String) } })
    expect((await client.put(address, { ...input, version: 1 })).status).toBe(409)
    expect((await client.delete(address)).status).toBe(204)
    expect((await client.get<CannedReply[]>('/api/chat/canned_replies')).body).toEqual([])
  })

  test('are sent once, then only when they changed, and by pages', async () => {
    const { client } = technician
    const path = '/api/chat/canned_replies'
    const replies = Array.from({ length: 51 }, (_, index) => ({
      shortcut: `s${String(index).padStart(2, '0')}`,
      reply: 'Bonjour',
    }))
    await product.db.insert(cannedReplies).values(replies)
    const all = await client.get<CannedReply[]>(path)
    const known = { headers: { 'if-none-match': all.headers.get('etag') ?? '' } }
    expect(all.headers.get('cache-control')).toContain('private')
    expect(await client.get(path, known)).toMatchObject({ status: 304, text: '' })
    const second = await client.get<CannedReply[]>(`${path}?page=2`)
    expect([second.headers.get('x-total-count'), second.body.map(({ shortcut }) => shortcut)]).toEqual(['51', ['s50']])
    await product.db.delete(cannedReplies)
    expect((await client.get(path, known)).status).toBe(200)
  })

  test.each(['', 'deux mots', '/barre', 'a'.repeat(41)])('a shortcut like « %s » is refused', async (shortcut) => {
    expect((await technician.client.post('/api/chat/canned_replies', { shortcut, reply: 'x' })).status).toBe(400)
  })
})

describe('a blocked visitor', () => {
  const start = async (email: string) => ask(await chats.open('/'), 'chat:connect', { ...visitorInput, client_email: email })

  test('is refused by e-mail in any case until the block is lifted, and is not named in the audit log', async () => {
    const { client } = technician
    const visitor = await chats.openChat(technician, { client_email: 'Penible@example.com' })
    const closed = next(visitor.socket, 'chat:closed')
    const input = { id_chat: visitor.id, by_email: true, by_address: false, reason: 'Injures', hours: 24 }
    const { status, body } = await client.post<Block>('/api/chat/blocks', input)
    expect(status).toBe(201)
    expect(body).toMatchObject({ email: 'penible@example.com', by_address: false, reason: 'Injures' })
    expect(await closed).toEqual({ id_chat: visitor.key })
    expect(await start('PENIBLE@example.com')).toMatchObject({ ok: false, error: { code: 'blocked' } })
    expect(JSON.stringify(await start('penible@example.com'))).not.toContain('Injures')
    expect(await start('autre@example.com')).toMatchObject({ ok: true })
    const context = await client.get<ChatContext>(`/api/chat/chats/${visitor.id}/context`)
    expect(context.body).toMatchObject({ is_blocked: true, has_address: true })

    const lines = await readAuditLog(product.db, eq(auditLog.entryId, `blocks/${body.id_block}`))
    expect(lines.map((line) => line.action)).toEqual(['block'])
    expect(JSON.stringify(lines)).not.toContain('penible')

    expect((await client.delete(`/api/chat/blocks/${body.id_block}`)).status).toBe(204)
    expect((await client.delete(`/api/chat/blocks/${body.id_block}`)).status).toBe(404)
    expect(await start('penible@example.com')).toMatchObject({ ok: true })
  })

  test('is known of the person, and forgotten when their data is erased', async () => {
    const email = 'oubliee@example.com'
    const { id } = await chats.openChat(technician, { client_email: email })
    const input = { id_chat: id, by_email: true, by_address: false, reason: 'Injures', hours: null }
    expect((await technician.client.post<Block>('/api/chat/blocks', input)).status).toBe(201)
    const kind = product.app.personalData.find((one) => one.kind === 'chats')
    const found = await kind?.find(product.db, email)
    expect(found?.find((one) => one.id.startsWith('blocks/'))?.fields).toMatchObject({ reason: 'Injures' })
    await kind?.erase?.(product.db, email)
    expect(await kind?.find(product.db, email)).toEqual([])
    expect((await technician.client.get<Block[]>('/api/chat/blocks')).body.filter((one) => one.email === email)).toEqual([])
    expect(await start(email)).toMatchObject({ ok: true })
  })

  test('a conversation in progress ends and is erased at once, for its visitor and for the consoles', async () => {
    const email = 'effacee@example.com'
    const { id, key, socket } = await chats.openChat(technician, { client_email: email })
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Mon secret' })
    const [ended, erased] = [next(socket, 'chat:closed'), next(technician, 'staff:erased')]
    const officer = await product.signIn()
    const { body } = await officer.post<{ proof: string; erased: object; kept: object[] }>('/api/privacy/erase', { email })
    expect(body).toMatchObject({ erased: { chats: 1 }, kept: [] })
    expect(await ended).toMatchObject({ id_chat: key })
    expect(await erased).toEqual({ id })
    expect(await ask(socket, 'chat:send-message', { id_chat: key, message: 'Et encore' })).toMatchObject({
      error: { code: 'unknown_chat' },
    })
    expect(await product.db.select().from(chatTable).where(eq(chatTable.clientEmail, email))).toEqual([])
  })

  test('by address: other names change nothing; the block ends by itself and is then forgotten', async () => {
    const { client } = technician
    const { id } = await chats.openChat(technician)
    const input = { id_chat: id, by_email: false, by_address: true, reason: 'Robot', hours: 1 }
    const { body } = await client.post<Block>('/api/chat/blocks', input)
    expect(await start('tout.autre@example.com')).toMatchObject({ error: { code: 'blocked' } })
    await purgeBlocks(product.db, minutesFrom(new Date(), 59))
    expect((await client.get<Block[]>('/api/chat/blocks')).body.map((one) => one.id_block)).toEqual([body.id_block])
    await purgeBlocks(product.db, minutesFrom(new Date(), 61))
    expect(await start('tout.autre@example.com')).toMatchObject({ ok: true })
  })

  test.each([
    ['by nothing', { by_email: false }],
    ['for a time of one’s own', { hours: 5 }],
    ['without a reason', { reason: ' ' }],
    ['an unknown chat', { id_chat: 999_999 }],
  ])('%s is refused', async (_name, change) => {
    const { id } = await chats.openChat(technician)
    const input = { id_chat: id, by_email: true, by_address: false, reason: 'x', hours: 1, ...change }
    expect([400, 404]).toContain((await technician.client.post('/api/chat/blocks', input)).status)
  })
})

describe('a chat turned into a request', () => {
  test('carries the messages but no note, is linked both ways, and happens once', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Le 2e étage est sans réseau.' })
    await ask(technician, 'staff:claim', { id })
    await ask(technician, 'staff:note', { id, message: 'Client difficile' })
    await ask(technician, 'staff:send-message', { id, message: 'On se déplace.' })
    const input = { subject: 'Réseau du 2e', summary: 'Port 24 à remplacer.' }
    const { client } = technician
    const tries = await Promise.all([1, 2].map(() => client.post<LinkedRequest>(`/api/chat/chats/${id}/request`, input)))
    expect(tries.map((answer) => answer.status).toSorted()).toEqual([201, 409])
    const made = tries.find((answer) => answer.status === 201)?.body
    expect(made?.reference).toMatch(/^CL-\d{4}-\d{6}$/)

    const context = await client.get<ChatContext>(`/api/chat/chats/${id}/context`)
    expect(context.body.requests).toContainEqual({ ...made, is_from_chat: true })
    const clerk = await product.signIn({ requests: 'read_only' })
    const request = await clerk.get<RequestDetail>(`/api/requests/requests/${made?.id_request}`)
    expect(request.body).toMatchObject({ id_chat: id, kind: 'chat', subject: 'Réseau du 2e', name: 'Annie', language: 'fr' })
    expect(request.body.message).toContain('Port 24 à remplacer.')
    expect(request.body.message).toContain('Le 2e étage est sans réseau.')
    expect(request.body.message).toContain('On se déplace.')
    expect(request.body.message).not.toContain('difficile')
    expect((await client.post('/api/chat/chats/999999/request', input)).status).toBe(404)
  })
})

describe('an answer that a closed chat does not take any more', () => {
  test('is mailed once, within the request that the chat becomes', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Le fax est muet.' })
    await ask(technician, 'staff:claim', { id })
    const { client } = technician
    const path = `/api/chat/chats/${id}/mail`
    const answer = { text: 'Remplacez le câble gris.', client_id: crypto.randomUUID() }
    expect((await client.post(path, answer)).status).toBe(409)
    await ask(technician, 'staff:close', { id })
    const sent = [await client.post<LinkedRequest>(path, answer), await client.post<LinkedRequest>(path, answer)]
    expect(sent.map(({ status, body }) => [status, body.is_from_chat])).toEqual([
      [201, true],
      [201, true],
    ])
    const clerk = await product.signIn({ requests: 'read_only' })
    const request = await clerk.get<RequestDetail>(`/api/requests/requests/${sent[0]?.body.id_request}`)
    const replies = request.body.entries.filter(({ kind }) => kind === 'staff')
    expect(replies.map(({ text }) => text)).toEqual(['Remplacez le câble gris.'])
    expect(replies[0]?.delivery).toMatch(/queued|sent/)
    expect(request.body.id_chat).toBe(id)
    const reader = await product.signIn({ chat: 'read_only' })
    expect((await reader.post(path, answer)).status).toBe(403)
  })
})

describe('a chat that nobody claims', () => {
  test('notifies the consoles at once of a chat that came back by a clock that was ahead', async () => {
    const { id } = await chats.openChat(technician, { client_name: 'Revenue' })
    const now = new Date()
    await product.db
      .update(chatTable)
      .set({ waitingSince: minutesFrom(now, 20) })
      .where(eq(chatTable.id, id))
    const notified = new Map<number, number>()
    await notifyUnanswered(product.db, staff(), notified, now)
    expect([...notified.keys()]).toContain(id)
    await product.db.update(chatTable).set({ status: 'closed' }).where(eq(chatTable.id, id))
  })

  test('notifies the consoles once, then mails the available technicians once', async () => {
    const { id } = await chats.openChat(technician, { client_name: 'Oubliée', client_business: '' })
    const [row] = await product.db.select().from(chatTable).where(eq(chatTable.id, id))
    const began = row?.createdAt ?? new Date()
    await product.db.update(chatTable).set({ status: 'closed' }).where(eq(chatTable.status, 'waiting'))
    await product.db.update(chatTable).set({ status: 'waiting' }).where(eq(chatTable.id, id))

    const notified: number[] = []
    technician.on('staff:unanswered', (data: { id: number }) => notified.push(data.id))
    const known = new Map<number, number>()
    await notifyUnanswered(product.db, staff(), known, minutesFrom(began, 0.5))
    expect(known.size).toBe(0)
    for (const minutes of [1.1, 2]) await notifyUnanswered(product.db, staff(), known, minutesFrom(began, minutes))
    await ask(technician, 'staff:chats', {})
    expect(notified).toEqual([id])

    expect(await mailUnanswered(product.app, staff(), minutesFrom(began, 4))).toBe(0)
    const both = await Promise.all([1, 2].map(() => mailUnanswered(product.app, staff(), minutesFrom(began, 5.1))))
    expect(both.toSorted()).toEqual([0, 1])
    const about = (await product.db.select().from(mails)).filter((mail) => mail.subject.includes('Oubliée'))
    expect(about.map((mail) => mail.recipient)).toContain(technician.client.user.email)
    expect(new Set(about.map((mail) => mail.recipient)).size).toBe(about.length)
    await expect
      .poll(() => smtp.received.filter((mail) => mail.text?.includes('Oubliée')).length, { timeout: 15_000 })
      .toBe(about.length)
  })

  test('mails every technician with the right to answer where nobody is available', async () => {
    const reader = await product.createUser({ chat: 'read_only' })
    const away = await product.createUser({ chat: 'read_write' })
    const { id } = await chats.openChat(technician, { client_name: 'Tardive', client_business: '' })
    for (const socket of staff().sockets.values()) await socket.leave('available')
    const [row] = await product.db.select().from(chatTable).where(eq(chatTable.id, id))
    await mailUnanswered(product.app, staff(), minutesFrom(row?.createdAt ?? new Date(), 6))
    const about = (await product.db.select().from(mails)).filter((mail) => mail.subject.includes('Tardive'))
    const recipients = about.map((mail) => mail.recipient)
    expect(recipients).toContain(away.email)
    expect(recipients).not.toContain(reader.email)
  })
})

describe('the test of one’s alerts', () => {
  test('sends a mail to the caller through the queue and returns its state to the caller only', async () => {
    const { client } = technician
    const { status, body } = await client.post<TestMail>('/api/chat/test_mail')
    expect(status).toBe(201)
    expect(body).toMatchObject({ recipient: client.user.email, can_send: true })
    const stateOf = async () => (await client.get<TestMail>(`/api/chat/test_mail/${body.id_mail}`)).body.state
    await expect.poll(stateOf, { timeout: 15_000 }).toBe('sent')
    const other = await product.signIn({ chat: 'administrator' })
    expect((await other.get(`/api/chat/test_mail/${body.id_mail}`)).status).toBe(404)
  })
})
