import AxeBuilder from '@axe-core/playwright'
import type { Browser } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on a page, on a telephone and on a desk, in both palettes. */
export async function findAxeViolations(browser: Browser, address: string) {
  const found = new Set<string>()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto(address, { waitUntil: 'load' })
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
      for (const { id } of violations) found.add(`${id} (${colorScheme}, ${viewport.width} px)`)
    }
    await context.close()
  }
  return [...found]
}
