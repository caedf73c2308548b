import { describe, expect, test } from 'vitest'
import type { PastUpdate, UpdateAlert } from './contract.ts'
import { alertPath, setUpAlerts } from './testing.ts'

const { product, administrator, inMinutes, alertIn, set, later } = setUpAlerts()

const history = async () => (await administrator().get<PastUpdate[]>('/api/updates/history')).body

describe('the update alert', () => {
  test('is null, then set, then null again', async () => {
    expect((await administrator().get(alertPath)).body).toBeNull()
    const response = await set(60, { duration_minutes: 20 })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      ...alertIn(60),
      public: false,
      duration_minutes: 20,
      ends_at: inMinutes(80),
      version: 1,
    })
    expect((await administrator().get(alertPath)).body).toEqual(response.body)
    expect((await administrator().delete(alertPath)).status).toBe(204)
    expect((await administrator().get(alertPath)).body).toBeNull()
    expect((await administrator().delete(alertPath)).status).toBe(204)
  })

  test('is in the profile of every signed-in user, whatever their rights', async () => {
    const { body } = await set(60)
    const person = await product().signIn({})
    expect((await person.get('/api/auth/me')).body).toMatchObject({ update_alert: body })
    await administrator().delete(alertPath)
    expect((await person.get('/api/auth/me')).body).toMatchObject({ update_alert: null })
  })

  test('with an offset is the same instant', async () => {
    const { body } = await administrator().put<UpdateAlert>(alertPath, {
      next_update: '2056-12-01T22:00:00-05:00',
      message: '',
      message_en: '',
    })
    expect(body.next_update).toBe('2056-12-02T03:00:00.000Z')
  })

  test('expires five minutes after the update', async () => {
    await set(60, { duration_minutes: 10 })
    later(74)
    expect((await administrator().get(alertPath)).body).not.toBeNull()
    later(2)
    expect((await administrator().get(alertPath)).body).toBeNull()
  })

  test('is moved while scheduled, and stays in the history once begun', async () => {
    const first = await set(60)
    const moved = await set(90)
    expect(moved.body).toMatchObject({ id_update: first.body.id_update, version: 2, next_update: inMinutes(90) })
    later(92)
    const next = await set(600)
    expect(next.body.id_update).not.toBe(first.body.id_update)
    const expected = await history()
    expect(expected.map(({ state }) => state)).toEqual(['planned', 'done'])
    expect(expected[1]?.duration_minutes).toBe(2)
  })

  test('returns a conflict to the second of two writers', async () => {
    const { body } = await set(60)
    expect((await set(70, { version: body.version })).status).toBe(200)
    const second = await administrator().put<{ current: UpdateAlert }>(alertPath, alertIn(80, { version: body.version }))
    expect(second.status).toBe(409)
    expect(second.body.current.next_update).toBe(inMinutes(70))
  })

  test('is recorded in the audit log', async () => {
    await set(60)
    await set(61)
    await administrator().delete(alertPath)
    const auditor = await product().signIn({ audit: 'read_only' })
    const { body } = await auditor.get<{ action: string }[]>('/api/audit/entries?area=updates')
    expect(body.slice(0, 3).map(({ action }) => action)).toEqual(['delete', 'update', 'create'])
  })

  test.each([
    ['no date', { next_update: undefined }],
    ['a date without its zone', { next_update: '2056-12-01T22:00' }],
    ['a date that does not exist', { next_update: '2056-02-30T22:00:00Z' }],
    ['a date in the past', { next_update: '2020-01-01T00:00:00Z' }],
    ['the year 0', { next_update: '0000-01-01T00:00:00Z' }],
    ['the year 9999', { next_update: '9999-12-31T23:59:59Z' }],
    ['a number for a date', { next_update: 1_900_000_000 }],
    ['a list for a message', { message: ['x'] }],
    ['a message that is too long', { message: 'a'.repeat(2_001) }],
    ['NUL in a message', { message_en: 'a\0b' }],
    ['a lone surrogate', { message: '\ud800' }],
    ['a public flag in words', { public: 'yes' }],
    ['no duration', { duration_minutes: 0 }],
    ['more than a day', { duration_minutes: 1_441 }],
    ['half a minute', { duration_minutes: 0.5 }],
    ['an unknown field', { uid: 'x' }],
  ])('is rejected with %s', async (_name, wrong) => {
    const response = await administrator().put<{ errors: unknown[] }>(alertPath, alertIn(60, wrong))
    expect(response.status).toBe(400)
    expect(response.body.errors.length).toBeGreaterThan(0)
    expect((await administrator().get(alertPath)).body).toBeNull()
  })

  test('rejects callers without the right', async () => {
    const stranger = await product().client()
    const other = await product().signIn({ chat: 'administrator' })
    const reader = await product().signIn({ updates: 'read_only' })
    for (const [client, status] of [
      [stranger, 401],
      [other, 403],
    ] as const) {
      expect((await client.get(alertPath)).status).toBe(status)
      expect((await client.get('/api/updates/history')).status).toBe(status)
      expect((await client.put(alertPath, alertIn(60))).status).toBe(status)
      expect((await client.delete(alertPath)).status).toBe(status)
    }
    expect((await reader.get(alertPath)).status).toBe(200)
    expect((await reader.put(alertPath, alertIn(60))).status).toBe(403)
    expect((await reader.delete(alertPath)).status).toBe(403)
  })
})
