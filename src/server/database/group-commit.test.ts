import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

test('stores what comes meanwhile together, in its order, no more than a group holds', async () => {
  const groups: number[][] = []
  const put = createGroupCommit<number, string>(3, async (items) => {
    groups.push(items)
    await setImmediate()
    return items.map((item) => `stored ${item}`)
  })
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map(put))
  expect(results).toEqual([1, 2, 3, 4, 5, 6].map((item) => `stored ${item}`))
  expect(groups).toEqual([[1], [2, 3, 4], [5, 6]])
  expect(await put(7)).toBe('stored 7')
})

test('one that cannot be stored fails alone', async () => {
  const stored: number[] = []
  const put = createGroupCommit<number, number>(10, async (items) => {
    await setImmediate()
    if (items.includes(3)) throw new Error('no 3')
    stored.push(...items)
    return items
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(put))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(stored).toEqual([1, 2, 4])
  await expect(put(3)).rejects.toThrow('no 3')
  expect(await put(5)).toBe(5)
})
