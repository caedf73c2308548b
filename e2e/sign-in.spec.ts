import { expect, expectAccessible, signIn, test } from './fixtures.ts'
import { administrator } from './product.ts'

test('a protected page leads to the log-in, keeps where one wanted to go, and the panel offers to go on', async ({ page }) => {
  await page.goto('/admin/reseau')
  await expect(page).toHaveURL(/\/admin\/login$/)
  expect(await page.evaluate(() => (history.state as { usr: unknown }).usr)).toEqual({ from: '/admin/reseau' })
  await expectAccessible(page)

  await page.getByLabel('Nom d’utilisateur').fill(administrator.username)
  await page.getByLabel('Mot de passe').fill(administrator.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/admin\/panel$/)
  await expect(page.getByRole('heading', { name: 'Section administrative' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => JSON.parse(sessionStorage.getItem('user_profile') ?? 'null') as unknown)).toMatchObject({
    username: administrator.username,
  })
  await page.getByRole('link', { name: 'Y aller maintenant' }).click()
  await expect(page).toHaveURL(/\/admin\/reseau$/)
})

test('/login leads to the log-in of the administration', async ({ page }) => {
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('opening the log-in page signs out', async ({ page }) => {
  await signIn(page)
  await page.goto('/admin/login')
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('user_profile'))).toBeNull()
  await expect.poll(async () => (await page.request.get('/api/auth/me/is_connected')).json()).toBe(false)
})

test.describe('a wrong password', () => {
  test.use({ expectedErrors: ['401'] })

  for (const [language, words] of [
    ['fr', 'Erreur durant l’authentification'],
    ['en', 'Authentication error'],
  ] as const) {
    test(`is refused in words: ${language}`, async ({ page }) => {
      await page.goto(`/admin/login?lang=${language}`)
      await page.getByLabel(/Nom d’utilisateur|User name/).fill('somebody')
      await page.getByLabel(/Mot de passe|Password/).fill('not the password')
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByRole('alert')).toContainText(words)
      await expectAccessible(page)
    })
  }
})

test.describe('a session that is over', () => {
  test.use({ expectedErrors: ['401'] })

  test('a page of the administration without the session of before goes to the log-in', async ({ page, context }) => {
    await signIn(page)
    await context.clearCookies()
    await page.reload()
    await expect(page).toHaveURL(/\/admin\/login$/)
  })
})

test.describe('a call about one’s own sign-in that is refused', () => {
  test.use({ expectedErrors: ['403'] })

  test('leads to the log-in, on the way in and from an open page, and keeps where one was', async ({ page }) => {
    const refuse = (method: string) =>
      page.route('**/api/auth/me', (route) =>
        route.request().method() === method ? route.fulfill({ status: 403, json: {} }) : route.continue(),
      )
    await signIn(page)
    await refuse('GET')
    await page.goto('/admin/notes')
    await expect(page).toHaveURL(/\/admin\/login$/)

    await page.unroute('**/api/auth/me')
    await signIn(page)
    await page.goto('/admin/profile')
    await page.getByLabel('Nom affiché').fill('Administration')
    await refuse('PUT')
    await page.getByRole('button', { name: 'Sauvegarder' }).first().click()
    await expect(page).toHaveURL(/\/admin\/login$/)
    expect(await page.evaluate(() => (history.state as { usr: unknown }).usr)).toEqual({ from: '/admin/profile' })
  })
})
