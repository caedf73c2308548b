import { eq, sql } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import type { ChatJoined, StaffChat, StaffEvents } from './protocol.ts'
import { chatOffers, chats as chatTable } from './server/table.ts'
import { ask, createChatSockets, next } from './testing.ts'

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

type Payload<Name extends keyof StaffEvents> = Parameters<StaffEvents[Name]>[0]
const answer = (socket: Socket, event: string, input: object) => ask<{ chat: StaffChat }>(socket, event, input)
const idOf = (technician: { client: { user: { id: number } } }) => technician.client.user.id

test('a claim is stored with its event, or not at all', async () => {
  const technician = await chats.openTechnician()
  const { id, socket } = await chats.openChat(technician)
  await product.db.execute(sql`alter table chat_events add constraint refused check (kind <> 'claimed') not valid`)
  expect(await ask(technician, 'staff:claim', { id })).toMatchObject({ error: { code: 'broken' } })
  await product.db.execute(sql`alter table chat_events drop constraint refused`)
  const [row] = await product.db.select().from(chatTable).where(eq(chatTable.id, id))
  expect(row).toMatchObject({ status: 'waiting', userId: null })
  expect(await ask(technician, 'staff:claim', { id })).toMatchObject({ ok: true })
  technician.close()
  socket.close()
})

describe('an offered conversation', () => {
  let giver: Awaited<ReturnType<typeof chats.openTechnician>>
  let colleague: Awaited<ReturnType<typeof chats.openTechnician>>
  let id: number
  let visitor: Socket
  beforeEach(async () => {
    giver = await chats.openTechnician()
    colleague = await chats.openTechnician()
    ;({ id, socket: visitor } = await chats.openChat(giver))
    await ask(giver, 'staff:claim', { id })
  })
  const offer = (note = '') => answer(giver, 'staff:transfer', { id, id_user: idOf(colleague), note })

  test('reaches the colleague with its note, and stays with its giver until it is accepted', async () => {
    const offered = next<Payload<'staff:offer'>>(colleague, 'staff:offer')
    expect(await offer('Il veut Teams.')).toMatchObject({ ok: true, offered: true, chat: { id_user: idOf(giver) } })
    const { until, ...received } = await offered
    expect(received).toEqual({
      id,
      from: { id_user: idOf(giver), user_name: giver.client.user.displayName },
      note: 'Il veut Teams.',
    })
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(30_000)
    expect(await ask(giver, 'staff:send-message', { id, message: 'Un instant.' })).toMatchObject({ ok: true })
    expect(await ask(colleague, 'staff:send-message', { id, message: 'Non' })).toMatchObject({ error: { code: 'taken' } })

    const [ended, released] = [next(giver, 'staff:offer-ended'), next(giver, 'staff:released')]
    expect(await answer(colleague, 'staff:accept', { id })).toMatchObject({
      ok: true,
      chat: { id_user: idOf(colleague), offer: null },
    })
    expect(await ended).toMatchObject({ id, result: 'accepted' })
    expect(await released).toEqual({ id, reason: 'transferred', user_name: colleague.client.user.displayName })
    expect(await ask(giver, 'staff:send-message', { id, message: 'Non' })).toMatchObject({ error: { code: 'taken' } })
    expect(await ask(colleague, 'staff:send-message', { id, message: 'Je prends la suite.' })).toMatchObject({ ok: true })
  })

  test('is in the chat that a reloaded console reads', async () => {
    await offer('Voir la note')
    const { chat } = await answer(colleague, 'staff:open', { id })
    expect(chat.offer).toMatchObject({ to: { id_user: idOf(colleague) }, from: { id_user: idOf(giver) }, note: 'Voir la note' })
  })

  test('ends when the colleague declines, and cannot be accepted afterwards', async () => {
    await offer()
    const ended = next(giver, 'staff:offer-ended')
    expect(await answer(colleague, 'staff:decline', { id })).toMatchObject({
      ok: true,
      chat: { id_user: idOf(giver), offer: null },
    })
    expect(await ended).toMatchObject({ id, result: 'declined', to: { id_user: idOf(colleague) } })
    expect(await ask(colleague, 'staff:accept', { id })).toMatchObject({ error: { code: 'expired' } })
  })

  test('can be withdrawn by its giver, and accepted or declined by its addressee alone', async () => {
    await offer()
    const other = await chats.openTechnician()
    for (const event of ['staff:accept', 'staff:decline'])
      expect(await ask(other, event, { id })).toMatchObject({ error: { code: 'expired' } })
    const ended = next(colleague, 'staff:offer-ended')
    expect(await ask(giver, 'staff:decline', { id })).toMatchObject({ ok: true })
    expect(await ended).toMatchObject({ id, result: 'withdrawn' })
  })

  test('is not accepted after its time', async () => {
    await offer()
    await product.db
      .update(chatOffers)
      .set({ until: new Date(Date.now() - 1) })
      .where(eq(chatOffers.chatId, id))
    expect(await ask(colleague, 'staff:accept', { id })).toMatchObject({ error: { code: 'expired' } })
  })

  test('goes to whoever was offered it last', async () => {
    await offer()
    const other = await chats.openTechnician()
    const ended = next(colleague, 'staff:offer-ended')
    await ask(giver, 'staff:transfer', { id, id_user: idOf(other) })
    expect(await ended).toMatchObject({ result: 'withdrawn', to: { id_user: idOf(colleague) } })
    expect(await ask(colleague, 'staff:accept', { id })).toMatchObject({ error: { code: 'expired' } })
    expect(await ask(other, 'staff:accept', { id })).toMatchObject({ ok: true })
  })

  test('is not offered to somebody who is not connected, nor by somebody who does not have it', async () => {
    expect(await ask(giver, 'staff:transfer', { id, id_user: 999_999 })).toMatchObject({ error: { code: 'no_users' } })
    const other = await chats.openTechnician()
    expect(await ask(other, 'staff:transfer', { id, id_user: idOf(colleague) })).toMatchObject({ error: { code: 'taken' } })
  })

  test('a supervisor offers a colleague’s conversation; it stays with the colleague until it is accepted', async () => {
    const supervisor = await chats.openTechnician(true, { chat: 'administrator' })
    const accepted = await answer(supervisor, 'staff:transfer', { id, id_user: idOf(colleague) })
    expect(accepted).toMatchObject({ ok: true, chat: { id_user: idOf(giver) } })
    const released = next(giver, 'staff:released')
    await ask(colleague, 'staff:accept', { id })
    expect(await released).toMatchObject({ id, reason: 'transferred' })
  })

  test('is over once the conversation is closed', async () => {
    await offer()
    const ended = next(colleague, 'staff:offer-ended')
    await ask(visitor, 'chat:close', { id_chat: await keyOf(id) })
    expect(await ended).toMatchObject({ id, result: 'withdrawn' })
    expect(await ask(colleague, 'staff:accept', { id })).toMatchObject({ ok: false })
  })
})

const keyOf = async (id: number) => (await product.db.select().from(chatTable).where(eq(chatTable.id, id)))[0]?.key

describe('a supervisor', () => {
  test('takes over a conversation; a technician who is none does not', async () => {
    const technician = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const other = await chats.openTechnician()
    expect(await ask(other, 'staff:take-over', { id })).toMatchObject({ error: { code: 'forbidden' } })
    const supervisor = await chats.openTechnician(true, { chat: 'administrator' })
    const released = next(technician, 'staff:released')
    expect(await answer(supervisor, 'staff:take-over', { id })).toMatchObject({
      ok: true,
      chat: { status: 'claimed', id_user: idOf(supervisor) },
    })
    expect(await released).toEqual({ id, reason: 'taken_over', user_name: supervisor.client.user.displayName })
    expect(await ask(technician, 'staff:send-message', { id, message: 'Non' })).toMatchObject({ error: { code: 'taken' } })
  })

  test('closes a colleague’s conversation', async () => {
    const technician = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const supervisor = await chats.openTechnician(true, { chat: 'administrator' })
    expect(await answer(supervisor, 'staff:close', { id })).toMatchObject({ ok: true, chat: { status: 'closed' } })
  })
})

describe('a closed conversation', () => {
  test('goes on with whoever reopens it, and its visitor is back in it', async () => {
    const technician = await chats.openTechnician()
    const { id, socket, key } = await chats.openChat(technician)
    await ask(technician, 'staff:close', { id })
    const reopened = next(socket, 'chat:reopened')
    expect(await answer(technician, 'staff:reopen', { id })).toMatchObject({
      ok: true,
      chat: { status: 'claimed', id_user: idOf(technician) },
    })
    expect(await reopened).toEqual({ id_chat: key })
    expect(await ask<ChatJoined>(socket, 'chat:client-join', { id_chat: key })).toMatchObject({ ok: true, closed: false })
    expect(await ask(socket, 'chat:send-message', { id_chat: key, message: 'Encore là' })).toMatchObject({ ok: true })
    const other = await chats.openTechnician()
    expect(await ask(other, 'staff:reopen', { id })).toMatchObject({ error: { code: 'taken' } })
  })

  test('that was full is not reopened', async () => {
    const technician = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:close', { id })
    await product.db.update(chatTable).set({ lastSeq: 2_000 }).where(eq(chatTable.id, id))
    expect(await ask(technician, 'staff:reopen', { id })).toMatchObject({ error: { code: 'closed' } })
  })

  test('is not claimed, offered or taken over', async () => {
    const supervisor = await chats.openTechnician(true, { chat: 'administrator' })
    const other = await chats.openTechnician()
    const { id } = await chats.openChat(supervisor)
    await ask(supervisor, 'staff:close', { id })
    for (const [event, input] of [
      ['staff:claim', { id }],
      ['staff:take-over', { id }],
      ['staff:transfer', { id, id_user: idOf(other) }],
    ] as const)
      expect(await ask(supervisor, event, input)).toMatchObject({ error: { code: 'closed' } })
  })
})

describe('tags', () => {
  test('are replaced as a whole, each once, and every console sees them', async () => {
    const technician = await chats.openTechnician()
    const other = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    const pushed = new Promise<StaffChat>((resolve) => {
      other.on('staff:chat', (chat: StaffChat) => chat.id === id && chat.tags.length > 0 && resolve(chat))
    })
    const { chat } = await answer(technician, 'staff:tags', { id, tags: ['Facturation', ' facturation ', 'E\u0301quipement'] })
    expect(chat.tags).toEqual(['facturation', 'Équipement'])
    expect((await pushed).tags).toEqual(chat.tags)
    expect(await answer(technician, 'staff:tags', { id, tags: [] })).toMatchObject({ ok: true, chat: { tags: [] } })
    for (const tags of [[' '], ['x'.repeat(41)], Array.from({ length: 11 }, (_, index) => `tag ${index}`)])
      expect(await ask(technician, 'staff:tags', { id, tags })).toMatchObject({ error: { code: 'invalid' } })
  })
})
