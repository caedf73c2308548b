import { expect, test, vi } from 'vitest'

const setFlags = vi.hoisted(() => vi.fn<(flags: string) => void>())
vi.mock('node:v8', () => ({ setFlagsFromString: setFlags }))
vi.resetModules()
const { saveMemory } = await import('./memory-saver.ts')

test('memory is saved until the last of several works is over', () => {
  const [endOne, endOther] = [saveMemory('gently'), saveMemory('gently')]
  expect(setFlags.mock.calls).toEqual([['--heap-growing-percent=25']])
  endOne()
  endOne()
  expect(setFlags).toHaveBeenCalledTimes(1)
  saveMemory('firmly')()
  expect(setFlags.mock.calls.slice(1)).toEqual([['--memory-saver-mode'], ['--no-memory-saver-mode']])
  endOther()
  expect(setFlags).toHaveBeenLastCalledWith('--heap-growing-percent=0')
  saveMemory('gently')()
  expect(setFlags).toHaveBeenCalledTimes(6)
})
