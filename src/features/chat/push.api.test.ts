import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { sessions } from '#src/features/people/server/table.ts'
import type { TestPushService } from '#src/server/testing/test-push-service.ts'
import { startTestPushService } from '#src/server/testing/test-push-service.ts'
import type { ChatAvailability, OwnStart, PushState } from './contract.ts'
import { findOnCall } from './server/availability.ts'
import { pushData } from './server/push.ts'
import { chats as chatsTable, pushDevices, pushKeys, technicians, unansweredCalls } from './server/table.ts'
import { ask, createChatSockets } from './testing.ts'

const path = '/api/chat/push'
/** Longer than the time in which a page that is loaded anew comes back, and a tick. */
const patience = { timeout: 20_000, interval: 50 }

let service: TestPushService
let product: TestApp
let chats: ReturnType<typeof createChatSockets>
beforeAll(async () => {
  service = await startTestPushService()
  product = await startTestApp({ environment: { PUSH_ALLOW: '127.0.0.1' } })
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
  await service.stop()
})
beforeEach(async () => {
  chats.close()
  service.answer(201)
  await product.db.update(technicians).set({ available: false })
  await product.db.delete(pushDevices)
  await product.db.delete(unansweredCalls)
  await product.db.update(chatsTable).set({ status: 'closed', closedAt: new Date() })
})

const availability = async () => (await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')).body
const staff = () => product.app.realtime.io.of('/staff')
const idsOnCall = () => findOnCall(staff()).map(({ id_user: id }) => id)

/** A technician who is available, on a device that takes calls. */
async function openTechnicianWithDevice() {
  const technician = await chats.openTechnician()
  const device = service.addDevice()
  expect((await technician.client.post(path, device.subscription)).status).toBe(201)
  return { technician, device, userId: technician.client.user.id }
}

test('the first steps of a technician are found: photo, device, availability', async () => {
  const technician = await chats.openTechnician(false)
  const steps = async () => (await technician.client.get<OwnStart>('/api/chat/me')).body
  expect(await steps()).toEqual({
    user_name: technician.client.user.displayName,
    image_url: null,
    title: '',
    title_en: '',
    device_count: 0,
    was_available: false,
  })
  await technician.client.post(path, service.addDevice().subscription)
  await ask(technician, 'staff:availability', { available: true })
  await ask(technician, 'staff:availability', { available: false })
  expect(await steps()).toMatchObject({ device_count: 1, was_available: true })
  await technician.client.put('/api/auth/me', { display_name: 'Zoé Lavoie', email: technician.client.user.email })
  // Not the ten seconds that visitors may still see the earlier name.
  expect((await steps()).user_name).toBe('Zoé Lavoie')
})

describe('the devices of a technician', () => {
  test('are listed and removed, each by its own user alone', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const before = (await technician.get<PushState>(path)).body
    expect(before).toMatchObject({ public_key: expect.stringMatching(/^B[\w-]{86}$/), devices: [] })
    const { subscription } = service.addDevice()
    const added = await technician.post<PushState>(path, subscription)
    expect(added.status).toBe(201)
    expect(added.body.devices).toEqual([expect.objectContaining({ endpoint: subscription.endpoint })])
    expect((await technician.post<PushState>(path, subscription)).body.devices).toHaveLength(1)

    const other = await product.signIn({ chat: 'read_write' })
    expect((await other.get<PushState>(path)).body).toEqual(before)
    const { endpoint } = subscription
    expect((await other.delete(path, { endpoint })).status).toBe(404)
    expect((await technician.delete(path, { endpoint })).status).toBe(204)
    expect((await technician.get<PushState>(path)).body.devices).toEqual([])
  })

  test('are for who answers chats alone', async () => {
    const { subscription } = service.addDevice()
    const reader = await product.signIn({ chat: 'read_only' })
    expect((await reader.get(path)).status).toBe(403)
    expect((await reader.post(path, subscription)).status).toBe(403)
    const visitor = await product.client()
    expect((await visitor.post(path, subscription)).status).toBe(401)
    expect((await visitor.post(`${path}/answered`, { endpoint: subscription.endpoint })).status).toBe(401)
  })

  const { keys } = { keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) } }
  test.each([
    ['http', { endpoint: 'http://push.example.com/x', keys }],
    ['an address of this machine', { endpoint: 'https://127.0.0.2/x', keys }],
    ['its other writing', { endpoint: 'https://2130706434/x', keys }],
    ['a name of this machine', { endpoint: 'https://localhost/x', keys }],
    ['the metadata of a cloud', { endpoint: 'https://169.254.169.254/latest', keys }],
    ['a password in the address', { endpoint: 'https://a:b@127.0.0.1/x', keys }],
    ['a key that is none', { endpoint: 'https://127.0.0.1/x', keys: { ...keys, p256dh: 'abc' } }],
    ['a long address', { endpoint: `https://127.0.0.1/${'x'.repeat(1_000)}`, keys }],
    ['an unknown field', { endpoint: 'https://127.0.0.1/x', keys, expirationTime: null }],
  ])('refused: %s', async (_name, subscription) => {
    const technician = await product.signIn({ chat: 'read_write' })
    expect((await technician.post(path, subscription)).status).toBe(400)
    expect((await technician.get<PushState>(path)).body.devices).toEqual([])
  })

  test('an eleventh takes the place of the one that answered least lately', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const all = Array.from({ length: 11 }, () => service.addDevice().subscription)
    for (const subscription of all) await technician.post(path, subscription)
    const { devices } = (await technician.get<PushState>(path)).body
    expect(devices).toHaveLength(10)
    expect(devices.map(({ endpoint }) => endpoint)).not.toContain(all[0]?.endpoint)
  })

  test('keep their secrets encrypted in the database', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const { subscription } = service.addDevice()
    await technician.post(path, subscription)
    const [device] = await product.db.select().from(pushDevices).where(eq(pushDevices.endpoint, subscription.endpoint))
    expect(device?.auth).toMatch(/^v1\./)
    expect((await product.db.select().from(pushKeys))[0]?.privateKey).toMatch(/^v1\./)
  })

  test('are found, erased and forgotten with other personal data', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const { subscription } = service.addDevice()
    await technician.post(path, subscription)
    const { email } = technician.user
    expect(await pushData.find(product.db, email)).toEqual([
      expect.objectContaining({ fields: expect.objectContaining({ address: subscription.endpoint }) }),
    ])
    expect(await pushData.erase?.(product.db, email)).toBe(1)
    expect(await pushData.find(product.db, email)).toEqual([])

    await technician.post(path, subscription)
    await pushData.retention?.purge(product.db, new Date(Date.now() - 60_000), 100)
    expect(await pushData.find(product.db, email)).toHaveLength(1)
    await pushData.retention?.purge(product.db, new Date(Date.now() + 60_000), 100)
    expect(await pushData.find(product.db, email)).toEqual([])
  })
})

describe('on call', () => {
  afterEach(() => void vi.useRealTimers())

  test('a technician who closes the page is called within five seconds for a visitor who waits, without their words', async () => {
    const { technician, device } = await openTechnicianWithDevice()
    const { id } = await chats.openChat(technician, { client_name: 'Annie Secret', client_business: 'Clinique Secrète' })
    expect(device.received).toEqual([])
    const closedAt = Date.now()
    technician.disconnect()
    await expect.poll(() => device.received.length, patience).toBe(1)
    const [push] = device.received
    expect((push?.at ?? 0) - closedAt).toBeLessThan(5_000)
    expect(push?.payload).toMatchObject({ chat: id, lang: 'fr', title: 'Un visiteur attend une réponse' })
    expect(JSON.stringify(push?.payload)).not.toContain('Secr')
    expect(push?.headers).toMatchObject({ urgency: 'high', topic: `chat-${id}`, 'content-encoding': 'aes128gcm' })
    const { public_key } = (await technician.client.get<PushState>(path)).body
    expect(push).toMatchObject({ publicKey: public_key, claims: { aud: service.origin, sub: expect.stringMatching(/^mailto:/) } })
  })

  test('counts as somebody who is there, and only while a device, the session and the choice last', async () => {
    const { technician, device, userId } = await openTechnicianWithDevice()
    technician.disconnect()
    await expect.poll(idsOnCall, patience).toEqual([userId])
    await expect.poll(async () => (await availability()).user_count, patience).toBe(1)
    expect(await availability()).toMatchObject({ open: true, state: 'open' })
    // A visitor gets in, and comes back to the conversation.
    const visitor = await chats.openVisitor()
    const joined = await ask<{ user_count: number }>(visitor.socket, 'chat:client-join', { id_chat: visitor.key })
    expect(joined).toMatchObject({ ok: true, user_count: 1 })
    await expect.poll(() => device.received.length, patience).toBe(1)

    const endsBy = async (end: () => Promise<unknown>, restore: () => Promise<unknown>) => {
      await end()
      await expect.poll(idsOnCall, patience).toEqual([])
      expect((await availability()).user_count).toBe(0)
      await restore()
      await expect.poll(idsOnCall, patience).toEqual([userId])
    }
    const device8 = { answeredAt: new Date(Date.now() - 8 * 86_400_000) }
    await endsBy(
      () => product.db.update(pushDevices).set(device8),
      () => technician.client.post(`${path}/answered`, { endpoint: device.subscription.endpoint }),
    )
    const idle = (hours: number) => ({ lastSeenAt: new Date(Date.now() - hours * 3_600_000) })
    await endsBy(
      () => product.db.update(sessions).set(idle(9)).where(eq(sessions.userId, userId)),
      () => product.db.update(sessions).set(idle(1)).where(eq(sessions.userId, userId)),
    )
    await endsBy(
      () => product.db.update(technicians).set({ available: false }),
      () => product.db.update(technicians).set({ available: true }).where(eq(technicians.userId, userId)),
    )
  })

  test('ends with the first refused call, and begins again when a screen is opened', async () => {
    const { technician, userId } = await openTechnicianWithDevice()
    technician.disconnect()
    await expect.poll(idsOnCall, patience).toEqual([userId])
    service.answer(500)
    await chats.openVisitor()
    await expect.poll(idsOnCall, patience).toEqual([])
    expect(await product.db.select().from(pushDevices)).toHaveLength(1)

    service.answer(201)
    const back = await chats.open('/staff', { cookie: technician.client.cookieHeader() })
    await expect.poll(async () => (await availability()).user_count, patience).toBe(1)
    await expect.poll(() => product.db.select().from(unansweredCalls), patience).toEqual([])
    back.disconnect()
    await expect.poll(idsOnCall, patience).toEqual([userId])
  })

  test('a device whose browser dropped it is forgotten', async () => {
    const { technician, device, userId } = await openTechnicianWithDevice()
    technician.disconnect()
    device.remove()
    await expect.poll(idsOnCall, patience).toEqual([userId])
    await chats.openVisitor()
    await expect.poll(() => product.db.select().from(pushDevices), patience).toEqual([])
    await expect.poll(async () => (await availability()).user_count, patience).toBe(0)
  })

  test('ends after two calls without a reaction in three minutes', async () => {
    const { technician, device, userId } = await openTechnicianWithDevice()
    technician.disconnect()
    await expect.poll(idsOnCall, patience).toEqual([userId])
    await chats.openVisitor()
    await expect.poll(() => device.received.length, patience).toBe(1)
    await expect.poll(async () => (await product.db.select().from(unansweredCalls))[0]?.count, patience).toBe(1)
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await product.db.update(unansweredCalls).set({ count: 2, firstAt: ago(2.9), lastAt: ago(1.6) })
    await expect.poll(idsOnCall, patience).toEqual([userId])
    await product.db.update(unansweredCalls).set({ firstAt: ago(3.1), lastAt: ago(1.6) })
    await expect.poll(idsOnCall, patience).toEqual([])
    expect((await availability()).user_count).toBe(0)
  })

  test('the owner of a conversation is called for its visitor’s message, and nobody else', async () => {
    const owner = await openTechnicianWithDevice()
    const other = await openTechnicianWithDevice()
    const { id, key, socket } = await chats.openChat(owner.technician)
    expect(await ask(owner.technician, 'staff:claim', { id })).toMatchObject({ ok: true })
    const reply = { id, message: 'Bonjour', client_message_id: crypto.randomUUID() }
    expect(await ask(owner.technician, 'staff:send-message', reply)).toMatchObject({ ok: true })
    owner.technician.disconnect()
    other.technician.disconnect()
    await expect.poll(() => idsOnCall().length, patience).toBe(2)
    await ask(socket, 'chat:send-message', { id_chat: key, message: 'Mot de passe : 1234' })
    await expect.poll(() => owner.device.received.length, patience).toBe(1)
    expect(owner.device.received[0]?.payload).toMatchObject({ chat: id, title: 'Votre visiteur attend une réponse' })
    expect(JSON.stringify(owner.device.received[0]?.payload)).not.toMatch(/Mot de passe|1234/)
    expect(other.device.received).toEqual([])
  })

  test('nobody is called while a colleague at a screen has their time, nor for a visitor who left; each once, one gets it', async () => {
    const [one, two] = [await openTechnicianWithDevice(), await openTechnicianWithDevice()]
    const atScreen = await chats.openTechnician()
    const { id, socket } = await chats.openChat(atScreen)
    one.technician.disconnect()
    two.technician.disconnect()
    await expect.poll(() => idsOnCall().length, patience).toBe(2)
    vi.useFakeTimers({ now: Date.now() + 40_000, toFake: ['Date'] })
    await expect.poll(async () => (await availability()).user_count, patience).toBe(3)
    expect([...one.device.received, ...two.device.received]).toEqual([])
    vi.setSystemTime(Date.now() + 30_000)
    await expect.poll(() => [one.device.received.length, two.device.received.length], patience).toEqual([1, 1])
    vi.useRealTimers()

    const opened = await Promise.all(
      [one, two].map(({ technician }) => chats.open('/staff', { cookie: technician.client.cookieHeader() })),
    )
    const claims = await Promise.all(opened.map((console) => ask(console, 'staff:claim', { id })))
    expect(claims.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    socket.disconnect()
  })

  test('a visitor who left wakes nobody', async () => {
    const { technician, device } = await openTechnicianWithDevice()
    const left = await chats.openChat(technician)
    left.socket.disconnect()
    technician.disconnect()
    // A later visitor is called for: the one before was looked at in the same round.
    await expect.poll(idsOnCall, patience).toEqual([technician.client.user.id])
    const stays = await chats.openVisitor()
    await expect.poll(() => device.received.length, patience).toBe(1)
    expect(device.received.map(({ payload }) => payload.chat)).not.toContain(left.id)
    stays.socket.disconnect()
  })
})
