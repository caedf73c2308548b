import type { Page } from '@playwright/test'
import { expect, hydrated, test } from './fixtures.ts'
import { publicAddresses } from './public-addresses.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a page translated into Arabic or Hebrew does not overflow, and its phone numbers stay valid', async ({ page }) => {
  test.slow()
  for (const address of ['/', ...publicAddresses]) {
    await page.goto(address)
    await page.locator('footer').waitFor()
    await turn(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(390)
    expect(await page.evaluate(brokenNumbers), address).toEqual([])
  }
})

test('mirrors menu, arrows, carousel, fields and chat in right-to-left text', async ({ page }) => {
  await page.goto('/wayOfLife')
  await hydrated(page)
  await turn(page)
  await page.getByRole('button', { name: 'Image suivante' }).click()
  await expect(page.locator('.carousel-slide[aria-current]')).toHaveAttribute('aria-label', /^2 sur/)
  await expect
    .poll(() => page.locator('.carousel-slide[aria-current]').evaluate((slide) => Math.round(slide.getBoundingClientRect().left)))
    .toBe(20)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const sheet = page.locator('.menu-bar')
  await expect.poll(() => sheet.evaluate((one) => one.getBoundingClientRect().left)).toBe(0)
  await page.keyboard.press('Escape')
  const chat = page.getByRole('complementary', { name: 'Clavarder' }).getByRole('button')
  expect((await chat.boundingBox())?.x).toBeLessThan(40)

  await page.goto('/')
  await turn(page)
  await expect(page.locator('[data-directional]').first()).toHaveCSS('scale', '-1 1')

  await page.goto('/contact')
  await turn(page)
  const phone = page.getByLabel('Téléphone')
  await expect(phone).toHaveCSS('direction', 'ltr')
  await expect(page.getByLabel('Nom')).toHaveCSS('direction', 'rtl')
})

/** Sets the direction, as the browser does after translating. */
const turn = (page: Page) => page.evaluate(() => void (document.documentElement.dir = 'rtl'))

/** Visible phone and fax numbers whose characters are not laid out from left to right. */
function brokenNumbers() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    if (!text.parentElement?.checkVisibility()) continue
    for (const { 0: number, index } of text.data.matchAll(/(?:1\s)?\d{3}\s\d{3}-\d{4}/g)) {
      const places = [...number].map((_, at) => {
        const range = document.createRange()
        range.setStart(text, index + at)
        range.setEnd(text, index + at + 1)
        return range.getBoundingClientRect().left
      })
      if (places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0))) broken.push(number)
    }
  }
  return broken
}
