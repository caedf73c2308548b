import { describe, expect, test } from 'vitest'
import { contactInput, supportInput } from './contract.ts'
import { pageFormId, readShownAt, signShownAt, waitBeforeTaking, findTrap } from './server/form-checks.ts'
import { requestFields } from './form-values.ts'
import { formatReference, referencePattern } from './values.ts'

test('a reference has the kind, the year and at least six digits', () => {
  expect(formatReference('support', 2026, 123)).toBe('AS-2026-000123')
  expect(formatReference('contact', '2026', 45)).toBe('CT-2026-000045')
  expect(formatReference('chat', 2027, 1_234_567)).toBe('CL-2027-1234567')
})

describe('when a form was shown', () => {
  test('is read back only as this server signed it', () => {
    const token = signShownAt('secret', 1_700_000_000_000)
    expect(readShownAt('secret', token)).toBe(1_700_000_000_000)
    expect(readShownAt('other', token)).toBeNull()
    expect(readShownAt('secret', `${token}.`)).toBeNull()
    expect(readShownAt('secret', `${(1_600_000_000_000).toString(36)}.${token.split('.')[1]}`)).toBeNull()
    expect(readShownAt('secret', '')).toBeNull()
  })

  test('a form sent under two seconds after waits for the rest, a later one does not', () => {
    const input = { shown_at: signShownAt('secret', 10_000) }
    expect(waitBeforeTaking('secret', input, 10_000)).toBe(2_000)
    expect(waitBeforeTaking('secret', input, 11_999)).toBe(1)
    expect(waitBeforeTaking('secret', input, 12_000)).toBe(0)
    // Another instance's clock is ahead of this one's.
    expect(waitBeforeTaking('secret', input, 1_000)).toBe(2_000)
    expect(waitBeforeTaking('secret', { elapsed_ms: 1_900 })).toBe(100)
    expect(waitBeforeTaking('secret', { elapsed_ms: 90_000 })).toBe(0)
    expect(waitBeforeTaking('secret', { shown_at: 'abc.def' })).toBe(0)
    expect(waitBeforeTaking('secret', {})).toBe(0)
  })
})

test('the id of a page is the same when Back asks for the page anew, another in another hour, form or product', () => {
  const id = pageFormId('secret', 'contact', 7_200_000)
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  expect(pageFormId('secret', 'contact', 10_799_999)).toBe(id)
  const others = [
    pageFormId('secret', 'contact', 10_800_000),
    pageFormId('secret', 'support', 7_200_000),
    pageFormId('other', 'contact', 7_200_000),
  ]
  expect(others).not.toContain(id)
})

test('distinguishes a filled trap from autofill by a browser', () => {
  expect(findTrap({ honey: '', username: '' }, true)).toBeNull()
  expect(findTrap({ honey: 'x' }, true)).toBe('honey')
  expect(findTrap({ honey: 'x', username: 'y' }, true)).toBe('both')
  expect(findTrap({ honey: '', username: 'y' }, true)).toBeNull()
  expect(findTrap({ honey: '', username: 'y' }, false)).toBe('username')
})

test('distinguishes a reference from other content of a response', () => {
  expect(['AS-2026-000123', 'CT-2027-1234567', 'CL-2026-000001'].every((one) => referencePattern.test(one))).toBe(true)
  for (const other of ['', 'undefined', 'AS-2026-123', ' AS-2026-000123', 'AS-2026-000123\n<html>', 'XX-2026-000123']) {
    expect(referencePattern.test(other), other).toBe(false)
  }
})

test('the pages ask for exactly what the contract wants', () => {
  for (const [kind, schema] of [
    ['support', supportInput],
    ['contact', contactInput],
  ] as const) {
    const wanted = schema.safeParse({}).error?.issues.map((issue) => String(issue.path[0]))
    expect(wanted?.toSorted()).toEqual([...requestFields[kind]].toSorted())
  }
})
