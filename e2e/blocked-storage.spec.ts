import { publicPaths } from './public-addresses.ts'
import type { Page } from '@playwright/test'
import { expect, hydrated, test as base } from './fixtures.ts'
import { openRefusing } from './blocking-browser.ts'
import { openCounter } from './technician.ts'
import { logIn, say, words } from './visitor.ts'

const test = base.extend<{ refusing: Page }>({
  refusing: async ({ newPerson, product }, use) => {
    const { page, stop } = await openRefusing(newPerson, product.address())
    await use(page)
    await page.context().close()
    await stop()
  },
})

test('every public page works with blocked storage and cookies', async ({ refusing: page }) => {
  test.slow()
  for (const path of [...publicPaths, '/appel-de-service?lang=en', '/contact?lang=en']) {
    const live = page.waitForRequest('**/api/live?*')
    await page.goto(path)
    await hydrated(page)
    // Live changes still arrive.
    await live
    // The last scripts run once the page is idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
    await expect(
      page.getByRole('heading', { name: /Une erreur est survenue|Something went wrong|n’est pas arrivée/ }),
    ).toHaveCount(0)
  }
})

test('language and theme can be chosen without storage and cookies', async ({ refusing: page }) => {
  const html = page.locator('html')
  await page.goto('/about')
  await hydrated(page)
  await page.getByText('Sombre', { exact: true }).click()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(html).toHaveAttribute('lang', 'en-US')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Careers' })).toBeVisible()
  await page.reload()
  await expect(html).toHaveAttribute('lang', 'en-US')
})

test('a visitor can chat without storage and cookies', async ({ refusing: page, product, staff }) => {
  const counter = await openCounter(staff, product.address())
  const t = words.fr
  await page.goto('/about')
  await hydrated(page)
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await logIn(page, t, 'Sans Stockage')
  await say(page, t, 'Rien n’est gardé ici')
  await expect.poll(counter.texts).toContain('Rien n’est gardé ici')
  await counter.say(await counter.claim('Sans Stockage'), 'Bien reçu')
  await expect(page.getByRole('log')).toContainText('Bien reçu')
  await counter.leave()
})
