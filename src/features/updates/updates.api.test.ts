import { io } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/server/testing/test-app.ts'
import { startTestApp } from '#src/server/testing/test-app.ts'
import type { TestClient } from '#src/server/testing/test-client.ts'
import type { MaintenanceWindow, PastUpdate, UpdateAlert } from './contract.ts'
import { updateWindows } from './server/table.ts'

const path = '/api/updates/alert'
const minuteMs = 60_000

let product: TestApp
let administrator: TestClient
beforeAll(async () => {
  product = await startTestApp()
  administrator = await product.signIn({ updates: 'read_write' })
})
afterAll(() => product.stop())
/** On a whole second, and one for each test: what is said of it twice is the same instant. */
let start: number
beforeEach(async () => {
  start = Math.floor(Date.now() / 1_000) * 1_000
  await product.db.delete(updateWindows)
  product.app.events.changed('updates')
})
afterEach(() => {
  vi.useRealTimers()
})

const inMinutes = (minutes: number) => new Date(start + minutes * minuteMs).toISOString()
const alertIn = (minutes: number, more: object = {}) => ({
  next_update: inMinutes(minutes),
  message: 'Nouvelle version',
  message_en: 'New version',
  ...more,
})
const set = (minutes: number, more?: object) => administrator.put<UpdateAlert>(path, alertIn(minutes, more))
const history = async () => (await administrator.get<PastUpdate[]>('/api/updates/history')).body
const windows = async () => (await (await product.client()).get<MaintenanceWindow[]>('/api/updates/windows')).body
const later = (minutes: number) => vi.useFakeTimers({ now: Date.now() + minutes * minuteMs, toFake: ['Date'] })

describe('the update alert', () => {
  test('is null, then what was set, then null again', async () => {
    expect((await administrator.get(path)).body).toBeNull()
    const answer = await set(60, { duration_minutes: 20 })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...alertIn(60), public: false, duration_minutes: 20, ends_at: inMinutes(80), version: 1 })
    expect((await administrator.get(path)).body).toEqual(answer.body)
    expect((await administrator.delete(path)).status).toBe(204)
    expect((await administrator.get(path)).body).toBeNull()
    expect((await administrator.delete(path)).status).toBe(204)
  })

  test('is in the profile of everybody who signs in, whatever their rights', async () => {
    const { body } = await set(60)
    const person = await product.signIn({})
    expect((await person.get('/api/auth/me')).body).toMatchObject({ update_alert: body })
    await administrator.delete(path)
    expect((await person.get('/api/auth/me')).body).toMatchObject({ update_alert: null })
  })

  test('with an offset is the same instant', async () => {
    const { body } = await administrator.put<UpdateAlert>(path, {
      next_update: '2056-12-01T22:00:00-05:00',
      message: '',
      message_en: '',
    })
    expect(body.next_update).toBe('2056-12-02T03:00:00.000Z')
  })

  test('stays until five minutes after the update, then is over by itself', async () => {
    await set(60, { duration_minutes: 10 })
    later(74)
    expect((await administrator.get(path)).body).not.toBeNull()
    later(2)
    expect((await administrator.get(path)).body).toBeNull()
  })

  test('is moved while it is to come, and stays in the history once it began', async () => {
    const first = await set(60)
    const moved = await set(90)
    expect(moved.body).toMatchObject({ id_update: first.body.id_update, version: 2, next_update: inMinutes(90) })
    later(92)
    const next = await set(600)
    expect(next.body.id_update).not.toBe(first.body.id_update)
    const told = await history()
    expect(told.map(({ state }) => state)).toEqual(['planned', 'done'])
    expect(told[1]?.duration_minutes).toBe(2)
  })

  test('changed by two people at once is told to the second', async () => {
    const { body } = await set(60)
    expect((await set(70, { version: body.version })).status).toBe(200)
    const second = await administrator.put<{ current: UpdateAlert }>(path, alertIn(80, { version: body.version }))
    expect(second.status).toBe(409)
    expect(second.body.current.next_update).toBe(inMinutes(70))
  })

  test('leaves lines in the journal', async () => {
    await set(60)
    await set(61)
    await administrator.delete(path)
    const auditor = await product.signIn({ audit: 'read_only' })
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
  ])('is refused with %s', async (_name, wrong) => {
    const answer = await administrator.put<{ errors: unknown[] }>(path, alertIn(60, wrong))
    expect(answer.status).toBe(400)
    expect(answer.body.errors.length).toBeGreaterThan(0)
    expect((await administrator.get(path)).body).toBeNull()
  })

  test('is not for who lacks the right', async () => {
    const stranger = await product.client()
    const other = await product.signIn({ chat: 'administrator' })
    const reader = await product.signIn({ updates: 'read_only' })
    for (const [client, status] of [
      [stranger, 401],
      [other, 403],
    ] as const) {
      expect((await client.get(path)).status).toBe(status)
      expect((await client.get('/api/updates/history')).status).toBe(status)
      expect((await client.put(path, alertIn(60))).status).toBe(status)
      expect((await client.delete(path)).status).toBe(status)
    }
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.put(path, alertIn(60))).status).toBe(403)
    expect((await reader.delete(path)).status).toBe(403)
  })
})

describe('a maintenance window', () => {
  test('is seen by visitors while its alert is public: before, during and after', async () => {
    await set(60)
    expect(await windows()).toEqual([])
    await set(60, { public: true, duration_minutes: 10 })
    expect(await windows()).toMatchObject([{ state: 'planned', message: 'Nouvelle version', ends_at: inMinutes(70) }])
    later(61)
    expect(await windows()).toMatchObject([{ state: 'running' }])
    later(10)
    expect(await windows()).toMatchObject([{ state: 'done' }])
    later(8 * 24 * 60)
    expect(await windows()).toEqual([])
  })

  test('that is removed before it begins never was', async () => {
    await set(60, { public: true })
    await administrator.delete(path)
    expect(await windows()).toEqual([])
  })

  test('is in the calendars under one name for good, in both languages', async () => {
    const read = async (file: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${product.origin}/reseau/${file}`, { headers })
      return { response, text: (await response.text()).replaceAll('\r\n ', '') }
    }
    const uidOf = (text: string) => /UID:(.+)\r/.exec(text)?.[1]
    expect((await read('calendrier.ics')).text).not.toContain('VEVENT')

    await set(60)
    expect((await read('calendrier.ics')).text).not.toContain('VEVENT')
    await set(60, { public: true, message: 'Pare-feu, Québec', message_en: '' })
    const first = await read('calendrier.ics')
    expect(first.response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(first.response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(first.text).toContain(String.raw`DESCRIPTION:Pare-feu\, Québec`)
    expect(first.text).toContain('SEQUENCE:1')
    const english = await read('calendar.ics')
    expect(english.text).toContain('SUMMARY:Planned maintenance: ')
    expect(uidOf(english.text)).toBe(uidOf(first.text))
    const etag = first.response.headers.get('etag') ?? ''
    expect((await read('calendrier.ics', { 'if-none-match': etag })).response.status).toBe(304)

    await set(120, { public: true })
    const moved = await read('calendrier.ics')
    expect(moved.text).toContain('SEQUENCE:2')
    expect(uidOf(moved.text)).toBe(uidOf(first.text))

    await administrator.delete(path)
    const removed = await read('calendrier.ics')
    expect(removed.text).toContain('STATUS:CANCELLED')
    expect(removed.text).not.toContain('Nouvelle version')
    expect(uidOf(removed.text)).toBe(uidOf(first.text))
  })
})

describe('the broadcast', () => {
  const open = async (namespace: string, cookie = '') => {
    const heard: unknown[] = []
    const socket = io(product.origin + namespace, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
    socket.on('update:alert', (alert: unknown) => heard.push(alert))
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve())
      socket.once('connect_error', reject)
    })
    return { heard, close: () => socket.close() }
  }

  test('reaches staff at once, visitors only while it is public, and who comes late', async () => {
    const technician = await product.signIn({ chat: 'read_write' })
    const staff = await open('/staff', technician.cookieHeader())
    const visitor = await open('/')

    const kept = (await set(60)).body
    await vi.waitFor(() => expect(staff.heard).toEqual([kept]))
    const late = await open('/staff', technician.cookieHeader())
    await vi.waitFor(() => expect(late.heard).toEqual([kept]))
    expect(visitor.heard).toEqual([])

    const shown = (await set(60, { public: true })).body
    await vi.waitFor(() => expect(visitor.heard).toEqual([shown]))
    const lateVisitor = await open('/')
    await vi.waitFor(() => expect(lateVisitor.heard).toEqual([shown]))

    await administrator.delete(path)
    await vi.waitFor(() => expect(visitor.heard).toEqual([shown, null]))
    expect(staff.heard).toEqual([kept, shown, null])
    for (const one of [staff, visitor, late, lateVisitor]) one.close()
  })

  test('tells open pages, and greets them with the build they should have', async () => {
    product.app.siteBuild.version = 'abc123'
    const abort = new AbortController()
    const stream = await fetch(`${product.origin}/api/live`, { signal: abort.signal })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) text += (await reader?.read())?.value ?? ''
    }
    await until('event: hello\ndata: {"build":"abc123"}')
    await set(60)
    await until('data: {"area":"updates"}')
    expect(text).toMatch(/^retry: \d{4}\n/)
    abort.abort()
    product.app.siteBuild.version = null
  })
})
