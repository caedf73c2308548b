import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { readsWord, splitSearch } from './stored-texts.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

test.each([
  ['100%_net\\brut', true],
  ['100%_NET\\Brut', true],
  ['100x_net\\brut', false],
  ['100%xnet\\brut', false],
  ['100%_net\\\\brut', false],
  ['rançon', true],
  ['zoe@example.com', true],
  ['zoe@example.org', false],
  ['l’été', true],
  ["l'ete", true],
  ['%_\\', false],
  ['😀😀😀😀', true],
  ['😀😀😀😀😀', false],
  ['418 555-0123', true],
  ['418 555-0124', false],
])('« %s » is found: %s', async (search, isFound) => {
  const text = foldText('Rançon de 100%_net\\brut, l’été, zoe@example.com, 4185550123, 😀😀😀😀')
  const found = await Promise.all(
    splitSearch(search).map(async (word) => {
      const { rows } = (await product.db.execute(sql`select ${readsWord(sql`${text}::text`, word)} as found`)) as {
        rows: { found: boolean }[]
      }
      return rows[0]?.found
    }),
  )
  expect(found.every(Boolean)).toBe(isFound)
})
