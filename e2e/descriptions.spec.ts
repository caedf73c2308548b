import { fileURLToPath } from 'node:url'
import { expect, expectAccessible, test } from './fixtures.ts'

const picture = fileURLToPath(new URL('../public/icon-512.png', import.meta.url))

test('writes what search results and shared links show of a page, and sees it as it is typed', async ({ staff, page }) => {
  await staff.goto('/admin/textes')
  await staff.getByRole('link', { name: 'Recherche et partage' }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Recherche et partage')
  await expectAccessible(staff)
  await staff.getByRole('searchbox', { name: 'Chercher une page' }).fill('infra')
  await staff.getByRole('button', { name: 'Chercher une page' }).click()
  await staff.getByRole('button', { name: 'Éditer Infrastructure' }).click()

  const result = staff.getByRole('region', { name: 'Dans les résultats de recherche (FR)' })
  const card = staff.getByRole('region', { name: 'Carte de partage (EN)' })
  // What the page says by itself stands there until something is written.
  const supplied = (await staff.getByLabel('Titre de la page', { exact: true }).getAttribute('placeholder')) ?? ''
  expect(supplied).toMatch(/\S/)
  await expect(result).toContainText(supplied)
  const title = staff.getByLabel('Titre de la page', { exact: true })
  await title.fill('Câblage et réseaux à Québec, posés par des gens d’ici depuis longtemps')
  await expect(result).toContainText('posés par des gens d’ici')
  await expect(staff.getByText(/les résultats de recherche en montrent environ 60/)).toBeVisible()
  await title.fill('Câblage et réseaux à Québec')
  await staff.getByLabel('Description', { exact: true }).fill('Une armoire bien rangée, posée par des gens d’ici.')
  await staff.getByLabel('Titre de la page (Anglais)').fill('Cabling and networks in Quebec City')
  await expect(card).toContainText('Cabling and networks in Quebec City')
  await staff.getByLabel('Image de partage').setInputFiles(picture)
  await expect(card.getByRole('presentation')).toHaveAttribute('src', /^\/media\/[\da-f]{32}-1200\.jpeg$/)
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/recherche_partage/)
  await expect(staff.getByRole('row', { name: /Infrastructure.*Texte du bureau/ })).toBeVisible()

  await page.goto('/infrastructure')
  await expect(page).toHaveTitle(/^Câblage et réseaux à Québec \| /)
  const content = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content')
  expect(await content('description')).toBe('Une armoire bien rangée, posée par des gens d’ici.')
  expect(await content('og:title')).toMatch(/^Câblage et réseaux à Québec \| /)
  expect(await content('og:image')).toMatch(/^http.*\/media\/[\da-f]{32}-1200\.jpeg$/)
  await page.goto('/infrastructure?lang=en')
  await expect(page).toHaveTitle(/^Cabling and networks in Quebec City \| /)
  // Nothing was written in English: the page's own text stands.
  expect(await content('description')).toMatch(/\S/)
  expect(await content('og:description')).not.toContain('armoire')

  // Going from page to page shows the title too, without asking the server for it.
  await page.goto('/cloud')
  await page.locator('main a[href^="/infrastructure"]').first().click()
  await expect(page).toHaveTitle(/^Câblage et réseaux à Québec \| /)

  // Empty again, the page says what it said before, as the journeys expect that share this product.
  await staff.getByRole('button', { name: 'Éditer Infrastructure' }).click()
  for (const label of ['Titre de la page', 'Titre de la page (Anglais)', 'Description'])
    await staff.getByLabel(label, { exact: true }).fill('')
  await staff.getByRole('button', { name: 'Revenir à l’image de la page' }).click()
  await expect(card.getByRole('presentation')).toHaveAttribute('src', /share-en\.png$/)
  await expect(result).toContainText(supplied)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByRole('row', { name: /Infrastructure.*Texte de la page/ })).toBeVisible()
  await page.goto('/infrastructure')
  expect(await content('og:image')).toMatch(/share-fr\.png$/)
  await expect(page).toHaveTitle(supplied)
})
