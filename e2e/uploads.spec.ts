import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { makeTone } from '../src/features/recordings/server/sound.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const screens = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

/** Begins to import a recording at 1 MB a second, until `session` is detached. */
async function sendSlowly(staff: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await staff.goto('/admin/recordings')
  await staff.getByRole('button', { name: 'Importer' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Importer des enregistrements' })
  await dialog.getByLabel('Fichiers').setInputFiles(file)
  const session = await staff.context().newCDPSession(staff)
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 }
  await session.send('Network.emulateNetworkConditions', conditions)
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
    const percent = async () => Number(await bar.getAttribute('aria-valuenow'))
    await expect.poll(percent, { timeout: 60_000 }).toBeGreaterThan(20)
    await expect(dialog.getByText('Encore moins d’une minute')).toBeVisible()
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
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow')), { timeout: 60_000 }).toBeGreaterThan(20)
  await dialog.getByRole('button', { name: 'Arrêter l’envoi' }).click()
  await expect(dialog.getByText('Envoi arrêté')).toBeVisible()
  await session.detach()
  const before = offsets.length
  await dialog.getByRole('button', { name: 'Reprendre l’envoi' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('Importé', { timeout: 60_000 })
  expect(offsets[before]).toBeGreaterThan(0)
})
