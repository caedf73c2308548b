import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'

type Entry = Record<string, unknown> & { state: string; publie: boolean; version: number }

const job = { path: '/api/jobs/emplois', area: 'jobs', id: 'id_emploi', body: { titre: 'Soudeuse', description: '<p>Oui.</p>' } }
const note = { path: '/api/notes/notes', area: 'notes', id: 'id_note', body: { note_date: 'Lundi', note: 'Coupure.' } }
const banner = { path: '/api/home_messages/home_message', area: 'home', id: 'id_home_message', body: { message: '<p>Panne</p>' } }
const panel = {
  path: '/api/home_informations/home_information',
  area: 'home',
  id: 'id_home_information',
  body: { title: 'Horaire', description: '<p>Fermé lundi.</p>' },
}
const kinds = [job, note, banner, panel]
const scheduled = [note, banner, panel]
const patient = { timeout: 30_000, interval: 100 }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const started = new Map<string, ReturnType<typeof signIn>>()

/** One set of people for each kind: signing in is slow. */
function start(kind: (typeof kinds)[number]) {
  const people = started.get(kind.path) ?? signIn(kind)
  started.set(kind.path, people)
  return people
}

async function signIn({ path, area, id }: (typeof kinds)[number]) {
  const staff = await product.signIn({ [area]: 'read_write' })
  const reader = await product.signIn({ [area]: 'read_only' })
  const stranger = await product.signIn({ networks: 'administrator' })
  const visitor = await product.client()
  const address = (entry: Entry) => `${path}/${String(entry[id])}`
  const listFor = async (who: typeof visitor) =>
    (await who.get<Entry[]>(who === visitor || area === 'jobs' ? path : `${path}?drafts=1`)).body.map((entry) => entry[id])
  return { staff, reader, stranger, visitor, address, listFor }
}

const drafts = [
  { name: 'a job that is not published', kind: job, body: { ...job.body, publie: false } },
  { name: 'an empty job', kind: job, body: {} },
  { name: 'a job with an English title only', kind: job, body: { titre_en: 'Welder' } },
  { name: 'a job with an English text only', kind: job, body: { titre: 'Soudeuse', description_en: '<p>Yes.</p>' } },
  { name: 'a note that is not published', kind: note, body: { ...note.body, publie: false } },
  { name: 'an empty note', kind: note, body: {} },
  { name: 'a note in English only', kind: note, body: { note_date: 'Lundi', note_en: 'Outage.' } },
  { name: 'a banner that is not published', kind: banner, body: { ...banner.body, publie: false } },
  { name: 'an empty banner', kind: banner, body: { message: '<p></p>' } },
  { name: 'a banner in English only', kind: banner, body: { message_en: '<p>Outage</p>' } },
  { name: 'a panel that is not published', kind: panel, body: { ...panel.body, publie: false } },
  { name: 'a panel without a title', kind: panel, body: { description: '<p>Fermé.</p>' } },
  { name: 'a panel with an English text only', kind: panel, body: { title: 'Horaire', description_en: '<p>Closed.</p>' } },
]

describe('a draft is read by those who may read its area, and by nobody else', () => {
  test.each(drafts)('$name', async ({ kind, body }) => {
    const { staff, reader, stranger, visitor, address, listFor } = await start(kind)
    const created = await staff.post<Entry>(kind.path, body)
    expect(created.body).toMatchObject({ state: 'draft', publie: false })
    const id = created.body[kind.id]
    for (const who of [staff, reader]) {
      expect(await listFor(who)).toContain(id)
      expect((await who.get(address(created.body))).status).toBe(200)
    }
    for (const who of [stranger, visitor]) {
      expect(await listFor(who)).not.toContain(id)
      expect((await who.get(address(created.body))).status).toBe(404)
    }
    // The list of visitors, kept in memory, is not what staff get, and theirs is not what visitors get.
    expect(await listFor(reader)).toContain(id)
    expect(await listFor(visitor)).not.toContain(id)
    expect((await staff.delete(address(created.body))).status).toBe(204)
  })

  test.each(kinds)('$path: publishing it shows it', async (kind) => {
    const { staff, visitor, address, listFor } = await start(kind)
    const { body: draft } = await staff.post<Entry>(kind.path, { ...kind.body, publie: false })
    const published = await staff.put<Entry>(address(draft), { ...kind.body, version: draft.version })
    expect(published.body).toMatchObject({ state: 'open', publie: true })
    expect(await listFor(visitor)).toContain(draft[kind.id])
    expect((await visitor.get(address(draft))).status).toBe(200)
    await staff.delete(address(draft))
  })
})

describe('a deletion', () => {
  test.each(kinds)('$path: who deleted an entry puts it back, and nobody else does', async (kind) => {
    const { staff, reader, visitor, address, listFor } = await start(kind)
    const colleague = await product.signIn({ [kind.area]: 'read_write' })
    const { body } = await staff.post<Entry>(kind.path, kind.body)
    expect((await staff.post(`${address(body)}/undo`)).status).toBe(404)
    await staff.delete(address(body))
    expect((await colleague.post(`${address(body)}/undo`)).status).toBe(404)
    expect((await reader.post(`${address(body)}/undo`)).status).toBe(403)
    expect((await visitor.post(`${address(body)}/undo`)).status).toBe(401)
    const back = await staff.post<Entry>(`${address(body)}/undo`)
    expect(back.body).toMatchObject({ ...kind.body, [kind.id]: body[kind.id], state: 'open' })
    expect(await listFor(visitor)).toContain(body[kind.id])
    expect((await staff.post(`${address(body)}/undo`)).status).toBe(404)
    await staff.delete(address(body))
  })
})

const inSeconds = (count: number) => new Date(Date.now() + count * 1_000).toISOString()

describe.each(scheduled)('$path on a schedule', (kind) => {
  test('waits for its opening and is over after its end', async () => {
    const { staff, reader, visitor, address, listFor } = await start(kind)
    const waiting = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(3_600) })
    const over = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(-90), closes_on: inSeconds(-60) })
    expect(waiting.body).toMatchObject({ state: 'planned', opens_on: expect.stringMatching(/Z$/) })
    expect(over.body.state).toBe('closed')
    for (const { body } of [waiting, over]) {
      expect(await listFor(visitor)).not.toContain(body[kind.id])
      expect((await visitor.get(address(body))).status).toBe(404)
      expect(await listFor(reader)).toContain(body[kind.id])
      await staff.delete(address(body))
    }
  })

  test('opens and closes at its moment, and open pages and caches are informed', async () => {
    const { staff, visitor, address, listFor } = await start(kind)
    const changes: { area: string; at: number }[] = []
    const stop = product.app.events.onChanged((area) => changes.push({ area, at: Date.now() }))
    const toldAfter = (moment: string) =>
      expect.poll(() => changes.some(({ area, at }) => area === kind.area && at >= Date.parse(moment)), patient).toBe(true)
    const opens = inSeconds(1)
    const { body } = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: opens })
    await toldAfter(opens)
    expect(await listFor(visitor)).toContain(body[kind.id])
    const closes = inSeconds(1)
    await staff.put<Entry>(address(body), { ...kind.body, opens_on: opens, closes_on: closes })
    await toldAfter(closes)
    expect(await listFor(visitor)).not.toContain(body[kind.id])
    stop()
    await staff.delete(address(body))
  })

  test('no shared cache keeps a list longer than until its next change', async () => {
    const { staff, visitor, address } = await start(kind)
    const longest = async () => {
      const { headers } = await visitor.get(kind.path)
      const seconds = headers.get('cdn-cache-control')?.match(/(?<=max-age=|revalidate=)\d+/g) ?? []
      expect(seconds).not.toEqual([])
      return seconds.map(Number).reduce((sum, part) => sum + part, 0)
    }
    const { body } = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(40) })
    await expect.poll(longest, patient).toBeLessThan(40)
    await staff.delete(address(body))
    await expect.poll(longest, patient).toBe(70)
  })

  test('rejects an end before its start', async () => {
    const { staff } = await start(kind)
    const dates = { opens_on: inSeconds(60), closes_on: inSeconds(30) }
    const refused = await staff.post<{ errors: { path: string }[] }>(kind.path, { ...kind.body, ...dates })
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map(({ path }) => path)).toEqual(['closes_on'])
    expect((await staff.post(kind.path, { ...kind.body, opens_on: 'demain' })).status).toBe(400)
  })
})

test.each(kinds)('$path: rejects years that the database or the calendar cannot hold', async (kind) => {
  const { staff } = await start(kind)
  const time = kind === job ? ['', ''] : ['T00:00:00Z', 'T23:59:59-23:00']
  for (const at of [`0000-01-01${time[0]}`, `9999-12-31${time[1]}`]) {
    for (const dates of [{ opens_on: at }, { closes_on: at }]) {
      expect((await staff.post(kind.path, { ...kind.body, ...dates })).status, JSON.stringify(dates)).toBe(400)
    }
  }
})

test.each(scheduled)('$path: no shared cache keeps a list that depends on who asks', async (kind) => {
  const { staff, reader, visitor, address } = await start(kind)
  const draft = await staff.post<Entry>(kind.path, { ...kind.body, publie: false })
  const shown = await staff.post<Entry>(kind.path, kind.body)
  const asked = await visitor.get<Entry[]>(`${kind.path}?drafts=1`)
  expect(asked.headers.get('cache-control')).toBe('no-store')
  expect(asked.headers.get('cdn-cache-control')).toBeNull()
  expect(asked.body).toEqual([shown.body])
  expect((await reader.get<Entry[]>(`${kind.path}?drafts=1`)).body.map((entry) => entry[kind.id])).toContain(draft.body[kind.id])
  const [open, forReader] = [await visitor.get<Entry[]>(kind.path), await reader.get<Entry[]>(kind.path)]
  expect(forReader.body).toEqual(open.body)
  expect(open.headers.get('cdn-cache-control')).toContain('public')
  for (const { body } of [draft, shown]) await staff.delete(address(body))
})

describe.each([banner, panel])('$path', (kind) => {
  test('several may wait while one is shown, and the one that opened last is shown', async () => {
    const { staff, visitor, address, listFor } = await start(kind)
    const first = await staff.post<Entry>(kind.path, kind.body)
    expect((await staff.post(kind.path, kind.body)).status).toBe(409)
    const draft = await staff.post<Entry>(kind.path, { ...kind.body, publie: false })
    const waiting = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(3_600) })
    expect(await listFor(visitor)).toEqual([first.body[kind.id]])
    const running = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(1), closes_on: inSeconds(3_600) })
    await expect.poll(() => listFor(visitor), patient).toEqual([running.body[kind.id]])
    expect((await staff.delete(address(running.body))).status).toBe(204)
    expect(await listFor(visitor)).toEqual([first.body[kind.id]])
    for (const { body } of [first, draft, waiting]) await staff.delete(address(body))
  })

  test('one without dates is shown over one that opened before it was saved', async () => {
    const { staff, visitor, address, listFor } = await start(kind)
    const earlier = await staff.post<Entry>(kind.path, { ...kind.body, opens_on: inSeconds(-3_600) })
    const urgent = await staff.post<Entry>(kind.path, kind.body)
    expect(await listFor(visitor)).toEqual([urgent.body[kind.id]])
    await staff.delete(address(urgent.body))
    expect(await listFor(visitor)).toEqual([earlier.body[kind.id]])
    await staff.delete(address(earlier.body))
  })
})

test('after the migration what was public stays public, except what had nothing to show', async () => {
  const database = await openTestDatabase()
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((one) => one.sql.some((statement) => statement.includes('"jobs" ADD COLUMN "is_published"')))
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  await db.execute(sql`insert into jobs (title, description) values ('Soudeuse', ''), (' ', '<p>Texte</p>')`)
  await db.execute(sql`insert into notes (note_date, note) values ('', 'Coupure'), ('Lundi', '')`)
  await db.execute(sql`insert into home_messages (message) values ('<p>Panne</p>'), ('<p></p>')`)
  await db.execute(sql`insert into home_informations (title, description) values ('', '<p>Fermé</p>'), ('', '')`)
  await migrateDatabase(db)
  for (const table of ['jobs', 'notes', 'home_messages', 'home_informations']) {
    expect(await db.execute(sql`select is_published from ${sql.identifier(table)} order by id`), table).toMatchObject({
      rows: [{ is_published: true }, { is_published: false }],
    })
  }
  await database.close()
})

test('after the migration what an earlier version published in English alone is a draft, and French texts stay public', async () => {
  const database = await openTestDatabase()
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  const known = readMigrationFiles({ migrationsFolder: join(process.cwd(), 'migrations') })
  const at = known.findIndex((one) => one.sql.some((statement) => statement.includes('French comes first')))
  expect(at).toBeGreaterThan(0)
  await migrateDatabase(db, { only: new Set(known.slice(0, at).map(({ hash }) => hash)) })
  await db.execute(sql`insert into jobs (title, description, description_en)
    values ('Soudeuse', '<p>Oui</p>', ''), ('Soudeuse', '', ''), ('Soudeuse', '<p>&nbsp;</p>', '<p>Yes</p>')`)
  await db.execute(sql`insert into notes (note_date, note, note_en)
    values ('', 'Coupure', 'Outage'), ('', 'Coupure', ''), ('', ${' \n\u00a0'}, 'Outage')`)
  await db.execute(sql`insert into home_messages (title_en, message, message_en)
    values ('', '<p>Panne</p>', ''), ('Outage', '<p>Panne</p>', '<p>Outage</p>'), ('', '<p></p>', '<p>Outage</p>')`)
  await db.execute(sql`insert into home_informations (title, title_en, description, description_en)
    values ('Horaire', 'Hours', '', ''), ('', 'Hours', '<p>Fermé</p>', ''), ('Horaire', '', '<p><br></p>', '<p>Closed</p>'), ('', 'Hours', '', '')`)
  await migrateDatabase(db)
  for (const table of ['jobs', 'notes', 'home_messages', 'home_informations']) {
    const states = [true, true, false, ...(table === 'home_informations' ? [false] : [])]
    expect(await db.execute(sql`select is_published, version from ${sql.identifier(table)} order by id`), table).toMatchObject({
      rows: states.map((isPublished) => ({ is_published: isPublished, version: 1 })),
    })
  }
  await database.close()
})
