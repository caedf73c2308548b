import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { sessions, groups, users } from '#src/features/people/server/table.ts'
import type { StaffPresence } from './protocol.ts'
import { staffRequests } from './protocol.ts'
import { technicians } from './server/table.ts'
import { ask, createChatSockets } from './testing.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

type StaffEvent = keyof typeof staffRequests

/** An input each event of `/staff` takes; one that is missing here fails to compile. */
const inputs: Record<StaffEvent, object> = {
  'staff:availability': { available: true },
  'staff:chats': {},
  'staff:open': { id: 1 },
  'staff:claim': { id: 1 },
  'staff:take-over': { id: 1 },
  'staff:transfer': { id: 1, id_user: 1 },
  'staff:accept': { id: 1 },
  'staff:decline': { id: 1 },
  'staff:reopen': { id: 1 },
  'staff:tags': { id: 1, tags: [] },
  'staff:send-message': { id: 1, message: 'x' },
  'staff:note': { id: 1, message: 'x' },
  'staff:typing': { id: 1 },
  'staff:read': { id: 1, seq: 1 },
  'staff:close': { id: 1 },
}
const events = Object.keys(staffRequests) as StaffEvent[]
const readersEvents = new Set<StaffEvent>(['staff:chats', 'staff:open'])

async function refusals(socket: Awaited<ReturnType<typeof chats.open>>) {
  const received: Record<string, string> = {}
  for (const event of events) received[event] = (await ask(socket, event, inputs[event])).error?.code ?? 'ok'
  return received
}
const allOf = (code: string) => Object.fromEntries(events.map((event) => [event, code]))

test('a reader of the chat is refused every event but those that read', async () => {
  const reader = await chats.openTechnician(false, { chat: 'read_only' })
  const received = await refusals(reader)
  const forbidden = events.filter((event) => received[event] === 'forbidden')
  expect(forbidden).toEqual(events.filter((event) => !readersEvents.has(event)))
})

test('every event asks for the right of its moment, and then for the session', async () => {
  const technician = await chats.openTechnician(false)
  const { groupId, id } = technician.client.user
  const change = (values: Partial<typeof groups.$inferInsert>) =>
    product.db.update(groups).set(values).where(eq(groups.id, groupId))
  await change({ rights: { users: 'administrator' } })
  expect(await refusals(technician)).toEqual(allOf('forbidden'))
  await change({ rights: { chat: 'administrator' }, enabled: false })
  expect(await refusals(technician)).toEqual(allOf('forbidden'))
  await change({ enabled: true, requiresTotp: true })
  expect(await refusals(technician)).toEqual(allOf('forbidden'))
  await product.db.delete(sessions).where(eq(sessions.userId, id))
  expect(await refusals(technician)).toEqual(allOf('not_connected'))
})

test('colleagues learn which languages a person serves visitors in, and a change within seconds', async () => {
  const technician = await chats.openTechnician(false)
  const { id } = technician.client.user
  const listed = await ask<{ users: StaffPresence[] }>(technician, 'staff:chats', {})
  expect(listed.users.find(({ id_user }) => id_user === id)?.languages).toEqual(['fr', 'en'])
  const changed = new Promise<StaffPresence | undefined>((resolve) => {
    technician.on('staff:presence', (all: StaffPresence[]) => {
      const own = all.find(({ id_user }) => id_user === id)
      if (own?.languages?.length === 1) resolve(own)
    })
  })
  await product.db
    .update(users)
    .set({ languages: ['fr'] })
    .where(eq(users.id, id))
  expect(await changed).toMatchObject({ languages: ['fr'], can_answer: true })
})

test('the door is closed to a group that requires a two-factor the person has not set up', async () => {
  const person = await product.signIn({ chat: 'administrator' })
  await product.db.update(groups).set({ requiresTotp: true }).where(eq(groups.id, person.user.groupId))
  await expect(chats.open('/staff', { cookie: person.cookieHeader() })).rejects.toThrow('forbidden')
})

test.each([
  ['eight idle hours', { lastSeenAt: new Date(Date.now() - 8 * 3_600_000 - 1_000) }],
  ['24 hours in all', { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1_000) }],
])('after %s an open console is refused, and so is its new handshake; it loses nothing that was stored', async (_name, age) => {
  const technician = await chats.openTechnician()
  const { id } = await chats.openChat(technician)
  await ask(technician, 'staff:claim', { id })
  await ask(technician, 'staff:send-message', { id, message: 'avant' })
  await product.db.update(sessions).set(age).where(eq(sessions.userId, technician.client.user.id))
  expect((await ask(technician, 'staff:send-message', { id, message: 'après' })).error?.code).toBe('not_connected')
  const refused = new Promise<string>((resolve) => technician.on('connect_error', ({ message }) => resolve(message)))
  technician.disconnect().connect()
  expect(await refused).toBe('not_connected')
  const colleague = await chats.openTechnician()
  const opened = await ask<{ messages: { message: string }[] }>(colleague, 'staff:open', { id })
  expect(opened.messages.map(({ message }) => message)).toEqual(['avant'])
})

test('a locked user loses the open console and availability at once', async () => {
  const administrator = await product.signIn()
  const technician = await chats.openTechnician()
  const dropped = new Promise<string>((resolve) => technician.on('disconnect', resolve))
  const refused = new Promise<string>((resolve) => technician.on('connect_error', ({ message }) => resolve(message)))
  await administrator.put(`/api/users/users/${technician.client.user.id}/lock`)
  await dropped
  technician.connect()
  expect(await refused).toBe('not_connected')
  const available = await product.db.$count(
    technicians,
    and(eq(technicians.userId, technician.client.user.id), eq(technicians.available, true)),
  )
  expect(available).toBe(0)
})
