import { describe, expect, test } from 'vitest'
import { contactInput, supportInput } from './contract.ts'
import { isTrapped, readShownAt, signShownAt } from './server/shown-at.ts'
import { formatReference, requestFields } from './values.ts'

test('a reference says the kind, the year and at least six digits', () => {
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

  test('a form sent under two seconds after is trapped, a later one is not', () => {
    const input = { honey: '', shown_at: signShownAt('secret', 10_000) }
    expect(isTrapped('secret', input, 11_999)).toBe(true)
    expect(isTrapped('secret', input, 12_000)).toBe(false)
    expect(isTrapped('secret', { honey: '', elapsed_ms: 1_999 })).toBe(true)
    expect(isTrapped('secret', { honey: '' })).toBe(false)
  })
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
