import { expect, test } from 'vitest'
import { renderCalendar } from './calendar.ts'
import type { WindowRow } from './service.ts'

type Named = WindowRow & { names: string[] }

const row = {
  uid: '0b0f2c1e-0000-4000-8000-000000000001',
  version: 3,
  updatedAt: new Date('2026-11-20T15:04:05.678Z'),
  startsAt: new Date('2099-12-02T03:00:00Z'),
  endsAt: new Date('2099-12-02T03:15:00Z'),
  message: 'Ligne une, Québec; Lévis\r\nligne \\ deux\u0007',
  messageEn: '',
  public: true,
  names: [] as string[],
} as Named
const render = (change: Partial<Named> = {}) => renderCalendar('https://www.example.com', 'fr', [{ ...row, ...change }])

test('writes a window as iCalendar', () => {
  const text = render()
  expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(text.replaceAll('\r\n ', '').split('\r\n')).toEqual(
    expect.arrayContaining([
      'METHOD:PUBLISH',
      'UID:0b0f2c1e-0000-4000-8000-000000000001',
      'DTSTAMP:20261120T150405Z',
      'LAST-MODIFIED:20261120T150405Z',
      'DTSTART:20991202T030000Z',
      'DTEND:20991202T031500Z',
      'SEQUENCE:2',
      String.raw`DESCRIPTION:Ligne une\, Québec\; Lévis\nligne \\ deux`,
      'STATUS:CONFIRMED',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ]),
  )
})

test('names the components that it concerns after its text', () => {
  const text = render({ message: 'Pare-feu', names: ['Téléphonie (Québec)', 'Mauricie'] }).replaceAll('\r\n ', '')
  expect(text).toContain(String.raw`DESCRIPTION:Pare-feu\n\nServices touchés : Téléphonie (Québec)\, Mauricie`)
})

test('cancels a window that is no longer public, without its text', () => {
  const text = render({ public: false })
  expect(text).toContain('\r\nSTATUS:CANCELLED\r\n')
  expect(text).not.toContain('Ligne une')
})

test('folds a long line at 75 bytes, between characters', () => {
  const message = 'Entretien prévu à Québec 🛠 '.repeat(30).trim()
  const text = render({ message })
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${message}`)
  expect(text).not.toContain('\ufffd')
})
