import { expect, test } from 'vitest'
import { renderCalendar } from './icalendar.ts'

const event = {
  uid: '0b0f2c1e-0000-4000-8000-000000000001',
  sequence: 2,
  changedAt: new Date('2026-11-20T15:04:05.678Z'),
  startsAt: new Date('2026-12-02T03:00:00Z'),
  endsAt: new Date('2026-12-02T03:15:00Z'),
  summary: 'Entretien, Québec; Lévis',
  description: 'Ligne une\r\nligne \\ deux\u0007',
  url: 'https://www.example.com/reseau',
  cancelled: false,
}
const calendar = { product: '-//Guichet//FR', name: 'Entretiens', description: 'Tous', refresh: 'PT1H', events: [event] }

test('an event is written as calendars read it', () => {
  const text = renderCalendar(calendar)
  expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  const lines = text.split('\r\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'UID:0b0f2c1e-0000-4000-8000-000000000001',
      'DTSTAMP:20261120T150405Z',
      'DTSTART:20261202T030000Z',
      'DTEND:20261202T031500Z',
      'SEQUENCE:2',
      String.raw`SUMMARY:Entretien\, Québec\; Lévis`,
      String.raw`DESCRIPTION:Ligne une\nligne \\ deux`,
      'STATUS:CONFIRMED',
    ]),
  )
  expect(renderCalendar({ ...calendar, events: [{ ...event, cancelled: true }] })).toContain('\r\nSTATUS:CANCELLED\r\n')
})

test('a long line is folded at 75 bytes, between characters, and reads the same unfolded', () => {
  const description = 'Entretien prévu à Québec 🛠 '.repeat(30)
  const text = renderCalendar({ ...calendar, events: [{ ...event, description }] })
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${description}`)
  expect(text).not.toContain('\ufffd')
})
