import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Note } from './contract.ts'

const path = '/api/notes/notes'
const notice = { note_date: '20 novembre 2026, 8 h 40', note: 'Coupure brève.', note_en: 'Brief outage.' }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('notes', () => {
  test('are created, read, changed and deleted with write access, newest first', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    // The specified address ends with a slash.
    const first = await staff.post<Note>(`${path}/`, notice)
    const second = await staff.post<Note>(path, { ...notice, note: 'Suite.' })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      ...notice,
      id_note: expect.any(Number),
      publie: true,
      opens_on: null,
      closes_on: null,
      state: 'open',
      created_at: expect.any(String),
      english_older: {},
      version: 1,
    })
    const visitor = await product.client()
    expect((await visitor.get<Note[]>(path)).body.map((note) => note.id_note)).toEqual([second.body.id_note, first.body.id_note])
    const address = `${path}/${first.body.id_note}`
    expect((await visitor.get(address)).body).toEqual(first.body)
    expect((await staff.put<Note>(address, { ...notice, note: 'Fini.' })).body).toMatchObject({ note: 'Fini.', version: 2 })
    for (const { body } of [first, second]) expect((await staff.delete(`${path}/${body.id_note}`)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
  })

  test('of three months are in the list, older ones on pages with their number', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const { body: recent } = await staff.post<Note>(path, { ...notice, note: 'Récent' })
    await product.db.execute(sql`insert into notes (note_date, note, created_at)
      select 'jour ' || n, 'Ancien ' || n, now() - interval '4 months' - n * interval '1 minute' from generate_series(1, 60) n`)
    const visitor = await product.client()
    expect((await visitor.get<Note[]>(path)).body.map(({ note }) => note)).toEqual(['Récent'])
    const first = await visitor.get<Note[]>(`${path}?page=1`)
    expect(first.headers.get('x-total-count')).toBe('60')
    expect(first.body.map(({ note }) => note)).toEqual(Array.from({ length: 50 }, (_, index) => `Ancien ${index + 1}`))
    expect((await visitor.get<Note[]>(`${path}?page=2`)).body).toHaveLength(10)
    expect((await visitor.get<Note[]>(`${path}?page=1000000000`)).body).toEqual([])
    for (const page of ['0', '-1', '1e99', 'x']) expect((await visitor.get(`${path}?page=${page}`)).status).toBe(400)
    await staff.delete(`${path}/${recent.id_note}`)
    await product.db.execute(sql`delete from notes`)
  })

  test('one that waited is above those written before it opened', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const visitor = await product.client()
    const opens_on = new Date(Date.now() + 1_000).toISOString()
    const { body: waited } = await staff.post<Note>(path, { ...notice, opens_on })
    const { body: written } = await staff.post<Note>(path, notice)
    await expect
      .poll(async () => (await visitor.get<Note[]>(path)).body.map(({ id_note }) => id_note), { timeout: 30_000 })
      .toEqual([waited.id_note, written.id_note])
    for (const { id_note } of [waited, written]) await staff.delete(`${path}/${id_note}`)
  })

  test('nothing is required', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const { status, body } = await staff.post<Note>(path, {})
    expect(status).toBe(201)
    await staff.delete(`${path}/${body.id_note}`)
  })

  test('stores HTML in a note as plain text', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const note = '<img src=x onerror=alert(1)>'
    const { body } = await staff.post<Note>(path, { ...notice, note })
    expect(body.note).toBe(note)
    await staff.delete(`${path}/${body.id_note}`)
  })

  test.each([
    ['an unknown field', { ...notice, admin: true }],
    ['a list for a text', { ...notice, note: ['x'] }],
    ['a NUL byte', { ...notice, note: '\0' }],
    ['a lone surrogate', { ...notice, note_en: '\ud800' }],
    ['50,000 letters', { ...notice, note: 'a'.repeat(50_000) }],
    ['a date of 300 letters', { ...notice, note_date: 'a'.repeat(300) }],
  ])('rejects %s', async (_name, body) => {
    const staff = await product.signIn({ notes: 'read_write' })
    expect((await staff.post(path, body)).status).toBe(400)
  })

  test('returns a conflict to the second of two saves', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const { body: made } = await staff.post<Note>(path, notice)
    const address = `${path}/${made.id_note}`
    expect((await staff.put(address, { ...notice, note: 'Premier', version: 1 })).status).toBe(200)
    const second = await staff.put<{ current: Note; changed: unknown }>(address, { ...notice, note: 'Second', version: 1 })
    expect(second.status).toBe(409)
    expect(second.body.current.note).toBe('Premier')
    expect(second.body.changed).toEqual({ at: expect.any(String), name: staff.user.displayName })
    await staff.delete(address)
  })

  test('rejects writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, notice, { notes: 'read_only', home: 'administrator' })
  })
})
