import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { ask, createChatSockets } from './testing.ts'
import type { ChatJoined, ChatMessage, StaffMessage } from './protocol.ts'

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

test('many messages of many chats at one moment: each once, numbered in the order they were sent', async () => {
  const visitors = await Promise.all(Array.from({ length: 6 }, () => chats.openVisitor()))
  const words = Array.from({ length: 30 }, (_, index) => `message ${index}`)
  const sent = visitors.flatMap(({ socket, key }) =>
    words.map((message) => ask(socket, 'chat:send-message', { id_chat: key, message, client_message_id: randomUUID() })),
  )
  expect((await Promise.all(sent)).every((answer) => answer.ok)).toBe(true)
  for (const { socket, key } of visitors) {
    const { messages } = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })
    expect(messages.map((one) => one.message)).toEqual(words)
    expect(messages.map((one) => one.seq)).toEqual(words.map((_, index) => index + 1))
  }
})

test('stores a message sent three times at once only once, and acknowledges all three', async () => {
  const { socket, key } = await chats.openVisitor()
  const again = { id_chat: key, message: 'une seule fois', client_message_id: randomUUID() }
  const answers = await Promise.all([
    ask<{ message: ChatMessage }>(socket, 'chat:send-message', { id_chat: key, message: 'avant' }),
    ...[again, again, again].map((one) => ask<{ message: ChatMessage }>(socket, 'chat:send-message', one)),
    ask<{ message: ChatMessage }>(socket, 'chat:send-message', { id_chat: key, message: 'après' }),
  ])
  expect(new Set(answers.slice(1, 4).map((answer) => answer.message.id_message)).size).toBe(1)
  const { messages } = await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })
  expect(messages.map((one) => one.message)).toEqual(['avant', 'une seule fois', 'après'])
})

test('a closed chat among them is refused alone; a note repeats the number of the message before it', async () => {
  const [open, closed] = [await chats.openChat(technician), await chats.openChat(technician)]
  await ask(technician, 'staff:claim', { id: open.id })
  await ask(closed.socket, 'chat:close', { id_chat: closed.key })
  const [first, refused, note, second] = await Promise.all([
    ask<{ message: ChatMessage }>(open.socket, 'chat:send-message', { id_chat: open.key, message: 'un' }),
    ask(closed.socket, 'chat:send-message', { id_chat: closed.key, message: 'trop tard' }),
    ask<{ message: StaffMessage }>(technician, 'staff:note', { id: open.id, message: 'à vérifier' }),
    ask<{ message: ChatMessage }>(open.socket, 'chat:send-message', { id_chat: open.key, message: 'deux' }),
  ])
  expect([first.message.seq, second.message.seq]).toEqual([1, 2])
  expect(refused).toMatchObject({ ok: false, error: { code: 'closed' } })
  expect(note.message).toMatchObject({ internal: true, user_name: expect.any(String) })
  const { messages } = await ask<ChatJoined>(open.socket, 'chat:client-join', { id_chat: open.key })
  expect(messages.map((one) => one.seq)).toEqual([1, 2])
})
