import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, hydrated, signIn, test, xsrfHeaders } from './fixtures.ts'
import { createUser } from './new-user.ts'

const person = {
  firstname: 'Zoé',
  lastname: 'Lavallée',
  email: 'zoe@client.example.com',
  phone: '418 555-0100',
  description: 'Depuis ce matin.\nRien ne sort.',
}

async function fillIn(page: Page, subject: string) {
  const values = { ...person, subject }
  for (const [name, value] of Object.entries(values)) await page.locator(`form [name="${name}"]`).fill(value)
}

test('a visitor makes a service call: the staff get the mail, take the request, comment and finish it', async ({
  page,
  staff,
  product,
}) => {
  await page.clock.install()
  await page.goto('/appel-de-service')
  await hydrated(page)
  await fillIn(page, 'Imprimante hors ligne')
  await expect(page.getByText('30 / 2\u00a0000')).toBeVisible()
  const button = page.getByRole('button', { name: 'Envoyer la demande' })
  await button.click()
  const card = page.getByRole('main').getByRole('status').filter({ hasText: 'Votre demande a été envoyée avec succès' })
  await expect(card).toBeVisible()
  const number = page.getByText(/^AS-20\d\d-\d{6}$/)
  await expect(number).toBeVisible()
  const reference = await number.innerText()
  await expect(page.locator(':focus')).toContainText(reference)
  await expect(button).toBeDisabled()
  await expect(page.getByLabel('Prénom')).toHaveValue('')
  await expect(page.getByText('0 / 2\u00a0000')).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(card).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(card).toHaveCount(0)
  await expect(number).toBeVisible()
  await expect(button).toBeEnabled()
  await expect
    .poll(() => product.smtp.received.map((mail) => mail.subject))
    .toContain(`[${reference}] Appel de service\u00a0: Imprimante hors ligne`)

  await staff.goto('/admin/panel')
  await staff.getByRole('main').getByRole('link', { name: 'Demandes' }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Demandes')
  await expectAccessible(staff)
  await staff.getByRole('searchbox', { name: 'Rechercher' }).fill(reference)
  await staff.getByRole('button', { name: 'Filtrer' }).click()
  await expect(staff).toHaveURL(new RegExp(`search=${reference}`))
  const row = staff.getByRole('row', { name: new RegExp(reference) })
  await expect(row).toContainText('Nouvelle')
  await expect(row).toContainText('Envoyé')
  await row.getByRole('link', { name: reference }).click()
  await expect(staff.getByText('Rien ne sort.')).toBeVisible()
  await expectAccessible(staff)
  // Another screen of the staff has the same request open.
  const other = await staff.context().newPage()
  await other.goto(staff.url())
  const statusOf = (screen: Page) => screen.getByRole('group', { name: 'Statut' })
  await expect(statusOf(other).getByRole('button', { pressed: true })).toHaveText('Nouvelle')
  await staff.getByRole('button', { name: 'Prendre en charge' }).click()
  await expect(statusOf(staff).getByRole('button', { pressed: true })).toHaveText('En cours')
  await expect(staff.getByLabel('Responsable').locator('option:checked')).not.toHaveText('Non assignée')
  await staff.getByRole('tab', { name: 'Commentaire interne' }).click()
  await staff.getByLabel('Nouveau commentaire').fill('Je passe <b>demain</b>.')
  await staff.getByRole('button', { name: 'Ajouter le commentaire' }).click()
  await expect(staff.getByText('Je passe <b>demain</b>.')).toBeVisible()
  await expect(staff.getByLabel('Nouveau commentaire')).toHaveValue('')
  await statusOf(staff).getByRole('button', { name: 'Résolue' }).click()
  await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()
  await expect(other.getByText('Je passe <b>demain</b>.')).toBeVisible({ timeout: 20_000 })
  await expect(statusOf(other).getByRole('button', { pressed: true })).toHaveText('Résolue')
  await other.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  })
  await other.getByRole('button', { name: 'Copier le numéro' }).click()
  await expect(other.getByRole('status').filter({ hasText: `Sélectionnez et copiez\u00a0: ${reference}` })).toBeVisible()
  await other.close()
  await staff.getByRole('button', { name: 'Retour' }).click()
  await expect(staff).toHaveURL(new RegExp(`search=${reference}`))
  await expect(row).toContainText('Résolue')
})

test('what is missing or wrong is said beside each field, in the language of the page, and nothing is sent', async ({ page }) => {
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/mailer/')) calls += 1
  })
  await page.goto('/appel-de-service')
  await hydrated(page)
  await page.getByLabel('Nom', { exact: true }).fill('Lavallée')
  await page.getByLabel('Courriel').fill('zoe@')
  await page.getByLabel('Description').fill('a'.repeat(2_001))
  await page.getByRole('button', { name: 'Envoyer la demande' }).click()
  const first = page.getByLabel('Prénom')
  await expect(first).toBeFocused()
  await expect(first).toHaveAttribute('aria-invalid', 'true')
  await expect(first).toHaveAccessibleDescription(/Ce champ est obligatoire/)
  await expect(page.getByLabel('Courriel')).toHaveAccessibleDescription(/adresse de courriel valide/)
  await expect(page.getByLabel('Description')).toHaveAccessibleDescription(/2.001 caractères, 2.000 au maximum/)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('5 champs sont à corriger')
  await expectAccessible(page)

  await page.getByLabel('Courriel').fill('zoe@client.example.com')
  await expect(page.getByLabel('Courriel')).not.toHaveAttribute('aria-invalid')
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription(/This field is required/)
  await expect(page.getByLabel('Last name')).toHaveValue('Lavallée')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('4 fields need a correction')
  expect(calls).toBe(0)
})

test.describe('when the server cannot be reached', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

  test('the visitor is told, and what they wrote stays, also after a reload', async ({ page }) => {
    await page.goto('/appel-de-service?lang=en')
    await hydrated(page)
    await fillIn(page, 'Offline')
    await page.route('**/api/mailer/support', (route) => route.abort())
    await page.getByRole('button', { name: 'Send the request' }).click()
    await expect(page.getByText('An error occurred while sending your request')).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByLabel('Subject')).toHaveValue('Offline')
    await page.reload()
    await expect(page.getByLabel('Subject')).toHaveValue('Offline')
    await expect(page.getByLabel('Description')).toHaveValue(person.description)
    await expect(page.getByText('30 / 2,000')).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ expectedErrors: ['400 (Bad Request)'] })

  test('the form says what is wrong, keeps the values and arrives', async ({ newPerson, product }) => {
    const page = await newPerson({ javaScriptEnabled: false })
    await page.goto('/appel-de-service')
    const subject = `Sans script ${test.info().testId}`
    await fillIn(page, subject)
    await page.getByLabel('Courriel').fill('zoe@')
    const button = page.getByRole('button', { name: 'Envoyer la demande' })
    await button.click()
    await expect(page.getByLabel('Courriel')).toHaveAccessibleDescription(/adresse de courriel valide/)
    await expect(page.getByLabel('Objet')).toHaveValue(subject)
    await expect(page.getByLabel('Description')).toHaveValue(person.description)

    // Going back to the filled form and sending at once is what people do.
    await page.goto('/support')
    await page.goBack()
    await page.getByLabel('Courriel').fill(person.email)
    await button.click()
    await expect(page.getByText(/^AS-20\d\d-\d{6}$/)).toBeInViewport()
    await expect(page.getByText('Votre demande a été envoyée avec succès')).toBeVisible()
    await expect.poll(() => product.smtp.received.filter((mail) => mail.subject?.endsWith(subject))).toHaveLength(1)
    await expect(button).toBeEnabled()
    await expect(page.getByLabel('Objet')).toHaveValue('')
  })
})

test('a customer follows the request on a phone, without a script: answers with a file, and says that it is resolved', async ({
  newPerson,
  staff,
}) => {
  const page = await newPerson({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto('/appel-de-service?lang=en')
  await fillIn(page, 'No phone on the second floor')
  await page.getByRole('button', { name: 'Send the request' }).click()
  const reference = await page.getByText(/^AS-20\d\d-\d{6}$/).innerText()
  await page.getByRole('link', { name: 'Follow my request' }).click()
  await expect(page).toHaveURL(/\/suivi\/[\w-]{22}\?lang=en$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(reference)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  const withScripts = await newPerson({ viewport: { width: 390, height: 844 } })
  await withScripts.goto(page.url())
  await hydrated(withScripts)
  await expectAccessible(withScripts)
  await page.getByLabel('Add a message').fill('Still <b>silent</b>. See https://example.com/lights?a=1.')
  await page.getByLabel(/Attach files/).setInputFiles({ name: 'phone.txt', mimeType: 'text/plain', buffer: Buffer.from('off') })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Your message was sent.')).toBeVisible()
  await expect(page.getByText('Still <b>silent</b>.')).toBeVisible()
  const address = page.getByRole('link', { name: 'https://example.com/lights?a=1', exact: true })
  await expect(address).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(page.getByRole('link', { name: /Download phone\.txt/ })).toBeVisible()
  await page.getByRole('button', { name: 'It is resolved' }).click()
  await expect(page.getByText('The request is marked as resolved.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'It is resolved' })).toHaveCount(0)
  await staff.goto(`/admin/demandes?search=${reference}`)
  await expect(staff.getByRole('row', { name: new RegExp(reference) })).toContainText('Résolue')
  // Where the demand for a new link leads, which ended the one it came from.
  await page.goto(`/suivi/${'A'.repeat(22)}?etat=lien&lang=en`)
  await expect(page.getByText('a new link was sent')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Get a new link' })).toHaveCount(0)
})

test('a mail that the server refuses is seen in the list, tried again, and followed until it has left', async ({
  page,
  staff,
  product,
}) => {
  product.smtp.setMood(550)
  const name = `=cmd ${test.info().testId}`
  await page.goto('/contact')
  await hydrated(page)
  const values = { name, email: person.email, phone: person.phone, message: 'Rappelez-moi.' }
  for (const [field, value] of Object.entries(values)) await page.locator(`form [name="${field}"]`).fill(value)
  await page.getByRole('button', { name: 'Envoyer!' }).click()
  const card = page.getByRole('main').getByRole('status').locator('.bg-ok-soft')
  await expect(card).toContainText('Votre message a été envoyé avec succès!')
  for (const field of ['name', 'email', 'phone', 'message', 'honey'])
    await expect(page.locator(`form [name="${field}"]`)).toHaveValue('')

  await staff.goto('/admin/panel')
  await staff.getByRole('main').getByRole('link', { name: 'Demandes' }).click()
  await staff.getByLabel('Responsable').selectOption('Non assignée')
  await expect(staff).toHaveURL(/assigned_to=none/)
  await staff.getByRole('link', { name: 'Nom', exact: true }).click()
  await expect(staff).toHaveURL(/assigned_to=none.*sort=name/)
  await expect(staff.getByRole('columnheader', { name: 'Nom' })).toHaveAttribute('aria-sort', 'ascending')
  const row = staff.getByRole('row', { name: new RegExp(name) })
  await expect(async () => {
    await staff.reload()
    await expect(row).toContainText('Échec', { timeout: 1_000 })
  }).toPass()
  const download = staff.waitForEvent('download')
  await staff.getByRole('button', { name: 'Exporter (CSV)' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(`;'${name};`)
  expect(file.startsWith('\uFEFF')).toBe(true)

  await row.getByRole('link').click()
  const mail = staff.getByRole('region', { name: 'Courriels' })
  const notice = mail.getByRole('listitem').filter({ hasText: 'Avis à l’équipe' })
  await expect(notice).toContainText('échec (refusé par le serveur de courriel)')
  await notice.getByText('Détails').click()
  await expect(notice).toContainText('550')
  await expectAccessible(staff)
  product.smtp.setMood('accept')
  await mail.getByRole('button', { name: 'Renvoyer l’avis' }).click()
  await expect(staff.getByText('Le courriel sera renvoyé dans un instant.')).toBeVisible()
  await expect(notice).toContainText('remis', { timeout: 20_000 })
  await expect(mail.getByRole('button')).toHaveCount(0)
})

test('the form says first that a network is in trouble', async ({ page }) => {
  await page.goto('/appel-de-service')
  await page.getByRole('main').getByRole('link', { name: 'Voir l’état du réseau' }).click()
  await expect(page).toHaveURL(/\/reseau$/)
})

test('who may only see the requests changes none', async ({ newPerson, staff }) => {
  const user = await createUser(staff, `lecture${test.info().workerIndex}`, { requests: 'read_only' })
  const page = await newPerson()
  await signIn(page, user)
  await page.goto('/admin/demandes')
  await expect(page.getByRole('heading', { level: 1, name: 'Demandes' })).toBeVisible()
  const link = page.getByRole('rowheader').getByRole('link').first()
  if ((await link.count()) === 0) return
  await link.click()
  await expect(page.getByRole('group', { name: 'Statut' }).getByRole('button', { name: 'Résolue' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Effacer la demande' })).toHaveCount(0)
  await expect(page.getByLabel('Nouveau commentaire')).toHaveCount(0)
})

test('two requests are compared and merged, with undo, and an address that refuses mail is corrected and written to again', async ({
  staff,
  product,
}) => {
  const mark = test.info().testId
  const address = `${mark}@client.example.com`
  const headers = await xsrfHeaders(staff)
  const references: string[] = []
  for (const subject of [`Premier ${mark}`, `Second ${mark}`]) {
    const data = { ...person, email: address, subject, language: 'fr' }
    const sent = await staff.request.post('/api/mailer/support', { data, headers })
    references.push(((await sent.json()) as { reference: string }).reference)
  }
  const [first = '', second = ''] = references
  await staff.goto(`/admin/demandes?search=${second}`)
  await staff.getByRole('link', { name: second }).click()
  const similar = staff.getByRole('region', { name: 'Peut-être la même demande' })
  await similar.getByRole('button', { name: 'Comparer et fusionner' }).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByRole('radio', { name: `Conserver ${first}` }).check()
  await expectAccessible(staff)
  await dialog.getByRole('button', { name: `Fusionner dans ${first}` }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toContainText(first)
  await expect(staff.getByText(`Fusion de ${second}`)).toBeVisible()
  await staff.getByRole('button', { name: /^Annuler \(\d+\ss\)$/ }).click()
  await expect(staff.getByText(`Fusion de ${second} annulée`)).toBeVisible()
  await expect(staff.getByRole('region', { name: 'Demandes fusionnées' })).toHaveCount(0)

  product.smtp.setMood(550)
  await staff.getByLabel('Votre réponse').fill('On s’en occupe.')
  await staff.getByRole('button', { name: 'Envoyer', exact: true }).click()
  const reply = staff.getByRole('article').filter({ hasText: 'On s’en occupe.' })
  await expect(reply).toContainText('échec', { timeout: 20_000 })
  product.smtp.setMood('accept')
  await reply.getByRole('button', { name: 'Corriger l’adresse' }).click()
  await dialog.getByLabel('Courriel').fill(`corrigee.${address}`)
  await dialog.getByLabel('Motif de la correction').fill('Faute de frappe')
  await dialog.getByRole('button', { name: 'Sauvegarder les coordonnées' }).click()
  await expect(staff.getByText('Coordonnées corrigées\u00a0: courriel')).toBeVisible()
  await expect(reply).toContainText(`à ${address}`)
  await reply.getByRole('button', { name: 'Renvoyer' }).click()
  await expect(reply).toContainText(`Réponse à corrigee.${address}\u00a0: remis`, { timeout: 20_000 })
  expect(product.smtp.received.filter(({ envelope }) => envelope.to.includes(`corrigee.${address}`))).toHaveLength(1)
})

test('a customer finds a begun message on the page of the request again, and not one that was sent', async ({ newPerson }) => {
  const page = await newPerson({ viewport: { width: 390, height: 844 } })
  await page.goto('/appel-de-service')
  await fillIn(page, 'Téléphones muets la nuit')
  await page.getByRole('button', { name: 'Envoyer la demande' }).click()
  await page.getByRole('link', { name: 'Suivre ma demande' }).click()
  const message = page.getByLabel('Ajouter un message')
  await expect(message).toBeVisible()
  await hydrated(page)
  await message.fill('La génératrice siffle.\nPersonne n’est sur place.')
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('génératrice')
  await page.reload()
  await expect(message).toHaveValue('La génératrice siffle.\nPersonne n’est sur place.')
  await page.getByRole('link', { name: 'Vos renseignements personnels' }).click()
  await expect(page).toHaveURL(/personal_information$/)
  await page.goBack()
  await expect(message).toHaveValue('La génératrice siffle.\nPersonne n’est sur place.')
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(page.getByText('Votre message est envoyé.')).toBeVisible()
  await hydrated(page)
  await expect(message).toHaveValue('')
  await page.reload()
  await hydrated(page)
  await expect(message).toHaveValue('')
})
