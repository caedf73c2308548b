import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'

test('the red code goes on and off on an open page', async ({ staff, page }) => {
  test.slow()
  await page.goto('/')
  await hydrated(page)
  const main = staff.getByRole('main')
  await main.getByRole('link', { name: 'Notes' }).click()
  const banner = main.getByRole('region', { name: 'Bandeau d’urgence' })
  await expect(banner.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  await expectAccessible(staff)
  await banner.getByRole('textbox', { name: 'Message', exact: true }).fill('Panne de courriel en cours.')
  await banner.getByRole('textbox', { name: 'Message (Anglais)' }).fill('Email outage in progress.')
  await banner.getByRole('button', { name: 'Aperçu' }).click()
  await expect(staff.getByRole('dialog').getByRole('region', { name: 'En anglais' })).toContainText('Email outage')
  await expectAccessible(staff)
  await staff.keyboard.press('Escape')
  await banner.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/panel$/)
  await expect(page.getByText('Panne de courriel en cours.')).toBeVisible()

  await main.getByRole('link', { name: 'Notes' }).click()
  await banner.getByRole('button', { name: 'Supprimer' }).click()
  await expect(staff.getByRole('alertdialog')).toContainText('Cette opération est irréversible.')
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(banner.getByText('Non publié')).toBeVisible()
  await expect(banner.getByRole('textbox', { name: 'Message', exact: true })).toHaveText('')
  await expect(page.getByText('Panne de courriel en cours.')).toHaveCount(0)
})

test('the home information is changed, its unsaved words are asked about, and who may only see it sees it', async ({
  staff,
  page,
  newPerson,
}) => {
  await page.goto('/')
  await hydrated(page)
  await staff.goto('/admin/panel')
  await staff.getByRole('main').getByRole('link', { name: 'Notes' }).click()
  const panel = staff.getByRole('region', { name: 'Panneau d’information' })
  const title = panel.getByLabel('Titre', { exact: true })
  await expect(title).toHaveValue('Horaire des Fêtes')
  await title.fill('Horaire d’été')
  await staff.getByRole('link', { name: 'Nouveau' }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Rester sur la page' }).click()
  await panel.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/panel$/)
  await expect(page.getByText('Horaire d’été')).toBeVisible()
  await expect(staff.getByRole('region', { name: 'Traductions anglaises à mettre à jour' })).toContainText(
    'Panneau d’information',
  )

  const reader = await newPerson()
  await signIn(reader, await createUser(staff, `accueil${test.info().workerIndex}`, { home: 'read_only' }))
  await reader.getByRole('main').getByRole('link', { name: 'Notes' }).click()
  await expect(reader.getByRole('region', { name: 'Panneau d’information' })).toContainText('Horaire d’été')
  await expect(reader.getByRole('region', { name: 'Bandeau d’urgence' })).toContainText('Non publié')
  await expect(reader.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await expectAccessible(reader)
})

test('a note is written, shown in the language of the page, changed and deleted', async ({ staff, page }) => {
  const date = `1er décembre, ${test.info().testId}`
  await page.goto('/reseau')
  await hydrated(page)
  await staff.goto('/admin/notes')
  await staff.getByRole('link', { name: 'Nouveau' }).click()
  await expect(staff).toHaveURL(/\/admin\/note_nouveau$/)
  await staff.getByLabel('Date').fill(date)
  await staff.getByLabel('Note', { exact: true }).fill('Entretien <b>cette nuit</b>.')
  await expect(staff.getByText('EN · manquant')).toBeVisible()
  await expect(staff.locator('[required], [aria-required="true"]')).toHaveCount(0)
  await staff.getByLabel('Note (Anglais)').fill('Maintenance tonight.')
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/notes$/)
  await expect(page.getByText('Entretien <b>cette nuit</b>.')).toBeVisible()
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByText('Maintenance tonight.')).toBeVisible()

  await staff.getByRole('button', { name: `Editer ${date}` }).click()
  await staff.getByLabel('Note', { exact: true }).fill('Entretien terminé.')
  await staff.getByLabel('Note (Anglais)').fill('Maintenance done.')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(page.getByText('Maintenance done.')).toBeVisible()
  await staff.getByRole('button', { name: `Effacer ${date}` }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
  await expect(page.getByText('Maintenance done.')).toHaveCount(0)
})

test.describe('a session that is over', () => {
  test.use({ expectedErrors: ['401', '403'] })

  test('takes nothing along: the text is there after the next log-in, for its writer alone', async ({ staff, newPerson }) => {
    const writer = await createUser(staff, `notes${test.info().workerIndex}`, { notes: 'read_write' })
    const page = await newPerson()
    await signIn(page, writer)
    await page.goto('/admin/note_nouveau')
    await page.getByLabel('Note', { exact: true }).fill('À moitié écrite')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Votre session a expiré')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Se reconnecter' }).click()
    await page.getByLabel('Nom d’utilisateur').fill(writer.username)
    await page.getByLabel('Mot de passe').fill(writer.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('link', { name: 'Ouvrir cette page' }).click()
    await expect(page.getByLabel('Note', { exact: true })).toHaveValue('À moitié écrite')

    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page)
    await page.goto('/admin/note_nouveau')
    await expect(page.getByLabel('Note', { exact: true })).toHaveValue('')
  })
})
