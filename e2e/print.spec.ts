import { expect, test } from './fixtures.ts'

const addresses = ['/', '/reseau', '/contact', '/about/personal_information', '/appel-de-service', '/about']

test('prints only the content of a page in dark text, whatever the theme', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(pressedOrFloating), address).toEqual([])
    for (const name of ['h1', 'main p', 'main'])
      await expect(page.locator(name).first()).toHaveCSS('color', /rgb\((0|51), \1, \1\)/)
    expect(
      await page.locator('main details').evaluateAll((all) => all.filter((one) => !one.lastElementChild?.checkVisibility())),
    ).toEqual([])
  }
  const outside = page.locator('.prose a[href^="http"]').first()
  const href = await outside.getAttribute('href')
  expect(await outside.evaluate((link) => getComputedStyle(link, '::after').content)).toContain(href)
})

test('prints network statuses legibly in black and white, with the phone numbers', async ({ page }) => {
  await page.emulateMedia({ media: 'print' })
  await page.goto('/reseau?vue=icones')
  const marks = page.locator('.status-table tbody tr').first().locator('td.i svg')
  await expect(marks).toHaveCount(3)
  const drawn = await marks.evaluateAll((all) =>
    all.map((mark) => getComputedStyle(mark.firstElementChild ?? mark).fill !== 'none' && getComputedStyle(mark).opacity === '1'),
  )
  expect(drawn.filter(Boolean)).toHaveLength(1)
  await expect(page.getByText('EN LIGNE').first()).toBeVisible()
  await page.goto('/support')
  await expect(page.getByRole('main').getByRole('link', { name: '1 800 555-0142', exact: true }).first()).toBeVisible()
})

/** Elements that must not be printed, or would cover the text. */
function pressedOrFloating() {
  const pressed = 'button, [role="button"], .button:not([href^="tel:"], [href^="mailto:"]), header, footer, body > aside'
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.matches(pressed) || ['fixed', 'sticky'].includes(getComputedStyle(element).position))
    .map((element) => element.outerHTML.slice(0, 120))
}
