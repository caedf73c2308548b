import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { createGroupCommit } from './group-commit.ts'

const db = {} as Database

test('stores what comes meanwhile together, in its order, no more than a group holds', async () => {
  const groups: number[][] = []
  const put = createGroupCommit<number, string>({
    most: 3,
    store: async (_db, items) => {
      groups.push(items)
      await setImmediate()
      return items.map((item) => `stored ${item}`)
    },
  })
  const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => put(db, item)))
  expect(results).toEqual([1, 2, 3, 4, 5, 6, 7].map((item) => `stored ${item}`))
  expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  expect(await put(db, 8)).toBe('stored 8')
})

test('an item waits for an earlier one of its name', async () => {
  const groups: string[][] = []
  const put = createGroupCommit<string, string>({
    most: 9,
    nameOf: (item) => item.slice(0, 1),
    store: async (_db, items) => {
      groups.push(items)
      return items
    },
  })
  await Promise.all(['a1', 'b1', 'a2', 'c1', 'b2'].map((item) => put(db, item)))
  expect(groups).toEqual([
    ['a1', 'b1', 'c1'],
    ['a2', 'b2'],
  ])
})

test('one that cannot be stored fails alone', async () => {
  const stored: number[] = []
  let code = '23505'
  const put = createGroupCommit<number, number>({
    most: 10,
    store: async (_db, items) => {
      if (items.includes(3)) throw new Error('no 3', { cause: { code } })
      stored.push(...items)
      return items
    },
  })
  const sendAll = () => Promise.allSettled([1, 2, 3, 4].map((item) => put(db, item)))
  expect((await sendAll()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(stored).toEqual([1, 2, 4])
  // Where the database is away, nothing is asked of it again.
  code = '57P01'
  expect((await sendAll()).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(stored).toEqual([1, 2, 4])
  expect(await put(db, 5)).toBe(5)
})
