import { publicPaths } from './public-addresses.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, hydrated, signIn, test as base } from './fixtures.ts'
import { fillStorage, openRefusing, refuseStorage } from './blocking-browser.ts'
import { becomeUnavailable, openVisitor } from './console-people.ts'
import { words as consoleWords } from './console-words.ts'
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

const storages: [name: string, restrict: (page: Page) => Promise<void>][] = [
  ['refused', refuseStorage],
  ['full', fillStorage],
]
for (const [name, restrict] of storages) {
  test(`a technician works with storage that is ${name}, and reads what is not kept`, async ({ newPerson, product }) => {
    test.slow()
    const t = consoleWords.fr
    const page = await newPerson()
    await page.setViewportSize({ width: 1366, height: 700 })
    await page.goto('/about')
    await restrict(page)
    await signIn(page)
    const notice = page.getByRole('status').filter({ hasText: 'Ce navigateur ne peut pas conserver vos brouillons' })
    await page.goto('/admin/chat')
    await page.getByRole('button', { name: t.become }).click()
    await expect(page.getByRole('button', { name: t.leave })).toBeVisible()
    const visitor = await openVisitor(product.address(), `Mémoire ${name} ${Date.now()}`, 'fr')
    await visitor.say('Bonjour')
    await page.getByRole('listitem').getByRole('button', { name: visitor.pattern }).click()
    const pane = page.getByRole('region', { name: visitor.pattern })
    await expect(notice).toHaveCount(0)
    await pane.getByRole('textbox', { name: t.writeNote }).fill('Client fidèle')
    await expect(notice).toBeVisible()
    await expectAccessible(page)
    await pane.getByRole('textbox', { name: t.writeNote }).press('Enter')
    await pane.getByRole('textbox', { name: t.answer }).fill('Je regarde')
    await pane.getByRole('textbox', { name: t.answer }).press('Enter')
    await expect.poll(visitor.texts).toEqual(['Je regarde'])
    await expect(pane.getByRole('log')).toContainText('Client fidèle')
    await visitor.leave()
    await becomeUnavailable(page, t)

    // Every form of the administration says so too, until its values are saved.
    await page.getByRole('link', { name: t.replies }).click()
    await page.getByRole('link', { name: t.add }).click()
    const shortcut = `memo${Date.now() % 1e9}`
    await page.getByRole('textbox', { name: t.shortcut }).fill(shortcut)
    await expect(notice).toBeVisible()
    await page.getByRole('textbox', { name: t.reply, exact: true }).fill('Merci de votre patience.')
    await page.getByRole('textbox', { name: t.replyEn }).fill('Thank you for your patience.')
    await page.getByRole('button', { name: t.save }).click()
    await expect(page.getByRole('rowheader', { name: `/${shortcut}` })).toBeVisible()
    await expect(notice).toHaveCount(0)
  })
}
