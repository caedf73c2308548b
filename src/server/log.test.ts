import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { describeError, summarizeError } from './log.ts'

const ofDatabase = (code: string, message: string, more = {}) =>
  Object.assign(new Error(message), { code, severity: 'ERROR', routine: 'pg_strtoint32_safe', ...more })

test('an error of a statement is logged with its text and cause, without its values', () => {
  const detail = 'Key (email)=(zoe@example.com) already exists.'
  const cause = ofDatabase('23505', 'duplicate key value violates unique constraint "users_email"', {
    detail,
    constraint: 'users_email',
    table: 'users',
  })
  const error = new DrizzleQueryError('insert into "users" values ($1)', ['Zoé Secrète', 'zoe@example.com'], cause)
  const described = describeError(error)
  expect(described).toMatchObject({
    type: 'DrizzleQueryError',
    message: 'Failed query',
    statement: 'insert into "users" values ($1)',
    stack: expect.stringContaining('log.test.ts') as string,
    cause: { code: '23505', constraint: 'users_email', table: 'users', message: cause.message },
  })
  expect(JSON.stringify(described)).not.toMatch(/Zoé|zoe@|detail/)
  expect(summarizeError(error)).toBe(`Failed query: ${cause.message}`)
})

test.each([
  [ofDatabase('22P02', 'invalid input syntax for type integer: "Zoé Secrète"'), 'invalid input syntax for type integer'],
  [ofDatabase('22007', 'invalid input syntax for type date: "Zoé\nSecrète"'), 'invalid input syntax for type date'],
  [new Error("Can't send mail: 550 <zoe.secrete@example.com> no such user"), "Can't send mail: 550 <[address]> no such user"],
])('a message names no value: %s', (error, message) => {
  expect(describeError(error)).toMatchObject({ message })
  expect(JSON.stringify(describeError(error))).not.toMatch(/Zoé|secrete/i)
})

test('a text that is no JSON does not reach the log', () => {
  const error = (() => {
    try {
      return JSON.parse('{"name": Zoé Secrète}') as Error
    } catch (thrown) {
      return thrown
    }
  })()
  expect(JSON.stringify(describeError(error))).toContain('SyntaxError')
  expect(JSON.stringify(describeError(error))).not.toContain('Zoé')
})

test('neither the client of a lost connection nor another field is logged, and causes in a circle end', () => {
  const error = Object.assign(new Error('Connection terminated unexpectedly'), {
    code: 'ECONNRESET',
    client: { secretKey: 4417, processID: 12 },
  })
  error.cause = error
  const text = JSON.stringify(describeError(error))
  expect(text).toContain('ECONNRESET')
  expect(text).not.toContain('4417')
})

test('what is thrown without being an error is not logged whole', () => {
  expect(describeError({ password: 'x' })).toBe('not an error: object')
  expect(describeError('refused for zoe@example.com')).toBe('refused for [address]')
})
