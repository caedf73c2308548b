import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adminCommands } from '#src/features/people/users/server/admin-command.ts'
import { actionTexts } from './action-texts.ts'
import { areaTexts } from './texts.ts'

/** Files of the server that write lines in the journal. */
const writers = globSync('src/{features/**/server,server,server/*}/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => code.includes('recordChange('))

function namedIn(pattern: RegExp) {
  return writers.flatMap(({ code }) => [...code.matchAll(pattern)].map((found) => found[1] ?? ''))
}

test('every operation that is written in the journal is said in words', () => {
  const actions = [
    ...namedIn(/\baction: (?:\w+ \? '[^']+' : )?'([^']+)'/g),
    ...adminCommands.map((command) => `command ${command}`),
  ]
  expect(actions.length).toBeGreaterThan(30)
  expect(actions.filter((action) => !(action in actionTexts.fr))).toEqual([])
})

test('every section that is written in the journal is said in words', () => {
  const areas = namedIn(/\barea(?::| =) '([a-z]+)'/g)
  expect(areas.length).toBeGreaterThan(20)
  expect(areas.filter((area) => !(area in areaTexts.fr))).toEqual([])
})
