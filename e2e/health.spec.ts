import { expect, expectAccessible, test } from './fixtures.ts'

test('shows system health from the menu, in both ranges, in English and on a phone', async ({ staff }) => {
  await staff.goto('/admin/panel')
  const pages = staff.getByRole('navigation', { name: 'Administration' })
  // In a low window the last group begins folded; what was opened stays so.
  await expect(pages.getByRole('link', { name: 'État du système' })).toBeHidden()
  await pages.getByRole('button', { name: 'Système' }).click()
  await pages.getByRole('link', { name: 'État du système' }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'État du système' })).toBeVisible()
  for (const name of [
    'Base de données',
    'File de tâches',
    'Courriel',
    'Espace disque',
    'Copies de sécurité',
    'Serveur d’application',
  ]) {
    await expect(staff.getByRole('heading', { level: 3, name })).toBeVisible()
  }
  await expect(staff.getByText('Aucune copie de sécurité pour le moment. Une copie est faite chaque nuit.')).toBeVisible()
  // A part that is not well says what to do, and leads there.
  await expect(staff.getByText(/npm run backup/)).toBeVisible()
  await staff.getByRole('link', { name: 'Voir ce qui attend' }).click()
  await expect(staff.locator('#work')).toBeInViewport()
  await expect(staff.getByRole('img', { name: /^Trafic\s: graphique/ }).locator('canvas')).toBeVisible()

  await staff.getByText('Afficher les données en tableau').first().click()
  const table = staff.getByRole('table', { name: 'Afficher les données en tableau' })
  await expect(table.getByRole('row')).not.toHaveCount(1)
  await expectAccessible(staff)

  const asked = staff.waitForResponse(/\/api\/etat\?range=day/)
  await staff.getByRole('navigation', { name: 'Période' }).getByRole('link', { name: 'Dernières 24 heures' }).click()
  expect((await asked).status()).toBe(200)
  await expect(staff).toHaveURL(/range=day/)

  await staff.setViewportSize({ width: 390, height: 844 })
  await expect(staff.getByRole('img', { name: /^Temps/ })).toBeVisible()
  expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(staff)

  const menu = staff.locator('summary', { hasText: 'Menu' }).locator('visible=true')
  const links = staff.getByRole('navigation', { name: 'Administration' })
  await menu.click()
  await expect(links.getByRole('link', { name: 'Confidentialité' })).toBeVisible()
  await expectAccessible(staff)
  await menu.click()
  await expect(links).toBeHidden()
  await menu.press('Enter')
  await expect(links).toBeVisible()
  await staff.keyboard.press('Tab')
  await staff.keyboard.press('Escape')
  await expect(links).toBeHidden()
  await expect(menu).toBeFocused()
})
