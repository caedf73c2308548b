import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { areas, everyRight, startTestApp } from '#src/app/testing/test-app.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import { grantNewAreas } from './server/service.ts'
import { groups } from '../server/table.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

/** An area added by an update: existing groups do not have it. */
const added: Area = 'jobs'
const { [added]: _added, ...rightsBefore } = everyRight

async function addGroup(name: string, rights: Rights) {
  const [group] = await product.db.insert(groups).values({ name, rights }).returning()
  return async () =>
    (
      await product.db
        .select()
        .from(groups)
        .where(eq(groups.id, group?.id ?? 0))
    )[0]
}

test('grants a new area in an existing database to groups that administer groups only', async () => {
  const administrators = await addGroup('Administrators', rightsBefore)
  const editors = await addGroup('Editors', { ...rightsBefore, groups: 'read_write' })
  await grantNewAreas(product.db, areas)
  expect((await administrators())?.rights).toEqual(everyRight)
  expect((await editors())?.rights).toEqual({ ...rightsBefore, groups: 'read_write', [added]: 'none' })
})

test('keeps a right that was removed since, at the next start', async () => {
  const administrators = await addGroup('Careful administrators', { ...everyRight, [added]: 'none' })
  const before = await administrators()
  await grantNewAreas(product.db, areas)
  expect(await administrators()).toEqual(before)
})
