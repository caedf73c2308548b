import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { groups } from '#src/features/people/server/table.ts'
import { requestEntries, requests } from '#src/features/requests/server/table.ts'
import type { HeldWork } from '#src/features/people/contract.ts'
import type { StaffChat } from './protocol.ts'
import { ask, createChatSockets } from './testing.ts'

/* What becomes of the work of somebody whose account is locked or deleted. */

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

const path = '/api/users/users'
const rights = { chat: 'read_write', requests: 'read_write' } as const

async function openTakenChat() {
  const [technician, colleague] = [await chats.openTechnician(true, rights), await chats.openTechnician(true, rights)]
  const chat = await chats.openChat(colleague)
  await ask(chat.socket, 'chat:send-message', { id_chat: chat.key, message: 'Bonjour', client_message_id: crypto.randomUUID() })
  await ask(technician, 'staff:claim', { id: chat.id })
  await ask(technician, 'staff:send-message', { id: chat.id, message: 'Un instant.' })
  await vi.waitFor(() => expect(chat.place()).toMatchObject({ position: 0, user_name: technician.client.user.displayName }), {
    timeout: 10_000,
  })
  const { user } = technician.client
  const stored = async () => (await ask<{ chat: StaffChat }>(colleague, 'staff:open', { id: chat.id })).chat
  return { technician, colleague, chat, user, stored }
}

describe('a conversation in progress goes back to the queue, and its visitor reads it', () => {
  test.each([
    ['the account of its technician is locked', 'PUT', '/lock'],
    ['it is deleted', 'DELETE', ''],
  ])('when %s', async (_when, method, verb) => {
    const { chat, user, stored } = await openTakenChat()
    const administrator = await product.signIn()
    expect((await administrator.send(method, `${path}/${user.id}${verb}`)).status).toBeLessThan(300)
    expect(await stored()).toMatchObject({
      status: 'waiting',
      id_user: null,
      released: { reason: 'left', user_name: user.displayName },
    })
    // As for who waits from the start, a message can be left where nobody comes.
    const place = { position: expect.any(Number), user_name: null, no_answer_in: expect.any(Number) }
    await vi.waitFor(() => expect(chat.place()).toMatchObject(place), { timeout: 10_000 })
  })

  test('when the group of its technician may no longer answer', async () => {
    const { chat, user, stored } = await openTakenChat()
    await product.db.update(groups).set({ enabled: false }).where(eq(groups.id, user.groupId))
    await vi.waitFor(async () => expect(await stored()).toMatchObject({ status: 'waiting', id_user: null }), { timeout: 20_000 })
    await vi.waitFor(() => expect(chat.place()).toMatchObject({ user_name: null }), { timeout: 10_000 })
  })
})

describe('what a person holds', () => {
  async function openRequest(userId: number | null) {
    const reference = `SUP-${crypto.randomUUID()}`
    const facts = {
      kind: 'support',
      reference,
      name: 'Annie',
      email: 'annie@example.com',
      subject: 'Imprimante',
      message: 'Bonjour',
    } as const
    const [row] = await product.db
      .insert(requests)
      .values({ ...facts, language: 'fr', status: 'open', assignedTo: userId })
      .returning({ id: requests.id })
    return { id: row?.id ?? 0, reference }
  }
  const assigneeOf = async (id: number) =>
    (await product.db.select({ to: requests.assignedTo }).from(requests).where(eq(requests.id, id)))[0]?.to

  test('is listed before the account is locked or deleted, with its names for those who may read them', async () => {
    const { user, chat } = await openTakenChat()
    const { reference, id } = await openRequest(user.id)
    const administrator = await product.signIn()
    const held = await administrator.get<HeldWork>(`${path}/${user.id}/held`)
    expect(held.body.held.find(({ kind }) => kind === 'requests')).toMatchObject({
      count: 1,
      can_be_given: true,
      rows: [{ label: `${reference} · Imprimante`, path: `/admin/demandes/${id}` }],
    })
    expect(held.body.held.find(({ kind }) => kind === 'chats')).toMatchObject({
      count: 1,
      can_be_given: false,
      rows: [{ label: 'Annie, Clinique du Fleuve', path: `/admin/chat?chat=${chat.id}` }],
    })
    expect(held.body.colleagues.map(({ id_user }) => id_user)).not.toContain(user.id)
    const narrow = await product.signIn({ users: 'read_write' })
    // Whoever has fewer rights than the account may not manage it.
    expect((await narrow.get(`${path}/${user.id}/held`)).status).toBe(403)
    expect((await (await product.signIn({ users: 'read_only' })).get(`${path}/${user.id}/held`)).status).toBe(403)
  })

  test('is handed over with the lock or the deletion, and only to somebody who may have it', async () => {
    const [leaving, taker, outsider] = [
      await product.createUser({ requests: 'read_write' }),
      await product.createUser({ requests: 'read_write' }),
      await product.createUser({}),
    ]
    const [one, other] = [await openRequest(leaving.id), await openRequest(leaving.id)]
    const administrator = await product.signIn()
    expect((await administrator.put(`${path}/${leaving.id}/lock?give_to=${outsider.id}`)).status).toBe(400)
    expect((await administrator.put(`${path}/${leaving.id}/lock?give_to=0`)).status).toBe(400)
    expect(await assigneeOf(one.id)).toBe(leaving.id)
    expect((await administrator.put(`${path}/${leaving.id}/lock`)).status).toBe(200)
    expect(await assigneeOf(one.id)).toBe(leaving.id)
    expect((await administrator.delete(`${path}/${leaving.id}?give_to=${taker.id}`)).status).toBe(204)
    expect([await assigneeOf(one.id), await assigneeOf(other.id)]).toEqual([taker.id, taker.id])
    const [entry] = await product.db.select().from(requestEntries).where(eq(requestEntries.requestId, one.id))
    expect(entry?.event).toEqual({ assignee: taker.displayName })
    expect((await administrator.put(`${path}/${taker.id}/lock?give_to=none`)).status).toBe(200)
    expect(await assigneeOf(one.id)).toBeNull()
  })
})
