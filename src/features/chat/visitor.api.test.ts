import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { ask, createChatSockets, next } from './testing.ts'
import { chatMessages, chats as chatTable } from './server/table.ts'
import { users } from '#src/features/people/server/table.ts'
import { requests } from '../requests/server/table.ts'
import { company } from '#company/company.ts'
import { findExpectedMinutes } from './server/waiting-queue.ts'
import type { ChatSettings } from './contract.ts'
import type { ChatJoined, ChatMessage, QueuePlace, StaffChat, StaffMessage } from './protocol.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>

beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
})
// The server takes 50 sockets from one address.
afterEach(() => chats.close())
beforeEach(async () => {
  technician = await chats.openTechnician()
})

async function saveSettings(change: Partial<ChatSettings>) {
  const supervisor = await product.signIn({ chat: 'administrator' })
  const { body } = await supervisor.get<ChatSettings>('/api/chat/settings')
  expect((await supervisor.put('/api/chat/settings', { ...body, ...change })).status).toBe(200)
}

describe('the queue', () => {
  test('sends each visitor their position and who claimed the chat', async () => {
    const first = await chats.openChat(technician)
    const second = await chats.openChat(technician)
    await expect.poll(second.place).toMatchObject({ no_answer_in: null, user_name: null })
    const before = second.place()?.position ?? 0
    await ask(technician, 'staff:claim', { id: first.id })
    await expect.poll(first.place).toMatchObject({ position: 0, user_name: technician.client.user.displayName })
    await expect.poll(second.place).toMatchObject({ position: before - 1 })
  })

  test('does not count who has left', async () => {
    const gone = await chats.openChat(technician)
    const waiting = await chats.openChat(technician)
    await expect.poll(waiting.place).toBeDefined()
    const before = waiting.place()?.position ?? 0
    gone.socket.disconnect()
    await expect.poll(waiting.place).toMatchObject({ position: before - 1 })
  })

  test('counts down to the apology from the first message on, by the supervisor’s delay, and stops at the first answer', async () => {
    await saveSettings({ no_answer_minutes: 7 })
    const { socket, key, id, place } = await chats.openChat(technician)
    await expect.poll(place).toMatchObject({ no_answer_in: null })
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Il y a quelqu’un ?' })
    await expect.poll(() => place()?.no_answer_in).toBeGreaterThan(6 * 60_000)
    expect(place()?.no_answer_in).toBeLessThanOrEqual(7 * 60_000)
    // Long past it when a technician takes the chat: they are given their time to answer.
    const late = new Date(Date.now() - 30 * 60_000)
    await product.app.db.update(chatMessages).set({ sentAt: late }).where(eq(chatMessages.chatId, id))
    await ask(technician, 'staff:claim', { id })
    await expect.poll(place).toMatchObject({ position: 0 })
    expect(place()?.no_answer_in).toBeGreaterThan(6 * 60_000)
    await ask(technician, 'staff:send-message', { id, message: 'Oui, bonjour.' })
    const back = await chats.open('/')
    const again = next<QueuePlace>(back, 'chat:queue')
    await ask(back, 'chat:client-join', { id_chat: key })
    expect((await again).no_answer_in).toBeNull()
  })

  test('returns the median wait of the last hour, given five cases', async () => {
    const { db } = product.app
    await db.update(chatTable).set({ claimedAt: new Date(Date.now() - 2 * 3_600_000) })
    const wait = async (minutes: number) => {
      const { id } = await chats.openChat(technician, { client_name: `${minutes} min` })
      await ask(technician, 'staff:claim', { id })
      const createdAt = new Date(Date.now() - minutes * 60_000)
      await db.update(chatTable).set({ createdAt }).where(eq(chatTable.id, id))
    }
    for (const minutes of [2, 3, 4, 9]) await wait(minutes)
    expect(await findExpectedMinutes(db)).toBeNull()
    await wait(1)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_001)
    expect(await findExpectedMinutes(db)).toBe(3)
    later.mockRestore()
  })
})

describe('who answers', () => {
  const claimed = async (name: string) => {
    const { socket, id, place } = await chats.openChat(technician, { client_name: name })
    await ask(technician, 'staff:claim', { id })
    await expect.poll(() => place()?.position).toBe(0)
    const pushed = next<ChatMessage>(socket, 'chat:new-message')
    await ask(technician, 'staff:send-message', { id, message: 'Bonjour' })
    return { place: place(), message: await pushed }
  }
  const change = (values: Partial<typeof users.$inferInsert>) =>
    product.app.db.update(users).set(values).where(eq(users.id, technician.client.user.id))

  const addToTeam = async (nom: string, email: string) => {
    const director = await product.signIn({ employees: 'read_write' })
    const added = await director.post<{ id_employe: number }>('/api/employees/employes', {
      nom,
      departement: 'TECHNICIENS',
      sousdepartement: 'TECHNICIENS',
      titre: 'Technicienne réseau',
      titre_en: 'Network technician',
      email,
      description: 'd',
      description_en: 'd',
    })
    return added.body.id_employe
  }

  test('is the team record that the administrator chose: its name, photo and title', async () => {
    await change({ displayName: 'mroy', employeeId: await addToTeam('Mireille Roy', 'autre@example.com') })
    const { place, message } = await claimed('Équipe')
    const names = { user_name: 'Mireille Roy', title: 'Technicienne réseau', title_en: 'Network technician', image_url: null }
    expect(place).toMatchObject(names)
    expect(message).toMatchObject({ user_name: 'Mireille Roy', image_url: null })
  })

  test('is the display name without a team record, also where one has the same e-mail', async () => {
    await addToTeam('Directrice Générale', 'directrice@example.com')
    await change({ displayName: 'Joël', email: 'directrice@example.com', employeeId: null })
    const { place, message } = await claimed('Sans fiche')
    expect(place).toMatchObject({ user_name: 'Joël', title: '', title_en: '' })
    expect(message.user_name).toBe('Joël')
  })

  test('is never the user name: the company stands for somebody without another name', async () => {
    await change({ displayName: technician.client.user.username.toUpperCase(), employeeId: null })
    const { place, message } = await claimed('Compagnie')
    expect([place?.user_name, message.user_name]).toEqual([company.name, company.name])
  })
})

describe('afterwards', () => {
  test('stores the last rating and sends it to the consoles', async () => {
    const { key, id } = await chats.openChat(technician)
    const visitor = await product.client()
    expect((await visitor.post('/public_api/chat/rating', { id_chat: key, rating: 2 })).status).toBe(204)
    const received = new Promise<StaffChat>((resolve) => {
      technician.on('staff:chat', (chat: StaffChat) => chat.id === id && chat.rating === 5 && resolve(chat))
    })
    expect((await visitor.post('/public_api/chat/rating', { id_chat: key, rating: 5, comment: ' Merci ! ' })).status).toBe(204)
    expect(await received).toMatchObject({ id, rating: 5, rating_comment: 'Merci !' })
  })

  test.each([{ rating: 0 }, { rating: 6 }, { rating: 4.5 }, { rating: '5' }, { rating: 5, comment: 'x'.repeat(1_001) }])(
    'a rating of %j is refused',
    async (input) => {
      const { key } = await chats.openChat(technician)
      const visitor = await product.client()
      expect((await visitor.post('/public_api/chat/rating', { id_chat: key, ...input })).status).toBe(400)
    },
  )

  test('the transcript is a page to keep, in the language that is read, with nothing that runs', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: '<img src=x onerror=alert(1)> l’accès est coupé' })
    await ask(technician, 'staff:note', { id, message: 'Client difficile' })
    const visitor = await product.client()
    const answer = await visitor.post<string>('/public_api/chat/transcript-page', { id_chat: key, language: 'en' })
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="conversation-\d{4}-\d\d-\d\d\.html"$/)
    expect(answer.body).toContain('&lt;img src=x onerror=alert(1)&gt; l’accès est coupé')
    expect(answer.body).toContain('<html lang="en-US">')
    expect(answer.body).not.toContain('<img')
    expect(answer.body).not.toContain('Client difficile')
  })

  test('a message left becomes a request of that conversation, and a robot’s becomes nothing', async () => {
    const { key } = await chats.openChat(technician)
    const visitor = await product.client()
    const left = { name: 'Annie Roy', email: 'annie@example.com', message: 'Rappelez-moi.', id_chat: key }
    const answer = await visitor.post<{ reference: string }>('/public_api/chat/message', left)
    expect(answer.body.reference).toMatch(/^CL-\d{4}-\d{6}$/)
    expect((await visitor.post('/public_api/chat/message', { ...left, message: 'Encore moi' })).status).toBe(200)
    const trapped = await visitor.post<{ reference: string }>('/public_api/chat/message', { ...left, honey: 'x' })
    expect(trapped.status).toBe(200)
    const staff = await product.signIn({ requests: 'read_only' })
    const { body } = await staff.get<{ reference: string; name: string }[]>('/api/requests/requests?kind=chat')
    expect(body.map((one) => one.reference)).toContain(answer.body.reference)
    expect(body.map((one) => one.reference)).not.toContain(trapped.body.reference)
  })

  test('the same message left again is the same request, another one with its id is another', async () => {
    const visitor = await product.client()
    const left = { name: 'Annie Roy', email: 'annie@example.com', message: 'Rappelez-moi.', client_id: randomUUID() }
    const leave = async (change: object = {}) =>
      (await visitor.post<{ reference: string }>('/public_api/chat/message', { ...left, ...change })).body.reference
    const [first, again, ...together] = [await leave(), await leave(), ...(await Promise.all([leave(), leave(), leave()]))]
    expect([again, ...together]).toEqual(together.concat(first).map(() => first))
    expect(await leave({ message: 'Autre chose.' })).not.toBe(first)
    const asked = requests.clientId
    expect(await product.db.$count(requests, eq(asked, left.client_id))).toBe(2)
    expect((await visitor.post('/public_api/chat/message', { ...left, client_id: 'mine' })).status).toBe(400)
  })

  test('a guessed key gets nothing', async () => {
    const visitor = await product.client()
    const guess = { id_chat: 'A'.repeat(32) }
    const file = { client_message_id: randomUUID(), name: 'a.png', data: 'AAAA' }
    await saveSettings({ attachments_enabled: true })
    for (const [path, body] of [
      ['rating', { ...guess, rating: 1 }],
      ['transcript-page', guess],
      ['message', { ...guess, name: 'a', email: 'a@example.com', message: 'a' }],
      ['attach', { ...guess, ...file }],
      ['file', { ...guess, id_file: 1 }],
    ] as const) {
      expect((await visitor.post(`/public_api/chat/${path}`, body)).status, path).toBe(404)
    }
  })
})

describe('files', () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n')
  const attach = async (key: string, name: string, bytes: Buffer, id: string = randomUUID()) =>
    (await product.client()).post<{ message: ChatMessage }>('/public_api/chat/attach', {
      id_chat: key,
      client_message_id: id,
      name,
      data: bytes.toString('base64'),
    })
  const visitorHeaders = async () => {
    const { origin, cookies, cookieHeader } = await product.client()
    const token = cookies.get('XSRF-TOKEN') ?? ''
    return { origin, cookie: cookieHeader(), 'x-xsrf-token': token, 'content-type': 'application/json' }
  }
  const picture = () =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: '#1746a2' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Rue Saint-Jean' } })
      .toBuffer()

  test('can be sent by the technician of the chat, also while visitors may not', async () => {
    await saveSettings({ attachments_enabled: false })
    const { key, id, socket } = await chats.openChat(technician)
    const input = { id_chat: id, client_message_id: randomUUID(), name: 'guide.exe', data: pdf.toString('base64') }
    const send = (change: object = {}) =>
      technician.client.post<{ message: StaffMessage }>('/api/chat/files', { ...input, ...change })
    expect((await send()).status).toBe(409)
    await ask(technician, 'staff:claim', { id })
    const arrived = next<ChatMessage>(socket, 'chat:new-message')
    const [first, second] = [await send(), await send()]
    expect([first.status, second.body.message.id_message]).toEqual([201, first.body.message.id_message])
    const message = await arrived
    expect(message).toMatchObject({ bz_staff: true, seq: 1, file: { name: 'guide.pdf', type: 'application/pdf' } })
    const visitor = await product.client()
    const got = await visitor.post<string>('/public_api/chat/file', { id_chat: key, id_file: message.file?.id_file })
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(got.headers.get('content-disposition')).toContain('attachment')

    const other = await product.signIn({ chat: 'read_write' })
    expect((await other.post('/api/chat/files', { ...input, client_message_id: randomUUID() })).status).toBe(409)
    const reader = await product.signIn({ chat: 'read_only' })
    expect((await reader.post('/api/chat/files', input)).status).toBe(403)
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>').toString('base64')
    expect((await send({ client_message_id: randomUUID(), data: page })).status).toBe(415)
    await ask(technician, 'staff:close', { id })
    expect((await send({ client_message_id: randomUUID() })).status).toBe(409)
    expect((await send({ id_chat: 999_999 })).status).toBe(404)
  })

  test('are off until the supervisor turns them on', async () => {
    await saveSettings({ attachments_enabled: false })
    const { key } = await chats.openChat(technician)
    expect((await attach(key, 'a.pdf', pdf)).status).toBe(403)
  })

  test('reach the technician as a message, once, redrawn and under our own name', async () => {
    await saveSettings({ attachments_enabled: true })
    const { key, id } = await chats.openChat(technician)
    const arrived = next<StaffMessage>(technician, 'staff:new-message')
    const bytes = Buffer.concat([await picture(), Buffer.from('<script>alert(1)</script>')])
    const clientId = randomUUID()
    const { body } = await attach(key, '../..\\Ma photo\u202egnp.exe', bytes, clientId)
    expect(body.message).toMatchObject({ seq: 1, file: { name: 'Ma photognp.jpg', type: 'image/jpeg' } })
    expect((await attach(key, 'x', bytes, clientId)).body.message.id_message).toBe(body.message.id_message)
    const received = await arrived
    expect(received).toMatchObject({ id, file: { name: 'Ma photognp.jpg' } })
    expect(JSON.stringify(received)).not.toContain(key)

    const idFile = body.message.file?.id_file ?? 0
    const visitor = await product.client()
    const mine = await visitor.post<string>('/public_api/chat/file', { id_chat: key, id_file: idFile })
    expect(mine.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''Ma%20photognp\.jpg$/)
    expect(mine.headers.get('content-type')).toBe('image/jpeg')
    expect(mine.body).not.toContain('script')
    expect(mine.body).not.toContain('Rue Saint-Jean')
    const back = await ask<ChatJoined>(await chats.open('/'), 'chat:client-join', { id_chat: key })
    expect(back.messages[0]?.file?.id_file).toBe(idFile)

    const other = await chats.openChat(technician)
    expect((await visitor.post('/public_api/chat/file', { id_chat: other.key, id_file: idFile })).status).toBe(404)
    expect((await technician.client.get(`/api/chat/files/${idFile}`)).status).toBe(200)
    expect((await (await product.signIn({ jobs: 'administrator' })).get(`/api/chat/files/${idFile}`)).status).toBe(403)
    expect((await visitor.get(`/api/chat/files/${idFile}`)).status).toBe(401)
  })

  test('are known by their content, never by their name', async () => {
    await saveSettings({ attachments_enabled: true })
    const { socket, key } = await chats.openChat(technician)
    expect((await attach(key, 'facture.pdf', pdf)).body.message.file).toMatchObject({
      name: 'facture.pdf',
      type: 'application/pdf',
    })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const markup = Buffer.from('\uFEFF \n<!doctype html><script>alert(1)</script>')
    for (const [name, bytes, status] of [
      ['dessin.png', svg, 415],
      ['page.pdf', Buffer.from('<html>'), 415],
      ['outil.jpg', Buffer.from('MZ\x90\0'), 415],
      ['photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), 422],
      ['notes.txt', markup, 415],
      ['notes.txt', Buffer.from([0x41, 0xff, 0x42]), 415],
      ['notes.txt', Buffer.from('a\0b'), 415],
      ['vide.txt', Buffer.from('\n \n<svg onload=alert(1)>'), 415],
      ['trop.pdf', Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)]), 413],
    ] as const) {
      expect((await attach(key, name, bytes)).status, name).toBe(status === 413 ? 400 : status)
    }
    await ask(socket, 'chat:close', { id_chat: key })
    expect((await attach(key, 'facture.pdf', pdf)).status).toBe(409)
  })

  test('that are not pictures leave only as attachments that no browser opens as a page', async () => {
    await saveSettings({ attachments_enabled: true })
    const { key } = await chats.openChat(technician)
    const acting = Buffer.from(
      pdf.toString().replace('/Catalog', '/Catalog /OpenAction << /S /URI /URI (https://evil.example) >>'),
    )
    const log = Buffer.from('Réponse de 192.0.2.1 : délai d’attente dépassé.\n'.repeat(40_000))
    for (const [name, bytes, type, ending] of [
      ['facture.pdf', acting, 'application/pdf', 'pdf'],
      ['ping.html', log, 'text/plain; charset=utf-8', 'txt'],
    ] as const) {
      const { body } = await attach(key, name, bytes)
      const idFile = body.message.file?.id_file ?? 0
      const toVisitor = await fetch(`${product.origin}/public_api/chat/file`, {
        method: 'POST',
        headers: await visitorHeaders(),
        body: JSON.stringify({ id_chat: key, id_file: idFile }),
      })
      const toStaff = await fetch(`${product.origin}/api/chat/files/${idFile}`, {
        headers: { cookie: technician.client.cookieHeader() },
      })
      for (const answer of [toVisitor, toStaff]) {
        expect(answer.headers.get('content-type')).toBe(type)
        expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename.*\\.${ending}$`))
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-security-policy')).toContain('sandbox')
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      }
    }
  })

  test('go with their conversation', async () => {
    await saveSettings({ attachments_enabled: true })
    const email = 'partie@example.com'
    const { socket, key } = await chats.openChat(technician, { client_email: email })
    const { body } = await attach(key, 'facture.pdf', pdf)
    await ask(socket, 'chat:close', { id_chat: key })
    const kind = product.app.personalData.find((one) => one.kind === 'chats')
    expect(await kind?.erase?.(product.app.db, email)).toBe(1)
    expect((await technician.client.get(`/api/chat/files/${body.message.file?.id_file ?? 0}`)).status).toBe(404)
  })
})

test('a refusal by a limit carries the seconds to wait', async () => {
  const { socket, key } = await chats.openChat(technician)
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => ask(socket, 'chat:send-message', { id_chat: key, message: `${index}` })),
  )
  const refused = answers.find((answer) => answer.error?.code === 'limited')
  expect(refused?.error?.retry_after).toBeGreaterThanOrEqual(1)
})
