import type { Page } from '@playwright/test'
import { callApi, expect, holdScripts, hydrated, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'
import { publicAddresses } from './public-addresses.ts'
import { expectAsFresh, referencedTexts, translate, visibleTexts } from './translated.ts'

/** The two forms have their own tests. */
const forms = new Set(['/contact', '/appel-de-service'])
const addresses = ['/', ...publicAddresses, '/emploi/voir/1', '/team/employe/1'].filter((path) => !forms.has(path))

async function openTranslated(page: Page, address: string) {
  await page.goto(address)
  await hydrated(page)
  await translate(page)
}

test('each translated page switches its language completely', async ({ page }) => {
  test.slow()
  for (const address of addresses) {
    await page.goto(`${address}?lang=en`)
    await hydrated(page)
    const english = await visibleTexts(page)
    await openTranslated(page, `${address}?lang=fr`)
    expect(await referencedTexts(page), address).toEqual([])
    await page.getByRole('banner').getByRole('link', { name: 'EN, English' }).click()
    await expect.poll(() => visibleTexts(page), address).toEqual(english)
  }
})

test('no text of a translated administration page is left behind by a change', async ({ staff, newPerson }) => {
  test.slow()
  await staff.goto('/admin/panel')
  const english = { subject_en: 'A new office', text_en: '<p>Come and see us.</p>' }
  const announcement = { subject: 'Un nouveau bureau', text: '<p>Venez nous voir.</p>', ...english }
  const { id_announcement: id } = await callApi<{ id_announcement: number }>(staff, 'POST', '/api/announcements', announcement)
  await callApi<{ id_reseau: number }>(staff, 'POST', `/api/announcements/${id}/undo`, {})
  const menu = staff.getByRole('navigation', { name: 'Administration' }).locator('a[href^="/admin/"]')
  await expect(menu.first()).toBeVisible()
  const found = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const leftBehind: [address: string, text: unknown][] = []
  for (const address of [...new Set(found), '/admin/panel', '/admin/profile']) {
    await staff.goto(address)
    await expect(staff.getByRole('heading').first()).toBeVisible()
    // A blank is never translated.
    for (const text of await referencedTexts(staff)) if (String(text).trim() !== '') leftBehind.push([address, text])
  }
  expect(leftBehind).toEqual([])

  // The switch and what it says change together, for somebody without conversations, who is asked nothing.
  const technician = await newPerson()
  await signIn(technician, await createUser(staff, `traduit${test.info().workerIndex}`, { chat: 'read_write' }))
  await openTranslated(technician, '/admin/chat')
  await technician.getByRole('button', { name: 'Me rendre disponible' }).click()
  const leave = technician.getByRole('button', { name: 'Me rendre indisponible' })
  await expect(leave).toBeVisible()
  await expect(
    technician
      .getByRole('status')
      .filter({ hasText: /^Disponible/ })
      .first(),
  ).toBeVisible()
  await leave.click()
  await expect(technician.getByRole('button', { name: 'Me rendre disponible' })).toBeVisible()
  await expect(technician.getByRole('status').filter({ hasText: /^Disponible/ })).toHaveCount(0)
})

test('menus, panels, carousel, filter, theme and links work on a translated page', async ({ page }) => {
  await openTranslated(page, '/')
  const banner = page.getByRole('banner')
  const main = page.getByRole('main')
  await main.getByText('Avis de cybersécurité').click()
  await expect(main.getByText('Un message urgent')).toBeVisible()
  await page.getByText('Sombre').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await banner.getByText('Entreprise').click()
  await banner.locator('a[href="/team"]').click()
  const ventes = main.locator('.team-tile[href$="VENTES"]')
  await ventes.click()
  await expect(ventes).toHaveAttribute('aria-current', 'true')
  // The fresh page is opened at this one's address.
  await expect(page).toHaveURL(/VENTES$/)
  await expectAsFresh(page)

  await banner.getByText('Entreprise').click()
  await banner.locator('a[href="/wayOfLife"]').click()
  await main.getByRole('button', { name: 'Image suivante' }).click()
  await expect(main.getByText(/^2\s/)).toBeVisible()

  await banner.getByRole('link', { name: 'Carrières' }).click()
  await main.getByRole('link').filter({ hasText: 'Voir le poste' }).first().click()
  await expect(page).toHaveURL(/\/emploi\/voir\//)
  await expectAsFresh(page)
  await page.goBack()
  await expectAsFresh(page)
})

test('live network changes update a translated page', async ({ page, staff }) => {
  test.slow()
  await openTranslated(page, '/reseau')
  const path = '/api/networks/reseau'
  const detail = { nom: 'Fibre', nom_en: 'Fibre', statut: 'OK' }
  const network = { nom: `Matane ${test.info().testId}`, status: 'ONLINE', details: '[]' }
  const { id_reseau } = await callApi<{ id_reseau: number }>(staff, 'POST', path, network)
  const card = page.getByRole('region', { name: network.nom })
  await expect(card).toContainText('EN LIGNE')
  for (const [status, statut, said] of [
    ['OFFLINE', 'ERROR', 'HORS LIGNE'],
    ['ONLINE', 'WARNING', 'EN LIGNE'],
    ['', 'OK', 'Non indiqué'],
  ] as const) {
    await callApi<{ id_reseau: number }>(staff, 'PUT', `${path}/${id_reseau}`, {
      ...network,
      status,
      details: JSON.stringify([{ ...detail, statut }]),
    })
    await expect(card).toContainText(said)
    await expectAsFresh(page)
  }
  await callApi<{ id_reseau: number }>(staff, 'DELETE', `${path}/${id_reseau}`)
  await expect(card).toHaveCount(0)
  await expectAsFresh(page)

  const note = { note_date: '12 mars', note: 'Fibre coupée à Matane', note_en: 'Fibre cut in Matane' }
  const { id_note } = await callApi<{ id_note: number }>(staff, 'POST', '/api/notes/notes', note)
  await expect(page.getByText(note.note)).toBeVisible()
  await callApi<{ id_reseau: number }>(staff, 'PUT', `/api/notes/notes/${id_note}`, { ...note, note: 'Fibre réparée à Matane' })
  await expect(page.getByText('Fibre réparée à Matane')).toBeVisible()
  await callApi<{ id_reseau: number }>(staff, 'DELETE', `/api/notes/notes/${id_note}`)
  await expectAsFresh(page)

  const next_update = new Date(Date.now() + 90 * 60_000).toISOString()
  const update = { next_update, duration_minutes: 5, message: 'Pare-feu', message_en: 'Firewall', public: true }
  await callApi<{ id_reseau: number }>(staff, 'PUT', '/api/updates/alert', update)
  await expect(page.locator('[aria-labelledby=maintenance]')).toContainText('Pare-feu')
  await callApi<{ id_reseau: number }>(staff, 'DELETE', '/api/updates/alert')
  await expect(page.locator('[aria-labelledby=maintenance]')).toHaveCount(0)
  await expectAsFresh(page)
})

test('live banner and information panel changes update a translated home page', async ({ page, staff }) => {
  // At most one exists, and another test may have left it.
  const messages = '/api/home_messages/home_message'
  for (const left of await callApi<{ id_home_message: number }[]>(staff, 'GET', messages))
    await callApi<{ id_reseau: number }>(staff, 'DELETE', `${messages}/${left.id_home_message}`)
  await openTranslated(page, '/')
  const message = { message: '<p>Panne à Matane</p>', message_en: '<p>Outage in Matane</p>' }
  const { id_home_message } = await callApi<{ id_home_message: number }>(staff, 'POST', messages, message)
  await expect(page.getByText('Panne à Matane')).toBeVisible()
  const other = { message: '<p>Panne à Gaspé</p>', message_en: '<p>Outage in Gaspé</p>' }
  await callApi<{ id_reseau: number }>(staff, 'PUT', `${messages}/${id_home_message}`, other)
  await expect(page.getByText('Panne à Gaspé')).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByText('Outage in Gaspé')).toBeVisible()
  await callApi<{ id_reseau: number }>(staff, 'DELETE', `${messages}/${id_home_message}`)
  await expect(page.getByText('Outage in Gaspé')).toHaveCount(0)
  await expectAsFresh(page)
})

test('a page translated before its scripts load works and keeps typed text', async ({ page, expectedErrors }) => {
  // React reports a hydration mismatch.
  expectedErrors.push('React error #418')
  const releaseScripts = await holdScripts(page)
  await page.goto('/contact', { waitUntil: 'domcontentloaded' })
  const name = page.locator('input[name=name]')
  await name.fill('Zoé')
  await translate(page)
  releaseScripts()
  await hydrated(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Contactez-nous!')
  await expect(name).toHaveValue('Zoé')
  await page.getByRole('banner').getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Contact us!')
  await expect(name).toHaveValue('Zoé')
})

/** Moves elements out of React's reach, as an extension may. */
const moveApart = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    for (const moved of document.querySelectorAll(selector)) {
      const frame = document.createElement('div')
      moved.replaceWith(frame)
      frame.append(moved)
    }
  }, selector)

test('a part whose elements were moved by an extension recovers', async ({ page, expectedErrors }) => {
  // React reports it too.
  expectedErrors.push('NotFoundError')
  await page.goto('/team')
  await hydrated(page)
  await moveApart(page, '.team-grid')
  const ventes = page.locator('.team-tile[href$="VENTES"]')
  await ventes.click()
  await expect(page.locator('.team-grid a').first()).toBeVisible()
  await expect(ventes).toHaveAttribute('aria-current', 'true')

  await page.goto('/contact')
  await hydrated(page)
  await moveApart(page, 'main > div > div')
  const moved = await page.locator('main form').elementHandle()
  await page.getByRole('contentinfo').locator('a[href="/team"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notre équipe')
  expect(await moved?.evaluate((form) => form.isConnected)).toBe(false)
})
