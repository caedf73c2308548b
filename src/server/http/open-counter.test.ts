import { expect, test, vi } from 'vitest'
import { createOpenCounter } from './open-counter.ts'

test('limits open connections of one address, and releases closed ones', () => {
  const onRefused = vi.fn()
  const counter = createOpenCounter(2, onRefused)
  const first = counter.take('192.0.2.1')
  expect(counter.take('192.0.2.1')).not.toBeNull()
  expect(counter.take('::ffff:192.0.2.1')).toBeNull()
  expect(counter.take('192.0.2.2')).not.toBeNull()
  expect(onRefused).toHaveBeenCalledOnce()
  first?.()
  first?.()
  expect(counter.take('192.0.2.1')).not.toBeNull()
  expect(counter.take('192.0.2.1')).toBeNull()
})

test('the addresses of one IPv6 network count as one', () => {
  const counter = createOpenCounter(1, () => undefined)
  expect(counter.take('2001:db8:1:2::1')).not.toBeNull()
  expect(counter.take('2001:db8:1:2:ffff::9')).toBeNull()
  expect(counter.take('2001:db8:1:3::1')).not.toBeNull()
})
