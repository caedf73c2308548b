import { expect, expectAccessible, test, xsrfHeaders } from './fixtures.ts'

test('finds, exports and erases personal data, and records an incident', async ({ staff, page }) => {
  await page.goto('/contact')
  const sent = await page.request.post('/api/mailer/contact', {
    headers: await xsrfHeaders(page),
    data: { honey: '', name: 'Annie Roy', email: 'annie.roy@example.com', phone: '418 555-0142', message: 'Une question.' },
  })
  expect(sent.status()).toBe(200)

  await staff.goto('/admin/privacy')
  await staff.getByLabel('Adresse de courriel, téléphone, nom ou mots').fill('annie.roy@example.com')
  await staff.getByRole('button', { name: 'Rechercher' }).click()
  await expect(staff.getByText('Une question.').first()).toBeVisible()
  await expectAccessible(staff)
  for (const [name, file] of [
    ['Exporter en JSON', 'renseignements.json'],
    ['Exporter en CSV', 'renseignements.csv'],
  ] as const) {
    const download = staff.waitForEvent('download')
    await staff.getByRole('button', { name }).click()
    expect((await download).suggestedFilename()).toBe(file)
  }
  await staff.getByRole('button', { name: /^Effacer \d+ résultats?$/ }).click()
  await staff
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Effacer \d+ résultats?$/ })
    .click()
  await expect(staff.getByText('Renseignements effacés')).toBeVisible()
  await expectAccessible(staff)
  const proof = (await staff.getByText(/^[\da-f]{32}$/).textContent()) ?? 'none'
  await staff.goto('/admin/journal')
  await expect(staff.getByText(proof).first()).toBeVisible()
  await expect(staff.getByText('annie.roy')).toHaveCount(0)

  await staff.goto('/admin/incident_nouveau')
  await staff.getByLabel('Date de prise de connaissance').fill('2026-11-04')
  for (const field of ['Date ou période de l’incident', 'Renseignements visés', 'Circonstances', 'Mesures prises'])
    await staff.getByLabel(field).fill('Portable volé')
  await staff.getByLabel('Évaluation du risque de préjudice').fill('Disque chiffré')
  await staff.getByLabel('Risque de préjudice sérieux').check()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/incidents$/)
  await expect(staff.getByRole('row', { name: /4 novembre 2026.*Sérieux/ })).toBeVisible()
  await expectAccessible(staff)
})

test.describe('the search of a person', () => {
  // What is no search is refused.
  test.use({ expectedErrors: ['400 (Bad Request)'] })

  test('a person is found by telephone and by name, and what is only possible is ticked one by one', async ({ staff, page }) => {
    await page.goto('/contact')
    for (const email of ['odile@example.com', 'other@example.com']) {
      const sent = await page.request.post('/api/mailer/contact', {
        headers: await xsrfHeaders(page),
        data: { honey: '', name: 'Odile Fortin', email, phone: '418 555-0163', message: `Bonjour de ${email}.` },
      })
      expect(sent.status()).toBe(200)
    }
    await staff.goto('/admin/privacy')
    const field = staff.getByLabel('Adresse de courriel, téléphone, nom ou mots')
    await field.fill('%')
    await field.press('Enter')
    await expect(staff.getByText('Écrivez de 2 à 200 caractères')).toBeVisible()
    await field.fill('(418) 555-0163')
    await field.press('Enter')
    await expect(staff.getByText('0 coché sur 2')).toBeVisible()
    await expect(staff.getByRole('button', { name: /^Effacer/ })).toHaveCount(0)
    await expect(staff.getByText('Téléphone\u00a0: «\u00a0418 555-0163\u00a0»').first()).toBeVisible()
    const box = staff.getByRole('listitem').filter({ hasText: 'Bonjour de odile@example.com' }).getByRole('checkbox')
    await box.check()
    await expectAccessible(staff)
    await staff.getByRole('button', { name: 'Effacer 1 résultat' }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer 1 résultat' }).click()
    await expect(staff.getByText(/Demandes\u00a0: 1, non coché/)).toBeVisible()
    await expect(staff.getByText('Bonjour de odile@example.com')).toHaveCount(0)
    await expect(staff.getByText('Bonjour de other@example.com').first()).toBeVisible()
  })
})

test.describe('the register of requests', () => {
  // Days that do not agree are refused.
  test.use({ expectedErrors: ['400 (Bad Request)'] })

  test('records a request about information, which is late, and its answer', async ({ staff }) => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await staff.goto('/admin/privacy')
    await staff.getByRole('link', { name: 'Registre des demandes à propos de renseignements' }).click()
    await expect(staff.getByText('Aucune demande inscrite')).toBeVisible()
    await staff.getByRole('link', { name: 'Nouveau' }).click()
    await staff.getByLabel('Objet').selectOption('Rectification')
    await staff.getByLabel('Reçue le').fill(day(40))
    await staff.getByLabel('Réponse donnée le').fill(day(50))
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByText('Ce jour précède celui qu’il doit suivre.')).toBeVisible()
    await staff.getByLabel('Réponse donnée le').fill('')
    await expectAccessible(staff)
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff).toHaveURL(/\/admin\/registre$/)
    await expect(staff.getByRole('row', { name: /Rectification.*En retard/ })).toBeVisible()
    await expectAccessible(staff)
    await staff.goto('/admin/panel')
    await expect(staff.getByRole('heading', { name: '1 demande de renseignements personnels en retard' })).toBeVisible()

    await staff.goto('/admin/registre')
    await staff.getByRole('link', { name: /Éditer Rectification/ }).click()
    await staff.getByLabel('Suite donnée').fill('Adresse corrigée')
    await staff.getByLabel('Réponse donnée le').fill(day(1))
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('row', { name: /Rectification.*Traitée.*Adresse corrigée/ })).toBeVisible()
    const saved = staff.waitForEvent('download')
    await staff.getByRole('link', { name: 'Exporter en CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^demandes-a-propos-de-renseignements-.*\.csv$/)
  })
})

test.describe('the privacy officer', () => {
  test.use({ expectedErrors: ['400 (Bad Request)'] })

  test('is changed in the administration, and is the one of the policy at once, in both languages', async ({ staff, page }) => {
    await page.goto('/about/personal_information')
    const former = await page.getByRole('link', { name: /^Écrire à/ }).getAttribute('href')
    const change = async (email: string) => {
      await staff.goto('/admin/privacy')
      await staff.getByRole('button', { name: 'Changer de responsable' }).click()
      const field = staff.getByRole('textbox', { name: 'Courriel' }).last()
      await field.fill('sans arobas')
      await staff.getByRole('button', { name: 'Sauvegarder le responsable' }).click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(staff)
      await field.fill(email)
      await staff.getByRole('button', { name: 'Sauvegarder le responsable' }).click()
      await expect(staff.getByRole('link', { name: email })).toBeVisible()
    }
    await change('autre.responsable@example.com')
    for (const language of ['fr', 'en']) {
      await page.goto(`/about/personal_information?lang=${language}`)
      await expect(page.locator('a[href="mailto:autre.responsable@example.com"]').first()).toBeVisible()
      await expect(page.locator(`a[href="${former}"]`)).toHaveCount(0)
    }
    await change(former?.replace('mailto:', '') ?? '')
    await page.goto('/about/personal_information?lang=fr')
    await expect(page.locator(`a[href="${former}"]`).first()).toBeVisible()
  })
})

test('prepares an archive of everything and downloads it once', async ({ staff }) => {
  await staff.goto('/admin/exports')
  await expect(staff.getByText('Aucune exportation pour le moment')).toBeVisible()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Préparer l’archive' }).click()
  const link = staff.getByRole('link', { name: /^Télécharger/ })
  await expect(link).toBeVisible()
  await expectAccessible(staff)
  const download = staff.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toMatch(/^guichet-[\d-]+\.zip$/)
  await expect(staff.getByText('Téléchargée')).toBeVisible()
})
