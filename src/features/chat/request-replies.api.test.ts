import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestImap } from '#src/server/testing/test-imap.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { RequestDetail } from '../requests/contract.ts'
import { createRequest } from '../requests/server/service.ts'
import { findPagePath } from '../requests/server/signed-ids.ts'
import { requestEntries, requestFilePieces, requestFiles, requests } from '../requests/server/table.ts'
import type { ChatSettings, LinkedRequest } from './contract.ts'
import type { ChatMessage, StaffMessage } from './protocol.ts'
import { turnIntoRequest } from './server/console-routes.ts'
import { copyDueFiles } from './server/files.ts'
import { copyRequestReplies } from './server/request-replies.ts'
import { chats as chatRows } from './server/table.ts'
import { ask, createChatSockets } from './testing.ts'

const soon = { timeout: 25_000, interval: 100 }
let imap: Awaited<ReturnType<typeof startTestImap>>
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let product: TestApp
let chats: ReturnType<typeof createChatSockets>
beforeAll(async () => {
  imap = await startTestImap()
  smtp = await startTestSmtp()
  product = await startTestApp({ queue: true, environment: { IMAP_URL: imap.url, SMTP_URL: smtp.url } })
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
  await imap.stop()
  await smtp.stop()
})

/** A conversation that became a request, and what each side of it receives. */
async function openRequest() {
  const technician = await chats.openTechnician(true, { chat: 'read_write', requests: 'read_write' })
  const email = `${crypto.randomUUID()}@client.example.com`
  const chat = await chats.openChat(technician, { client_email: email })
  await ask(technician, 'staff:claim', { id: chat.id })
  await ask(technician, 'staff:open', { id: chat.id })
  const [visitor, shown]: [ChatMessage[], StaffMessage[]] = [[], []]
  chat.socket.on('chat:new-message', (message: ChatMessage) => visitor.push(message))
  technician.on('staff:new-message', (message: StaffMessage) => message.id === chat.id && shown.push(message))
  const { body: request } = await technician.client.post<LinkedRequest>(`/api/chat/chats/${chat.id}/request`, {
    subject: 'Téléphone',
  })
  const path = `/api/requests/requests/${request.id_request}`
  const reply = (text: string) =>
    technician.client.post<RequestDetail>(`${path}/replies`, { text, client_id: crypto.randomUUID() })
  /** Answers the reply by mail, once it was received. */
  const answerByMail = async (text: string) => {
    const received = () => smtp.received.find((mail) => mail.envelope.to.includes(email) && mail.subject?.includes('Téléphone'))
    await expect.poll(received, soon).toBeDefined()
    const id = `<${crypto.randomUUID()}@client.example.com>`
    const head = [`From: <${email}>`, 'Subject: Re: Téléphone', `Message-ID: ${id}`, `In-Reply-To: ${received()?.messageId}`]
    await imap.deliver([...head, 'Date: Fri, 20 Nov 2026 09:00:00 -0500', '', text, ''].join('\r\n'))
  }
  const read = async () => (await technician.client.get<RequestDetail>(path)).body
  return { chat, technician, visitor, shown, reply, answerByMail, read }
}

test('what both sides mail in a request comes into its open conversation, once', async () => {
  const { chat, visitor, shown, reply, answerByMail, read } = await openRequest()
  await reply('Vos appels sont renvoyés.')
  await expect.poll(() => visitor, soon).toMatchObject([{ bz_staff: true, message: 'Par courriel :\nVos appels sont renvoyés.' }])
  await answerByMail('Merci, le poste 4 sonne.')
  await expect
    .poll(() => visitor, soon)
    .toMatchObject([{ seq: 1 }, { seq: 2, bz_staff: false, message: 'Par courriel :\nMerci, le poste 4 sonne.' }])
  expect(shown.map(({ message }) => message)).toEqual(visitor.map(({ message }) => message))
  expect((await read()).entries.filter(({ kind }) => kind !== 'event').map(({ channel }) => channel)).toEqual([
    'chat',
    'mail',
    'mail',
  ])

  // A server that died after the copy, before it noted it.
  await product.db.update(requestEntries).set({ chatDue: true }).where(eq(requestEntries.channel, 'mail'))
  await copyRequestReplies(product.app)
  const joined = await ask<{ messages: ChatMessage[] }>(chat.socket, 'chat:client-join', { id_chat: chat.key })
  expect(joined.messages.map(({ seq }) => seq)).toEqual([1, 2])
})

test('a request that was merged by way of another still reaches its conversation, and the other way round', async () => {
  const { chat, technician, visitor, read } = await openRequest()
  const all = '/api/requests/requests'
  const stored = { kind: 'support', name: 'Ana', email: 'ana@client.example.com', message: 'Rien.', language: 'fr' } as const
  const store = () => product.db.transaction((tx) => createRequest(tx, product.app, stored))
  const [{ id_request: id }, middle, last] = [await read(), await store(), await store()]
  await technician.client.post(`${all}/${id}/merge`, { into: middle.id })
  await technician.client.post(`${all}/${middle.id}/merge`, { into: last.id })
  await technician.client.post(`${all}/${last.id}/replies`, { text: 'Tout est relié.', client_id: crypto.randomUUID() })
  await expect.poll(() => visitor, soon).toMatchObject([{ message: 'Par courriel\u00a0:\nTout est relié.' }])
  await ask(technician, 'staff:send-message', { id: chat.id, message: 'Je ferme.' })
  await ask(technician, 'staff:close', { id: chat.id })
  const { body } = await technician.client.get<RequestDetail>(`${all}/${last.id}`)
  expect(body.entries.map(({ text }) => text)).toContainEqual(expect.stringContaining('Je ferme.'))
})

test('an answer to a visitor who left is mailed, and stands in the conversation when they come back', async () => {
  const technician = await chats.openTechnician(true, { chat: 'read_write', requests: 'read_write' })
  const email = `${crypto.randomUUID()}@client.example.com`
  const { socket, key, id } = await chats.openChat(technician, { client_email: email })
  await ask(technician, 'staff:claim', { id })
  const answer = { text: 'Le fil gris était débranché.', client_id: crypto.randomUUID() }
  const mail = () => technician.client.post<LinkedRequest>(`/api/chat/chats/${id}/mail`, answer)
  expect((await mail()).status).toBe(409)
  socket.disconnect()
  await expect.poll(async () => (await mail()).status, soon).toBe(201)
  const received = () => smtp.received.filter(({ envelope, text }) => envelope.to.includes(email) && text?.includes(answer.text))
  await expect.poll(received, soon).toHaveLength(1)
  expect(received()[0]?.subject).toMatch(/^\[CL-/)
  expect(await product.db.$count(mails, eq(mails.recipient, email))).toBe(1)
  const back = await chats.open('/')
  const read = async () =>
    (await ask<{ messages: ChatMessage[] }>(back, 'chat:client-join', { id_chat: key })).messages.map(({ message }) => message)
  await expect.poll(read, soon).toEqual([`Par courriel :\n${answer.text}`])
})

test('a conversation that ended stays as it was; its request has the answer', async () => {
  const { chat, technician, visitor, reply, answerByMail, read } = await openRequest()
  await ask(technician, 'staff:close', { id: chat.id })
  await reply('On vous rappelle.')
  await answerByMail('Merci bien.')
  await expect.poll(async () => (await read()).entries.map(({ text }) => text), soon).toContain('Merci bien.')
  await expect.poll(() => product.db.$count(requestEntries, eq(requestEntries.chatDue, true)), soon).toBe(0)
  expect(visitor).toEqual([])
})

/** Sends a file as the visitor. */
async function attach(key: string, name: string, text: string) {
  const supervisor = await product.signIn({ chat: 'administrator' })
  const { body: settings } = await supervisor.get<ChatSettings>('/api/chat/settings')
  await supervisor.put('/api/chat/settings', { ...settings, attachments_enabled: true })
  const sent = { id_chat: key, client_message_id: crypto.randomUUID(), name, data: Buffer.from(text).toString('base64') }
  expect((await (await product.client()).post('/public_api/chat/attach', sent)).status).toBe(200)
}

test('files sent in a conversation stay with its request, and leave only as downloads', async () => {
  const technician = await chats.openTechnician(true, { chat: 'read_write', requests: 'read_write' })
  const { key, id, socket } = await chats.openChat(technician, { client_email: `${crypto.randomUUID()}@client.example.com` })
  const plan = `Plan ${'é'.repeat(400_000)}`
  await attach(key, 'plan.html.txt', plan)
  const { body } = await technician.client.post<LinkedRequest>(`/api/chat/chats/${id}/request`, { subject: 'Plan' })
  const path = `/api/requests/requests/${body.id_request}`
  await attach(key, 'suite.txt', 'La suite.')
  await ask(socket, 'chat:close', { id_chat: key })
  // Asked for while it is being copied, a file comes once it is whole.
  const { body: early } = await technician.client.get<RequestDetail>(path)
  const earlyId = early.entries.flatMap((entry) => entry.files)[0]?.id_file
  expect((await technician.client.get<string>(`${path}/files/${earlyId}`)).text).toBe(plan)
  await expect.poll(() => product.db.$count(requestFiles, isNotNull(requestFiles.chatFileId)), soon).toBe(0)
  await product.db.delete(chatRows).where(eq(chatRows.id, id))

  const { body: request } = await technician.client.get<RequestDetail>(path)
  const files = request.entries.flatMap((entry) => entry.files)
  expect(files).toMatchObject([{ name: 'plan.txt', size: Buffer.byteLength(plan) }, { name: 'suite.txt' }])
  const [row] = await product.db.select().from(requests).where(eq(requests.id, request.id_request))
  const page = row && (await findPagePath(product.db, row))
  for (const [index, content] of [plan, 'La suite.'].entries()) {
    const idFile = files[index]?.id_file
    for (const address of [`${path}/files/${idFile}`, `${page}/fichiers/${idFile}`]) {
      const got = await technician.client.get<string>(address)
      expect(got.text).toBe(content)
      expect(got.headers.get('content-disposition')).toMatch(/^attachment;/)
      expect(got.headers.get('content-type')).toBe('application/octet-stream')
    }
  }
})

test('a conversation becomes a request without copying files meanwhile; a copy that broke off goes on', async () => {
  const technician = await chats.openTechnician(true, { chat: 'read_write', requests: 'read_write' })
  const { key, id } = await chats.openChat(technician, { client_email: `${crypto.randomUUID()}@client.example.com` })
  const text = `Journal ${'é'.repeat(700_000)}`
  await attach(key, 'journal.txt', text)
  const { db, app } = product
  const by = { userId: technician.client.user.id, name: 'Zoé', address: '' }
  const { made, file } = await db.transaction(async (tx) => {
    const made = await turnIntoRequest(tx, app, by, id, { subject: 'Journal', summary: '' })
    const [entry] = await tx.select().from(requestEntries).where(eq(requestEntries.requestId, made.id_request))
    const [file] = await tx
      .select()
      .from(requestFiles)
      .where(eq(requestFiles.entryId, entry?.id ?? 0))
    expect(await tx.$count(requestFilePieces, eq(requestFilePieces.fileId, file?.id ?? 0))).toBe(0)
    return { made, file }
  })
  if (!file?.chatFileId) throw new Error('no file to copy')
  await expect.poll(() => db.$count(requestFiles, isNotNull(requestFiles.chatFileId)), soon).toBe(0)
  const ofFile = eq(requestFilePieces.fileId, file.id)
  expect(await db.$count(requestFilePieces, ofFile)).toBe(3)
  // As a server that died left it.
  await db.delete(requestFilePieces).where(and(ofFile, eq(requestFilePieces.position, 2)))
  await db.update(requestFiles).set({ chatFileId: file.chatFileId }).where(eq(requestFiles.id, file.id))
  await copyDueFiles(app)
  const got = await technician.client.get<string>(`/api/requests/requests/${made.id_request}/files/${file.id}`)
  expect(got.text).toBe(text)
})

test('what is written in a conversation after it became a request is in that request once it ends', async () => {
  const { chat, technician, read } = await openRequest()
  const path = `/api/requests/requests/${(await read()).id_request}`
  await technician.client.put(path, { status: 'done' })
  await ask(chat.socket, 'chat:send-message', { id_chat: chat.key, message: 'Le poste 5 aussi.' })
  await ask(technician, 'staff:send-message', { id: chat.id, message: 'C’est noté.' })
  await ask(technician, 'staff:close', { id: chat.id })
  const added = async () => (await read()).entries.filter(({ channel }) => channel === 'chat').map(({ text }) => text)
  expect(await added()).toEqual([expect.anything(), expect.stringMatching(/Le poste 5 aussi\.[^]*C’est noté\./)])
  expect((await read()).status).toBe('done')

  // The technician opens it again; this time the visitor has the last word.
  await ask(technician, 'staff:reopen', { id: chat.id })
  await ask(chat.socket, 'chat:send-message', { id_chat: chat.key, message: 'Toujours rien.' })
  await ask(chat.socket, 'chat:close', { id_chat: chat.key })
  await expect.poll(async () => (await added()).length, soon).toBe(3)
  expect((await added())[2]).toMatch(/Annie\nToujours rien\.$/)
  expect((await added())[2]).not.toContain('poste 5')
  expect((await read()).status).toBe('open')
})
