import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '#src/server/database/database.ts'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { startChat } from './server/starts.ts'
import { store } from './server/messages.ts'
import { ask, createChatSockets, visitorInput } from './testing.ts'

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Join Filter'?: number; Plans?: Plan[] }

let product: TestApp

beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

test('a batch walks its messages a few times, never each against each', async () => {
  const size = 200
  const chats = await Promise.all(
    Array.from({ length: size }, () =>
      startChat(product.db, { ...visitorInput, language: 'fr', page: '/', time_zone: '', read: [], address: '192.0.2.1' }),
    ),
  )
  let plan: Plan | undefined
  const explaining = {
    execute: async (query: SQL) => {
      const explained = await product.db.execute(sql`explain (analyze, format json) ${query}`)
      plan = (explained as { rows: { 'QUERY PLAN': { Plan: Plan }[] }[] }).rows[0]?.['QUERY PLAN'][0]?.Plan
      return { rows: [] }
    },
  } as unknown as Database
  const author = { fromStaff: false, internal: false, userId: null, userName: null, imageUrl: null, color: null }
  await store(
    explaining,
    chats.map(({ chat: { key } }) => ({ ...author, key, message: 'Bonjour', clientMessageId: randomUUID() })),
  )
  expect(rowsWalked(plan)).toBeGreaterThan(size)
  expect(rowsWalked(plan)).toBeLessThan(size * 50)
})

test('messages that come together are committed together', async () => {
  const chats = createChatSockets(product)
  await chats.openTechnician()
  const visitors = await Promise.all(Array.from({ length: 20 }, () => chats.openVisitor()))
  const statements = vi.spyOn(product.db, 'execute')
  const answers = await Promise.all(
    visitors.flatMap(({ socket, key }) =>
      Array.from({ length: 5 }, () =>
        ask(socket, 'chat:send-message', { id_chat: key, message: 'Bonjour', client_message_id: randomUUID() }),
      ),
    ),
  )
  expect(answers.every((answer) => answer.ok)).toBe(true)
  expect(statements.mock.calls.length).toBeLessThan(answers.length / 4)
  statements.mockRestore()
  chats.close()
})

function rowsWalked(plan: Plan | undefined): number {
  if (!plan) return 0
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Join Filter'] ?? 0)) * plan['Actual Loops']
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsWalked(part), 0)
}
