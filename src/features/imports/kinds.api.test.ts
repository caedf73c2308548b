import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { ChatSettings } from '../chat/contract.ts'
import type { ImportResult } from './contract.ts'
import type { TestClient } from './testing.ts'
import { runImport as run, sendImport } from './testing.ts'

let product: TestApp
let staff: TestClient

beforeAll(async () => {
  product = await startTestApp({ queue: true })
  staff = await product.signIn()
})
afterAll(() => product.stop())

const send = (fields: Record<string, string>, content: string | Uint8Array, name?: string) =>
  sendImport(product, staff, fields, content, name)
const undo = async (id: number) => (await staff.post<ImportResult>(`/api/imports/imports/${id}/undo`)).body

describe('holidays of a calendar', () => {
  const year = new Date().getFullYear() + 1
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
  const calendar = (...events: string[]) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//fr', ...events, 'END:VCALENDAR', ''].join('\r\n')
  const holidays = async () => (await staff.get<ChatSettings>('/api/chat/settings')).body.holidays
  const datesOf = async (name: string) => (await holidays()).flatMap((one) => (one.name.startsWith(name) ? one.date : []))

  test('close its whole days, follow it until somebody edits them, and go with the undo', async () => {
    const file = (name: string) =>
      calendar(
        event('UID:a@example.com', `DTSTART;VALUE=DATE:${year}0203`, `DTEND;VALUE=DATE:${year}0205`, `SUMMARY:${name}`),
        event(
          'UID:b@example.com',
          'DTSTART;VALUE=DATE:19990806',
          'RRULE:FREQ=YEARLY;BYMONTH=8;BYDAY=1FR',
          'SUMMARY;LANGUAGE=en:Fri',
        ),
        event('UID:c@example.com', 'DTSTART;VALUE=DATE:20010101', 'SUMMARY:Passée'),
        event('UID:d@example.com', 'DTSTART;VALUE=DATE:29990101', 'SUMMARY:Lointaine'),
        event('UID:e@example.com', `DTSTART:${year}0301T090000Z`, 'SUMMARY:Réunion'),
        event('UID:f@example.com', `DTSTART;VALUE=DATE:${year}0302`, 'STATUS:CANCELLED', 'SUMMARY:Annulée'),
        event('UID:g@example.com', `DTSTART;VALUE=DATE:${year}0231`, 'SUMMARY:'),
      )
    const source = { kind: 'holidays', source: 'https://calendrier.example.com' }
    const tried = await send(source, file('Relâche'), 'feries.ics')
    expect(tried.body).toMatchObject({ left_out: { past: 1, later: 1, cancelled: 1 }, refused_total: 2 })
    expect(tried.body.refused.map(({ reason_fr }) => reason_fr)).toEqual([
      expect.stringContaining('pas une journée entière'),
      expect.stringContaining('pas de nom'),
    ])
    const done = await run(staff, tried.body.id_import)
    expect(done).toMatchObject({ state: 'done', left_out: { past: 1 }, refused_total: 2 })
    expect(await datesOf('Relâche')).toEqual([`${year}-02-03`, `${year}-02-04`])
    const fridays = (await holidays()).filter(({ name }) => name === 'Fri')
    expect(fridays.length).toBeGreaterThanOrEqual(3)
    expect(
      fridays.every(({ date, name_en, spans }) => new Date(date).getUTCDay() === 5 && name_en === 'Fri' && spans.length === 0),
    ).toBe(true)

    expect((await send(source, file('Relâche'), 'feries.ics')).body).toMatchObject({ created: {}, known: 2 + fridays.length })
    const { body: settings } = await staff.get<ChatSettings>('/api/chat/settings')
    const opened = settings.holidays.map((one) =>
      one.date === `${year}-02-04` ? { ...one, spans: [{ opens: '08:00', closes: '12:00' }] } : one,
    )
    expect((await staff.put('/api/chat/settings', { ...settings, holidays: opened })).status).toBe(200)
    const changed = await send(source, file('Relâche scolaire'), 'feries.ics')
    expect(changed.body).toMatchObject({ updated: { chat: 1 }, refused_total: 3 })
    expect(changed.body.refused.map(({ reason }) => reason)).toContain('Edited here since it was imported: left as it is.')
    await run(staff, changed.body.id_import)
    expect(await datesOf('Relâche scolaire')).toEqual([`${year}-02-03`])
    const again = await send({ kind: 'holidays' }, file('Autre'), 'feries.ics')
    expect(again.body).toMatchObject({ created: {}, refused_total: 4 + fridays.length })
    expect(again.body.refused[0]?.reason_fr).toMatch(/déjà un jour férié/)

    expect(await undo(done.id_import)).toMatchObject({ state: 'undone', left_entries: [{}, {}] })
    expect(await datesOf('Relâche')).toEqual([`${year}-02-03`, `${year}-02-04`])
    expect(await datesOf('Fri')).toEqual([])
  })

  test.each([
    ['no calendar', 'raccourci,texte\n', /pas un calendrier/],
    ['a part that never ends', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x', /pas un calendrier/],
    ['6 MB', calendar('X'.repeat(6_000_000)), /trop volumineux/],
  ])('that are %s are refused in words', async (_name, content, message) => {
    const { status, body } = await send({ kind: 'holidays' }, content, 'feries.ics')
    expect(status).toBe(422)
    expect(body.reason?.fr).toMatch(message)
  })

  test('that repeat each second, or on dates that do not exist, hold nothing up', async () => {
    const content = calendar(
      event('UID:1', 'DTSTART;VALUE=DATE:20000101', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Seconde'),
      event('UID:3', 'DTSTART;VALUE=DATE:20000101', 'RRULE:FREQ=MONTHLY;BYDAY=9MO', 'SUMMARY:Nulle'),
      event('UID:4', `DTSTART;VALUE=DATE:${year}0101`, `DTEND;VALUE=DATE:${year + 9}0101`, 'SUMMARY:Longue'),
    )
    const { status, body } = await send({ kind: 'holidays' }, content, 'feries.ics')
    expect(status).toBe(201)
    expect(body).toMatchObject({ created: {}, refused_total: 3 })
  })
})
