import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const requirements = [...readFileSync('docs/specification.md', 'utf8').matchAll(/^- \*\*R-(\d+)\*\* (.+)$/gm)]

/** Columns: requirement, source files, tests, remark. */
const rows = readFileSync('docs/spec-coverage.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| R-'))
  .map((line) => line.slice(2, -1).split(' | '))

const filesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)

/** Titles of tests and groups, with the quotes of the source removed. */
const titlesIn = (source: string) =>
  [...source.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\()\s*(?:'((?:\\.|[^'\\])*)'|`([^`]*)`)/g)].map(
    ([, quoted, template]) => (quoted ?? template ?? '').replaceAll("\\'", "'"),
  )

test('the requirements are numbered without a gap', () => {
  expect(requirements.length).toBeGreaterThan(200)
  expect(requirements.map(([, number]) => Number(number))).toEqual(requirements.map((_, index) => index + 1))
})

test('each requirement has one row, in order, with its source files and tests', () => {
  expect(rows.map(([number]) => number)).toEqual(requirements.map(([, number]) => `R-${number}`))
  expect(rows.filter((cells) => cells.length !== 4 || cells.slice(0, 3).some((cell) => cell.trim() === ''))).toEqual([])
})

test('each named file exists', () => {
  const named = new Set(rows.flatMap(([, built, proof]) => [...filesIn(built), ...filesIn(proof)]))
  expect([...named].filter((file) => !existsSync(file))).toEqual([])
})

test('each named test exists in its file', () => {
  const missing: string[] = []
  for (const [number, , proof = ''] of rows) {
    const named = [...proof.matchAll(/`([^`]+)`: ((?:« .+? »(?:, )?)+)(?=; `|$)/g)]
    if (named.length !== filesIn(proof).length || named.length === 0) missing.push(`${number}: ${proof}`)
    for (const [, file = '', cited = ''] of named) {
      const titles = titlesIn(readFileSync(file, 'utf8'))
      for (const title of cited.slice(2, -2).split(' », « '))
        if (!titles.some((own) => own.includes(title))) missing.push(`${number}, ${file}: ${title}`)
    }
  }
  expect(missing).toEqual([])
})
