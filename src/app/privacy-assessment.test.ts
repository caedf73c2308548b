import { globSync, readFileSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { integer, pgTable, PgTable, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { describeStoredData, fillAssessment, findUndeclared } from './privacy-assessment.ts'
import { serverFeatures } from './server-features.ts'

const kept = serverFeatures.flatMap(({ storedData = [] }) => storedData)

async function readSchema() {
  const files = [...globSync('src/features/**/server/**/*table.ts'), ...globSync('src/server/*/*-table.ts')]
  const modules = (await Promise.all(files.map((file) => import(`${process.cwd()}/${file}`)))) as object[]
  return [...new Set(modules.flatMap((module) => Object.values(module) as unknown[]))].filter((one): one is PgTable =>
    is(one, PgTable),
  )
}

test('every column that can hold a text is declared, as data about people or as none (R-384)', async () => {
  const tables = await readSchema()
  expect(tables.length).toBeGreaterThan(90)
  expect(findUndeclared(tables, kept)).toEqual({ undeclared: [], unknown: [] })
})

test('a column that is declared nowhere is found, and so is a declaration of one that is gone', () => {
  const guests = pgTable('guests', { id: integer('id'), kind: text('kind', { enum: ['a'] }), phone: text('phone') })
  const declared = { whose: 'Guests', what: 'phone', purpose: 'call', seenBy: 'nobody' }
  expect(findUndeclared([guests], [], { guests: 'former' })).toEqual({ undeclared: ['guests.phone'], unknown: ['guests.former'] })
  expect(findUndeclared([guests], [{ ...declared, held: [guests] }], {})).toEqual({ undeclared: [], unknown: [] })
  expect(findUndeclared([guests], [{ ...declared, held: [guests.phone] }], {})).toEqual({ undeclared: [], unknown: [] })
})

test('everything that is kept has an end or a reason', () => {
  const rows = describeStoredData(serverFeatures)
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split(' | ').length === 6)
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter((row) => row.split(' | ')[4] === '')).toEqual([])
})

// After a change: node scripts/privacy-assessment.ts
test('the tables of the assessment are those of the declarations', () => {
  const document = readFileSync('docs/privacy-assessment.md', 'utf8')
  expect(fillAssessment(document, serverFeatures)).toBe(document)
})
