import { expect, test } from 'vitest'
import { callAddress } from './request-aside.tsx'

test.each([
  ['(418) 555-0123 poste 204', 'tel:4185550123,204'],
  ['418-555-0123 p. 204', 'tel:4185550123,204'],
  ['418 555-0123, ext. 204', 'tel:4185550123,204'],
  ['418.555.0123 x204', 'tel:4185550123,204'],
  ['418 555-0123 #204', 'tel:4185550123,204'],
  ['418 555-0123 Extension: 204', 'tel:4185550123,204'],
  ['+1 418 555-0123,204', 'tel:+14185550123,204'],
  ['4185550123p204', 'tel:4185550123,204'],
  ['+1 (418) 555-0123', 'tel:+14185550123'],
  ['418 555-0123', 'tel:4185550123'],
])('%s is dialled as %s', (phone, address) => {
  expect(callAddress(phone)).toBe(address)
})
