import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each sentence of the specification, in the sections of the document. */
const rows = readFileSync('docs/spec-coverage.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| the sentence'))
  .map((line) => line.slice(2, -2).split(' | '))

const filesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)

test('each row has its sentence, where it is built, and what shows it', () => {
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([])
})

test('each file that is named is there', () => {
  const named = new Set(rows.flatMap(([, built, shown]) => [...filesIn(built), ...filesIn(shown)]))
  expect([...named].filter((file) => !existsSync(file))).toEqual([])
})

test('each test that is named is in its file', () => {
  const missing: string[] = []
  for (const [sentence, , shown = ''] of rows) {
    const named = [...shown.matchAll(/`([^`]+)`: ((?:« .+? »(?:, )?)+)(?=; `|$)/g)]
    if (named.length !== filesIn(shown).length || named.length === 0) missing.push(`${sentence}: ${shown}`)
    for (const [, file = '', titles = ''] of named) {
      const source = readFileSync(file, 'utf8')
      for (const title of titles.slice(2, -2).split(' », « ')) if (!source.includes(title)) missing.push(`${file}: ${title}`)
    }
  }
  expect(missing).toEqual([])
})
