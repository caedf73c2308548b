import { expect, test } from 'vitest'
import { callAddress, cutAtTelephones } from './telephones.ts'

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

test.each([
  ['Appelez au (418) 555-0123 poste 204, merci', '(418) 555-0123 poste 204', 'tel:4185550123,204'],
  ['Mon numéro : 418 555-0123.', '418 555-0123', 'tel:4185550123'],
  ['418\u00A0555\u20110123', '418\u00A0555\u20110123', 'tel:4185550123'],
  ['(1-800-555-0123)', '1-800-555-0123', 'tel:18005550123'],
  ['418.555.0123, 204 rue Saint-Jean', '418.555.0123', 'tel:4185550123'],
  ['depuis la France : +33 6 12 34 56 78', '+33 6 12 34 56 78', 'tel:+33612345678'],
  ['4185550123\n2 écrans', '4185550123', 'tel:4185550123'],
])('« %s » has the number %s', (text, number, address) => {
  const { parts, rest } = cutAtTelephones(text)
  expect(parts).toMatchObject([{ number, address }])
  expect(`${parts[0]?.before}${number}${rest}`).toBe(text)
})

test.each([
  '2026-07-04 12:30',
  'série 418555012345',
  'no 1234-5678-9012',
  '4185550123@example.com',
  '192.168.10.100',
  'SUP-4185550123',
])('in « %s » nothing is dialled', (text) => {
  expect(cutAtTelephones(text)).toEqual({ parts: [], rest: text })
})
