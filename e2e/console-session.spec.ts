import { createColleague, openConsole, openVisitor } from './console-people.ts'
import { words } from './console-words.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test('a session that ends while a technician writes: nothing is lost, the sign-in comes over the work', async ({
  newPerson,
  product,
  staff,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('401', '403')
  const t = words.fr
  const technician = await createColleague(staff, 'read_write')
  const page = await openConsole(newPerson, 'fr', technician)
  await page.getByRole('button', { name: t.become }).click()
  await expect(page.getByRole('button', { name: t.leave })).toBeVisible()
  const visitor = await openVisitor(product.address(), `Golf ${Date.now()}`, 'fr')
  await visitor.say('Bonjour')
  await page.getByRole('listitem').getByRole('button', { name: visitor.pattern }).click()
  const pane = page.getByRole('region', { name: visitor.pattern })
  const field = pane.getByRole('textbox', { name: t.answer })
  await field.fill('Je regarde')
  await field.press('Enter')
  await expect.poll(visitor.texts).toEqual(['Je regarde'])

  // Who has a conversation is asked before stepping away from it.
  await page.getByRole('button', { name: t.leave }).first().click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(visitor.name)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Annuler' }).click()
  await expect(page.getByRole('button', { name: t.leave })).toBeVisible()

  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  await field.focus()
  const ended = await page.request.post('/api/auth/logoff', { headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(ended.ok()).toBe(true)
  await page.keyboard.type('Redémarrez le modem')
  await page.keyboard.press('Enter')
  await page.keyboard.type('et rappelez-moi')
  await expect(page.getByRole('button', { name: t.become })).toBeDisabled()
  await expect(page.getByRole('status').filter({ hasText: /^Disponible/ })).toHaveCount(0)
  const dialog = page.getByRole('dialog', { name: 'Connectez-vous pour continuer' })
  const password = dialog.getByLabel('Mot de passe')
  await expect(password).toBeFocused()
  await expect(password).toHaveValue('')
  await expect(dialog.getByLabel('Nom d’utilisateur')).toHaveValue(technician.username)
  await expect(field).toHaveValue('et rappelez-moi')
  await expectAccessible(page)
  await password.fill(technician.password)
  await password.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect.poll(visitor.texts).toEqual(['Je regarde', 'Redémarrez le modem'])
  await expect(field).toHaveValue('et rappelez-moi')
  await expect(page.getByRole('button', { name: t.become })).toBeEnabled()
  await visitor.leave()
})
