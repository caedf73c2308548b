import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { makeTone } from '../src/features/recordings/server/sound.ts'
import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { fillIn, forms, stored } from './request-forms.ts'

const screens = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

/** A file of so many bytes takes 55 s until the session is detached. Chromium sends the rest at once when the limit changes. */
async function slowDown(page: Page, bytes: number) {
  const session = await page.context().newCDPSession(page)
  const limit = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes / 55 }
  await session.send('Network.emulateNetworkConditions', limit)
  return session
}

/** Waits until 5 % of a file were sent, so that most of it is left for what the test does. */
const underWay = (bar: Locator) =>
  expect.poll(async () => Number(await bar.getAttribute('aria-valuenow')), { timeout: 60_000 }).toBeGreaterThan(5)

/** Begins to import a recording, slowly until `session` is detached. */
async function sendSlowly(staff: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await staff.goto('/admin/recordings')
  await staff.getByRole('button', { name: 'Importer' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Importer des enregistrements' })
  await dialog.getByLabel('Fichiers').setInputFiles(file)
  const session = await slowDown(staff, file.buffer.length)
  await dialog.getByRole('button', { name: 'Importer' }).click()
  return { dialog, session }
}

for (const viewport of screens) {
  test(`an upload of 8 MB goes on where it was after the connection broke, at ${viewport.width}`, async ({
    staff,
    expectedErrors,
  }) => {
    test.slow()
    expectedErrors.push(
      'net::ERR_INTERNET_DISCONNECTED',
      'Failed to fetch',
      'ERR_NETWORK',
      'ApiError',
      'server cannot be reached',
    )
    await staff.setViewportSize(viewport)
    const number = `5815551${viewport.width}`.slice(0, 10)
    const file = {
      name: `external-104-${number}-20261121-143000-1700000000.9.wav`,
      mimeType: 'audio/wav',
      buffer: makeTone({ seconds: 500, hertz: viewport.width }),
    }
    expect(file.buffer.length).toBeGreaterThan(7_900_000)
    const offsets: number[] = []
    staff.on('request', (request) => {
      const offset = request.headers()['upload-offset']
      if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
    })

    const { dialog, session } = await sendSlowly(staff, file)
    const bar = dialog.getByRole('progressbar', { name: `Envoi de ${file.name}` })
    await expect(dialog.getByText('Encore moins d’une minute')).toBeVisible()
    await underWay(bar)
    await expectAccessible(staff)

    await staff.context().setOffline(true)
    await expect(dialog.getByText('Connexion perdue').first()).toBeVisible()
    const before = offsets.length
    await session.detach()
    await staff.context().setOffline(false)
    await expect.poll(() => offsets.length, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(offsets[before]).toBeGreaterThan(0)

    await expect(dialog.getByRole('listitem').filter({ hasText: file.name })).toContainText('Importé', { timeout: 60_000 })
    await dialog.getByRole('button', { name: 'Fermer' }).last().click()
    await staff.goto(`/admin/recordings?search=${number}`)
    const download = staff.waitForEvent('download')
    await staff
      .getByRole('link', { name: /^Télécharger/ })
      .first()
      .click()
    expect(readFileSync(await (await download).path()).equals(file.buffer)).toBe(true)
  })
}

test('an upload that was stopped is resumed without choosing the file again', async ({ staff, expectedErrors }) => {
  test.slow()
  expectedErrors.push('net::ERR_ABORTED')
  const file = {
    name: 'external-104-5815559777-20261121-143000-1700000000.8.wav',
    mimeType: 'audio/wav',
    buffer: makeTone({ seconds: 500, hertz: 700 }),
  }
  const offsets: number[] = []
  staff.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  const { dialog, session } = await sendSlowly(staff, file)
  const bar = dialog.getByRole('progressbar')
  await underWay(bar)
  await dialog.getByRole('button', { name: 'Arrêter l’envoi' }).click()
  await expect(dialog.getByText('Envoi arrêté')).toBeVisible()
  await session.detach()
  const before = offsets.length
  await dialog.getByRole('button', { name: 'Reprendre l’envoi' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('Importé', { timeout: 60_000 })
  expect(offsets[before]).toBeGreaterThan(0)
})

test('a reply with a large file goes on where it was after the connection broke, and is stored once', async ({
  page,
  staff,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('net::ERR_INTERNET_DISCONNECTED', 'Failed to fetch', 'server cannot be reached')
  const text = `Voir le plan ${test.info().testId}`
  await page.goto(forms.contact.path)
  await hydrated(page)
  await fillIn(page, 'contact', text)
  await page.getByRole('button', { name: forms.contact.send }).click()
  const reference = await page.getByText(forms.contact.number).innerText()
  await expect.poll(() => stored(staff, text)).toHaveLength(1)
  await staff.goto(`/admin/demandes?search=${reference}`)
  await staff.getByRole('link', { name: reference }).click()

  const buffer = Buffer.alloc(8_000_000, 'étage, ')
  const offsets: number[] = []
  staff.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  const panel = staff.getByRole('tabpanel', { name: 'Répondre au client' })
  await panel.getByLabel('Votre réponse').fill('Le plan est joint.')
  await panel.locator('input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer })
  const session = await slowDown(staff, buffer.length)
  await panel.getByRole('button', { name: 'Envoyer', exact: true }).click()
  const bar = panel.getByRole('progressbar', { name: 'Envoi de plan.txt' })
  await underWay(bar)
  await expectAccessible(staff)
  await staff.context().setOffline(true)
  await expect(panel.getByText('Connexion perdue').first()).toBeVisible()
  const before = offsets.length
  await session.detach()
  await staff.context().setOffline(false)
  const sent = staff.getByRole('link', { name: /plan\.txt/ })
  await expect(sent).toHaveCount(1, { timeout: 60_000 })
  expect(offsets[before]).toBeGreaterThan(0)
  const download = staff.waitForEvent('download')
  await sent.click()
  expect(readFileSync(await (await download).path()).equals(buffer)).toBe(true)
})

test('an application from a slow phone shows how far its file is, is stopped, and is sent again with it', async ({
  newPerson,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('net::ERR_ABORTED', 'AbortError')
  const page = await newPerson({ viewport: { width: 390, height: 844 } })
  await page.goto('/emploi/voir/1')
  await hydrated(page)
  await page.getByLabel('Prénom').fill('Zoé')
  await page.getByLabel('Nom', { exact: true }).fill(`Lente ${test.info().testId}`)
  await page.getByLabel('Courriel').fill('zoe@example.com')
  await page.getByLabel('Téléphone').fill('418 555-0199')
  const lines = '1 0 obj << >> endobj\n'.repeat(300_000)
  const buffer = Buffer.from(`%PDF-1.7\n${lines}trailer << >>\nstartxref\n9\n%%EOF\n`)
  await page.getByLabel(/Curriculum vitæ/).setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer })
  const session = await slowDown(page, buffer.length)
  const send = page.getByRole('button', { name: 'Envoyer ma candidature' })
  await send.click()
  const bar = page.getByRole('progressbar', { name: 'Envoi de cv.pdf' })
  await expect(page.getByText('Encore moins d’une minute')).toBeVisible()
  await underWay(bar)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Arrêter l’envoi' }).click()
  await expect(page.getByText('Vous avez arrêté l’envoi')).toBeVisible()
  await expectAccessible(page)
  await session.detach()
  await page.getByRole('button', { name: 'Renvoyer la demande' }).click()
  await expect(page.getByText(/^CA-20\d\d-\d{6}$/)).toBeVisible()
  await expect(page.getByLabel('Nom', { exact: true })).toHaveValue('')
})

test('a customer’s answer with a large file shows how far it is, is stopped, goes on and opens the thread again', async ({
  page,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('net::ERR_ABORTED', 'AbortError')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(forms.contact.path)
  await hydrated(page)
  await fillIn(page, 'contact', `Panne ${test.info().testId}`)
  await page.getByRole('button', { name: forms.contact.send }).click()
  await page.getByRole('link', { name: 'Suivre ma demande' }).click()
  await page.getByLabel('Ajouter un message').fill('Voici la photo du panneau.')
  const buffer = Buffer.alloc(4_000_000, 'panneau, ')
  await page.getByLabel(/Joindre des fichiers/).setInputFiles({ name: 'panneau.txt', mimeType: 'text/plain', buffer })
  await hydrated(page)
  const session = await slowDown(page, buffer.length)
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  const bar = page.getByRole('progressbar', { name: 'Envoi de panneau.txt' })
  await underWay(bar)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Arrêter l’envoi' }).click()
  await expect(page.getByText('Envoi arrêté')).toBeVisible()
  await session.detach()
  await page.getByRole('button', { name: 'Reprendre l’envoi' }).click()
  await expect(page).toHaveURL(/etat=/)
  await expect(page.getByRole('link', { name: /panneau\.txt/ })).toHaveCount(1)
  await expect(page.getByLabel('Ajouter un message')).toHaveValue('')
})

test('leaving a page while it sends a file asks first, and an upload that goes on asks nothing more', async ({
  staff,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('net::ERR_ABORTED')
  await staff.goto('/admin/importer')
  await staff.getByLabel('Type de données').selectOption({ label: 'Abonnés aux avis' })
  const rows = Array.from({ length: 90_000 }, (_, index) => `personne${index}@example.com,fr`).join('\n')
  const buffer = Buffer.from(`email,language\n${rows}`)
  await staff.getByLabel('Fichier', { exact: true }).setInputFiles({ name: 'abonnes.csv', mimeType: 'text/csv', buffer })
  const session = await slowDown(staff, buffer.length)
  await staff.getByRole('button', { name: 'Vérifier le fichier' }).click()
  const bar = staff.getByRole('progressbar', { name: 'Envoi de abonnes.csv' })
  await expect(bar).toBeVisible()
  await staff.locator('.admin-menu-wide').getByRole('link', { name: 'Demandes' }).click()
  const question = staff.getByRole('alertdialog', { name: 'Un envoi est en cours' })
  await expect(question).toContainText('Quitter la page arrête l’envoi.')
  await expectAccessible(staff)
  await question.getByRole('button', { name: 'Rester sur la page' }).click()
  await expect(bar).toBeVisible()
  await staff.locator('.admin-menu-wide').getByRole('link', { name: 'Demandes' }).click()
  await question.getByRole('button', { name: 'Arrêter l’envoi et quitter' }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Demandes')
  await session.detach()

  // In a window over the page as well: its own way out asks too.
  const tone = makeTone({ seconds: 500, hertz: 500 })
  const file = { name: 'external-104-5815559778-20261121-143000-1700000000.7.wav', mimeType: 'audio/wav', buffer: tone }
  const { dialog, session: slow } = await sendSlowly(staff, file)
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(question).toContainText('Fermer cette fenêtre arrête l’envoi.')
  await slow.detach()
  // It ends meanwhile: the question is gone, and the file is there.
  await expect(dialog.getByRole('listitem')).toContainText('Importé', { timeout: 60_000 })
  await expect(question).toHaveCount(0)
})

test('closing the window of a picture while it is sent asks first', async ({ staff, expectedErrors }) => {
  expectedErrors.push('net::ERR_ABORTED')
  await staff.goto('/admin/articles/new')
  await staff.getByRole('button', { name: 'Image', exact: true }).first().click()
  const dialog = staff.getByRole('dialog', { name: 'Ajouter une image' })
  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const
  const buffer = await sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#2050a0', noise } })
    .png()
    .toBuffer()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer })
  const session = await slowDown(staff, buffer.length)
  await dialog.getByRole('button', { name: 'Insérer l’image' }).click()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  const question = staff.getByRole('alertdialog', { name: 'Un envoi est en cours' })
  await question.getByRole('button', { name: 'Annuler' }).click()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await staff.keyboard.press('Escape')
  await expectAccessible(staff)
  await question.getByRole('button', { name: 'Arrêter l’envoi et fermer' }).click()
  await expect(dialog).toBeHidden()
  await expect(staff.getByRole('textbox', { name: 'Texte', exact: true }).locator('img')).toHaveCount(0)
  await session.detach()
})
