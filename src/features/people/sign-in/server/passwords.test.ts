import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { passwordRules } from '#src/lib/passwords.ts'
import { contextWords, isEasyToGuess } from './passwords.ts'

const user = {
  username: 'mroy',
  firstName: 'Mireille',
  lastName: 'Roy-Lavallée',
  displayName: 'Mireille R.',
  email: 'mimi.roylavallee@fanal-boreal.example.com',
}

describe('a password that meets the five rules is rejected', () => {
  test.each([
    ['two words of the product and of its trade', 'Guichet-Informatique-1'],
    ['two towns', 'Quebec-Montreal-1'],
    ['with its accents', 'Québec-Montréal-1'],
    ['the company’s town and street', `${company.address.city}-Comptoir-99!`],
    ['trade and town', 'Telecom-Quebec-2026!'],
    ['a month and a year', 'Novembre-2026!'],
    ['an English month and the trade', 'November-Network-7!'],
    ['a short month alone among other words', 'Mai-Quebec-2026!'],
    ['look-alikes', 'Gu1ch3t-1nf0rm@tique-1'],
    ['one sign for two letters', 'Te1ecom-C1avardage-1'],
    ['separators inside the words', 'Q.u.e.b.e.c-M.o.n.t.r.e.a.l-1'],
    ['doubled letters', 'Quueebec-Montrreal-1'],
    ['full-width letters', 'Ｑｕｅｂｅｃ-Ｍｏｎｔｒｅａｌ-1a'],
    ['no separator at all', 'QuebecMontreal1!'],
    ['a sequence after the word', 'Guichet-123456789!'],
    ['a common word after it', 'Guichet-Dragon-2026!'],
    ['one common word', 'Password1234!'],
    ['one common word twice', 'Dragon!Dragon!1'],
    ['the user name', 'Xx-MROY-88-vrtz!'],
    ['the user name in look-alikes', 'Fanal-m.r.0.y-Tranquille8!'],
    ['the first name', 'Mire1lle-Tranquille-8!'],
    ['a part of the last name', 'Lavallee-Tranquille-8!'],
    ['the mailbox', 'Mimi.RoyLavallee-88!x'],
    ['the domain of the mail and the trade', 'Boreal-Fanal-Telecom-1!'],
  ])('%s: %s', async (_what, password) => {
    expect(passwordRules.every((rule) => rule.isMet(password))).toBe(true)
    expect(await isEasyToGuess(password, user)).toBe(true)
  })
})

describe('a password is accepted', () => {
  test.each([
    'Tranquille-Baleine-88!',
    'Lampe-Allumee-2026!',
    'Autre-Chose-2026!',
    'Phare-Du-Large-19!',
    'Xk7#pQ2v!wZ9',
    'Guichet-Vwq8#pTz4Lk',
    'Le castor range 4 chaises, vite',
  ])('%s', async (password) => {
    expect(await isEasyToGuess(password, user)).toBe(false)
  })
})

test('the context words are those of the documentation', () => {
  const documented = readFileSync('docs/security/authentication.md', 'utf8')
  for (const [subject, words] of Object.entries(contextWords)) {
    expect(documented).toContain(`| ${subject} | ${words} |`)
  }
})
