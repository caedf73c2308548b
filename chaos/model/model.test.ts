import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { performHistory } from './history.ts'
import { countMatters } from './journal.ts'
import type { Lane } from './lane.ts'
import { startLane } from './lane.ts'
import type { Step } from './steps.ts'
import { histories } from './steps.ts'

/** The same histories each time; `npm run chaos -- model` finds others. */
const scale = { steps: 60, actsPerFault: 10, pauseMs: 200, faultMs: 1_500, hasDisks: false }
const seeds = [1, 38]

let lane: Lane
beforeAll(async () => {
  lane = await startLane({ program: 'chaos/instance.ts', hasDisks: false })
})
afterAll(() => lane.stop())

test('loses and doubles nothing in short histories of forms, mails, conversations and outages under faults', async () => {
  const all = seeds.map((seed) => fc.sample(histories(scale), { seed, numRuns: 1, unbiased: true })[0] as Step[])
  const outcomes = await Promise.all(all.map((steps) => performHistory(lane, steps, { isReal: false })))
  for (const { violations, journal } of outcomes) {
    expect(violations).toEqual([])
    expect(countMatters(journal)).toBeGreaterThan(5)
    expect(journal.faults.length).toBeGreaterThan(0)
  }
})
