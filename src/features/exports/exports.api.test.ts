import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import { eq, sql } from 'drizzle-orm'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { recordings } from '#src/features/recordings/server/table.ts'
import { users } from '#src/features/people/server/table.ts'
import type { DataExport } from './contract.ts'
import { findExportedTables } from './server/archive.ts'
import { leftOutColumns, leftOutTables, ownTables } from './server/left-out.ts'
import { endExports } from './server/service.ts'
import { dataExports } from './server/table.ts'

const path = '/api/exports/exports'
let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  product = await startTestApp({ queue: true })
  staff = await product.signIn()
})
afterAll(() => product.stop())

const rowsOf = async <Row>(statement: ReturnType<typeof sql>) => ((await product.db.execute(statement)) as { rows: Row[] }).rows

async function makeExport() {
  const { status, body } = await staff.post<DataExport>(path)
  expect(status).toBe(201)
  const address = `${path}/${body.id_export}`
  await expect.poll(async () => (await staff.get<DataExport>(address)).body.state).toBe('ready')
  return address
}

/** The texts of an archive by their names. */
async function fetchArchive(address: string) {
  const response = await fetch(`${product.origin}${address}/file`, { headers: { cookie: staff.cookieHeader() } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="guichet-\d{4}-\d\d-\d\d\.zip"$/)
  const reader = new ZipReader(new BlobReader(await response.blob()), { useWebWorkers: false })
  const files = new Map<string, string>()
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue
    files.set(entry.filename, await entry.getData(new TextWriter()))
  }
  await reader.close()
  return files
}

test('every table is exported, or declared as left out', async () => {
  const names = (await rowsOf<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`)).map(
    ({ name }) => name,
  )
  const exported = await findExportedTables(product.db)
  expect(
    [...exported, ...Object.keys(leftOutTables), ...ownTables].filter((name) => !names.includes(name) && name !== 'late_indexes'),
  ).toEqual([])
  expect(names.filter((name) => !exported.includes(name) && !(name in leftOutTables) && !ownTables.includes(name))).toEqual([])
  // What is named like a secret is left out, or is known to be none.
  const known = new Set([
    'article_votes.browser',
    'former_journal_entries.hash',
    'former_journals.last_hash',
    'journal.hash',
    'journal_keys.key',
    'journal_seals.key_id',
    'journal_seals.last_hash',
    'pictures.key',
    'recordings.storage_key',
    'redirects.key',
    'users.password_set_by_admin',
    'visit_counts.key',
  ])
  const columns = await rowsOf<{ name: string; column: string }>(
    sql`select table_name as name, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  const suspected = columns.filter(
    ({ name, column }) => /hash|secret|token|password|(?:^|_)key(?:_|$)|private|code_/.test(column) && exported.includes(name),
  )
  expect(
    suspected.flatMap(({ name, column }) =>
      leftOutColumns[name]?.includes(column) || known.has(`${name}.${column}`) ? [] : `${name}.${column}`,
    ),
  ).toEqual([])
})

test('an archive has every row in order with its schema, files and checksums, and no secret', async () => {
  await staff.post('/api/jobs/emplois', { titre: 'Technicienne', description: '<p>Venez à Québec.</p>' })
  await staff.post('/api/notes/notes', { note_date: '2026-11-20', note: 'Avis.' })
  await product.db.execute(
    sql`insert into pictures (key, width, format, bytes) values ('abc', 320, 'avif', ${Buffer.from('image')})`,
  )
  await product.db.execute(sql`insert into articles (title) select 'Article ' || n from generate_series(1, 1200) n`)
  const token = 'AbCdEfGhIjKlMnOpQr_-01'
  const links = `https://example.com/suivi/${token}?lang=en /reseau/abonnement/${token}`
  await product.db.insert(mails).values({ messageId: token, recipient: 'a@example.com', subject: 'x', body: links, html: links })
  const [request] = await rowsOf<{ id: number }>(
    sql`insert into requests (kind, reference, name, email, message, language) values ('support', 'SUP-SECRET', 'A', 'a@example.com', 'x', 'fr') returning id`,
  )
  await product.db.execute(
    sql`insert into request_entries (request_id, kind, channel, author, text) values (${request?.id}, 'customer', 'form', 'A', ${links})`,
  )
  await product.db.insert(recordings).values({
    ...{ direction: 'in', startedAt: new Date(), durationMs: 3_000, type: 'wav', bytes: 10 },
    ...{ caller: '', callee: '', agent: '', searched: '', grams: [] },
    ...{ sha256: 'a'.repeat(64), storageKey: '2026/11/gone.wav', fileName: 'gone.wav' },
  })
  const [hash] = await rowsOf<{ hash: string }>(sql`select password_hash as hash from users limit 1`)
  const files = await fetchArchive(await makeExport())
  const lines = (kind: string) =>
    (files.get(`${kind}.jsonl`) ?? '')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const kind of await findExportedTables(product.db)) {
    const schema = JSON.parse(files.get(`${kind}.schema.json`) ?? '') as { required: string[] }
    for (const line of lines(kind)) expect(Object.keys(line).toSorted()).toEqual(schema.required.toSorted())
  }
  const ids = lines('articles').map(({ id }) => Number(id))
  expect(ids).toHaveLength(1_200)
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  expect(lines('jobs')).toMatchObject([{ title: 'Technicienne', description: '<p>Venez à Québec.</p>' }])
  expect(lines('users')[0]).not.toHaveProperty('password_hash')
  expect([...files.values()].join('\n')).not.toContain(hash?.hash)
  const withSecrets = [...files].filter(([, text]) => /\/(?:suivi|abonnement)\/[\w-]{22}/.test(text))
  expect(withSecrets.map(([name]) => name)).toEqual([])
  expect(lines('request_entries')).toMatchObject([
    { text: 'https://example.com/suivi/[secret]?lang=en /reseau/abonnement/[secret]' },
  ])
  expect(files.get('files/pictures/abc-320.avif')).toBe('image')
  expect(files.get('README.md')).toMatch(/Toutes les données[^]*All data/)
  // A recording whose file is gone is named, and does not stop the rest.
  expect(files.get('README.md')).toMatch(/Files that were already missing[^]*- files\/recordings\/2026\/11\/gone\.wav/)
  const sums = new Map(
    (files.get('SHA256SUMS') ?? '')
      .trim()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  expect([...sums.keys(), 'SHA256SUMS'].toSorted()).toEqual([...files.keys()].toSorted())
  for (const [name, sum] of sums)
    expect(
      createHash('sha256')
        .update(files.get(name) ?? '')
        .digest('hex'),
      name,
    ).toBe(sum)

  // Nothing was changed since but the audit log: the second archive has the same bytes.
  const second = await fetchArchive(await makeExport())
  const changing = /^(?:journal|journal_seals|mails|users|README|SHA256SUMS)/
  const stable = (all: Map<string, string>) => Object.fromEntries([...all].filter(([name]) => !changing.test(name)))
  expect(stable(second)).toEqual(stable(files))
})

test('an archive is made again after a crash, and fetched once, by who asked for it, who is told by mail', async () => {
  // The process that began it died.
  const dead = { userId: staff.user.id, state: 'running' as const, heldUntil: new Date(Date.now() - 1_000) }
  const [begun] = await product.db.insert(dataExports).values(dead).returning()
  const address = `${path}/${begun?.id}`
  await expect.poll(async () => (await staff.get<DataExport>(address)).body.state).toBe('ready')
  const mails = await rowsOf<{ recipient: string }>(
    sql`select recipient from mails where subject like '%exportation%' order by id desc limit 1`,
  )
  const [user] = await product.db.select({ email: users.email }).from(users).where(eq(users.id, staff.user.id))
  expect(mails).toEqual([{ recipient: user?.email }])
  const other = await product.signIn()
  expect((await other.get(address)).status).toBe(404)
  expect((await other.get(`${address}/file`)).status).toBe(404)
  expect((await staff.send('HEAD', `${address}/file`)).status).toBe(200)
  await fetchArchive(address)
  await expect.poll(async () => (await staff.get<DataExport>(address)).body.state).toBe('fetched')
  expect((await staff.get(`${address}/file`)).status).toBe(404)
  const reader = await product.signIn({ company: 'read_write' })
  expect((await reader.post(path)).status).toBe(403)
})

test('an archive is stopped on demand, and ends after a day', async () => {
  const aDayAgo = new Date(Date.now() - 90_000_000)
  const made = { userId: staff.user.id, state: 'ready' as const, createdAt: aDayAgo, readyAt: aDayAgo }
  const [row] = await product.db.insert(dataExports).values(made).returning()
  const address = `${path}/${row?.id}`
  expect((await staff.get(`${address}/file`)).status).toBe(404)
  expect(await endExports(product.app, new Date(Date.now() - 86_400_000), 10)).toBe(1)
  expect((await staff.get(address)).status).toBe(404)
  const held = { userId: staff.user.id, state: 'running' as const, heldUntil: new Date(Date.now() + 60_000) }
  const [running] = await product.db.insert(dataExports).values(held).returning()
  expect((await staff.post(path)).status).toBe(409)
  expect((await staff.post<DataExport>(`${path}/${running?.id}/stop`)).body).toMatchObject({ state: 'stopped' })
})
