import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/security/asvs.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, requirement = '', , how = '', shown = '']) => ({ requirement, how, shown }))

/** Levels 1 and 2 of V6 to V8, ASVS 5.0.0. */
const required = Object.entries({
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
}).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`))

const sources = new Map(globSync('src/**/*.test.ts').map((file) => [basename(file).replace(/(\.api)?\.test\.ts$/, ''), file]))

/** « a right code… works once » as it stands in a test's name, its dots as whatever was left out. */
function pattern(quote: string) {
  const parts = quote.split('…').map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(parts.join('.*'))
}

test('every requirement of levels 1 and 2 has its row, and no other has', () => {
  const told = rows.flatMap(({ requirement }) => {
    const [, section = '', first = '', last = first] = /^(\d\.\d)\.(\d+)(?:-\d\.\d\.(\d+))?$/.exec(requirement) ?? []
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${section}.${Number(first) + index}`)
  })
  expect(told).toEqual(required)
})

test('every row says what shows it, or why it does not apply', () => {
  expect(rows.filter(({ how, shown }) => shown === '' && !/do(?:es)? not apply|^docs/.test(how))).toEqual([])
})

test('every test and file that is named exists', () => {
  const missing: string[] = []
  for (const { requirement, shown } of rows) {
    for (const [, file = ''] of shown.matchAll(/`([\w-]+\.tsx?)`/g)) {
      if (globSync(`src/**/${file}`).length === 0) missing.push(`${requirement}: ${file}`)
    }
    for (const [, name = '', quotes = ''] of shown.matchAll(/([a-z-]+): ((?:« [^»]+ »(?:, )?)+)/g)) {
      const file = sources.get(name)
      const text = file ? readFileSync(file, 'utf8') : ''
      for (const [, quote = ''] of quotes.matchAll(/« ([^»]+) »/g)) {
        if (!pattern(quote).test(text)) missing.push(`${requirement}: ${name}: ${quote}`)
      }
    }
    for (const [, name = ''] of shown.matchAll(/([a-z-]+): (?:all of it|the same)/g)) {
      if (!sources.has(name)) missing.push(`${requirement}: ${name}`)
    }
  }
  expect(missing).toEqual([])
})
