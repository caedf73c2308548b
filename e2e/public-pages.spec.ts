import type { Page } from '@playwright/test'
import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { isTutorial, publicAddresses } from './public-addresses.ts'

const wide = { width: 1280, height: 900 }
const narrow = { width: 320, height: 640 }
/** Between them the two languages show each page in both palettes and at both widths. */
const visits = [
  { language: 'fr', palette: 'light', palettes: ['dark'] },
  { language: 'en', palette: 'dark', palettes: ['light'] },
] as const

for (const address of publicAddresses) {
  test(`${address} is whole, quiet and accessible in both languages, on a telephone too`, async ({ page }) => {
    test.slow()
    const titles = new Set<string>()
    for (const { language, palette, palettes } of visits) {
      await page.setViewportSize(wide)
      await page.emulateMedia({ colorScheme: palette, reducedMotion: 'reduce' })
      const response = await page.goto(`${address}?lang=${language}`)
      expect(response?.status()).toBe(200)
      await hydrated(page)
      await expectDescribed(page, address, language)
      titles.add(await page.title())
      await expectAccessible(page)
      await page.setViewportSize(narrow)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrow.width)
      for (const colorScheme of palettes) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
    }
    expect(titles.size).toBe(isTutorial(address) ? 1 : 2)
  })
}

test('each page says the same without JavaScript', async ({ newPerson }) => {
  test.slow()
  const page = await newPerson({ javaScriptEnabled: false })
  for (const address of publicAddresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
  }
})

/** What a search engine and a screen reader are told of the page. */
async function expectDescribed(page: Page, address: string, language: 'fr' | 'en') {
  await expect(page.locator('html')).toHaveAttribute('lang', `${language}-CA`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{20,}/)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', new RegExp(`/share-${language}\\.png$`))
  await expect(page.locator('meta[property="og:image:alt"]')).toHaveAttribute('content', /Guichet/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    new RegExp(`^http.*${address}${language === 'en' ? '\\?lang=en' : ''}$`),
  )
  const alternates = page.locator('link[rel=alternate][hreflang]')
  expect(await alternates.evaluateAll((all) => all.map((one) => one.getAttribute('hreflang')))).toEqual([
    'fr-CA',
    'en-CA',
    'x-default',
  ])
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((text) => (JSON.parse(text) as { '@type': string })['@type'])).toContain('BreadcrumbList')
}
