import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, test } from 'vitest'
import { toProblem } from './problems.ts'

const failure = (code: string) => Object.assign(new Error('could not write'), { code })

test.each([
  ['the system', failure('ENOSPC')],
  ['a quota', failure('EDQUOT')],
  ['the database', new DrizzleQueryError('insert', [], failure('53100'))],
])('reports a full disk (%s) with a message instead of an internal error', (_who, error) => {
  expect(toProblem(error)).toMatchObject({ status: 507, message: expect.stringContaining('server disk is full') })
})

test('an unknown error shows no details', () => {
  const { status, message } = toProblem(failure('23505'))
  expect([status, message]).toEqual([500, 'Something went wrong on our side.'])
})
