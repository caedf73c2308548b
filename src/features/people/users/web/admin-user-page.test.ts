import { expect, test } from 'vitest'
import { userInput } from '../../contract.ts'
import { userTexts } from '../admin-texts.ts'
import AdminUserPage, { usernameFrom } from './admin-user-page.tsx'

test.each([
  ['Karim Haddad', 'karim.haddad'],
  ['Zoé L’Écuyer', 'zoe.l.ecuyer'],
  ['  ', 'karim.haddad'],
  ['ok-name', 'ok-name'],
])('for the user name %s the error proposes %s', (typed, example) => {
  expect(usernameFrom(typed)).toBe(example)
  expect(userInput.shape.username.safeParse(example).success).toBe(true)
  const [refusal] = userInput.shape.username.safeParse('Karim Haddad').error?.issues ?? []
  expect(refusal?.message).toBe('letters, digits, dot and dash only')
  for (const language of ['fr', 'en'] as const) expect(userTexts[language].usernameWrong).toContain('{example}')
})

test('nothing of the page of one user, such as an invitation link, stays on the page of the next', () => {
  const pageOf = (user: { id_user: number } | undefined) =>
    AdminUserPage({ loaderData: { user, groups: [], team: [] } } as unknown as Parameters<typeof AdminUserPage>[0])
  const keys = [pageOf({ id_user: 7 }), pageOf({ id_user: 8 }), pageOf(undefined)].map(({ key }) => key)
  expect(new Set(keys).size).toBe(3)
  expect(keys).not.toContain(null)
  expect(pageOf({ id_user: 7 }).key).toBe(keys[0])
})
