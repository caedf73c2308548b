import { expect, expectAccessible, holdScripts, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'

test('the palette goes anywhere, finds, and leads to what one wants to do, by keys alone', async ({ staff }) => {
  await staff.goto('/admin/panel')
  const field = staff.getByRole('combobox', { name: /^Chercher une page/ })
  const options = staff.getByRole('option')
  const active = staff.getByRole('option', { selected: true })
  const search = staff.getByRole('button', { name: /^Chercher… Ctrl/ })
  await expect(search).toBeVisible()
  await search.focus()
  // What is typed while its file is on its way is not lost.
  const held = Promise.withResolvers<void>()
  await staff.route(/\/palette-[\w-]+\.js$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type('empz')
  await staff.keyboard.press('Backspace')
  held.resolve()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('emp')
  await field.fill('')
  await expect(active).toHaveCount(1)
  await expectAccessible(staff)

  // The keys move through the list and around its ends; what Enter opens is announced as the active option.
  await staff.keyboard.type('emploi')
  await expect(active).toContainText('Ajouter un emploi')
  // The server's results come after those that are here at once.
  await expect(staff.getByRole('dialog').getByRole('status')).toHaveText(/résultat/)
  const count = await options.count()
  await staff.keyboard.press('ArrowUp')
  await expect(options.nth(count - 1)).toHaveAttribute('aria-selected', 'true')
  await staff.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(field).toHaveAttribute('aria-activedescendant', (await options.first().getAttribute('id')) ?? 'none')
  await staff.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(search).toBeFocused()

  await staff.keyboard.press('/')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await staff.keyboard.type('mettre telephonie ip en panne')
  await expect(active).toContainText('Mettre Téléphonie IP en panne')
  await expectAccessible(staff)
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/\/admin\/reseau\/pannes\/nouvelle\?reseau=\d+&element=/)
  await expect(staff.getByRole('button', { name: 'Mettre Téléphonie IP à Erreur', pressed: true })).toBeVisible()

  // What is typed there is no letter of a pattern, and what nothing has says so.
  await staff.keyboard.press('Control+k')
  await staff.keyboard.insertText('%'.repeat(10_000))
  await expect(field).toHaveValue('%'.repeat(200))
  await expect(staff.getByText(/^Aucun résultat pour/)).toBeVisible()
  await field.fill('xqzwvkj 🦫')
  await expect(staff.getByText(/^Aucun résultat pour/)).toBeVisible()
  await field.fill('ajouter emploi')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/\/admin\/emploi_nouveau$/)

  // In an editor the same keys make a link.
  await staff.getByRole('textbox', { name: 'Description', exact: true }).press('Control+k')
  await expect(staff.getByRole('dialog', { name: 'Ajouter ou modifier un lien' })).toBeVisible()
  await expect(field).toBeHidden()
})

test('on a phone, in English, the palette fills the screen and shows only what one may open', async ({ staff, newPerson }) => {
  const user = await createUser(staff, `palette${test.info().workerIndex}`, { jobs: 'read_only' })
  const person = await newPerson({ viewport: { width: 390, height: 844 }, locale: 'en-CA' })
  await person.addInitScript(() => localStorage.setItem('application_default_language', 'en'))
  await signIn(person, user)
  await person.getByRole('button', { name: 'Search and act' }).locator('visible=true').click()
  const field = person.getByRole('combobox')
  await field.fill('emplois')
  await expect(person.getByRole('option', { selected: true })).toContainText('Jobs')
  await expect(person.getByRole('option', { name: /Add a job|Declare/ })).toHaveCount(0)
  await expectAccessible(person)
  expect(await person.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await person.getByRole('option', { name: /^Jobs/ }).click()
  await expect(person).toHaveURL(/\/admin\/emplois$/)
})

test('what is typed after Ctrl and K while a slow page loads is in the palette once it is there', async ({ staff }) => {
  const bringScripts = await holdScripts(staff)
  await staff.goto('/admin/users', { waitUntil: 'commit' })
  // Its own small script comes with the page.
  await staff.waitForFunction(() => globalThis.takePaletteKeys !== undefined)
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type('emploi')
  bringScripts()
  const field = staff.getByRole('combobox', { name: /^Chercher une page/ })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('emploi')
  await staff.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  // The listener of the page before its scripts is gone.
  await staff.keyboard.press('Control+k')
  await expect(field).toHaveValue('')
})
