import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, expectAccessible, test, xsrfHeaders } from './fixtures.ts'

test('a monitor is tested before it is saved, proposes an outage, is checked and paused, and others are imported', async ({
  staff,
}) => {
  test.slow()
  const name = `Charlevoix ${test.info().testId}`
  const headers = await xsrfHeaders(staff)
  const details = JSON.stringify(['Voix', 'Fibre'].map((nom) => ({ nom, nom_en: nom, statut: 'OK' })))
  const made = await staff.request.post('/api/networks/reseau', { data: { nom: name, status: 'ONLINE', details }, headers })
  const { id_reseau } = (await made.json()) as { id_reseau: number }
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`

  await staff.goto('/admin/reseau/surveillance')
  await staff.getByRole('link', { name: 'Nouveau' }).click()
  await staff.getByLabel('Élément', { exact: true }).selectOption(`Voix (${name})`)
  await staff.getByLabel('Genre').selectOption('Port TCP')
  await staff.getByLabel('Cible', { exact: true }).fill(target)
  await staff.getByLabel('Échecs de suite avant une panne').fill('1')
  const tested = staff.getByRole('status', { name: 'Résultat du test' })
  await staff.getByRole('button', { name: 'Tester' }).click()
  await expect(tested).toContainText('Répond')
  await new Promise((resolve) => server.close(resolve))
  await staff.getByRole('button', { name: 'Tester' }).click()
  await expect(tested).toContainText('Connexion refusée')
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/surveillance\/\d+$/)
  await staff.getByRole('button', { name: 'Vérifier maintenant' }).click()
  await expect(staff.getByText('La vérification est faite.')).toBeVisible()
  await expect(staff.getByRole('main')).toContainText('Connexion refusée')
  await expectAccessible(staff)
  await staff.getByRole('link', { name: 'Ouvrir la panne' }).click()
  await expect(staff.getByLabel('Titre français')).toHaveValue(new RegExp(`^Voix \\(${name}\\)`))
  const draft = new URL(staff.url()).pathname.split('/').at(-1)
  await staff.goBack()
  await staff.getByRole('button', { name: 'Mettre en pause' }).click()
  await expect(staff.getByText('La sonde est en pause.')).toBeVisible()
  await expect(staff.getByRole('button', { name: 'Reprendre' })).toBeFocused()

  await staff.goto('/admin/reseau/surveillance')
  const row = staff.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('En pause')
  const csv = [
    'network,component,kind,target',
    `${name},Voix,tcp,${target}`,
    `${name},Fibre,ping,example.com`,
    `${name},Cuivre,ping,example.com`,
  ]
  await staff.getByRole('button', { name: 'Importer' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Importer des cibles' })
  const file = { name: 'cibles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv.join('\n')) }
  await dialog.getByLabel('Fichier CSV').setInputFiles(file)
  await expect(dialog).toContainText('1 sonde à créer, 1 déjà connue, 1 ligne refusée.')
  await expect(dialog.getByRole('listitem')).toHaveText(/^Ligne 4\s: l’élément n’existe pas dans ce réseau$/)
  await expectAccessible(staff)
  await dialog.getByRole('button', { name: 'Créer 1 sonde en pause' }).click()
  await expect(row).toHaveCount(2)
  await expect(row.filter({ hasText: 'example.com' })).toContainText('En pause')

  const monitors = (await (await staff.request.get('/api/networks/monitors')).json()) as {
    id_monitor: number
    id_reseau: number
  }[]
  const own = monitors.filter((one) => one.id_reseau === id_reseau).map((one) => `/api/networks/monitors/${one.id_monitor}`)
  for (const path of [...own, `/api/networks/incidents/${draft}`, `/api/networks/reseau/${id_reseau}`])
    expect((await staff.request.delete(path, { headers })).status()).toBe(204)
})
