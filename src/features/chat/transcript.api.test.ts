import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { ask, createChatSockets, next } from './testing.ts'
import type { ChatJoined } from './protocol.ts'
import { chatThread } from './server/transcript.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let visitor: Awaited<ReturnType<TestApp['client']>>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>

beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
  chats = createChatSockets(product)
  visitor = await product.client()
})
afterAll(async () => {
  chats.close()
  await product.stop()
})
beforeEach(async () => {
  technician = await chats.openTechnician()
})

/** A conversation in which a technician answered. */
async function converse(email = `${randomBytes(6).toString('hex')}@example.com`) {
  const chat = await chats.openChat(technician, { client_email: email })
  await ask(technician, 'staff:claim', { id: chat.id })
  await ask(technician, 'staff:send-message', { id: chat.id, message: 'Bonjour' })
  return { ...chat, email }
}

const askForTranscript = (key: string, address = '198.51.100.7') =>
  visitor.post<{ detail?: string }>('/public_api/chat/transcript', { id_chat: key }, { headers: { 'x-forwarded-for': address } })

const countMails = (email: string) => product.db.$count(mails, eq(mails.recipient, email))

describe('a transcript', () => {
  test('is mailed 3 times for 100 requests from 30 addresses', async () => {
    const { key, email } = await converse()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => askForTranscript(key, `203.0.113.${(index % 30) + 1}`)),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 204)
    // A busy database refuses as well, with a status of its own.
    for (const { status } of refused) expect([409, 503]).toContain(status)
    expect((await askForTranscript(key)).body.detail).toMatch(/3 times/)
    expect(await countMails(email)).toBe(3)
  })

  test('goes 5 times a day to one address, whatever conversation asks and however it is written', async () => {
    const { key, email } = await converse()
    const keys = [key]
    for (const spelling of [email.toUpperCase(), email, email]) keys.push((await converse(spelling)).key)
    const statuses: number[] = []
    for (const one of keys) for (let time = 0; time < 2; time += 1) statuses.push((await askForTranscript(one)).status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(5)
    expect(statuses.slice(5)).toEqual([409, 409, 409])
  })

  test('goes to the corrected address where it has not left', async () => {
    const [{ id, key, email }, other] = [await converse(), await converse()]
    for (const one of [key, other.key]) expect((await askForTranscript(one)).status).toBe(204)
    const sent = { messageId: `<${key}@example.com>`, subject: 'Parti', body: '', recipient: email, thread: chatThread(id) }
    await product.db.insert(mails).values({ ...sent, state: 'sent' })
    const corrected = `c${email}`
    const contact = { name: 'Annie', email: corrected, business: '' }
    expect((await technician.client.put(`/api/chat/chats/${id}`, { contact, reason: 'Faute de frappe' })).status).toBe(204)
    expect([await countMails(corrected), await countMails(email), await countMails(other.email)]).toEqual([1, 1, 1])
  })

  test('is not mailed without an answer; a note is no answer', async () => {
    const { socket, key, id } = await chats.openChat(technician)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Il y a quelqu’un?' })
    await ask(technician, 'staff:note', { id, message: 'Client connu' })
    const answer = await askForTranscript(key)
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/technician/) } })
    expect((await visitor.post('/public_api/chat/transcript-page', { id_chat: key })).status).toBe(200)
  })

  test('is offered to the visitor only where it would be mailed', async () => {
    const answered = await converse()
    const closed = next(answered.socket, 'chat:closed')
    await ask(technician, 'staff:close', { id: answered.id })
    expect(await closed).toEqual({ id_chat: answered.key, transcript: true })
    for (let time = 0; time < 3; time += 1) expect((await askForTranscript(answered.key)).status).toBe(204)
    const joined = await ask<ChatJoined>(await chats.open('/'), 'chat:client-join', { id_chat: answered.key })
    expect(joined).toMatchObject({ closed: true, transcript: false })
    const silent = await chats.openVisitor()
    expect(await ask(silent.socket, 'chat:close', { id_chat: silent.key })).toEqual({ ok: true, transcript: false })
  })
})
