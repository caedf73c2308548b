import { makeTone } from '../src/features/recordings/server/sound.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const number = '5815550191'
const file = {
  name: `external-104-${number}-20261120-143000-1700000000.7.wav`,
  mimeType: 'audio/wav',
  buffer: makeTone({ seconds: 30 }),
}

test('imports, finds, plays, downloads, holds and deletes a call', async ({ staff, expectedErrors }) => {
  expectedErrors.push('422')
  await staff.goto('/admin/panel')
  await staff.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Enregistrements d’appels' }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Enregistrements d’appels' })).toBeVisible()
  await expectAccessible(staff)

  await staff.getByRole('button', { name: 'Importer' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Importer des enregistrements' })
  await dialog.getByLabel('Fichiers').setInputFiles([file, { ...file, name: 'sans-date.wav' }])
  await expectAccessible(staff)
  await dialog.getByRole('button', { name: 'Importer' }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: file.name })).toContainText('Importé')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'sans-date' })).toContainText('Date ou numéros introuvables')
  await dialog.getByRole('button', { name: 'Fermer' }).last().click()

  await staff.getByRole('searchbox', { name: 'Rechercher' }).fill('581 555-0191')
  await staff.getByLabel('Du', { exact: true }).fill('2026-11-20')
  await staff.getByLabel('Au', { exact: true }).fill('2026-11-20')
  await staff.getByRole('button', { name: 'Filtrer' }).click()
  await expect(staff).toHaveURL(/from=2026-11-20&to=2026-11-20&search=581/)
  const row = staff.getByRole('table').getByRole('row', { name: '581 555-0191' })
  await expect(row).toContainText('Entrant')
  await expect(row).toContainText('104')
  await expect(row).toContainText('0:30')
  await expect(row.getByRole('rowheader')).toContainText('14 h 30')
  await expect(staff.getByText('1 enregistrement', { exact: true })).toBeVisible()

  await row.getByRole('button', { name: /^Écouter/ }).click()
  const player = staff.getByRole('region', { name: 'Lecteur' })
  const slider = player.getByRole('slider', { name: 'Position' })
  await expect(slider).toBeFocused()
  await expect(player.getByRole('button', { name: 'Mettre en pause' })).toBeVisible()
  await staff.keyboard.press('Space')
  await expect(player.getByRole('button', { name: 'Lire' })).toBeVisible()
  await staff.keyboard.press('Home')
  await staff.keyboard.press('ArrowRight')
  await staff.keyboard.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', '0:10 sur 0:30')
  await player.getByLabel('Vitesse').selectOption('1,5\u00a0×')
  await expect.poll(() => staff.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5)
  await expectAccessible(staff)
  await player.getByRole('button', { name: 'Lire' }).click()
  await expect
    .poll(() => staff.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime), { timeout: 15_000 })
    .toBeGreaterThan(10.2)
  await player.getByRole('button', { name: 'Fermer le lecteur' }).click()
  await expect(player).toHaveCount(0)

  const download = staff.waitForEvent('download')
  await row.getByRole('link', { name: /^Télécharger/ }).click()
  expect((await download).suggestedFilename()).toBe(file.name)

  await row.getByRole('button', { name: /^Mettre .* sous gel juridique/ }).click()
  await expect(row).toContainText('Gel juridique')
  await expect(row.getByRole('button', { name: /^Effacer/ })).toHaveCount(0)
  await row.getByRole('button', { name: /^Lever le gel/ }).click()
  await row.getByRole('button', { name: /^Effacer/ }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
  await expect(staff.getByText('Aucun enregistrement ne correspond')).toBeVisible()

  await staff.getByLabel('Au', { exact: true }).fill('2026-11-01')
  await staff.getByRole('button', { name: 'Filtrer' }).click()
  await expect(staff.getByLabel('Au', { exact: true })).toHaveAccessibleDescription(/précède la date de début/)
  await staff.getByRole('link', { name: 'Cette semaine' }).click()
  await expect(staff).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/)
  await expect(staff.getByRole('link', { name: 'Cette semaine' })).toHaveAttribute('aria-current', 'true')
  await staff.getByRole('link', { name: 'Effacer les filtres' }).click()
  await expect(staff).toHaveURL(/\/admin\/recordings$/)

  await staff.goto('/admin/journal')
  for (const action of ['Importation', 'Enregistrement écouté', 'Enregistrement téléchargé', 'Gel juridique levé']) {
    await expect(staff.getByRole('listitem').filter({ hasText: action }).first()).toBeVisible()
  }
})

test('sets access levels of calls, and their retention in the one table of periods', async ({ staff }) => {
  await staff.goto('/admin/recordings/settings')
  await expectAccessible(staff)
  await staff.getByLabel('Écouter').selectOption('Écriture')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()
  await staff.getByRole('link', { name: 'Voir leur durée de conservation' }).click()
  await staff.getByRole('button', { name: 'Modifier les durées' }).click()
  const calls = staff.getByRole('group', { name: 'Enregistrements d’appels' })
  const count = calls.getByLabel('Durée')
  await expect(count).toHaveValue('6')
  await count.fill('0')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(count).toHaveAccessibleDescription(/de 1\sjour à 120\smois/)
  await expectAccessible(staff)
  await count.fill('90')
  await calls.getByLabel('Unité').selectOption('jours')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByRole('row', { name: /Enregistrements d’appels\s*90 jours/ })).toBeVisible()
  await staff.reload()
  await expect(staff.getByRole('row', { name: /Enregistrements d’appels\s*90 jours/ })).toBeVisible()
})
