import { expect, test } from 'vitest'
import type { Sample } from './samples.ts'
import { mergeSamples, downsample } from './samples.ts'

const sample = (at: number, given: Partial<Sample> = {}): Sample => ({
  at,
  requests: 0,
  request_p95: null,
  loop_p99: null,
  sockets: 0,
  chats_waiting: 0,
  message_p95: null,
  queue_depth: 0,
  mails_waiting: 0,
  mail_failures: 0,
  memory_mb: 100,
  ...given,
})

test('merges samples: the mean of rates, the sum of counts, the maximum of the rest', () => {
  const first = sample(1, { requests: 10, request_p95: 40, mail_failures: 2, sockets: 7, memory_mb: 130 })
  const second = sample(2, { requests: 20, mail_failures: 3, sockets: 5 })
  expect(mergeSamples([first, second])).toEqual({
    ...second,
    requests: 15,
    request_p95: 40,
    mail_failures: 5,
    sockets: 7,
    memory_mb: 130,
  })
})

test('a value that was never measured stays null', () => {
  expect(mergeSamples([sample(1), sample(2)])?.message_p95).toBeNull()
  expect(mergeSamples([])).toBeNull()
})

test('groups are aligned to the clock', () => {
  expect(downsample([sample(1_000), sample(59_000), sample(60_000)], 60_000).map(({ at }) => at)).toEqual([59_000, 60_000])
})
