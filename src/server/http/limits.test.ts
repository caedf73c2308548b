import { expect, test } from 'vitest'
import { createLimits } from './limits.ts'
import { Limited } from '../problems.ts'

const rule = { points: 2, seconds: 60 }

test('rejects an attempt above the limit of its key only', async () => {
  const limits = createLimits()
  await limits.take('chat', '192.0.2.1', rule)
  await limits.take('chat', '192.0.2.1', rule)
  await expect(limits.take('chat', '192.0.2.1', rule)).rejects.toBeInstanceOf(Limited)
  await limits.take('chat', '192.0.2.2', rule)
  await limits.take('other', '192.0.2.1', rule)
})

test('the addresses of one IPv6 network count together', async () => {
  const limits = createLimits()
  await limits.take('chat', '2001:db8:1:2::1', rule)
  await limits.take('chat', '2001:db8:1:2:ffff::9', rule)
  await expect(limits.take('chat', '2001:db8:1:2:aaaa::3', rule)).rejects.toBeInstanceOf(Limited)
  await limits.take('chat', '2001:db8:1:3::1', rule)
})
