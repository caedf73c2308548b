import { expect, test } from 'vitest'
import { isSigned, sign } from './signatures.ts'

test('a signature is valid for its secret, purpose and values only', () => {
  const signature = sign('a secret', 'form', 'one', 'two')
  expect(isSigned(signature, 'a secret', 'form', 'one', 'two')).toBe(true)
  expect(isSigned(signature, 'another secret', 'form', 'one', 'two')).toBe(false)
  expect(isSigned(signature, 'a secret', 'command', 'one', 'two')).toBe(false)
  expect(isSigned(signature, 'a secret', 'form', 'one', 'three')).toBe(false)
  expect(isSigned(`${signature}x`, 'a secret', 'form', 'one', 'two')).toBe(false)
  expect(isSigned('', 'a secret', 'form', 'one', 'two')).toBe(false)
})
