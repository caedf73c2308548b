import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { features } from '#src/app/features.ts'
import { adminActions } from '#src/features/people/users/server/administrator.ts'
import { actionTexts } from './texts.ts'

/** Files of the server that record events in the audit log. */
const writers = globSync('src/{features/**/server,server,server/*}/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => code.includes('recordChange('))

function namedIn(pattern: RegExp) {
  return writers.flatMap(({ code }) => [...code.matchAll(pattern)].map((found) => found[1] ?? ''))
}

test('every recorded operation has a name', () => {
  const actions = [
    ...namedIn(/\baction: (?:\w+ \? '[^']+' : )?'([^']+)'/g),
    ...adminActions.map((command) => `command ${command}`),
  ]
  const named = new Set([...Object.keys(actionTexts.fr), ...features.flatMap(({ audit }) => Object.keys(audit?.actions ?? {}))])
  expect(actions.length).toBeGreaterThan(30)
  expect(actions.filter((action) => !named.has(action))).toEqual([])
})

test('every area that events are recorded under has a name', () => {
  const areas = namedIn(/\barea(?::| =) '([a-z]+)'/g)
  const named = new Set(
    features.flatMap(({ areas, auditAreas }) => [...Object.keys(areas ?? {}), ...Object.keys(auditAreas ?? {})]),
  )
  expect(areas.length).toBeGreaterThan(10)
  expect(areas.filter((area) => !named.has(area))).toEqual([])
})
