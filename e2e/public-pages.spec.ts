import { expect, expectAccessible, test } from './fixtures.ts'

const pages = [
  '/reseau',
  '/appel-de-service',
  '/team',
  '/emploi',
  '/about',
  '/about/personal_information',
  '/wayOfLife',
  '/cloud',
  '/service',
  '/programmation',
  '/infrastructure',
  '/support',
  '/telecom/docs',
  '/telecom/phone_tutorial',
  '/contact',
]

for (const path of pages) {
  test(`${path} is accessible and whole in both languages, on a telephone too`, async ({ page }) => {
    const titles = new Set<string>()
    for (const [language, lang] of [
      ['fr', 'fr-CA'],
      ['en', 'en-CA'],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 900 })
      const response = await page.goto(`${path}?lang=${language}`)
      expect(response?.status()).toBe(200)
      await expect(page.locator('html')).toHaveAttribute('lang', lang)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{20,}/)
      await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /^http/)
      await expect(page.locator('link[rel=alternate][hreflang]')).toHaveCount(3)
      titles.add(await page.title())
      await expectAccessible(page)
      await page.setViewportSize({ width: 320, height: 640 })
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    }
    // The tutorials are French only (spec.md 2.1).
    expect(titles.size).toBe(path.endsWith('_tutorial') ? 1 : 2)
  })

  test(`${path} says the same without JavaScript`, async ({ newPerson }) => {
    const page = await newPerson({ javaScriptEnabled: false })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
  })
}
