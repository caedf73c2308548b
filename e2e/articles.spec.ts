import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { open, words } from './visitor.ts'
import { openCounter } from './technician.ts'

test('without JavaScript, a search from the header leads to an article of the other language’s word', async ({ newPerson }) => {
  const page = await newPerson({ javaScriptEnabled: false })
  await page.goto('/contact')
  await page.getByRole('link', { name: 'Rechercher' }).click()
  await page.getByRole('searchbox').fill('phishing')
  await page.getByRole('button', { name: 'Rechercher' }).click()
  await page.getByRole('heading', { level: 3 }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toMatch(/^\/aide\/./)
})

test('answers come while one types, by keyboard alone, and the last row is a person', async ({ page }) => {
  await page.goto('/aide')
  const field = page.getByRole('searchbox')
  await field.focus()
  await hydrated(page)
  await field.pressSequentially('téléphon muet')
  await expect(page.locator('[data-answer]').first()).toBeVisible()
  await expect(page.getByText('Rien qui vous aide?')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-answer]').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-answer]')).toHaveCount(0)
  await page.goto('/appel-de-service')
  await hydrated(page)
  await page.getByLabel('Objet').fill('Mon téléphone est muet')
  await expect(page.getByText('Peut-être déjà la réponse')).toBeVisible()
  await expectAccessible(page)
})

test('an article that did not help opens the chat with its name, and is not proposed there again', async ({
  page,
  staff,
  product,
}) => {
  const counter = await openCounter(staff, product.address())
  await page.goto('/aide')
  const link = page.getByRole('link', { name: /Mon téléphone est muet/ }).first()
  const title = await link.innerText()
  await link.click()
  await hydrated(page)
  await page.getByRole('button', { name: 'Pas encore' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(words.fr.problem)).toHaveValue(new RegExp(`^J’ai lu l’article «.${title}.»`, 's'))
  await expect(dialog.locator('[data-answer]').first()).toBeVisible()
  await expect(dialog.getByRole('link', { name: title })).toHaveCount(0)
  await counter.leave()
})

test('what a visitor describes finds an article to read in the chat, and begins the conversation', async ({
  page,
  staff,
  product,
}) => {
  const t = words.fr
  const name = `Annie ${Date.now()}`
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  const dialog = page.getByRole('dialog')
  const person = dialog.getByRole('button', { name: t.start })
  await expect(person).toBeInViewport()
  const field = dialog.getByLabel(t.problem)
  await field.fill('Mon téléphone est muet depuis ce matin')
  const answer = dialog.getByRole('link', { name: /Mon téléphone est muet/ })
  await expect(answer).toBeVisible()
  expect(await dialog.locator('[data-answer]').count()).toBeLessThanOrEqual(3)
  await expect(person).toBeInViewport()
  await expectAccessible(page)
  await answer.click()
  await expect(dialog.getByRole('heading', { name: /Mon téléphone est muet/ })).toBeFocused()
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  await expect(person).toBeInViewport()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Retour' }).click()
  await expect(answer).toBeVisible()
  await dialog.getByLabel(t.email).fill('annie@client.example')
  await dialog.getByLabel(t.name).fill(name)
  await person.click()
  await expect(dialog.getByRole('log').getByText('Mon téléphone est muet depuis ce matin')).toBeVisible()
  await expect.poll(counter.texts).toContain('Mon téléphone est muet depuis ce matin')
  const id = await counter.find(name)
  await staff.goto(`/admin/chat?chat=${id}`)
  await expect(staff.getByRole('complementary').getByRole('link', { name: 'Mon téléphone est muet' })).toBeAttached()
  await counter.leave()
})
