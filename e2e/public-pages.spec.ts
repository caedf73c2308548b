import type { Page } from '@playwright/test'
import { publicPaths } from './public-addresses.ts'
import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { isTutorial, publicAddresses } from './public-addresses.ts'

const wide = { width: 1280, height: 900 }
const narrow = { width: 320, height: 640 }
/** The two languages together cover both palettes and both widths. */
const visits = [
  { language: 'fr', palette: 'light', palettes: ['dark'] },
  { language: 'en', palette: 'dark', palettes: ['light'] },
] as const

for (const address of publicAddresses) {
  test(`${address} renders without errors and is accessible in both languages, on a phone too`, async ({ page }) => {
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

test('each page has the same content without JavaScript', async ({ newPerson }) => {
  test.slow()
  const page = await newPerson({ javaScriptEnabled: false })
  for (const address of publicAddresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
  }
})

test.describe('without any script', () => {
  test.use({ expectedErrors: ['ERR_FAILED', 'dynamically imported'] })

  test('each page has the phone number and a link to a form within 4 s', async ({ page }) => {
    test.slow()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**/*.js', (route) => route.abort())
    for (const path of publicPaths) {
      await page.goto(path, { waitUntil: 'commit' })
      const inTime = { timeout: 4_000 }
      await expect(page.getByRole('banner').locator('[href^="tel:"]').first()).toBeVisible(inTime)
      const form = page.locator('[href^="/contact"], [href^="/appel-de-service"], form[method="post"]').locator('visible=true')
      await expect(form.first()).toBeVisible(inTime)
    }
  })
})

test('a page of an entry names its own picture for shared links', async ({ page }) => {
  for (const [list, link, kind] of [
    ['/emploi', 'a[href^="/emploi/voir/"]', 'job'],
    ['/team', 'a[href^="/team/employe/"]', 'person'],
    ['/aide', 'a[href^="/aide/"]:not([href*=".xml"])', 'article'],
  ] as const) {
    await page.goto(list)
    await page.goto((await page.getByRole('main').locator(link).first().getAttribute('href')) ?? '')
    const address = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(address).toMatch(new RegExp(`^http.*/partage/${kind}/\\d+\\.fr\\.png$`))
    const response = await page.request.get(address ?? '')
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/png'])
  }
})

/** Metadata and landmarks for search engines and screen readers. */
async function expectDescribed(page: Page, address: string, language: 'fr' | 'en') {
  await expect(page.locator('html')).toHaveAttribute('lang', language === 'fr' ? 'fr-CA' : 'en-US')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{20,}/)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', new RegExp(`/share-${language}\\.png$`))
  await expect(page.locator('meta[property="og:image:alt"]')).toHaveAttribute('content', /Guichet/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    new RegExp(`^http.*${address}${language === 'en' && !isTutorial(address) ? '\\?lang=en' : ''}$`),
  )
  const alternates = page.locator('link[rel=alternate][hreflang]')
  expect(await alternates.evaluateAll((all) => all.map((one) => one.getAttribute('hreflang')))).toEqual(
    isTutorial(address) ? ['fr', 'x-default'] : ['fr', 'en', 'x-default'],
  )
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  const described = data.map((text) => JSON.parse(text) as Record<string, string>)
  expect(described.map((one) => one['@type'])).toContain('BreadcrumbList')
  if (!isTutorial(address)) return
  // The fields that Google requires.
  const video = described.find((one) => one['@type'] === 'VideoObject')
  expect(video).toMatchObject({
    name: expect.stringMatching(/\w/),
    thumbnailUrl: expect.stringMatching(/^http:\/\/.*\.\w+$/),
    uploadDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    contentUrl: expect.stringMatching(/^http:\/\/.*\/videos\//),
  })
}
