import { eq } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyDay } from '#src/lib/time/business-hours.ts'
import type { Availability } from '#src/lib/availability.ts'
import { startTestApp, testPassword, type TestApp } from '#src/app/testing/test-app.ts'
import { sessions } from '#src/features/people/server/table.ts'
import type { ChatSettings, ChatAvailability } from './contract.ts'
import type { ChatJoined, StaffPresence } from './protocol.ts'
import { findChatState, setOnCall } from './server/availability.ts'
import { technicians } from './server/table.ts'
import { ask, createChatSockets } from './testing.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
const leaving = new AbortController()

beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  leaving.abort()
  chats.close()
  await product.stop()
})

/** What an open page receives, with the moment it came. */
async function follow() {
  const received: (Availability & { at: number })[] = []
  const { body } = await fetch(`${product.origin}/api/live`, { signal: leaving.signal })
  if (!body) throw new Error('no stream')
  const read = async () => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const data = /^event: availability\ndata: (.+)$/m.exec(text.slice(0, end))?.[1]
        if (data) received.push({ ...(JSON.parse(data) as Availability), at: Date.now() })
        text = text.slice(end + 2)
      }
    }
  }
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return received
}

test('publishes the state of the chat from one source to each open page within a second', async () => {
  const supervisor = await product.signIn({ chat: 'administrator', home: 'read_write' })
  const { body: settings } = await supervisor.get<ChatSettings>('/api/chat/settings')
  const always = everyDay([1, 2, 3, 4, 5, 6, 7], '00:00', '24:00')
  const save = async (change: Partial<ChatSettings>) => {
    const { body } = await supervisor.get<ChatSettings>('/api/chat/settings')
    expect((await supervisor.put('/api/chat/settings', { ...body, ...change })).status).toBe(200)
  }
  await save({ week: always, holidays: [] })
  const received = await follow()
  await expect
    .poll(() => received.at(-1))
    .toMatchObject({
      state: 'busy',
      emergency: false,
      user_count: 0,
      next_opening: null,
      expected_minutes: null,
      time_zone: 'America/Toronto',
    })

  const begun = Date.now()
  const technician = await chats.openTechnician()
  await expect.poll(() => received.at(-1)).toMatchObject({ state: 'open', user_count: 1 })
  const opened = received.findLast((one) => one.state === 'open')
  expect((opened?.at ?? 0) - begun).toBeLessThan(3_000)
  const { body } = await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')
  expect(body).toMatchObject({
    state: 'open',
    open: true,
    user_count: 1,
    emergency: false,
    next_opening: null,
    expected_minutes: null,
  })
  // A page opened later receives it at once.
  const late = await follow()
  await expect.poll(() => late.at(-1)).toMatchObject({ state: 'open', user_count: 1 })

  const banner = { message: '<p>Panne</p>', message_en: '<p>Outage</p>' }
  const path = '/api/home_messages/home_message'
  const created = await supervisor.post<{ id_home_message: number }>(path, banner)
  expect(created.status).toBe(201)
  await expect.poll(() => received.at(-1)).toMatchObject({ state: 'open', emergency: true })
  // A banner without a text is shown to nobody.
  const emptied = await supervisor.put(`${path}/${created.body.id_home_message}`, { message: '', message_en: '' })
  expect(emptied.status).toBe(200)
  await expect.poll(() => received.at(-1)).toMatchObject({ state: 'open', emergency: false })

  await ask(technician, 'staff:availability', { available: false })
  await expect.poll(() => received.at(-1)).toMatchObject({ state: 'busy', user_count: 0 })
  const tomorrow = ((new Date(Date.now() + 2 * 86_400_000).getUTCDay() + 6) % 7) + 1
  await save({ week: everyDay([tomorrow], '08:00', '17:00') })
  await expect.poll(() => received.at(-1)).toMatchObject({ state: 'closed', next_opening: expect.any(String) })
  await save({ week: settings.week, holidays: settings.holidays })
})

test.each([
  ['in autumn', '2026-11-22T02:00:00-05:00', '2026-11-23T08:00:00-05:00'],
  ['in the night in which that hour is left out', '2026-03-08T03:00:00-04:00', '2026-03-09T08:00:00-04:00'],
  ['in the night in which it was one o’clock twice', '2026-11-01T02:00:00-05:00', '2026-11-02T08:00:00-05:00'],
])('at two o’clock on a Sunday, %s, the chat is closed and names Monday’s opening', async (_night, sunday, monday) => {
  const nobody = product.app.realtime.io.of('/nobody')
  const state = await findChatState(product.app, nobody, new Date(sunday))
  expect(state).toMatchObject({ state: 'closed', next_opening: new Date(monday).toISOString() })
})

describe('availability belongs to the person', () => {
  const isAvailable = async (socket: Socket) => (await ask<{ available: boolean }>(socket, 'staff:chats', {})).available

  test('ends on all devices when the person signs off on one, and stays ended after signing in', async () => {
    const technician = await chats.openTechnician()
    const { user } = technician.client
    const other = await product.client()
    const logIn = () => other.post('/api/auth/login', { username: user.username, password: testPassword })
    expect((await logIn()).status).toBe(200)
    const second = await chats.open('/staff', { cookie: other.cookieHeader() })
    await expect.poll(() => isAvailable(second)).toBe(true)
    expect((await other.post('/api/auth/logoff')).status).toBe(204)
    await expect.poll(() => isAvailable(technician)).toBe(false)

    await logIn()
    expect(await isAvailable(await chats.open('/staff', { cookie: other.cookieHeader() }))).toBe(false)
  })

  test.each([
    ['an administrator locks the person', 'lock'],
    ['an administrator ends the sessions', 'sessions'],
  ])('ends when %s', async (_how, what) => {
    const technician = await chats.openTechnician()
    const { id } = technician.client.user
    const administrator = await product.signIn()
    const path = `/api/users/users/${id}/${what}`
    expect((await (what === 'lock' ? administrator.put(path) : administrator.delete(path))).status).toBeLessThan(300)
    const read = async () => (await product.db.select().from(technicians).where(eq(technicians.userId, id)))[0]?.available
    await expect.poll(read).toBe(false)
  })

  test('is unchanged by a second device, and restored after a lost connection or an expired session', async () => {
    const technician = await chats.openTechnician()
    const { user } = technician.client
    const other = await product.client()
    await other.post('/api/auth/login', { username: user.username, password: testPassword })
    const second = await chats.open('/staff', { cookie: other.cookieHeader() })
    expect([await isAvailable(technician), await isAvailable(second)]).toEqual([true, true])
    for (const socket of [technician, second]) socket.disconnect()
    await product.db.delete(sessions).where(eq(sessions.userId, user.id))
    await other.post('/api/auth/login', { username: user.username, password: testPassword })
    await expect.poll(async () => isAvailable(await chats.open('/staff', { cookie: other.cookieHeader() }))).toBe(true)
  })
})

describe('a technician on call', () => {
  test('counts once as available and as present while they have no page open', async () => {
    const staff = product.app.realtime.io.of('/staff')
    const technician = await chats.openTechnician()
    const { id } = technician.client.user
    const called: number[][] = []
    setOnCall(staff, async (ids) => {
      called.push([...ids])
      return ids.filter((one) => one === id)
    })
    const counted = async () =>
      (await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')).body.user_count
    const joined = async () => {
      const { user_count } = await ask<ChatJoined>(visitor.socket, 'chat:client-join', { id_chat: visitor.key })
      return user_count
    }
    const visitor = await chats.openVisitor()
    const [before, there] = [await counted(), await joined()]
    technician.disconnect()
    await expect.poll(() => called.flat()).toContain(id)
    await expect.poll(counted).toBe(before)
    expect(await joined()).toBe(there)
    const colleague = await chats.openTechnician(false)
    const { users } = await ask<{ users: StaffPresence[] }>(colleague, 'staff:chats', {})
    expect(users.find((one) => one.id_user === id)).toMatchObject({ available: true, on_call: true })

    // Unavailable, or without the right, they are not counted.
    await product.db.update(technicians).set({ available: false }).where(eq(technicians.userId, id))
    await expect.poll(counted).toBe(before - 1)
    setOnCall(staff, async () => [])
  })
})
