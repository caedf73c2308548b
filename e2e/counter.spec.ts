import { expect, expectAccessible, test, xsrfHeaders } from './fixtures.ts'
import { createUser } from './new-user.ts'

test('the landing screen takes the emergency banner down with one press, and puts it back with another', async ({ staff }) => {
  const text = `Téléphonie en panne ${test.info().testId}`
  await staff.goto('/admin/panel')
  const card = staff.getByRole('region', { name: 'Bandeau d’urgence' })
  await expect(card).toBeVisible()
  // The journeys need the sample content: it is not emptied here.
  await staff.getByRole('button', { name: 'Vider le contenu d’exemple' }).click()
  await expect(staff.getByRole('alertdialog')).toContainText('Ce que vous avez modifié ou mis en service reste.')
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()
  const made = await staff.request.post('/api/home_messages/home_message', {
    headers: await xsrfHeaders(staff),
    data: { message: `<p>${text}</p>` },
  })
  expect(made.ok()).toBe(true)
  // Without a reload: the banner has a live change.
  await expect(card).toContainText(text)
  await expectAccessible(staff)
  await card.getByRole('button', { name: 'Retirer le bandeau' }).click()
  await expect(card.getByText('Bandeau retiré.')).toBeVisible()
  await card.getByRole('button', { name: 'Annuler' }).click()
  await expect(card).toContainText(text)
  await card.getByRole('button', { name: 'Retirer le bandeau' }).click()
  await expect(card.getByText('Bandeau retiré.')).toBeVisible()
})

test('the link to the page before the sign-in stays where it is pressed while the figures arrive', async ({
  staff,
  newPerson,
}) => {
  for (const width of [390, 1440]) {
    const writer = await createUser(staff, `counter${test.info().workerIndex}${width}`, { notes: 'read_write' })
    const page = await newPerson({ viewport: { width, height: 800 } })
    const held = Promise.withResolvers<void>()
    await page.route('**/api/counter', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/admin/note_nouveau')
    await page.waitForURL('**/admin/login')
    await page.getByLabel('Nom d’utilisateur').fill(writer.username)
    await page.getByLabel('Mot de passe').fill(writer.password)
    await page.getByRole('button', { name: 'Login' }).click()
    const link = page.getByRole('link', { name: 'Ouvrir cette page' })
    await expect(link).toBeVisible()
    const before = await link.boundingBox()
    held.resolve()
    await expect(page.getByText('…', { exact: true })).toHaveCount(0)
    expect(await link.boundingBox(), `${width} px wide`).toEqual(before)
    await link.click()
    await expect(page.getByLabel('Note', { exact: true })).toBeVisible()
  }
})

test('an address of the administration that names no entry says so', async ({ staff, expectedErrors }) => {
  expectedErrors.push('the server responded with a status of 400')
  await staff.goto('/admin/group_edit/abc')
  await expect(staff.getByRole('heading', { name: 'Cette fiche n’existe plus' })).toBeVisible()
})

test('the menu is whole at 1366 by 700, whichever group is open', async ({ staff }) => {
  await staff.setViewportSize({ width: 1366, height: 700 })
  await staff.goto('/admin/panel')
  const menu = staff.locator('.admin-menu-wide .admin-menu')
  await expect(menu.getByRole('link', { name: 'Enregistrements d’appels' })).toBeVisible()
  const isWhole = () => menu.evaluate((list) => list.scrollHeight <= list.clientHeight)
  expect(await isWhole(), 'the menu is whole').toBe(true)
  const cut = () =>
    menu
      .locator('.admin-name')
      .evaluateAll((names) => names.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
  expect(await cut(), 'names are whole').toEqual([])
  await staff.goto('/admin/users')
  await expect(menu.getByRole('link', { name: 'Utilisateurs' })).toBeVisible()
  expect(await isWhole(), 'the menu is whole with another group open').toBe(true)
})

test('an address with a language keeps it through the administration, and the switch changes it', async ({ staff }) => {
  const html = staff.locator('html')
  const heading = staff.getByRole('heading', { level: 1 })
  await staff.goto('/admin/equipe_edit/1?lang=en')
  await expect(html).toHaveAttribute('lang', 'en-US')
  await staff.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(staff).toHaveURL(/\/admin\/equipe\?lang=en$/)
  await expect(heading).toHaveText('Team')
  await staff.locator('.admin-menu-wide').getByRole('link', { name: 'Jobs' }).click()
  await expect(staff).toHaveURL(/\/admin\/emplois\?lang=en$/)
  await expect(heading).toHaveText('Jobs')
  await staff.goBack()
  await expect(heading).toHaveText('Team')
  await staff.reload()
  await expect(heading).toHaveText('Team')
  await staff.locator('.admin-user summary').click()
  await staff.getByRole('link', { name: 'FR, Français' }).last().click()
  await expect(heading).toHaveText('Équipe')
  await expect(html).toHaveAttribute('lang', 'fr-CA')
  await staff.locator('.admin-menu-wide').getByRole('link', { name: 'Emplois' }).click()
  await expect(heading).toHaveText('Emplois')
})

test('the menu has one entry for what comes in and goes out, lit on each of its pages', async ({ staff }) => {
  await staff.goto('/admin/redirects')
  const menu = staff.locator('.admin-menu-wide .admin-menu')
  const entry = menu.getByRole('link', { name: 'Importer et exporter' })
  const tabs = staff.getByRole('navigation', { name: 'Importer et exporter' })
  await expect(entry).toHaveAttribute('aria-current', 'page')
  // The menu is longer than the screen, and shows where one is.
  await expect(entry).toBeInViewport({ ratio: 1 })
  for (const name of ['Exporter', 'Importer', 'Anciennes adresses']) {
    await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(0)
    await tabs.getByRole('link', { name, exact: true }).click()
    await expect(staff.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(entry).toHaveAttribute('aria-current', 'page')
  }
  await expectAccessible(staff)
})

test('on a phone the menu opens above the bar at the foot of an import', async ({ staff }) => {
  await staff.setViewportSize({ width: 390, height: 844 })
  await staff.goto('/admin/importer')
  await staff.getByLabel('Type de données').selectOption({ label: 'Abonnés aux avis' })
  const file = { name: 'abonnes.csv', mimeType: 'text/csv', buffer: Buffer.from('email,language\nannie@client.example,fr') }
  await staff.getByLabel('Fichier', { exact: true }).setInputFiles(file)
  await staff.getByRole('button', { name: 'Vérifier le fichier' }).click()
  await expect(staff.getByRole('button', { name: 'Changer de fichier' })).toBeVisible()
  await staff.locator('summary', { hasText: 'Menu' }).click()
  await staff.locator('.admin-sheet').getByRole('link', { name: 'Confidentialité' }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Confidentialité')
})
