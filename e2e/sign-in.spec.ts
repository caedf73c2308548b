import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recentSignInProblem } from '../src/lib/problem-types.ts'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'
import { administrator } from './product.ts'

test('redirects a protected page to the sign-in, then offers to continue there', async ({ page }) => {
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
  await page.getByRole('link', { name: 'Ouvrir cette page' }).click()
  await expect(page).toHaveURL(/\/admin\/reseau$/)
})

test('redirects /login to the sign-in of the administration', async ({ page }) => {
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

for (const address of ['/login?lang=en', '/admin/reseau?lang=en'])
  test(`keeps the language of ${address} in the sign-in`, async ({ page }) => {
    await page.goto(address)
    await expect(page).toHaveURL(/\/admin\/login\?lang=en$/)
    await expect(page.getByLabel('Username')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Username')).toBeVisible()
  })

test('signs out when the sign-in page is opened', async ({ page }) => {
  await signIn(page)
  await page.goto('/admin/login')
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('user_profile'))).toBeNull()
  await expect.poll(async () => (await page.request.get('/api/auth/me/is_connected')).json()).toBe(false)
})

test.describe('a wrong password', () => {
  test.use({ expectedErrors: ['401'] })

  for (const [language, words] of [
    ['fr', 'Erreur durant l’authentification'],
    ['en', 'Sign-in failed'],
  ] as const) {
    test(`shows an error: ${language}`, async ({ page }) => {
      await page.goto(`/admin/login?lang=${language}`)
      await page.getByLabel(/Nom d’utilisateur|Username/).fill('somebody')
      await page.getByLabel(/Mot de passe|Password/).fill('not the password')
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText(words)
      await expectAccessible(page)
    })
  }
})

test.describe('an expired session', () => {
  test.use({ expectedErrors: ['401'] })

  test('redirects a page of the administration to the sign-in', async ({ page, context }) => {
    await signIn(page)
    await context.clearCookies()
    await page.reload()
    await expect(page).toHaveURL(/\/admin\/login$/)
  })
})

test.describe('a sign-in call that fails with 403', () => {
  test.use({ expectedErrors: ['403'] })

  test('redirects to the sign-in, on load and from an open page, and keeps the requested path', async ({ page }) => {
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

test.describe('a change that requires a recent sign-in', () => {
  test.use({ expectedErrors: ['401'] })

  test('asks in a dialog, keeps the typed text, and is saved after the password', async ({ staff, newPerson, product }) => {
    await staff.goto('/admin/panel')
    const notice = staff.getByRole('region', { name: 'Ajoutez votre adresse de courriel' })
    await expect(notice).toBeVisible()
    await expectAccessible(staff)
    await notice.getByRole('button', { name: 'Plus tard' }).click()
    await expect(notice).toBeHidden()
    await staff.reload()
    await expect(staff.getByRole('heading', { name: 'Section administrative' })).toBeVisible()
    await expect(notice).toBeHidden()

    const user = await createUser(staff, 'confirme', {})
    const page = await newPerson()
    await signIn(page, user)
    // A product of its own, because the shared one would not require the password again for ten minutes.
    const refuseOnce = async () => {
      let refused = false
      await page.route('**/api/auth/me', async (route) => {
        if (refused || route.request().method() !== 'PUT') {
          await route.fallback()
          return
        }
        refused = true
        await route.fulfill({ status: 401, json: { type: recentSignInProblem, status: 401 } })
      })
    }
    await page.goto('/admin/profile')
    const [email, save] = [page.getByLabel('Courriel'), page.getByRole('button', { name: 'Sauvegarder' }).first()]
    await email.fill('confirmee@example.com')
    await refuseOnce()
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Confirmez votre identité' })
    await expect(dialog.getByLabel('Mot de passe actuel')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByText('Votre identité n’a pas été confirmée')).toBeVisible()
    await expect(save).toBeFocused()
    await expect(email).toHaveValue('confirmee@example.com')

    await refuseOnce()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Mot de passe actuel').fill('Autre-Chose-2026!')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Mot de passe incorrect.')).toBeVisible()
    await expect(dialog.getByLabel('Mot de passe actuel')).toBeFocused()
    await expectAccessible(page)
    await dialog.getByLabel('Mot de passe actuel').fill(user.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Sauvegardé avec succès')).toBeVisible()
    await expect(dialog).toBeHidden()
    const told = (address: string) => product.smtp.received.filter(({ envelope }) => envelope.to.includes(address)).length
    await expect.poll(() => [told('ls@example.com') > 0, told('confirmee@example.com') > 0]).toEqual([true, true])
  })
})

test('a first start that fails keeps the password of the first administrator for its owner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-first-start-'))
  const other = createServer().listen(0)
  await once(other, 'listening')
  const { ADMIN_PASSWORD: _given, ...environment } = process.env
  const started = spawn(process.execPath, ['build/server/main.js'], {
    env: { ...environment, NODE_ENV: 'production', PORT: String((other.address() as AddressInfo).port), DATA_DIR: folder },
    stdio: 'ignore',
  })
  try {
    expect(await once(started, 'exit')).toEqual([1, null])
    const file = join(folder, 'first-password')
    expect(readFileSync(file, 'utf8')).toMatch(/^\S{16,}\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  } finally {
    started.kill('SIGKILL')
    other.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
