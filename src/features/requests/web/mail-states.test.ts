import { expect, test } from 'vitest'
import { explainMailError } from './mail-states.tsx'

test.each([
  ['550 5.1.1 <zoe@example.com>: Recipient address rejected: User unknown', 'errorUnknown'],
  ['550-5.1.1 The email account that you tried to reach does not exist.', 'errorUnknown'],
  ['550 No such user here', 'errorUnknown'],
  ['552 5.2.2 The email account that you tried to reach is over quota', 'errorFull'],
  ['452 4.2.2 Mailbox full', 'errorFull'],
  ['552 5.3.4 Message size exceeds fixed limit', 'errorTooLarge'],
  ['550 5.7.1 Message rejected as spam by Content Filtering', 'errorPolicy'],
  ['554 Denied by policy', 'errorPolicy'],
  ['connect ECONNREFUSED 127.0.0.1:25', 'errorUnreachable'],
  ['getaddrinfo ENOTFOUND mail.example.com', 'errorUnreachable'],
  ['Greeting never received', 'errorUnreachable'],
  ['Invalid login: 535 5.7.8 Authentication failed', 'errorSignIn'],
  ['Message failed: 550 refused by the test', 'errorOther'],
  [null, 'errorNone'],
])('a mail that did not arrive is explained: %s', (error, key) => {
  expect(explainMailError(error)).toBe(key)
})
