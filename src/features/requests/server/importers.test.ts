import { expect, test } from 'vitest'
import { requestImporter } from './importers.ts'

test.each([
  ['Unresolved', 'open'],
  ['Non résolu', 'open'],
  ['Incomplete', 'open'],
  ['not yet closed', 'open'],
  ['Résolue', 'done'],
  ['En attente', 'waiting'],
])('a request that is %s elsewhere is %s here', (status, expected) => {
  const values = 'toValues' in requestImporter && requestImporter.toValues({ email: 'a@example.com', message: 'x', status })
  expect(values).toMatchObject({ status: expected })
})
