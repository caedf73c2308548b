import { expect, test } from 'vitest'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { ApiError } from '../api.ts'
import { failureOf, failureTexts } from './failures.ts'

test.each([0, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 507])(
  'an error with status %s has a text in both languages',
  (status) => {
    const failure = failureOf(new ApiError(status, {}))
    for (const language of ['fr', 'en'] as const) expect(failureTexts[language][failure].length).toBeGreaterThan(10)
    expect(failure === 'broken').toBe([500, 503].includes(status))
  },
)

test('any other exception is an internal error', () => {
  expect(failureOf(new TypeError('undefined is not a function'))).toBe('broken')
})

test('a 401 that requires a recent sign-in does not report an expired session', () => {
  expect(failureOf(new ApiError(401, { type: recentSignInProblem }))).toBe('unproven')
})
