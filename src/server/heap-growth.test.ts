import { expect, test, vi } from 'vitest'

const setFlags = vi.hoisted(() => vi.fn<(flags: string) => void>())
vi.mock('node:v8', () => ({ setFlagsFromString: setFlags }))
vi.resetModules()
const { limitHeapGrowth } = await import('./heap-growth.ts')

test('the heap grows freely again when the last of several works is over', () => {
  const [endOne, endOther] = [limitHeapGrowth(), limitHeapGrowth()]
  expect(setFlags.mock.calls).toEqual([['--heap-growing-percent=25']])
  endOne()
  endOne()
  expect(setFlags).toHaveBeenCalledTimes(1)
  endOther()
  expect(setFlags).toHaveBeenLastCalledWith('--heap-growing-percent=0')
  limitHeapGrowth()()
  expect(setFlags).toHaveBeenCalledTimes(4)
})
