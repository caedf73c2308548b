import { expect, test } from 'vitest'
import { everyDay } from '#src/lib/time/business-hours.ts'
import { describeBusiness } from './business-data.ts'

const origin = 'https://www.example.com'

test('the hours for search engines are those of each day, with the nights and the holidays', () => {
  const spans = [
    { opens: '08:00', closes: '12:00' },
    { opens: '13:00', closes: '24:00' },
  ]
  const described = describeBusiness(origin, 'fr', {
    week: [{ day: 1, spans }, { day: 2, spans: spans.slice(0, 1) }, ...everyDay([5], '22:00', '06:00')],
    holidays: [
      { date: '2026-12-24', spans: [{ opens: '08:00', closes: '12:00' }] },
      { date: '2026-12-25', spans: [] },
    ],
  })
  const of = '@type'
  const type = 'OpeningHoursSpecification'
  expect(described.openingHoursSpecification).toEqual([
    { [of]: type, dayOfWeek: ['Monday', 'Tuesday'], opens: '08:00', closes: '12:00' },
    { [of]: type, dayOfWeek: ['Monday'], opens: '13:00', closes: '23:59' },
    { [of]: type, dayOfWeek: ['Friday'], opens: '22:00', closes: '06:00' },
  ])
  expect(described.specialOpeningHoursSpecification).toEqual([
    { [of]: type, validFrom: '2026-12-24', validThrough: '2026-12-24', opens: '08:00', closes: '12:00' },
    { [of]: type, validFrom: '2026-12-25', validThrough: '2026-12-25', opens: '00:00', closes: '00:00' },
  ])
})
