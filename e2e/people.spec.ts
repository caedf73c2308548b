import { generate } from 'otplib'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'

// One person's story: she is invited first.
test.describe.configure({ mode: 'serial' })

const password = 'Fanal-Tranquille-88!'

test('a new person is invited by mail, chooses a password, and sees only what their group opens', async ({
  staff,
  newPerson,
  product,
}) => {
  await staff.goto('/admin/group_nouveau')
  await staff.getByLabel('Nom', { exact: true }).fill('Accueil')
  await staff.getByRole('radio', { name: /^Réseau statut\s:\sLecture$/ }).check()
  await expect(staff.getByText(/^Voir\s:\sRéseau statut$/)).toBeVisible()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).not.toHaveURL(/group_nouveau/)

  await staff.goto('/admin/user_nouveau')
  await staff.getByLabel('Nom d’utilisateur').fill('mireille')
  await staff.getByLabel('Groupe d’accès').selectOption({ label: 'Accueil' })
  await staff.getByLabel('Nom affiché').fill('Mireille')
  await staff.getByLabel('Courriel').fill('mireille@example.com')
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).not.toHaveURL(/user_nouveau/)

  const invitation = () => product.smtp.received.find((mail) => mail.envelope.to.includes('mireille@example.com'))?.text
  await expect.poll(invitation, { timeout: 20_000 }).toBeTruthy()
  const token = /\/admin\/password#([\w-]+)/.exec(invitation() ?? '')?.[1] ?? ''

  const page = await newPerson()
  await page.goto(`/admin/password#${token}`)
  await page.getByLabel('Nouveau mot de passe').fill('court')
  await expect(page.getByRole('list', { name: 'Règles du mot de passe' })).toContainText('Une lettre minuscule(respectée)')
  await page.getByLabel('Nouveau mot de passe').fill(password)
  await page.getByLabel('Confirmation').fill(password)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await page.getByRole('link', { name: 'Aller à la connexion' }).click()
  await signIn(page, { username: 'mireille', password })
  await expect(page.getByRole('link', { name: 'Réseau statut' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Utilisateurs' })).toHaveCount(0)
})

test.describe('a page without its right', () => {
  test.use({ expectedErrors: ['403'] })

  test('says so', async ({ newPerson }) => {
    const page = await newPerson()
    await signIn(page, { username: 'mireille', password })
    await page.goto('/admin/users')
    await expect(page.getByText('Cette page ne vous est pas ouverte')).toBeVisible()
    await expectAccessible(page)
  })
})

test('two-factor is set up by its code, recovery codes are shown once, and one of them signs in', async ({ newPerson }) => {
  const page = await newPerson()
  await signIn(page, { username: 'mireille', password })
  await page.goto('/admin/profile')
  await page.getByRole('button', { name: 'Mettre en place' }).click()
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code à 6 chiffres').fill(await generate({ secret }))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Activer' }).click()
  const codes = page.getByRole('listitem').filter({ hasText: /^[\da-z]{5}-[\da-z]{5}$/ })
  await expect(codes).toHaveCount(10)
  const code = await codes.first().innerText()
  await page.getByRole('button', { name: 'Je les ai gardés' }).click()
  await expect(page.getByText('10 codes de secours restants')).toBeVisible()

  await page.goto('/admin/login')
  await page.getByLabel('Nom d’utilisateur').fill('mireille')
  await page.getByLabel('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/admin/panel')
  await page.goto('/admin/profile')
  await expect(page.getByText('9 codes de secours restants')).toBeVisible()
})
