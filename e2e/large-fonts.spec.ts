import { chromium, type Page } from '@playwright/test'
import { publicPaths } from './public-addresses.ts'
import { chromiumPath } from './chromium.ts'
import { expect, test } from './fixtures.ts'

const addresses = [...publicPaths, '/reseau?lang=en', '/contact?lang=en', '/appel-de-service?lang=en']

test('a minimum font size of 24 px causes no overflow on a phone', async ({ baseURL }) => {
  test.slow()
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--blink-settings=minimumFontSize=24'],
  })
  const page = await browser.newPage({ baseURL, locale: 'fr-CA' })
  try {
    await page.goto('/')
    expect(
      await page
        .locator('footer a')
        .last()
        .evaluate((link) => getComputedStyle(link).fontSize),
    ).toBe('24px')
    await expectWithinEdges(page)
  } finally {
    await browser.close()
  }
})

test('user text spacing causes no overflow on a phone', async ({ page }) => {
  test.slow()
  // WCAG 1.4.12. The page's policy blocks style elements, but not constructed style sheets.
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`p { margin-bottom: 2em !important }
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }`)
    document.adoptedStyleSheets = [sheet]
  })
  await expectWithinEdges(page)
})

async function expectWithinEdges(page: Page) {
  for (const address of addresses) {
    await page.goto(address)
    await page.locator('footer').waitFor()
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(widths), `${address} at ${width} px`).toEqual([])
    }
  }
}

/** Elements wider than their container: the page itself, or a table that would scroll. */
function widths() {
  const tables = [...document.querySelectorAll('table')].map((table) => table.parentElement)
  return [document.scrollingElement, ...tables].flatMap((place) =>
    place && place.scrollWidth > place.clientWidth ? [`${place.className}: ${place.scrollWidth} > ${place.clientWidth}`] : [],
  )
}
