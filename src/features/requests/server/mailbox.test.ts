import { describe, expect, test } from 'vitest'
import { describeFault, describeUnreadable, noteFault } from './mailbox.ts'

describe('what is wrong with the mailbox', () => {
  test.each([
    [{ authenticationFailed: true }, /refuse le nom d’utilisateur/, /refuses the username/],
    [{ mailboxMissing: true }, /La boîte Mes demandes n’existe pas/, /no mailbox Mes demandes/],
    [{ code: 'ECONNREFUSED' }, /Aucun serveur ne répond/, /Nothing listens/],
    [{ code: 'CERT_HAS_EXPIRED' }, /Le certificat du serveur/, /The certificate of the server/],
    [new Error('EOF: no more'), /ne peut pas être lue\u00a0: EOF: no more$/, /cannot be read: EOF: no more$/],
  ])('is described in both languages (%o)', (error, fr, en) => {
    const described = describeFault(noteFault(error, 'Mes demandes'))
    expect(described.fr).toMatch(fr)
    expect(described.en).toMatch(en)
  })

  test('stays as an earlier version stored it', () => {
    expect(describeFault('The server is away.')).toEqual({ fr: 'The server is away.', en: 'The server is away.' })
  })
})

test('why a mail could not be read is described in both languages', () => {
  expect(describeUnreadable('too large')).toEqual({ fr: 'plus de 25\u00a0Mo', en: 'over 25 MB' })
  expect(describeUnreadable('toString')).toEqual({ fr: 'toString', en: 'toString' })
})
