import type { Pool, QueryConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEntries } from '#src/features/audit/server/service.ts'
import { chatData } from '#src/features/chat/server/personal-data.ts'
import { findStaffChats } from '#src/features/chat/server/staff-chats.ts'
import { auditLogData, mailData } from '#src/features/privacy/server/service.ts'
import { findRequests } from '#src/features/requests/server/lookup.ts'
import { requestData } from '#src/features/requests/server/personal-data.ts'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { fillGrowth } from './testing/fill-growth.ts'

/** Tables that grow with each visitor; others have as many rows as the company has users or networks. */
const growing = new Set([
  'chats',
  'chat_messages',
  'chat_texts',
  'requests',
  'request_entries',
  'request_texts',
  'mails',
  'journal',
])

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  const amounts = { chats: 1_000, requests: 1_000, notes: 300, auditEntries: 5_000 }
  const steps = fillGrowth(database.db, amounts)
  while (!(await steps.next()).done);
})
afterAll(() => database.close())

/** The statements that a piece of work sends, on any connection of the pool. */
async function recordStatements(work: () => Promise<unknown>) {
  const { $client: pool } = database.db as unknown as { $client: Pool }
  const recorded: { text: string; values: unknown[] }[] = []
  const query = pool.query.bind(pool)
  const record = (given: string | QueryConfig, values: unknown[] = []) => {
    const { text } = typeof given === 'string' ? { text: given } : given
    recorded.push({ text, values })
    return query(given as QueryConfig, values)
  }
  Object.assign(pool, { query: record })
  await work().finally(() => Object.assign(pool, { query }))
  return recorded
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/** Tables read from end to end: without an index, or with one in its order alone and no limit above. */
function findWholeReads(plan: Plan, isLimited = false): string[] {
  const isRead = plan['Node Type'] === 'Seq Scan' || (plan['Node Type'].startsWith('Index') && !plan['Index Cond'] && !isLimited)
  const below = isLimited || plan['Node Type'] === 'Limit'
  return [
    ...(isRead && plan['Relation Name'] ? [plan['Relation Name']] : []),
    ...(plan.Plans ?? []).flatMap((child) => findWholeReads(child, below)),
  ]
}

/** Small tables are read as a whole where an index would do, so the planner avoids it and the joins that need it. */
async function explain(text: string, values: unknown[]) {
  const { $client: pool } = database.db as unknown as { $client: Pool }
  const client = await pool.connect()
  try {
    await client.query(
      'begin; set local enable_seqscan to off; set local enable_hashjoin to off; set local enable_mergejoin to off',
    )
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${text}`, values)
    return rows[0]?.['QUERY PLAN'][0]?.Plan as Plan
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const old = new Date('2022-01-01')
const audit = () => ({ db: database.db, contents: [] })
const findChats = (search: string, scope: 'open' | 'all' = 'all') => findStaffChats(database.db, { scope, search }, () => false)
const request = { page: 1, sort: '-created_at' } as const
type Query = Parameters<typeof findRequests>[1]
const find = (query: Partial<Query>) => findRequests(database.db, { ...request, ...query }, null)

test.each<[string, () => Promise<unknown>]>([
  ['the open chats', () => findChats('', 'open')],
  ['all chats', () => findChats('')],
  ['a search of open chats', () => findChats('ornithorynque', 'open')],
  ['a search of all chats', () => findChats('ornithorynque')],
  ['a search of all chats for an absent word', () => findChats('zzzabsent')],
  ['a person’s chats', () => chatData.find(database.db, 'client7@example.com')],
  ['chats past their period', () => chatData.retention?.purge(database.db, new Date(0), 200) ?? Promise.resolve()],
  ['the newest requests', () => find({})],
  ['the requests by name', () => find({ sort: 'name' })],
  ['a search of requests for an absent word', () => find({ search: 'zzzabsent' })],
  ['a person’s requests', () => requestData.find(database.db, 'client7@example.com')],
  ['a person’s mails', () => mailData.find(database.db, 'client7@example.com')],
  ['mails past their period', () => mailData.retention?.purge(database.db, old, 200) ?? Promise.resolve()],
  ['the audit log', () => findAuditEntries(audit(), {})],
  ['its last page', () => findAuditEntries(audit(), { page: 200 })],
  ['the audit log of a person', () => auditLogData.find(database.db, 'client7@example.com')],
  ['its events of a user', () => findAuditEntries(audit(), { who: 'Technicien 7' })],
  ['its events of nobody', () => findAuditEntries(audit(), { who: 'zzzabsent' })],
  ['its events of one kind', () => findAuditEntries(audit(), { action: 'delete' })],
  ['its events of a month', () => findAuditEntries(audit(), { from: '2024-01-01', to: '2024-01-31' })],
])('reads no growing table from end to end for %s', async (_name, work) => {
  const statements = await recordStatements(work)
  expect(statements.length).toBeGreaterThan(0)
  const found = []
  for (const { text, values } of statements) {
    const tables = findWholeReads(await explain(text, values)).filter((table) => growing.has(table))
    if (tables.length > 0) found.push({ tables, text })
  }
  expect(found).toEqual([])
})
