import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'

const tiles = [
  'Tous 7',
  'Administration 2',
  'Directeur 1',
  'Programmation 1',
  'Service à la clientèle (SAC) 1',
  'Équipe TI 3',
  'Ventes 1',
  'Telecom 1',
]

test('a visitor filters the team by department and opens a profile, in both languages', async ({ page }) => {
  await page.goto('/team')
  await hydrated(page)
  const filter = page.getByRole('navigation', { name: 'Choisir un service' })
  await expect(filter.getByRole('link')).toHaveText(tiles)
  await expect(filter.getByRole('link', { name: 'Tous' })).toHaveAttribute('aria-current', 'true')
  const cards = page.getByRole('main').locator('a.employee-card')
  await expect(cards).toHaveCount(7)
  await expect(page.getByRole('region', { name: 'Un grand merci à Zoé Lavallée' })).toContainText('armoire de câblage')
  await expectAccessible(page)

  const released = Promise.withResolvers<void>()
  await page.route('**/api/employees/employes?where=*', async (route) => {
    await released.promise
    await route.continue()
  })
  const asked = page.waitForRequest((request) => request.url().includes('/api/employees/employes?where='))
  await filter.getByRole('link', { name: 'Équipe TI' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Chargement…' }).locator('.spinner')).toBeVisible()
  await expectAccessible(page)
  released.resolve()
  expect(decodeURIComponent((await asked).url())).toContain(
    '{"email":{"neq":"zoe.lavallee@example.com"},"departement":"TECHNICIENS"}',
  )
  await expect(page).toHaveURL(/departement=TECHNICIENS/)
  await expect(filter.getByRole('link', { name: 'Équipe TI' })).toHaveAttribute('aria-current', 'true')
  await expect(cards).toHaveCount(3)
  await expect(page.getByRole('region', { name: /Zoé Lavallée/ })).toBeVisible()

  await cards.filter({ hasText: 'Josée Bouchard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Josée Bouchard' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Spécialiste en téléphonie IP')
  await expect(page.getByRole('link', { name: /josee.bouchard@example.com/ })).toHaveAttribute(
    'href',
    'mailto:josee.bouchard@example.com',
  )
  await expectAccessible(page)
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByRole('main')).toContainText('IP telephony specialist')
  await expect(page.getByRole('main')).not.toContainText('Spécialiste')
  await page.goBack()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the tiles filter the team', async ({ page }) => {
    await page.goto('/team')
    await page.getByRole('link', { name: 'Ventes 1' }).click()
    await expect(page.locator('a.employee-card')).toHaveText(/Karim Haddad/)
    await expect(page.getByRole('link', { name: 'Ventes 1' })).toHaveAttribute('aria-current', 'true')
  })
})

test.describe('an unknown employee', () => {
  test.use({ expectedErrors: ['404'] })

  test('shows the 404 page', async ({ page }) => {
    for (const id of ['99999', 'x', '-1']) {
      const response = await page.goto(`/team/employe/${id}`)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
      await expect(page.getByRole('banner')).toBeVisible()
    }
  })
})

test.describe('the team’s administration', () => {
  test.use({ expectedErrors: ['400', '404', '409'] })

  test('creates an employee with a photo, updates and deletes it', async ({ staff, page }) => {
    test.slow()
    const name = `Fleur ${test.info().testId}`
    await staff.goto('/admin/panel')
    await staff.getByRole('main').getByRole('link', { name: 'Équipe' }).click()
    await expect(staff.getByRole('columnheader')).toContainText(['Nom', 'Titre', 'Description', 'Courriel'])
    await expectAccessible(staff)
    await staff.getByRole('link', { name: 'Nouveau' }).click()
    await expect(staff).toHaveURL(/\/admin\/equipe_nouveau$/)

    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByText('Ce champ est obligatoire.')).toHaveCount(8)
    await expect(staff.getByLabel('Nom', { exact: true })).toBeFocused()
    await expectAccessible(staff)

    const photo = await sharp({ create: { width: 700, height: 900, channels: 3, background: '#18794e' } })
      .png()
      .toBuffer()
    await staff.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'fleur.txt', mimeType: 'text/plain', buffer: photo })
    await expect(staff.getByText('Ce fichier n’est pas une photo')).toBeVisible()
    const words = { name: 'fleur.png', mimeType: 'image/png', buffer: Buffer.from('Une fleur.') }
    await staff.getByLabel('Photo', { exact: true }).setInputFiles(words)
    await expect(staff.getByText('Cette photo est illisible ou endommagée. Choisissez-en une autre.')).toBeVisible()
    // Text typed while a large photo is read stays, and so does the photo.
    const showPhoto = await holdDecoding(staff)
    await staff.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'fleur.png', mimeType: 'image/png', buffer: photo })
    await staff.getByLabel('Nom', { exact: true }).fill(name)
    await showPhoto()
    await staff.getByRole('dialog').getByRole('button', { name: 'Utiliser cette photo' }).click()
    await expect(staff.getByText('fleur.png')).toBeVisible()
    await expect(staff.getByLabel('Nom', { exact: true })).toHaveValue(name)
    await staff.getByLabel('Courriel').fill('fleur@')
    await staff.getByLabel('Département', { exact: true }).selectOption('Équipe TI')
    await staff.getByLabel('Sous département').selectOption('Présidence BZ')
    await staff.getByLabel('Titre', { exact: true }).fill('Technicienne')
    await staff.getByLabel('Titre (Anglais)').fill('Technician')
    await staff.getByLabel('Description', { exact: true }).fill('Elle aime les câbles.')
    await staff.getByLabel('Description (Anglais)').fill('She likes cables.')
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByLabel('Courriel')).toBeFocused()
    await expect(staff.getByText('Entrez une adresse de courriel valide')).toBeVisible()
    await staff.getByLabel('Courriel').fill('fleur@example.com')

    await staff.getByRole('button', { name: 'Aperçu' }).click()
    const preview = staff.getByRole('dialog', { name: 'Aperçu de la page publique' })
    await expect(preview.getByRole('region', { name: 'En anglais' })).toContainText('She likes cables.')
    await expectAccessible(staff)
    await staff.keyboard.press('Escape')

    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff).toHaveURL(/\/admin\/equipe$/)
    await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()

    await page.goto('/team?departement=TECHNICIENS')
    await page.getByRole('link', { name: new RegExp(name) }).click()
    const shown = page.getByRole('img', { name: `Photo de ${name}` })
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)

    await staff.getByRole('searchbox').fill('fleur')
    await expect(staff).toHaveURL(/q=fleur/)
    await staff.getByRole('button', { name: `Editer ${name}` }).click()
    await expect(staff.getByText(/modifié .* par admin/)).toBeVisible()
    await staff.getByLabel('Description', { exact: true }).fill('Elle aime les câbles bien rangés.')
    await expect(staff.getByText('EN · à mettre à jour')).toBeVisible()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff).toHaveURL(/\/admin\/equipe\?q=fleur$/)
    await expect(page.getByText('bien rangés')).toBeVisible()

    await staff.goto('/admin/panel')
    const toReview = staff
      .getByRole('region', { name: 'Traductions anglaises à mettre à jour' })
      .getByRole('link', { name: new RegExp(name) })
    await toReview.click()
    await staff.getByRole('button', { name: 'Confirmer que l’anglais est à jour' }).click()
    await staff.clock.install()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff).toHaveURL(/\/admin\/panel$/)
    await expect(toReview).toHaveCount(0)
    // The notice waits for whoever reads it.
    const notice = staff.getByText('Sauvegardé avec succès')
    await notice.hover()
    await staff.clock.fastForward(30_000)
    await expect(notice).toBeVisible()
    await staff.getByRole('link', { name: `Ouvrir « ${name} »` }).focus()
    await staff.mouse.move(0, 0)
    await staff.clock.fastForward(30_000)
    await expect(notice).toBeVisible()
    await staff.getByRole('main').getByRole('link').first().focus()
    await staff.clock.fastForward(10_000)
    await expect(notice).toBeHidden()

    await staff.goto('/admin/equipe')
    await staff.getByRole('button', { name: `Editer ${name}` }).click()
    await staff.getByLabel('Publié').click()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    const draft = staff.getByRole('row', { name: new RegExp(name) })
    await expect(draft).toContainText('Brouillon')
    await expect(draft.getByRole('link', { name: /Voir sur le site/ })).toHaveCount(0)
    // Visitors have it no longer, and staff only here.
    await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
    expect((await staff.request.get(page.url())).status()).toBe(404)
    await staff.goto('/team')
    await expect(staff.getByRole('link', { name: /Tous/ })).toBeVisible()
    await staff.getByRole('navigation', { name: 'Choisir un service' }).getByRole('link', { name: 'Équipe TI' }).click()
    await expect(staff).toHaveURL(/departement/)
    await expect(staff.locator('a.employee-card').filter({ hasText: 'Josée Bouchard' })).toBeVisible()
    await expect(staff.locator('a.employee-card').filter({ hasText: name })).toHaveCount(0)

    await staff.goto('/admin/equipe')
    await staff.getByRole('button', { name: `Effacer ${name}` }).click()
    await expect(staff.getByRole('alertdialog')).toContainText('Vous pourrez annuler la suppression.')
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
    await expect(staff.getByText('Effacé avec succès')).toBeVisible()
    await expect(staff.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
  })

  test('puts the team in order by pointer and by keyboard, as visitors then see it, and undoes it', async ({ staff, page }) => {
    await staff.goto('/admin/equipe')
    await staff.getByRole('button', { name: 'Changer l’ordre' }).click()
    const dialog = staff.getByRole('dialog', { name: 'Ordre sur le site' })
    const handles = dialog.getByRole('button', { name: /^Déplacer / })
    await handles.filter({ visible: true }).first().focus()
    const first = (await dialog.getByRole('listitem').first().innerText()).replace(/\d+/, '').trim()
    await staff.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('status')).toHaveText(new RegExp(`^${first}.: 2 sur `))
    await expect(handles.nth(1)).toBeFocused()
    await expectAccessible(staff)
    const [from, to] = [await handles.nth(2).boundingBox(), await handles.first().boundingBox()]
    const third = (await dialog.getByRole('listitem').nth(2).innerText()).replace(/\d+/, '').trim()
    if (!from || !to) throw new Error('The handles are not visible.')
    await staff.mouse.move(from.x + 9, from.y + 9)
    await staff.mouse.down()
    await staff.mouse.move(to.x + 9, to.y + 9, { steps: 6 })
    await staff.mouse.up()
    await expect(dialog.getByRole('listitem').first()).toContainText(third)
    await dialog.getByRole('button', { name: 'Sauvegarder l’ordre' }).click()
    await expect(staff.getByRole('row').nth(1)).toContainText(third)
    await page.goto('/team')
    const cards = page.locator('a[href*="/team/employe/"]')
    await expect(cards.first()).toContainText(third)
    await staff.getByRole('button', { name: 'Annuler le changement' }).click()
    await expect(staff.getByText('L’ordre précédent est rétabli.')).toBeVisible()
    await expect(cards.first()).toContainText(first)
  })

  test('shows both versions to the second of two editors, and restores a deletion from the audit log', async ({
    staff,
    newPerson,
  }) => {
    test.slow()
    const other = await newPerson()
    await signIn(other)
    for (const editor of [staff, other]) {
      await editor.goto('/admin/equipe')
      await editor.getByRole('button', { name: 'Editer Samuel Nguyen' }).click()
    }
    await other.getByLabel('Titre', { exact: true }).fill('Programmeur en chef')
    await other.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(other).toHaveURL(/\/admin\/equipe$/)
    await staff.getByLabel('Titre', { exact: true }).fill('Programmeur principal')
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    const question = staff.getByRole('alertdialog')
    await expect(question).toContainText('Programmeur en chef')
    await expect(question).toContainText('Programmeur principal')
    await expectAccessible(staff)
    await question.getByRole('button', { name: 'Utiliser la version sauvegardée' }).click()
    await expect(staff.getByLabel('Titre', { exact: true })).toHaveValue('Programmeur en chef')

    await other.getByRole('button', { name: 'Effacer Samuel Nguyen' }).click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
    await expect(other.getByRole('row', { name: /Samuel Nguyen/ })).toHaveCount(0)
    await other.goto('/admin/journal?area=employees')
    await expectAccessible(other)
    const line = other.getByRole('listitem').filter({ hasText: 'Suppression' }).filter({ hasText: 'Samuel Nguyen' })
    await line.getByRole('button', { name: 'Restaurer' }).click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Restaurer la fiche' }).click()
    await expect(other.getByText('La fiche est restaurée.')).toBeVisible()
    await other.goto('/admin/equipe')
    await expect(other.getByRole('row', { name: /Samuel Nguyen/ })).toContainText('Programmeur en chef')
  })
})

test('sorts, searches and restores the list from its address, by keyboard alone', async ({ staff }) => {
  const released = Promise.withResolvers<void>()
  await staff.route('**/api/employees/employes', async (route) => {
    await released.promise
    await route.continue()
  })
  await staff.goto('/admin/equipe')
  await expect(staff.getByRole('status').filter({ hasText: 'Chargement…' }).locator('.spinner')).toBeVisible()
  released.resolve()
  const firstName = staff.getByRole('rowheader').first()
  await expect(firstName).toHaveText(/^A/)
  // Columns are aligned with their headings, and the buttons of a row keep their labels on one line.
  for (const cell of [staff.getByRole('columnheader').first(), firstName]) await expect(cell).toHaveCSS('text-align', 'start')
  const remove = staff.getByRole('button', { name: /^Effacer / }).first()
  expect((await remove.boundingBox())?.height).toBeLessThan(40)
  await staff.getByRole('link', { name: 'Nom' }).focus()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('columnheader', { name: 'Nom' })).toHaveAttribute('aria-sort', 'ascending')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/sort=-nom/)
  await expect(firstName).toHaveText('Zoé Lavallée')
  // Another one has « technicien » in the name of a department.
  const found = staff.waitForResponse((response) => new URL(response.url()).pathname === '/api/search')
  await staff.getByRole('searchbox').fill('reseau technicienne')
  await (await found).finished()
  await expect(staff.getByRole('rowheader')).toHaveText(['Zoé Lavallée'])
  await staff.reload()
  await expect(staff.getByRole('rowheader')).toHaveText(['Zoé Lavallée'])
  await staff.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Équipe' }).click()
  await expect(staff.getByRole('searchbox')).toHaveValue('')
  await staff.goBack()
  await expect(staff.getByRole('searchbox')).toHaveValue('reseau technicienne')
  await expect(staff.getByRole('rowheader')).toHaveText(['Zoé Lavallée'])
  await staff.getByRole('searchbox').fill('introuvable')
  await staff.getByRole('button', { name: 'Effacer la recherche' }).click()
  await expect(staff.getByRole('rowheader').first()).toBeVisible()
})

/** Delays the decoding of pictures until the returned function is called. */
async function holdDecoding(page: Page) {
  const handle = await page.evaluateHandle(() => {
    const released = Promise.withResolvers<void>()
    const decode = window.createImageBitmap.bind(window)
    const decodeLater = async (...photo: Parameters<typeof decode>) => {
      await released.promise
      return decode(...photo)
    }
    Object.assign(window, { createImageBitmap: decodeLater })
    return released
  })
  return () => handle.evaluate((released) => released.resolve())
}
