import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { BlobReader, BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { eq, sql } from 'drizzle-orm'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { xsrfCookie, xsrfHeader } from '#src/server/http/xsrf.ts'
import type { PersonalDataFound } from '#src/features/privacy/contract.ts'
import { exportOf, formerTitle, guichet, stable, startUsedProduct } from './testing.ts'
import { verifyFormerJournals } from '#src/server/audit-log/former-journals.ts'

const running: TestApp[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})
async function start() {
  const product = await startTestApp()
  running.push(product)
  return product
}

/** An archive with these files, and the checksums that they have. */
async function writeZip(file: string, files: ReadonlyMap<string, string | Buffer>, hasSums = true) {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  const sums: string[] = []
  for (const [name, content] of files) {
    if (hasSums && name === 'SHA256SUMS') continue
    await zip.add(name, new BlobReader(new Blob([new Uint8Array(Buffer.from(content))])))
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}`)
  }
  if (hasSums) await zip.add('SHA256SUMS', new TextReader(`${sums.join('\n')}\n`))
  writeFileSync(file, Buffer.from(await (await zip.close()).arrayBuffer()))
}

test('export, import and export are the same bytes, and the former audit log stands closed beside the new one', async () => {
  const { product, staff } = await startUsedProduct()
  running.push(product)
  const first = await exportOf(product, 'first.zip')
  const second = await start()
  // Its administrator has the name of a user of the export, and its group that of one of its groups.
  const [group] = await product.db.select().from(groups).limit(1)
  const own = await second.signIn()
  await second.db.update(users).set({ username: staff.user.username }).where(eq(users.id, own.user.id))
  await second.db
    .update(groups)
    .set({ name: group?.name ?? '' })
    .where(eq(groups.id, own.user.groupId))
  const tried = await guichet(second, ['import', 'guichet', first.file, '--dry-run', '--json'])
  expect(tried, tried.errors).toMatchObject({ code: 0 })
  expect(await second.db.$count(users)).toBe(1)

  const done = await guichet(second, ['import', 'guichet', first.file, '--json'])
  expect(done, done.errors).toMatchObject({ code: 0 })
  const result = JSON.parse(done.output) as { created: Record<string, number>; known: number; total: number; undo_until: unknown }
  expect(result.known).toBe(2)
  expect((result.created['entries'] ?? 0) + (result.created['files'] ?? 0) + result.known).toBe(result.total)
  expect(result.undo_until).not.toBeNull()

  const again = await exportOf(second, 'second.zip')
  expect([...again.files.keys()].toSorted()).toEqual([...first.files.keys()].toSorted())
  expect(stable(again.files)).toEqual(stable(first.files))
  const withoutId = (text: string) => text.replaceAll('"journal_id": 1, ', '').replaceAll(', "journal_id": 1', '')
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown)
  expect(linesOf(withoutId(again.files.get('former_journal_entries.jsonl')?.toString() ?? ''))).toEqual(
    linesOf(first.files.get('journal.jsonl')?.toString() ?? ''),
  )
  expect(await verifyFormerJournals(second.db)).toMatchObject([{ id: 1, isIntact: true }])

  // Its own administrator signs in as before; everybody else comes locked, without a second factor that nobody has.
  expect((await own.get('/api/auth/me')).status).toBe(200)
  const others = await second.db
    .select()
    .from(users)
    .where(sql`username <> ${staff.user.username}`)
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ locked, totpEnabled }) => !locked || totpEnabled)).toEqual([])
  // What waited to be sent is not sent from here, and the keys of conversations open nothing.
  expect(await second.db.$count(mails, eq(mails.isImported, true))).toBe(1)
  const { rows } = (await second.db.execute(
    sql`select key, (select text from chat_texts where chat_id = 7) as text from chats where id = 7`,
  )) as {
    rows: { key: string; text: string }[]
  }
  expect(rows).toEqual([
    { key: expect.stringMatching(/^[\w-]{32}$/) as string, text: expect.stringContaining('ete a quebec') as string },
  ])
  await readsFormerJournal(second, own, linesOf(first.files.get('journal.jsonl')?.toString() ?? '').length)

  // The next ids come after those of the export.
  const job = await own.post<{ id_emploi: number }>('/api/jobs/emplois', { titre: 'Autre', description: '' })
  expect(job.status).toBe(201)
  const refused = await guichet(second, ['import', 'guichet', first.file, '--lang', 'fr'])
  expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(/contient déjà des fiches/) as string })

  // What staff change here since is their own, and is exported so.
  await second.db
    .update(users)
    .set({ locked: false })
    .where(eq(users.username, others[0]?.username ?? ''))
  const third = await exportOf(second, 'third.zip')
  const unlocked = linesOf(third.files.get('users.jsonl')?.toString() ?? '') as { username: string; locked: boolean }[]
  expect(unlocked.find(({ username }) => username === others[0]?.username)).toMatchObject({ locked: false })
})

/** By the right to the audit log alone, as a list and as a table; a change of its entries is found. */
async function readsFormerJournal(product: TestApp, staff: Awaited<ReturnType<TestApp['signIn']>>, lines: number) {
  const { body } = await staff.get<{ id_journal: number; lines: number }[]>('/api/audit/former')
  expect(body).toMatchObject([{ id_journal: 1, lines }])
  const table = await staff.get('/api/audit/former/1/entries.csv')
  expect(table.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
  expect(table.text.match(/^\d+,/gm)).toHaveLength(lines)
  // What its entries say came with their keys, and can be found and erased here.
  expect(table.text).toContain(formerTitle)
  const find = async () =>
    (await staff.post<PersonalDataFound[]>('/api/privacy/search', { q: formerTitle })).body.find(({ kind }) => kind === 'journal')
  const ids = ((await find())?.findings ?? []).map(({ id }) => id)
  expect(ids).toContainEqual(expect.stringMatching(/^1\//))
  const findings = ids.map((id) => ({ kind: 'journal', id }))
  expect((await staff.post('/api/privacy/erase', { q: formerTitle, findings })).body).toMatchObject({
    kept: expect.any(Array) as [],
  })
  expect(await find()).toBeUndefined()
  expect((await staff.get('/api/audit/former/1/entries.csv')).text).not.toContain(formerTitle)
  expect((await staff.get('/api/audit/former/2/entries.csv')).status).toBe(404)
  const other = await product.signIn({ audit: 'none' })
  for (const path of ['', '/1/entries.csv']) expect((await other.get(`/api/audit/former${path}`)).status).toBe(403)

  const rename = (from: string, to: string) =>
    product.db.execute(sql`update former_journal_entries set user_name = ${to} where id = 1 and user_name = ${from}`)
  const found = await product.db.execute(sql`select user_name as name from former_journal_entries where id = 1`)
  const [first] = (found as { rows: { name: string }[] }).rows
  // The database refuses it, and whoever owns the database is found.
  await expect(rename(first?.name ?? '', 'Somebody else')).rejects.toThrow()
  await product.db.execute(sql`alter table former_journal_entries disable trigger user`)
  await rename(first?.name ?? '', 'Somebody else')
  expect(await verifyFormerJournals(product.db)).toMatchObject([{ isIntact: false }])
  await rename('Somebody else', first?.name ?? '')
  await product.db.execute(sql`alter table former_journal_entries enable trigger user`)
  expect(await verifyFormerJournals(product.db)).toMatchObject([{ isIntact: true }])
}

test('a hostile or damaged archive is refused in one sentence, and nothing is written', async () => {
  const product = await start()
  const base = new Map<string, string>([
    ['README.md', 'x'],
    ['jobs.schema.json', '{"required":["id","title"]}'],
    ['jobs.jsonl', '{"id":1,"title":"x"}\n'],
  ])
  const file = join(product.dataDir, 'hostile.zip')
  const changed = (more: Record<string, string | Buffer>) => new Map<string, string | Buffer>([...base, ...Object.entries(more)])
  const cases: [string, ReadonlyMap<string, string | Buffer>, RegExp][] = [
    ['a path out', changed({ 'files/../../x': 'x' }), /which an export never does/],
    ['a file of its own', changed({ 'x.sh': 'x' }), /which an export never does/],
    ['a file of no kind', changed({ 'files/evil/x': 'x' }), /belongs to no entry/],
    ['a recording elsewhere', changed({ 'files/recordings/x.wav': 'x' }), /belongs to no entry/],
    ['a bomb', changed({ 'files/company/zeros': Buffer.alloc(40_000_000) }), /more than 200 times/],
    ['no object', changed({ 'jobs.jsonl': '[1]\n' }), /Line 1 of jobs\.jsonl/],
    ['another column', changed({ 'jobs.jsonl': '{"id":1,"title":"x","more":1}\n' }), /Line 1 of jobs\.jsonl/],
    ['no end', changed({ 'jobs.jsonl': '{"id":1,"title":"x"}' }), /damaged or incomplete/],
    [
      'a table of the product',
      changed({ 'sessions.jsonl': '', 'sessions.schema.json': '{"required":["id_hash"]}' }),
      /newer version/,
    ],
    ['a newer column', changed({ 'jobs.schema.json': '{"required":["id","title2"]}', 'jobs.jsonl': '' }), /newer version/],
    ['a number that is none', changed({ 'jobs.jsonl': '{"id":"x","title":"x"}\n' }), /this database does not take/],
    [
      'the same id twice',
      changed({ 'jobs.jsonl': '{"id":1,"title":"x"}\n{"id":1,"title":"y"}\n' }),
      /this database does not take/,
    ],
  ]
  for (const [name, files, message] of cases) {
    await writeZip(file, files)
    const { code, errors } = await guichet(product, ['import', 'guichet', file])
    expect(errors.trim().split('\n').at(-1), name).toMatch(message)
    expect(code, name).toBe(1)
  }
  await writeZip(file, changed({ SHA256SUMS: `${'0'.repeat(64)}  README.md\n` }), false)
  expect((await guichet(product, ['import', 'guichet', file])).errors).toMatch(/is not what SHA256SUMS says/)
  writeFileSync(file, 'not a zip')
  expect((await guichet(product, ['import', 'guichet', file])).errors).toMatch(/damaged or incomplete/)
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  await zip.add('README.md', new TextReader('/etc/passwd'), { unixMode: 0o120777, versionMadeBy: 0x0314, msDosCompatible: false })
  writeFileSync(file, Buffer.from(await (await zip.close()).arrayBuffer()))
  expect((await guichet(product, ['import', 'guichet', file])).errors).toMatch(/is a link/)

  // What is not as saving it would leave it is cleaned.
  await writeZip(
    file,
    changed({
      'jobs.schema.json': '{"required":["id","title","description"]}',
      'jobs.jsonl': '{"id":3,"title":"x","description":"<p onclick=\\"x()\\">a<script>x()</script></p>"}\n',
    }),
  )
  expect(await guichet(product, ['import', 'guichet', file])).toMatchObject({ code: 0 })
  const { rows } = (await product.db.execute(sql`select id, description from jobs`)) as { rows: unknown[] }
  expect(rows).toEqual([{ id: 3, description: '<p>a</p>' }])
})

test('an import of an archive needs every right', async () => {
  const product = await start()
  const editor = await product.signIn({ company: 'administrator', jobs: 'administrator' })
  const form = new FormData()
  form.set('kind', 'guichet')
  form.set('file', new Blob(['x']), 'x.zip')
  const headers = { origin: product.origin, cookie: editor.cookieHeader(), [xsrfHeader]: editor.cookies.get(xsrfCookie) ?? '' }
  const response = await fetch(`${product.origin}/api/imports/imports`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(403)
  const kinds = await editor.get<{ kind: string; may_import: boolean }[]>('/api/imports/kinds')
  expect(kinds.body.find(({ kind }) => kind === 'guichet')).toMatchObject({ may_import: false })
})
