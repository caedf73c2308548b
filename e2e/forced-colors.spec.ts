import type { Page } from '@playwright/test'
import { expect, hydrated, test } from './fixtures.ts'

test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }))

for (const { width, colorScheme } of [
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const) {
  test(`forced colors: buttons, messages and selected items have a border at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await page.goto('/contact')
    await hydrated(page)
    const send = page.getByRole('button', { name: 'Envoyer!' })
    await send.click()
    await expect(page.getByText(/champs sont à corriger/)).toBeVisible()
    await expectVisible(page)
    await expect(page.getByLabel('Courriel')).toHaveCSS('border-top-width', '3px')
    await page.getByLabel('Courriel').fill('zoe@example.com')
    await expect(page.getByLabel('Courriel')).toHaveCSS('border-top-width', '1px')

    await page.goto('/appel-de-service')
    await expect(page.getByText('Un de nos réseaux est dégradé')).toBeVisible()
    await expectVisible(page)
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(ringOfFocus)).toBe('ring')
    }

    await page.goto('/')
    await hydrated(page)
    if (width < 1024) await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.locator('.menu-bar summary').first().click()
    await expect(page.locator('.submenu').first()).toBeVisible()
    await expectVisible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')

    await page.getByRole('complementary', { name: 'Clavarder' }).getByRole('button').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectVisible(page)
  })
}

test('forced colors: the current status and the selected option differ from the others', async ({ page, staff }) => {
  await page.goto('/reseau?vue=icones')
  const fills = await page
    .locator('.status-table tbody tr')
    .first()
    .locator('td.i svg')
    .evaluateAll((all) => all.map((mark) => getComputedStyle(mark.firstElementChild ?? mark).fill))
  expect(fills.filter((fill) => fill !== 'none')).toHaveLength(1)
  await page.goto('/team')
  const grounds = await page
    .locator('.team-tile')
    .evaluateAll((tiles) => tiles.map((tile) => [tile.ariaCurrent !== null, getComputedStyle(tile).backgroundColor] as const))
  const chosen = grounds.filter(([isCurrent]) => isCurrent).map(([, ground]) => ground)
  expect(chosen).toHaveLength(1)
  expect(grounds.filter(([, ground]) => ground === chosen[0])).toHaveLength(1)

  await staff.emulateMedia({ forcedColors: 'active' })
  await staff.goto('/admin/reseau')
  await staff
    .getByRole('button', { name: /^Éditer / })
    .first()
    .click()
  const choice = staff
    .getByRole('group', { name: /^Statut,/ })
    .first()
    .getByRole('button')
  await expect(choice).toHaveCount(3)
  const pressed = await choice.evaluateAll((all) =>
    all.map((one) => [one.ariaPressed === 'true', getComputedStyle(one).backgroundColor] as const),
  )
  const ground = pressed.find(([isPressed]) => isPressed)?.[1]
  expect(pressed.filter(([, other]) => other === ground)).toHaveLength(1)
})

const expectVisible = async (page: Page) => expect(await page.evaluate(unseen)).toEqual([])

/** Elements that need a border and have none, and drawings in the background color. */
function unseen() {
  const edged =
    '.button:not(.button-link, .sr-only), .input, .card, .rounded-card, .badge, .menu-bar:not(:popover-open) .submenu, .menu-bar:popover-open, .chat-panel'
  const visible = (all: Iterable<Element>) => [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  const isClear = (color: string) => color === 'transparent' || /^rgba.*, 0\)$/.test(color)
  const hasEdge = (element: Element) => {
    const style = getComputedStyle(element)
    const hasBorder =
      style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) > 0 && !isClear(style.borderTopColor)
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    const isWhole = element.getBoundingClientRect().width >= innerWidth
    return hasBorder || hasOutline || isWhole
  }
  const groundOf = (element: Element | null): string => {
    const ground = element ? getComputedStyle(element).backgroundColor : 'Canvas'
    return element && isClear(ground) ? groundOf(element.parentElement) : ground
  }
  const icons = visible(document.querySelectorAll('main svg[stroke="currentColor"], header svg[stroke="currentColor"]'))
  return [
    ...visible(document.querySelectorAll(edged)).filter((one) => !hasEdge(one)),
    ...icons.filter((icon) => getComputedStyle(icon).stroke === groundOf(icon.parentElement)),
  ].map((element) => element.outerHTML.slice(0, 160))
}

/** True where the focused element, or the label that represents it, shows the focus. */
function ringOfFocus() {
  const focused = document.activeElement
  const shown = [focused, focused?.closest('label')].some((element) => {
    const style = element && getComputedStyle(element)
    return style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2
  })
  return shown ? 'ring' : `none: ${focused?.outerHTML.slice(0, 160)}`
}
