import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overPglite } from './pglite.ts'

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
  overPglite(client)
})
afterAll(() => client.close())

/** How often the event loop came round during `work`: between, requests are answered. */
async function countTurns(work: () => Promise<unknown>) {
  let turns = 0
  const next = () => {
    turns += 1
    pending = setImmediate(next)
  }
  let pending = setImmediate(next)
  await work()
  clearImmediate(pending)
  return turns
}

const query = 'select count(*) from generate_series(1, 20000)'

test('many queries one after the other let others be answered between', async () => {
  const turns = await countTurns(async () => {
    for (let i = 0; i < 50; i += 1) await client.query(query)
  })
  expect(turns).toBeGreaterThan(5)
})

test('so do those of one transaction', async () => {
  const turns = await countTurns(() =>
    client.transaction(async (tx) => {
      for (let i = 0; i < 50; i += 1) await tx.query(query)
    }),
  )
  expect(turns).toBeGreaterThan(5)
})

test('a failed statement leaves the connection to the next', async () => {
  await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
