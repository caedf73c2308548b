import { readFileSync } from 'node:fs'
import { callApi, expect, test } from './fixtures.ts'
import { forms } from './request-forms.ts'

/** From the narrowest screen beside the menu to the usual one; 1,093 is 1,366 at 125 %. */
const widths = [768, 1024, 1093, 1180, 1366]
const lists = ['demandes', 'users', 'equipe', 'emplois', 'notes', 'articles', 'reseau', 'privacy']

test('every table of the administration can be read at each width and on paper', async ({ staff, page }) => {
  test.slow()
  await page.goto('/')
  const subject = 'L’imprimante de la réception n’imprime plus depuis hier après-midi'
  const values = { ...forms.support.values, lastname: `Lavallée-${'W'.repeat(30)}`, subject }
  await callApi(page, 'POST', '/api/mailer/support', { honey: '', username: '', action: 'send_request', ...values })
  for (const list of lists) {
    await staff.goto(`/admin/${list}`)
    await expect(staff.getByRole('table').first()).toBeVisible()
    for (const width of widths) {
      await staff.setViewportSize({ width, height: 768 })
      expect(await staff.evaluate(squeezed), `${list} at ${width}`).toEqual([])
    }
    await staff.emulateMedia({ media: 'print' })
    // Letter paper between its margins.
    await staff.setViewportSize({ width: 720, height: 960 })
    expect(await staff.evaluate(squeezed), `${list} on paper`).toEqual([])
    expect(await staff.evaluate(printedControls), `${list} on paper`).toEqual([])
    await staff.emulateMedia({ media: null })
  }
  await staff.goto('/admin/reseau')
  await staff
    .getByRole('button', { name: /^Éditer / })
    .first()
    .click()
  await expect(staff.getByRole('textbox', { name: /^Nom français, / }).first()).toBeVisible()
  for (const width of [390, ...widths]) {
    await staff.setViewportSize({ width, height: 768 })
    expect(await staff.evaluate(squeezed), `elements at ${width}`).toEqual([])
  }
  await staff.goto('/admin/reseau/pannes/nouvelle')
  // The name of a network is in its card, not on its border.
  const card = staff.locator('fieldset.card').first()
  await expect(card).toBeVisible()
  const [name, box] = [await card.locator('legend').boundingBox(), await card.boundingBox()]
  expect((name?.y ?? 0) - (box?.y ?? 0)).toBeGreaterThan(10)
})

/** Texts without room for 16 characters, other columns under 60 px, fields that are cut, stacked buttons and tables that scroll. */
function squeezed() {
  const found: string[] = []
  for (const table of document.querySelectorAll<HTMLTableElement>('table.table')) {
    const frame = table.parentElement
    if (frame && frame.scrollWidth > frame.clientWidth + 1) found.push(`${table.caption?.textContent}: scrolls`)
    const head = table.tHead && getComputedStyle(table.tHead)
    const sort = table.querySelector<HTMLElement>('.table-sort')
    // What sorts is not printed.
    if (sort && head?.position === 'absolute' && !matchMedia('print').matches) {
      const select = document.querySelector<HTMLElement>('[role="search"] select')
      if (!select?.checkVisibility()) found.push(`${table.caption?.textContent}: cards without a choice of order`)
      sort.focus()
      if (getComputedStyle(sort.closest('thead') ?? sort).position === 'absolute')
        found.push(`${table.caption?.textContent}: a clipped link has the focus`)
      sort.blur()
    }
    for (const cell of table.querySelectorAll<HTMLElement>('tbody :is(th, td)')) {
      if (!cell.checkVisibility()) continue
      const style = getComputedStyle(cell)
      const room = cell.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      const probe = document.createElement('span')
      probe.textContent = 'n'.repeat(16)
      probe.style.cssText = 'position: absolute; white-space: nowrap'
      cell.append(probe)
      const needed = cell.matches('.table-read') ? probe.getBoundingClientRect().width : 60
      probe.remove()
      if (room < needed) found.push(`${cell.dataset['label']}: ${room} of ${needed} px`)
      const { left, right } = cell.getBoundingClientRect()
      const row = cell.closest('tr')?.getBoundingClientRect()
      if (row && (left < row.left || right > row.right + 1)) found.push(`${cell.dataset['label']}: is cut`)
      const tops = new Set([...cell.querySelectorAll<HTMLElement>('.table-actions > *')].map(({ offsetTop }) => offsetTop))
      // Narrower tables give their width to what is read.
      if (tops.size > 2 && frame && frame.clientWidth >= 1024)
        found.push(`${table.caption?.textContent}: buttons on ${tops.size} lines`)
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
  return found
}

/** Menus, buttons, searches and what floats over the page. */
function printedControls() {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.matches('button, nav, [type="search"]') || getComputedStyle(element).position === 'fixed')
    .map((element) => element.outerHTML.slice(0, 120))
}

test('articles, networks and groups are saved as they are listed, for a spreadsheet', async ({ staff }) => {
  for (const [path, heading, shown] of [
    ['/admin/articles', 'Titre', /;Publié;/],
    ['/admin/reseau', 'Nom', /;EN LIGNE;Oui;\d/],
    ['/admin/groups', 'Nom', /;Activé;Non;\d+;.*Administrateur/],
  ] as const) {
    await staff.goto(path)
    const saved = staff.waitForEvent('download')
    await staff.getByRole('button', { name: 'Exporter' }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    expect(text.split('\r\n')[0]).toContain(`${heading};`)
    expect(text).toMatch(shown)
  }
})
