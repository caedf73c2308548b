import { asc, desc, sql } from 'drizzle-orm'
import type { Pool, QueryConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEntries } from '#src/features/audit/server/service.ts'
import { chatData } from '#src/features/chat/server/personal-data.ts'
import { findUnmeasured, startFormerFigures } from '#src/features/chat/server/figures.ts'
import { findNamedChats, findStaffChats } from '#src/features/chat/server/staff-chats.ts'
import { auditLogData } from '#src/features/privacy/server/audit-log-data.ts'
import { mailData } from '#src/features/privacy/server/service.ts'
import { findNamedRequests } from '#src/features/requests/server/feature.ts'
import { findDueFirst, findRequests, matching } from '#src/features/requests/server/lookup.ts'
import { requestData } from '#src/features/requests/server/personal-data.ts'
import { areSurelyMany, pickSearched } from '#src/features/requests/server/search-requests.ts'
import { requests } from '#src/features/requests/server/table.ts'
import type { Queue } from '#src/server/background/queue.ts'
import type { OpenDatabase } from '#src/server/database/database.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { serverFeatures } from './server-features.ts'
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
  // With these, more closed chats than a search reads before it asks an index.
  await database.db.execute(sql`insert into chats (id, key, client_name, client_email, status, created_at, updated_at)
    select -n, 'older-' || n, 'Ancien', 'ancien@example.com', 'closed', now() - interval '6 years', now() - interval '6 years'
    from generate_series(1, 1100) n`)
  await database.db.execute(sql`analyze`)
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

type Plan = {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
/** Nodes that read all that is below them before they return a row, also below a limit. */
const reading = new Set(['Sort', 'Aggregate', 'Hash', 'Materialize', 'WindowAgg'])

/** Tables read from end to end: without an index, or with one in its order alone and no limit above. */
function findWholeReads(plan: Plan, isLimited = false): string[] {
  const { 'Node Type': type, 'Index Cond': condition } = plan
  const isRead = type === 'Seq Scan' || (type.startsWith('Index') && !condition && !isLimited)
  const below = type === 'Limit' || (isLimited && !reading.has(type))
  return [
    ...(isRead && plan['Relation Name'] ? [plan['Relation Name']] : []),
    ...(plan.Plans ?? []).flatMap((child) => findWholeReads(child, below && child['Parent Relationship'] !== 'InitPlan')),
  ]
}

/** Small tables are read as a whole where an index would do, so the planner avoids it and the joins that need it. */
async function explain<Result = Plan>(text: string, values: unknown[], before = '', options = '') {
  const { $client: pool } = database.db as unknown as { $client: Pool }
  const client = await pool.connect()
  try {
    await client.query(
      `begin; set local enable_seqscan to off; set local enable_hashjoin to off; set local enable_mergejoin to off; ${before}`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Result }[] }>(`explain (${options}format json) ${text}`, values)
    return rows[0]?.['QUERY PLAN'][0]?.Plan as Result
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const old = new Date('2022-01-01')
const contents = serverFeatures.flatMap(({ content = [] }) => content)
const storedSettings = serverFeatures.flatMap(({ settings = [] }) => settings)
const audit = () => ({ db: database.db, contents, storedSettings })
const findChats = (search: string, scope: 'open' | 'all' = 'all') => findStaffChats(database.db, { scope, search }, () => false)
const request = { page: 1, sort: '-created_at' } as const
type Query = Parameters<typeof findRequests>[1]
const find = (query: Partial<Query>) => findRequests(database.db, { ...request, ...query }, null)

/** Each is in nearly every chat and request. */
const manyWords = 'bonjour imprimante réseau fibre téléphonie courriel passe routeur panne lente serveur écran sauvegarde'

const searchFrequent = (search: string) =>
  database.db
    .select({ id: requests.id })
    .from(requests)
    .where(matching({ search }, null, 'frequent'))
    .orderBy(desc(requests.createdAt))
    .limit(25)

test.each<[string, () => Promise<unknown>]>([
  ['the open chats', () => findChats('', 'open')],
  ['all chats', () => findChats('')],
  ['a search of open chats', () => findChats('ornithorynque', 'open')],
  ['a search of all chats', () => findChats('ornithorynque')],
  ['a search of all chats for an absent word', () => findChats('zzzabsent')],
  ['a search of all chats for an emoji', () => findChats('😀')],
  ['a search of all chats for signs', () => findChats('%_\\')],
  ['a search of all chats for two letters', () => findChats('zq')],
  ['a search of all chats for many words, one of them absent', () => findChats(`${manyWords} zzzabsent`)],
  ['the chats that the palette does not find', () => findNamedChats(database.db, `${manyWords} zzzabsent`)],
  ['a person’s chats', () => chatData.find(database.db, 'client7@example.com')],
  ['chats past their period', () => chatData.retention?.purge(database.db, new Date(0), 200) ?? Promise.resolve()],
  ['the newest requests', () => find({})],
  ['the requests by name', () => find({ sort: 'name' })],
  ['a search of requests for a frequent word', () => searchFrequent('imprimante')],
  ['a search of requests by due date', () => findDueFirst(database.db, { page: 2, sort: 'due', search: 'imprimante' }, null)],
  ['a search of requests for an absent word', () => find({ search: 'zzzabsent' })],
  ['a search of requests for an emoji', () => find({ search: '😀' })],
  ['a search of requests for two letters', () => find({ search: 'zq' })],
  ['the requests with two letters that the palette does not find', () => findNamedRequests(database.db, 'zq')],
  ['the requests that the palette names', () => findNamedRequests(database.db, 'imprimante')],
  ['the requests that the palette does not find', () => findNamedRequests(database.db, 'zzzabsent')],
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

test('a page of the audit log finds the names of its entries in one statement', async () => {
  const statements = await recordStatements(() => findAuditEntries(audit(), {}))
  expect(statements.filter(({ text }) => text.includes('unnest'))).toHaveLength(1)
  expect(statements.length).toBeLessThanOrEqual(5)
})

test('the palette reads the newest requests alone for a frequent word', async () => {
  expect(await recordStatements(() => findNamedRequests(database.db, 'imprimante'))).toHaveLength(1)
})

test.each<[string, string, () => Promise<unknown>]>([
  ['chat_texts', 'drop index chat_texts_trigrams', () => findChats('zzzabsent')],
  ['requests', 'drop index requests_email', () => requestData.find(database.db, 'client7@example.com')],
  ['chats', 'drop index chats_updated', () => findChats('')],
  ['journal', 'drop index journal_user', () => findAuditEntries(audit(), { who: 'Technicien 7' })],
])('finds that %s is read from end to end after: %s', async (table, change, work) => {
  const found = []
  for (const { text, values } of await recordStatements(work))
    found.push(...findWholeReads(await explain(text, values, change)).filter((name) => growing.has(name)))
  expect(found).toContain(table)
})

test.each([
  'imprimante',
  'fibre réseau',
  'bonjour imprimante réseau fibre téléphonie courriel 418 555-0101',
  'G-1',
  '%',
  'pi',
  'p-1',
  'zzzabsent',
  'e',
])('a search for “%s” finds the same requests whether it is taken for frequent or not', async (search) => {
  const select = async (isFrequent: boolean) =>
    database.db
      .select({ id: requests.id })
      .from(requests)
      .where(matching({ search }, null, isFrequent ? 'frequent' : await pickSearched(database.db, search)))
      .orderBy(asc(requests.id))
  expect(await select(true)).toEqual(await select(false))
})

test.each([
  ['chats', 'hits', () => findChats(`${manyWords} zzzabsent`)],
  ['requests', 'array_agg', () => find({ search: `${manyWords} zzzabsent` })],
  ['requests of the palette', 'not (select max(id)', () => findNamedRequests(database.db, `${manyWords} zzzabsent`)],
])('a search of %s asks the index for the rarest of its words alone', async (_name, mark, work) => {
  const isMarked = (text: string) => (mark.startsWith('not ') ? !text.includes(mark.slice(4)) : text.includes(mark))
  const statements = (await recordStatements(work)).filter(
    ({ text }) => isMarked(text) && /like \$/.test(text) && !text.includes('counts'),
  )
  expect(statements).toHaveLength(1)
  const { text, values } = statements[0] ?? { text: '', values: [] }
  expect([...text.matchAll(/"text" like \$(\d+)/g)].map(([, at]) => values[Number(at) - 1])).toEqual(['%zzzabsent%'])
})

test('an open chat is folded once for all words of a search', async () => {
  const open = (await recordStatements(() => findChats(manyWords, 'open'))).find(({ text }) => text.includes('search_text'))
  const plan = JSON.stringify(await explain(open?.text ?? '', open?.values ?? [], '', 'verbose, '))
  expect(plan.split('search_text(').length - 1 + (plan.split('lower(').length - 1)).toBe(1)
})

test('the palette reads no more than the chats that it names', async () => {
  const statements = await recordStatements(async () => expect(await findNamedChats(database.db, 'imprimante')).toHaveLength(5))
  const joined = statements.filter(({ text }) => text.includes('"continuations"'))
  expect(joined).toHaveLength(1)
  expect(joined[0]?.values).toHaveLength(11)
})

test('a report looks for figures that are not stored among the open chats alone', async () => {
  const recurring: Parameters<Queue['recur']>[0][] = []
  startFormerFigures({
    db: database.db,
    queue: { recur: (one: (typeof recurring)[number]) => void recurring.push(one) } as Queue,
  })
  const works = await recurring[0]?.take(1, new AbortController().signal)
  for (const work of works ?? []) await work()
  const unmeasured = await recordStatements(() => findUnmeasured(database.db, old, new Date()))
  expect(unmeasured).toHaveLength(1)
  const plan = await explain<Run>(unmeasured[0]?.text ?? '', unmeasured[0]?.values ?? [], '', 'analyze, ')
  expect(countRead(plan)).toBeLessThan(500)
})

test('requests that are surely many are not counted', async () => {
  const areMany = (search: string, most: number) => areSurelyMany(database.db, matching({ search }, null, 'frequent'), most)
  expect([await areMany(manyWords, 100), await areMany(manyWords, 1_000), await areMany('zzzabsent', 100)]).toEqual([
    true,
    false,
    false,
  ])
})

test('a search of requests reads their texts once', async () => {
  const statements = await recordStatements(async () => expect((await find({ search: 'G-1' })).rows.length).toBeGreaterThan(0))
  expect(statements.filter(({ text }) => text.includes('request_texts'))).toHaveLength(1)
})

test('requests by due date are the same ones whether the search is frequent or not', async () => {
  await database.db.execute(sql`update requests set status = (array['new', 'open', 'done'])[id % 3 + 1],
    respond_by = case when id % 5 < 2 then created_at + interval '1 day' end,
    resolve_by = case when id % 5 = 1 then created_at end, first_reply_at = case when id % 7 = 0 then created_at end`)
  const pages = []
  for (let page = 1; page <= 41; page += 4) {
    const query = { page, sort: 'due', search: 'bonjour' } as const
    const { rows, total } = await findRequests(database.db, query, null)
    expect(total).toBeGreaterThan(500)
    expect(await findDueFirst(database.db, query, null)).toEqual(rows.map(({ id_request }) => id_request))
    pages.push(rows.length)
  }
  expect(pages.at(-1)).toBe(0)
})

test('a page of the audit log does not read the other events of its entries', async () => {
  await database.db.execute(sql`insert into journal (at, user_name, address, area, action, entry_id, hash)
    select now(), 'Technicien 7', '', (array['users', 'requests'])[n % 2 + 1], 'update', '1', 'x' || n from generate_series(1, 6000) n`)
  const statements = await recordStatements(() => findAuditEntries(audit(), { who: 'Technicien 7' }))
  for (const mark of ['later', 'unnest']) {
    const page = statements.find(({ text }) => text.includes(mark))
    const plan = await explain<Run>(page?.text ?? '', page?.values ?? [], '', 'analyze, ')
    expect(countRead(plan), mark).toBeLessThan(1_000)
  }
})

type Run = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Run[] }

const countRead = (run: Run): number =>
  ((run['Actual Rows'] ?? 0) + (run['Rows Removed by Filter'] ?? 0)) * run['Actual Loops'] +
  (run.Plans ?? []).reduce((sum, one) => sum + countRead(one), 0)
