import { expect, expectAccessible, hydrated, test } from './fixtures.ts'

test('the home page speaks French first, and English when asked, which it remembers', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Une vraie personne')
  await expect(page.getByText('1300+')).toBeVisible()
  await hydrated(page)
  const before = await page.context().cookies()
  expect(before.map((cookie) => cookie.name)).toEqual(['XSRF-TOKEN'])

  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-CA')
  expect(await page.evaluate(() => localStorage.getItem('application_default_language'))).toBe('en')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-CA')
  const html = await (await page.request.get('/')).text()
  expect(html).toContain('lang="en-CA"')
})

test('an address with ?lang=en is served in English, with its French and English addresses named', async ({ request }) => {
  const html = await (await request.get('/?lang=en')).text()
  expect(html).toContain('<html lang="en-CA"')
  expect(html).toMatch(/rel="canonical" href="http[^"]+\/\?lang=en"/)
  expect(html).toMatch(/hrefLang="fr-CA"/i)
  expect(html).toMatch(/hrefLang="x-default"/i)
})

test('the stored language wins where its cookie is gone', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('application_default_language', 'en'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-CA')
})

test('the header shows the toll-free number, the client area and the state of the network', async ({ page }) => {
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: /1 800 555-0142/ })).toHaveAttribute('href', 'tel:+18005550142')
  await expect(header.getByRole('link', { name: /Zone client/ })).toBeVisible()
  await expect(header.getByRole('link', { name: /Réseau\s:/ })).toHaveAttribute('href', '/reseau')
})

test('the copyright line leads to the log-in of the administration', async ({ page }) => {
  await page.goto('/')
  await hydrated(page)
  await page.getByRole('contentinfo').getByRole('link', { name: /©/ }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test.describe('an address that does not exist', () => {
  test.use({ expectedErrors: ['404'] })

  test('says so and goes back one step', async ({ page }) => {
    expect((await page.request.get('/nulle-part')).status()).toBe(404)
    await page.goto('/reseau')
    await page.evaluate(() => location.assign('/nulle-part'))
    await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
    await expectAccessible(page)
    await hydrated(page)
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL(/\/reseau$/)
  })

  test('goes home where there is no step to go back', async ({ page }) => {
    await page.goto('/nulle-part')
    await hydrated(page)
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL(/\/$/)
  })
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`is accessible in both languages and both palettes at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const language of ['fr', 'en']) {
        await page.goto(`/?lang=${language}`)
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      }
    }
  })
}
