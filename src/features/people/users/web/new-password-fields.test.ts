import { expect, test } from 'vitest'
import { refusalOf } from './new-password-fields.tsx'

test.each([
  ['', '', 'allRequired'],
  ['Fanal-Tranquille-88!', '', 'allRequired'],
  ['Fanal-Calm8', 'Fanal-Calm8', 'ruleMessage'],
  ['fanal-tranquille-88!', 'fanal-tranquille-88!', 'ruleMessage'],
  ['FANAL-TRANQUILLE-88!', 'FANAL-TRANQUILLE-88!', 'ruleMessage'],
  ['Fanal-Tranquille-!!', 'Fanal-Tranquille-!!', 'ruleMessage'],
  ['FanalTranquille88', 'FanalTranquille88', 'ruleMessage'],
  ['Fanal-Tranquille-88!', 'Fanal-Tranquille-89!', 'notMatching'],
  ['Fanal-Tranquille-88!', 'Fanal-Tranquille-88!', null],
])('rejects the new password « %s » confirmed by « %s » as %s', (password, confirmation, refusal) => {
  expect(refusalOf({ new_password: password, confirmation })).toBe(refusal)
})
