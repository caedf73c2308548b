import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAuditLog } from '#src/server/audit-log/verify.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { CannedReply } from '../chat/contract.ts'
import type { Translation } from '../content/translations/contract.ts'
import type { Note } from '../notes/contract.ts'
import type { AuditEntry, Verification } from './contract.ts'

const path = '/api/audit/entries'
const notes = '/api/notes/notes'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('the audit log', () => {
  test('returns author, action, entry, values before and after, and address', async () => {
    const staff = await product.signIn({ notes: 'read_write', audit: 'read_only' })
    const { body: made } = await staff.post<Note>(notes, { note_date: 'lundi', note: 'Un' })
    await staff.put(`${notes}/${made.id_note}`, { note_date: 'lundi', note: 'Deux' })
    await staff.delete(`${notes}/${made.id_note}`)
    const { body: entries } = await staff.get<AuditEntry[]>(`${path}?area=notes&entry=${made.id_note}`)
    expect(entries.map((entry) => entry.action)).toEqual(['delete', 'update', 'create'])
    expect(entries[1]).toMatchObject({
      area: 'notes',
      entry_id: String(made.id_note),
      id_user: staff.user.id,
      user_name: staff.user.displayName,
      address: '127.0.0.1',
      before: { note: 'Un' },
      after: { note: 'Deux' },
    })
  })

  test('is filtered by area, action, user and day, and paged', async () => {
    const staff = await product.signIn({ notes: 'read_write', audit: 'read_only' })
    const made = []
    for (const note of ['a', 'b', 'c']) made.push((await staff.post<Note>(notes, { note_date: '', note })).body)
    const find = async (query: string) => (await staff.get<AuditEntry[]>(`${path}?${query}`)).body
    const mine = `area=notes&who=${encodeURIComponent(staff.user.displayName)}`
    expect(await find(`${mine}&action=create`)).toHaveLength(3)
    expect(await find(`${mine}&action=delete`)).toHaveLength(0)
    expect(await find(mine.replace('notes', 'jobs'))).toHaveLength(0)
    expect(await find(`${mine}&to=2000-01-01`)).toHaveLength(0)
    expect(await find(`${mine}&from=2000-01-01&to=2999-01-01`)).toHaveLength(3)
    expect(await find('who=%25')).toHaveLength(0)
    const [newest, ...rest] = await find(`${mine}&limit=3`)
    expect(await find(`${mine}&limit=1`)).toEqual([newest])
    expect(await find(`${mine}&limit=1&page=2`)).toEqual(rest.slice(0, 1))
    expect(await find(`${mine}&sort=at`)).toEqual([newest, ...rest].toReversed())
    expect(await find(`${mine}&after=${newest?.id_entry}`)).toEqual(rest)
    expect(await find(`${mine}&sort=at&after=${rest.at(-1)?.id_entry}`)).toEqual([newest, ...rest].toReversed().slice(1))
    expect(await find(`${mine}&from=2999-01-01`)).toHaveLength(0)
    expect(await find(`${mine}&page=1000000000`)).toHaveLength(0)
    expect(await find('who=nobody-of-this-name')).toHaveLength(0)
    expect((await staff.get(`${path}?${mine}&limit=1`)).headers.get('x-total-count')).toBe('3')
    for (const one of made) await staff.delete(`${notes}/${one.id_note}`)
  })

  test.each([
    'area=a&area=b',
    'nothing=1',
    'page=0',
    'limit=0',
    'limit=1000',
    'from=hier',
    `who=${'a'.repeat(300)}`,
    'who=%00',
    'sort=who',
  ])('rejects %s', async (query) => {
    const reader = await product.signIn({ audit: 'read_only' })
    expect((await reader.get(`${path}?${query}`)).status).toBe(400)
  })

  test('rejects callers without the right to the audit log', async () => {
    const visitor = await product.client()
    const stranger = await product.signIn({ notes: 'administrator' })
    for (const address of [path, '/api/audit/verification']) {
      expect((await visitor.get(address)).status).toBe(401)
      expect((await stranger.get(address)).status).toBe(403)
    }
    expect((await visitor.post(`${path}/1/restore`)).status).toBe(401)
    expect((await stranger.post(`${path}/1/restore`)).status).toBe(403)
  })

  test('a deletion is undone once, with write access to its area', async () => {
    const staff = await product.signIn({ notes: 'read_write', audit: 'read_only' })
    const reader = await product.signIn({ audit: 'administrator', notes: 'read_only' })
    const { body: made } = await staff.post<Note>(notes, { note_date: 'mardi', note: 'À garder', note_en: 'To keep' })
    const { body: later } = await staff.post<Note>(notes, { note_date: 'mercredi', note: 'Plus récente' })
    await staff.put(`${notes}/${made.id_note}`, { note_date: 'mardi', note: 'À garder, vraiment', note_en: 'To keep' })
    const { body: stored } = await staff.get<Note>(`${notes}/${made.id_note}`)
    await staff.delete(`${notes}/${made.id_note}`)

    const [entry] = (await staff.get<AuditEntry[]>(`${path}?area=notes&entry=${made.id_note}&action=delete`)).body
    expect(entry?.restorable).toBe(true)
    const address = `${path}/${entry?.id_entry}/restore`
    expect((await reader.post(address)).status).toBe(403)
    expect((await staff.post(address)).status).toBe(204)
    expect((await staff.get<Note>(`${notes}/${made.id_note}`)).body).toEqual({ ...stored, version: stored.version + 1 })
    expect((await staff.get<Note[]>(notes)).body.map((note) => note.id_note).slice(0, 2)).toEqual([later.id_note, made.id_note])

    expect((await staff.post(address)).status).toBe(409)
    expect((await staff.get<AuditEntry[]>(`${path}?area=notes&entry=${made.id_note}&limit=1`)).body[0]?.action).toBe('restore')
    expect((await staff.get<AuditEntry[]>(`${path}?area=notes&entry=${made.id_note}&action=delete`)).body[0]?.restorable).toBe(
      false,
    )
    expect((await staff.put(`${notes}/${made.id_note}`, { note_date: 'x', version: stored.version })).status).toBe(409)
    await staff.delete(`${notes}/${later.id_note}`)
  })

  test.each([
    [
      '/api/employees/employes',
      {
        nom: 'A',
        departement: 'VENTES',
        sousdepartement: 'VENTES',
        titre: 'T',
        titre_en: 'T',
        email: 'a@example.com',
        description: 'd',
        description_en: 'd',
      },
      'id_employe',
    ],
    ['/api/jobs/emplois', { titre: 'T', description: '<p>x</p>', closes_on: '2026-01-01' }, 'id_emploi'],
    ['/api/networks/reseau', { nom: 'N', status: 'ONLINE', details: '[{"nom":"a","nom_en":"","statut":"OK"}]' }, 'id_reseau'],
    ['/api/home_messages/home_message', { message: '<p>x</p>' }, 'id_home_message'],
    ['/api/home_informations/home_information', { title: 'T', description: '<p>x</p>' }, 'id_home_information'],
  ])('an entry deleted from %s is restored unchanged', async (address, body, idKey) => {
    const staff = await product.signIn()
    const { body: made } = await staff.post<Record<string, number>>(address, body)
    expect((await staff.delete(`${address}/${made[idKey]}`)).status).toBe(204)
    const [entry] = (await staff.get<AuditEntry[]>(`${path}?action=delete&limit=1`)).body
    expect((await staff.post(`${path}/${entry?.id_entry}/restore`)).status).toBe(204)
    expect((await staff.get(`${address}/${made[idKey]}`)).body).toEqual({ ...made, version: 2 })
  })

  test('a deleted banner is not restored beside another one', async () => {
    const staff = await product.signIn()
    const banner = '/api/home_messages/home_message'
    const [current] = (await staff.get<{ id_home_message: number }[]>(banner)).body
    await staff.delete(`${banner}/${current?.id_home_message}`)
    const [entry] = (await staff.get<AuditEntry[]>(`${path}?action=delete&limit=1`)).body
    await staff.post(banner, { message: '<p>autre</p>' })
    expect((await staff.post(`${path}/${entry?.id_entry}/restore`)).status).toBe(409)
  })

  test('an edited canned response is restored with its last text and its place among the translations', async () => {
    const staff = await product.signIn()
    const canned = '/api/chat/canned_replies'
    const input = { shortcut: 'merci', reply: 'Merci.', reply_en: 'Thanks.' }
    const { body: made } = await staff.post<CannedReply>(canned, input)
    const address = `${canned}/${made.id_canned}`
    const { body: edited } = await staff.put<CannedReply>(address, { ...input, reply: 'Merci beaucoup.', version: 1 })
    expect(edited).toMatchObject({ reply: 'Merci beaucoup.', version: 2, english_older: { reply: expect.any(String) } })
    await staff.delete(address)
    expect((await staff.get(address)).status).toBe(404)

    const [entry] = (await staff.get<AuditEntry[]>(`${path}?area=chat&action=delete&limit=1`)).body
    expect(entry).toMatchObject({ entry_id: `canned/${made.id_canned}`, restorable: true })
    const { body: other } = await staff.post<CannedReply>(canned, { shortcut: 'MERCI', reply: 'Autre' })
    expect((await staff.post(`${path}/${entry?.id_entry}/restore`)).status).toBe(409)
    await staff.delete(`${canned}/${other.id_canned}`)
    expect((await staff.post(`${path}/${entry?.id_entry}/restore`)).status).toBe(204)
    expect((await staff.get(address)).body).toEqual({ ...edited, version: 3 })
    const { body: outdated } = await staff.get<Translation[]>('/api/translations')
    expect(outdated.map(({ id }) => id)).toContain(made.id_canned)
  })

  test('an event that is no deletion, or does not exist, cannot be undone', async () => {
    const staff = await product.signIn()
    const [created] = (await staff.get<AuditEntry[]>(`${path}?action=create&limit=1`)).body
    expect((await staff.post(`${path}/${created?.id_entry}/restore`)).status).toBe(409)
    expect((await staff.post(`${path}/999999/restore`)).status).toBe(404)
  })

  test('is append-only in the database itself', async () => {
    await expect(product.db.execute(sql`update journal set user_name = 'x'`)).rejects.toThrow()
    await expect(product.db.execute(sql`delete from journal`)).rejects.toThrow()
    await expect(product.db.execute(sql`truncate journal`)).rejects.toThrow()
  })

  test('reports the first event that was changed in the database', async () => {
    const reader = await product.signIn({ audit: 'read_only' })
    const whole = (await reader.get<Verification>('/api/audit/verification')).body
    expect(whole).toMatchObject({ broken_at: null, lines: expect.any(Number) })
    expect(whole.lines).toBeGreaterThan(10)
    expect(whole).toMatchObject({ is_complete: true, total: whole.lines, lines_before: 0 })

    const since = (await reader.get<Verification>('/api/audit/verification?from=last&wait=30')).body
    expect(since).toMatchObject({ broken_at: null, is_complete: true, lines_before: whole.lines })
    expect((await reader.get('/api/audit/verification?from=nowhere')).status).toBe(400)

    await product.db.execute(sql`alter table journal disable trigger journal_append_only`)
    await product.db.execute(sql`update journal set user_name = 'Somebody else' where id = 5`)
    await product.db.execute(sql`alter table journal enable trigger journal_append_only`)
    expect((await reader.get<Verification>('/api/audit/verification')).body).toMatchObject({ lines: 4, broken_at: 5 })
    expect(await verifyAuditLog(product.db)).toMatchObject({ lines: 4, brokenAt: 5 })
  })
})
