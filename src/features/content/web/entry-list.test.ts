import { expect, test } from 'vitest'
import { exportedRows } from './entry-list.tsx'

test('a list is exported with its headings, in full, with dates in the time of the company', () => {
  const columns = [
    { header: 'Nom', value: (row: { name: string; at: string | null }) => row.name },
    { header: 'Depuis', value: (row: { name: string; at: string | null }) => row.at, isMoment: true },
  ]
  const rows = [
    { name: 'Zoé', at: '2026-11-23T18:38:05.000Z' },
    { name: 'Karim', at: null },
  ]
  expect(exportedRows(columns, rows)).toEqual([
    ['Nom', 'Depuis'],
    ['Zoé', '2026-11-23 13:38'],
    ['Karim', null],
  ])
})
