import { describe, expect, test } from 'vitest'
import { everyDay } from '#src/lib/time/business-hours.ts'
import { nextState } from './follow-up.ts'
import { postponeByPauses } from './settings.ts'

const hours = { timeZone: 'America/Toronto', week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'), holidays: [] }
/** Monday, 16 November 2026 is the first; a time of that week in Toronto. */
const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, 15 + day, hour + 5))

describe('the goal of a request that was resolved', () => {
  const done = {
    status: 'done',
    doneAt: at(1, 10),
    waitingSince: null,
    respondBy: at(1, 9),
    resolveBy: at(1, 12),
  } as const

  test('did not run meanwhile: opened again, it leaves as much time as there was', () => {
    const { doneAt, resolveBy } = nextState(done, 'open', hours, at(3, 10))
    expect([doneAt, resolveBy]).toEqual([null, at(3, 12)])
    expect(nextState(done, 'waiting', hours, at(3, 10)).resolveBy).toEqual(at(3, 12))
  })

  test('stays missed where it was missed, and as it is while the request stays resolved', () => {
    expect(nextState({ ...done, resolveBy: at(1, 9) }, 'open', hours, at(3, 10)).resolveBy).toEqual(at(1, 9))
    expect(nextState(done, 'done', hours, at(3, 10))).toMatchObject({ doneAt: at(1, 10), resolveBy: at(1, 12) })
  })
})

test('a goal of another priority leaves out the times for which the request waited or was resolved', () => {
  const changes = [
    { at: at(1, 9), to: 'open' },
    { at: at(1, 10), to: 'waiting' },
    { at: at(1, 12), to: 'done' },
    { at: at(2, 12), to: 'open' },
    { at: at(2, 13), to: 'waiting' },
  ] as const
  // What still lasts is counted when it ends.
  expect(postponeByPauses(hours, at(1, 11), changes)).toEqual(at(2, 13))
  expect(postponeByPauses(hours, at(1, 9), changes)).toEqual(at(1, 9))
})
