import { eq, max } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { users } from '#src/features/people/server/table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ChatFigures } from './contract.ts'
import { storeFormerFigures } from './server/figures.ts'
import { closeChat } from './server/service.ts'
import { chatEvents, chatFigures, chatMessages, chats } from './server/table.ts'
import { findUsualMinutes } from './server/waiting-queue.ts'

const path = '/api/chat/figures'
const name = '=Zoé "la rapide"'

let product: TestApp
let supervisor: Awaited<ReturnType<TestApp['signIn']>>
let userId: number
beforeAll(async () => {
  product = await startTestApp()
  supervisor = await product.signIn({ chat: 'administrator' })
  userId = supervisor.user.id
  await product.db.update(users).set({ displayName: name }).where(eq(users.id, userId))
})
afterAll(() => product.stop())

type Given = { begins: string; answered?: string; closed?: string; rating?: number; silent?: boolean }
let number = 0

/** A chat as it would have gone; each of our visitors writes at least once, unless it is `silent`. */
async function insertChat({ begins, answered, closed, rating, silent = false }: Given) {
  number += 1
  const [row] = await product.db
    .insert(chats)
    .values({
      key: `k${number}`,
      clientName: 'Annie',
      clientEmail: 'annie@example.com',
      createdAt: new Date(begins),
      closedAt: closed ? new Date(closed) : null,
      status: closed ? 'closed' : 'waiting',
      userId: answered ? userId : null,
      lastSeq: silent ? 0 : answered ? 2 : 1,
      rating: rating ?? null,
    })
    .returning()
  if (!row || silent) return
  const line = { chatId: row.id, message: 'x', userName: 'x' }
  await product.db.insert(chatMessages).values({ ...line, seq: 1, fromStaff: false, sentAt: new Date(begins) })
  // A note among staff is no answer to the visitor.
  await product.db.insert(chatMessages).values({ ...line, seq: 1, fromStaff: true, internal: true, sentAt: new Date(begins) })
  if (answered)
    await product.db.insert(chatMessages).values({ ...line, seq: 2, fromStaff: true, userId, sentAt: new Date(answered) })
}

const read = async (from: string, to: string) => (await supervisor.get<ChatFigures>(`${path}?from=${from}&to=${to}`)).body

test('count the conversations of each day, the missed ones, and times in business minutes', async () => {
  await insertChat({
    begins: '2026-05-05T09:00:00-04:00',
    answered: '2026-05-05T09:02:00-04:00',
    closed: '2026-05-05T09:30:00-04:00',
    rating: 5,
  })
  await insertChat({
    begins: '2026-05-05T10:00:00-04:00',
    answered: '2026-05-05T10:06:00-04:00',
    closed: '2026-05-05T10:20:00-04:00',
    rating: 4,
  })
  await insertChat({
    begins: '2026-05-05T16:50:00-04:00',
    answered: '2026-05-06T08:10:00-04:00',
    closed: '2026-05-06T08:40:00-04:00',
  })
  await insertChat({ begins: '2026-05-05T23:30:00-04:00', closed: '2026-05-05T23:40:00-04:00' })
  await insertChat({ begins: '2026-05-05T12:00:00-04:00', silent: true })

  const { days, total, technicians } = await read('2026-05-04', '2026-05-06')
  expect(days.map(({ day, chats: count }) => [day, count])).toEqual([
    ['2026-05-04', 0],
    ['2026-05-05', 4],
    ['2026-05-06', 0],
  ])
  expect(days[1]).toMatchObject({ missed: 1, answer_median: 6, answer_p90: 17.2, resolution_median: 30, rating: 4.5, ratings: 2 })
  expect(days[0]).toMatchObject({ missed: 0, answer_median: null, resolution_p90: null, rating: null, ratings: 0 })
  expect(total).toMatchObject({ chats: 4, missed: 1 })
  expect(technicians).toEqual([expect.objectContaining({ id_user: userId, chats: 3, missed: 0, answer_median: 6, rating: 4.5 })])
})

test('measure the wait in the queue, the longest silence, who took over and who gave up, beside the days before', async () => {
  const at = (time: string) => new Date(`2026-06-02T${time}:00-04:00`)
  const insert = async (more: object) => {
    number += 1
    const row = { key: `k${number}`, clientName: 'Annie', clientEmail: 'annie@example.com', createdAt: at('09:00'), lastSeq: 4 }
    const [made] = await product.db
      .insert(chats)
      .values({ ...row, ...more })
      .returning()
    return made?.id ?? 0
  }
  const insertMessages = async (chatId: number, all: [time: string, fromStaff: boolean][]) => {
    for (const [index, [time, fromStaff]] of all.entries())
      await product.db
        .insert(chatMessages)
        .values({ chatId, seq: index + 1, message: 'x', userName: 'x', fromStaff, sentAt: at(time) })
  }
  const answered = await insert({ claimedAt: at('09:04'), userId, status: 'closed', closedAt: at('10:00') })
  await insertMessages(answered, [
    ['09:00', false],
    ['09:01', false],
    ['09:05', true],
    ['09:10', false],
    ['09:30', true],
    ['09:40', false],
  ])
  await product.db.insert(chatEvents).values({ chatId: answered, kind: 'taken_over', userId, at: at('09:04') })
  const left = await insert({ status: 'closed', closedAt: at('09:20'), goneAt: at('09:10') })
  await insertMessages(left, [['09:00', false]])

  const { total, before, technicians } = await read('2026-06-02', '2026-06-02')
  expect(total).toMatchObject({ chats: 2, wait_median: 4, silence_median: 20, taken_over: 1, given_up: 1 })
  expect(before).toMatchObject({ chats: 0, wait_median: null, silence_p90: null, taken_over: 0, given_up: 0 })
  expect(technicians).toEqual([expect.objectContaining({ id_user: userId, silence_median: 20, taken_over: 1, given_up: 0 })])
  expect((await read('2026-06-03', '2026-06-03')).before).toMatchObject({ chats: 2, given_up: 1 })
})

test('both nights when the clock changes: each chat on its own day, no hour twice or never', async () => {
  // 8 March has 23 hours, 1 November 25; both are Sundays, so the counter is closed.
  await insertChat({
    begins: '2026-03-08T00:30:00-05:00',
    answered: '2026-03-09T08:03:00-04:00',
    closed: '2026-03-09T08:10:00-04:00',
  })
  await insertChat({
    begins: '2026-03-08T23:30:00-04:00',
    answered: '2026-03-09T08:05:00-04:00',
    closed: '2026-03-09T08:20:00-04:00',
  })
  const spring = await read('2026-03-07', '2026-03-09')
  expect(spring.days.map(({ chats: count }) => count)).toEqual([0, 2, 0])
  expect(spring.days[1]).toMatchObject({ answer_median: 4, resolution_median: 15 })

  await insertChat({ begins: '2026-11-01T01:30:00-04:00', answered: '2026-11-02T08:02:00-05:00' })
  await insertChat({ begins: '2026-11-01T01:30:00-05:00', answered: '2026-11-02T08:04:00-05:00' })
  await insertChat({ begins: '2026-11-01T23:59:00-05:00', answered: '2026-11-02T08:06:00-05:00' })
  await insertChat({ begins: '2026-10-31T23:59:00-04:00', answered: '2026-11-02T08:08:00-05:00' })
  const autumn = await read('2026-10-31', '2026-11-02')
  expect(autumn.days.map(({ chats: count }) => count)).toEqual([1, 3, 0])
  expect(autumn.days[1]?.answer_median).toBe(4)
  expect((await read('2026-11-01', '2026-11-01')).total.chats).toBe(3)
})

test('counts a chat as missed once it waited longer than the setting', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  await insertChat({ begins: ago(1) })
  expect((await read(day(-1), day(1))).total).toMatchObject({ chats: 1, missed: 0 })
  await insertChat({ begins: ago(10) })
  expect((await read(day(-1), day(1))).total).toMatchObject({ chats: 2, missed: 1 })
})

test('a range of five years is read', async () => {
  expect((await read('2021-12-01', '2026-11-30')).days).toHaveLength(1826)
})

test('export as CSV in the language, with formulas escaped', async () => {
  const french = await supervisor.get<string>(`${path}/export.csv?from=2026-05-04&to=2026-05-06&language=fr`)
  expect(french.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(french.headers.get('content-disposition')).toContain('clavardage-2026-05-04-2026-05-06.csv')
  expect(french.text).toContain('2026-05-05;;4;1;6;17,2;30;')
  expect(french.text).toContain(`;"'=Zoé ""la rapide""";3;0;`)
  const english = await supervisor.get<string>(`${path}/export.csv?from=2026-05-04&to=2026-05-06&language=en`)
  expect(english.text).toContain('2026-05-05,,4,1,6,17.2,30,')
  const bytes = await fetch(`${product.origin}${path}/export.csv?from=2026-05-04&to=2026-05-06`, {
    headers: { cookie: supervisor.cookieHeader() },
  }).then((answer) => answer.arrayBuffer())
  expect([...new Uint8Array(bytes).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
})

test('what the end of a conversation fixes is stored, and read from there', async () => {
  const range = ['2026-05-04', '2026-06-03'] as const
  const measured = await read(...range)
  const [last] = await product.db.select({ id: max(chats.id) }).from(chats)
  const storeAll = async () => {
    for (let below = (last?.id ?? 0) + 1; below > 0;) below = await storeFormerFigures(product.db, below)
  }
  await storeAll()
  // Again, as another instance would at its start.
  await storeAll()
  expect(await read(...range)).toEqual(measured)

  const [chat] = await product.db.select().from(chats).where(eq(chats.rating, 5))
  const id = chat?.id ?? 0
  const findStored = () => product.db.select().from(chatFigures).where(eq(chatFigures.chatId, id))
  await product.db.delete(chatMessages).where(eq(chatMessages.chatId, id))
  expect(await read(...range)).toEqual(measured)
  await product.db.update(chats).set({ rating: 3 }).where(eq(chats.id, id))
  expect(await findStored()).toMatchObject([{ day: '2026-05-05', rating: 3, answer: 2, resolution: 30 }])
  await product.db.update(chats).set({ status: 'claimed', closedAt: null }).where(eq(chats.id, id))
  expect(await findStored()).toEqual([])
  await product.db.insert(chatMessages).values({ chatId: id, seq: 3, message: 'x', userName: 'x', fromStaff: true })
  await closeChat(product.db, id)
  expect(await findStored()).toMatchObject([{ day: '2026-05-05', rating: 3, isMissed: false }])
})

test.each([
  '',
  '?from=2026-05-04',
  '?from=2026-05-06&to=2026-05-04',
  '?from=2020-01-01&to=2026-01-01',
  '?from=2026-02-30&to=2026-03-01',
])('a range that is none is refused: %s', async (query) => {
  expect((await supervisor.get(path + query)).status).toBe(400)
})

test('are for who supervises the chat alone', async () => {
  const query = '?from=2026-05-04&to=2026-05-06'
  const technician = await product.signIn({ chat: 'read_write' })
  expect((await technician.get(path + query)).status).toBe(403)
  expect((await technician.get(`${path}/export.csv${query}`)).status).toBe(403)
  expect((await (await product.client()).get(path + query)).status).toBe(401)
})

test('the usual wait is the median of 30 days, from five conversations on', async () => {
  const insert = async (db: Database, minutes: number) => {
    number += 1
    const claimedAt = new Date(Date.now() - 2 * 86_400_000)
    const row = { key: `k${number}`, clientName: 'Annie', clientEmail: 'annie@example.com', status: 'closed', claimedAt } as const
    await db.insert(chats).values({ ...row, createdAt: new Date(claimedAt.getTime() - minutes * 60_000) })
  }
  class Undone extends Error {}
  const found: (number | null)[] = []
  const rolledBack = product.db.transaction(async (tx) => {
    // Those of other tests do not count.
    await tx.update(chats).set({ claimedAt: null })
    for (const minutes of [1, 2, 4, 30]) await insert(tx, minutes)
    found.push(await findUsualMinutes(tx))
    await tx.transaction(async (next) => {
      await insert(next, 40)
      found.push(await findUsualMinutes(next))
    })
    throw new Undone()
  })
  await expect(rolledBack).rejects.toThrow(Undone)
  expect(found).toEqual([null, 4])
})
