import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { requests } from '../requests/server/table.ts'
import type { StaffChat, StaffEvents } from './protocol.ts'
import { hashAddress, hashStoredAddresses } from './server/addresses.ts'
import { isBlocked } from './server/blocks.ts'
import { eraseEmptyChats } from './server/empty-chats.ts'
import { sweepConversations } from './server/sweep.ts'
import { chatBlocks, chatEvents, chats as chatTable } from './server/table.ts'
import { ask, createChatSockets, next, visitorInput } from './testing.ts'

/* The clock is a parameter: nothing here waits for minutes to pass. */

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
let technician: Awaited<ReturnType<typeof chats.openTechnician>>
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
beforeEach(async () => {
  technician = await chats.openTechnician()
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const sweep = (at: Date) => sweepConversations(product.app, at)
const read = async (id: number) => {
  const { chat } = await ask<{ chat: StaffChat }>(technician, 'staff:open', { id })
  return chat
}
const eventsOf = async (id: number) =>
  (await product.db.select().from(chatEvents).where(eq(chatEvents.chatId, id)).orderBy(chatEvents.id)).map(({ kind }) => kind)
/** The next state of a chat that satisfies a condition, as a console hears of it. */
const untilChat = (id: number, isIt: (chat: StaffChat) => boolean, console_ = technician) =>
  new Promise<StaffChat>((resolve) =>
    console_.on('staff:chat', (chat: StaffChat) => chat.id === id && isIt(chat) && resolve(chat)),
  )

type Released = Parameters<StaffEvents['staff:released']>[0]

describe('a claimed conversation', () => {
  async function openClaimed() {
    const chat = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id: chat.id })
    return chat
  }
  const write = (chat: { socket: typeof technician; key: string } | Awaited<ReturnType<typeof openClaimed>>) =>
    ask(chat.socket, 'chat:send-message', { id_chat: chat.key, message: 'Êtes-vous là?' })

  test('returns to the queue after three unanswered minutes and notifies its technician', async () => {
    const chat = await openClaimed()
    await write(chat)
    await sweep(minutes(2.9))
    expect(await read(chat.id)).toMatchObject({ status: 'claimed' })

    const colleague = await chats.openTechnician()
    const returned = untilChat(chat.id, ({ status }) => status === 'waiting', colleague)
    const released = next<Released>(technician, 'staff:released')
    await sweep(minutes(3.1))
    expect(await released).toEqual({ id: chat.id, reason: 'unanswered' })
    expect(await returned).toMatchObject({
      id_user: null,
      released: { reason: 'unanswered', user_name: technician.client.user.displayName },
    })
    expect(await ask(technician, 'staff:send-message', { id: chat.id, message: 'Trop tard' })).toMatchObject({
      error: { code: 'taken' },
    })
    expect(await ask<{ chat: StaffChat }>(colleague, 'staff:claim', { id: chat.id })).toMatchObject({
      ok: true,
      chat: { released: null },
    })
    expect(await eventsOf(chat.id)).toEqual(['claimed', 'unanswered', 'claimed'])
  })

  test('stays claimed while no message is unanswered', async () => {
    const [answered, silent] = [await openClaimed(), await openClaimed()]
    await write(answered)
    await ask(technician, 'staff:note', { id: answered.id, message: 'Je cherche' })
    await ask(technician, 'staff:send-message', { id: answered.id, message: 'Oui!' })
    await sweep(minutes(5))
    for (const { id } of [answered, silent]) expect(await read(id)).toMatchObject({ status: 'claimed' })
  })

  test('restarts the wait when it is claimed', async () => {
    const chat = await chats.openChat(technician)
    await write(chat)
    const past = new Date(Date.now() - 10 * 60_000)
    await product.db.update(chatTable).set({ createdAt: past, waitingSince: past }).where(eq(chatTable.id, chat.id))
    await ask(technician, 'staff:claim', { id: chat.id })
    await sweep(minutes(1))
    expect(await read(chat.id)).toMatchObject({ status: 'claimed' })
  })

  test.each(['disconnected', 'unavailable'])('returns to the queue when its technician is %s for two minutes', async (how) => {
    const other = await chats.openTechnician()
    const chat = await chats.openChat(other)
    await ask(other, 'staff:claim', { id: chat.id })
    await write(chat)
    if (how === 'disconnected') other.disconnect()
    else await ask(other, 'staff:availability', { available: false })
    type Listed = { users: { id_user: number; available: boolean }[] }
    const isThere = async () =>
      (await ask<Listed>(technician, 'staff:chats', {})).users.some(
        (user) => user.id_user === other.client.user.id && user.available,
      )
    await expect.poll(isThere).toBe(false)
    await sweep(new Date())
    await sweep(minutes(1.9))
    expect(await read(chat.id)).toMatchObject({ status: 'claimed' })
    await sweep(minutes(2.1))
    expect(await read(chat.id)).toMatchObject({ status: 'waiting', released: { reason: 'left' } })
  })

  test('is not taken from a technician who was away for a moment', async () => {
    const other = await chats.openTechnician()
    const chat = await chats.openChat(other)
    await ask(other, 'staff:claim', { id: chat.id })
    await write(chat)
    await ask(other, 'staff:availability', { available: false })
    await sweep(new Date())
    await ask(other, 'staff:availability', { available: true })
    await sweep(minutes(1))
    await ask(other, 'staff:availability', { available: false })
    await sweep(minutes(1.5))
    await sweep(minutes(2.4))
    expect(await read(chat.id)).toMatchObject({ status: 'claimed', id_user: other.client.user.id })
  })

  test('is released once by several sweeps at the same moment', async () => {
    const chat = await openClaimed()
    await write(chat)
    const releases: number[] = []
    technician.on('staff:released', ({ id }: Released) => releases.push(id))
    await Promise.all([1, 2, 3, 4].map(() => sweep(minutes(4))))
    await ask(technician, 'staff:chats', {})
    expect(releases.filter((id) => id === chat.id)).toHaveLength(1)
    expect(await eventsOf(chat.id)).toEqual(['claimed', 'unanswered'])
  })

  test('stays claimed while its visitor is gone, and becomes `away` when its technician leaves too', async () => {
    const chat = await openClaimed()
    await write(chat)
    const gone = untilChat(chat.id, ({ visitor }) => visitor === 'gone')
    chat.socket.disconnect()
    await gone
    await sweep(minutes(10))
    expect(await read(chat.id)).toMatchObject({ status: 'claimed' })
    await ask(technician, 'staff:availability', { available: false })
    await sweep(new Date())
    await sweep(minutes(3))
    expect(await read(chat.id)).toMatchObject({ status: 'away', released: { reason: 'left' } })
  })
})

describe('an offer that nobody accepts', () => {
  test('expires after a minute, and the chat stays with its giver', async () => {
    const colleague = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    await ask(technician, 'staff:transfer', { id, id_user: colleague.client.user.id })
    const ended = next(technician, 'staff:offer-ended')
    await sweep(minutes(0.9))
    expect((await read(id)).offer).not.toBeNull()
    await sweep(minutes(1.1))
    expect(await ended).toMatchObject({ id, result: 'expired' })
    expect(await read(id)).toMatchObject({ offer: null, status: 'claimed', id_user: technician.client.user.id })
  })

  test('expires into the queue when its giver is disconnected', async () => {
    const giver = await chats.openTechnician()
    const { id } = await chats.openChat(giver)
    await ask(giver, 'staff:claim', { id })
    await ask(giver, 'staff:transfer', { id, id_user: technician.client.user.id })
    giver.disconnect()
    await expect
      .poll(async () =>
        (await ask<{ users: { id_user: number }[] }>(technician, 'staff:chats', {})).users.map((one) => one.id_user),
      )
      .not.toContain(giver.client.user.id)
    await sweep(minutes(1.1))
    expect(await read(id)).toMatchObject({ offer: null, status: 'waiting', released: { reason: 'left' } })
  })
})

describe('a visitor who leaves', () => {
  test('is marked gone, leaves the queue after two minutes, and is back in it on their return', async () => {
    const chat = await chats.openChat(technician)
    const gone = untilChat(chat.id, ({ visitor }) => visitor === 'gone')
    chat.socket.disconnect()
    const marked = await gone
    expect(marked).toMatchObject({ status: 'waiting', visitor_online: false })
    expect(Date.now() - Date.parse(marked.gone_at ?? '')).toBeLessThan(60_000)
    await sweep(minutes(1.9))
    expect(await read(chat.id)).toMatchObject({ status: 'waiting' })
    const away = untilChat(chat.id, ({ status }) => status === 'away')
    await sweep(minutes(2.1))
    await away

    const back = untilChat(chat.id, ({ status }) => status === 'waiting')
    await ask(await chats.open('/'), 'chat:client-join', { id_chat: chat.key })
    const returned = await back
    expect(returned).toMatchObject({ visitor: 'here', gone_at: null })
    expect(Date.parse(returned.waiting_since)).toBeGreaterThan(Date.parse(returned.created_at))
    expect(await eventsOf(chat.id)).toEqual(['visitor_left'])
  })

  test('is marked gone within 10 seconds where their network dies without closing', async () => {
    // It answers no ping, as a dead network does.
    const socket = new WebSocket(`${product.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const received: string[] = []
    socket.addEventListener('message', ({ data }) => received.push(String(data)))
    const packet = async (start: string) => {
      const find = () => received.find((one) => one.startsWith(start))
      await expect.poll(find, { timeout: 15_000 }).toBeDefined()
      return find()?.slice(start.length) ?? ''
    }
    const { pingInterval, pingTimeout } = JSON.parse(await packet('0')) as { pingInterval: number; pingTimeout: number }
    expect(pingInterval + pingTimeout).toBeLessThan(10_000)
    socket.send('40')
    await packet('40')
    const page = `/${crypto.randomUUID()}`
    const gone = new Promise<StaffChat>((resolve) =>
      technician.on('staff:chat', (chat: StaffChat) => chat.page === page && chat.visitor === 'gone' && resolve(chat)),
    )
    socket.send(`42${JSON.stringify(['chat:connect', { ...visitorInput, page }])}`)
    expect(await gone).toMatchObject({ status: 'waiting', gone_at: expect.any(String) })
    socket.close()
  }, 40_000)

  test('is marked gone by the beacon of a closing page', async () => {
    const chat = await chats.openChat(technician)
    const gone = untilChat(chat.id, ({ visitor }) => visitor === 'gone')
    const page = await product.client()
    expect((await page.post('/public_api/chat/client-leave', { id_chat: chat.key })).status).toBe(204)
    expect((await gone).gone_at).not.toBeNull()
  })

  test('triggers neither a notification nor a mail', async () => {
    const { mailUnanswered, notifyUnanswered } = await import('./server/escalation.ts')
    await product.db.update(chatTable).set({ status: 'closed' })
    const chat = await chats.openChat(technician)
    const gone = untilChat(chat.id, ({ visitor }) => visitor === 'gone')
    chat.socket.disconnect()
    await gone
    const notified = new Map<number, number>()
    const staff = product.app.realtime.io.of('/staff')
    await notifyUnanswered(product.db, staff, notified, minutes(9))
    expect(notified.size).toBe(0)
    expect(await mailUnanswered(product.app, staff, minutes(9))).toBe(0)
  })

  test('for a day: the chat closes, and becomes a request when the last message is unanswered', async () => {
    const [asked, answered] = [await chats.openChat(technician), await chats.openChat(technician)]
    for (const chat of [asked, answered]) {
      await ask(chat.socket, 'chat:send-message', { id_chat: chat.key, message: 'Rappelez-moi demain' })
    }
    await ask(technician, 'staff:claim', { id: answered.id })
    await ask(technician, 'staff:send-message', { id: answered.id, message: 'C’est noté.' })
    for (const chat of [asked, answered]) {
      const gone = untilChat(chat.id, ({ visitor }) => visitor === 'gone')
      chat.socket.disconnect()
      await gone
    }
    await sweep(minutes(23.9 * 60))
    expect((await read(asked.id)).status).toBe('away')
    await Promise.all([1, 2].map(() => sweep(minutes(24.1 * 60))))
    for (const { id } of [asked, answered]) expect(await read(id)).toMatchObject({ status: 'closed' })
    const made = async (id: number) => product.db.select().from(requests).where(eq(requests.chatId, id))
    const [request, ...more] = await made(asked.id)
    expect(request?.message).toContain('Rappelez-moi demain')
    expect(more).toEqual([])
    expect(await made(answered.id)).toEqual([])
  })
})

test('closes a conversation without messages after ten minutes and notifies its visitor', async () => {
  const chat = await chats.openChat(technician)
  const closed = next(chat.socket, 'chat:closed')
  await sweep(minutes(9.9))
  expect((await read(chat.id)).status).toBe('waiting')
  await sweep(minutes(10.1))
  expect(await closed).toEqual({ id_chat: chat.key })
  expect((await read(chat.id)).status).toBe('closed')
})

test('a conversation in which the visitor wrote nothing is erased a day after they left', async () => {
  const [silent, greeted, written] = [
    await chats.openChat(technician),
    await chats.openChat(technician),
    await chats.openChat(technician),
  ]
  await ask(technician, 'staff:claim', { id: greeted.id })
  await ask(technician, 'staff:send-message', { id: greeted.id, message: 'Bonjour?' })
  await ask(written.socket, 'chat:send-message', { id_chat: written.key, message: 'Bonjour' })
  for (const chat of [silent, greeted, written]) await ask(chat.socket, 'chat:close', { id_chat: chat.key })
  await eraseEmptyChats(product.app, minutes(-1), 200)
  expect(await read(silent.id)).toMatchObject({ status: 'closed' })
  const erased = next(technician, 'staff:erased')
  expect(await eraseEmptyChats(product.app, minutes(1), 200)).toBeGreaterThanOrEqual(2)
  await erased
  const ids = (await product.db.select({ id: chatTable.id }).from(chatTable)).map(({ id }) => id)
  expect(ids).not.toContain(silent.id)
  expect(ids).not.toContain(greeted.id)
  expect(ids).toContain(written.id)
})

test('addresses that an earlier version stored are hashed, and a block of one still applies', async () => {
  const [old, blocked] = [await chats.openChat(technician), '198.51.100.7']
  await product.db.update(chatTable).set({ clientAddress: blocked }).where(eq(chatTable.id, old.id))
  await product.db.insert(chatBlocks).values({ address: blocked, reason: 'Robot', userName: 'Zoé' })
  await hashStoredAddresses(product.db)
  const [chat] = await product.db.select().from(chatTable).where(eq(chatTable.id, old.id))
  expect(chat?.clientAddress).toBe(hashAddress(product.db, blocked))
  expect(await isBlocked(product.db, { email: 'x@example.com', address: chat?.clientAddress ?? '' })).toBe(true)
  await hashStoredAddresses(product.db)
  const [again] = await product.db.select().from(chatTable).where(eq(chatTable.id, old.id))
  expect(again?.clientAddress).toBe(chat?.clientAddress)
})
