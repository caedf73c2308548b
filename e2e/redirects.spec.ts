import { expect, expectAccessible, test } from './fixtures.ts'

test('an old address that was asked in vain leads to its page once it is redirected, by keys alone', async ({
  staff,
  request,
  expectedErrors,
}) => {
  // What the product has is refused.
  expectedErrors.push('status of 409')
  // Letters alone: a long number may name a person, and is not counted.
  const old = `/2019/03/nous-joindre-${String(Date.now()).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}.html`
  expect((await request.get(old, { maxRedirects: 0 })).status()).toBe(404)

  await staff.goto('/admin/redirects')
  const missing = staff.getByRole('region', { name: 'Demandées en vain' })
  await missing.getByRole('button', { name: `Rediriger vers… ${old}` }).press('Enter')
  const dialog = staff.getByRole('dialog', { name: 'Ajouter une redirection' })
  const target = dialog.getByRole('combobox', { name: 'Destination' })
  await expect(target).toBeFocused()
  await target.pressSequentially('appel de service')
  const option = dialog.getByRole('option').filter({ hasText: '/appel-de-service' })
  await expect(option.first()).toBeVisible()
  await expectAccessible(staff)
  const places = await dialog.getByRole('option').filter({ hasText: '/' }).allTextContents()
  for (let step = 0; step <= places.findIndex((place) => place.endsWith('/appel-de-service')); step += 1)
    await staff.keyboard.press('ArrowDown')
  await staff.keyboard.press('Enter')
  await expect(target).toHaveValue('/appel-de-service')
  await staff.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(missing.getByText(old)).toBeHidden()
  await expect(staff.getByRole('rowheader', { name: old })).toBeVisible()

  const answer = await request.get(`${old}?lang=en`, { maxRedirects: 0 })
  expect([answer.status(), answer.headers().location]).toEqual([301, '/appel-de-service?lang=en'])

  // The address is tried, and what the product has is refused with its reason.
  await staff.getByLabel('Adresse à essayer').fill(old)
  await staff.getByRole('button', { name: 'Essayer' }).click()
  await expect(staff.getByText(/^Mène à/)).toBeVisible()
  await staff.getByRole('button', { name: 'Ajouter une redirection' }).click()
  await dialog.getByLabel('Ancienne adresse').fill('/contact')
  await dialog.getByLabel('Type').selectOption('410')
  await dialog.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(dialog.getByText('Le site a déjà une page à cette adresse.')).toBeVisible()
  await expectAccessible(staff)
  await staff.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await staff.getByRole('button', { name: `Effacer ${old}` }).click()
  await expect(staff.getByText(`Redirection de ${old} effacée.`)).toBeVisible()
  await expect(staff.getByRole('rowheader', { name: old })).toBeHidden()
  await staff.getByRole('button', { name: 'Annuler' }).click()
  await expect(staff.getByRole('rowheader', { name: old })).toBeVisible()
  await staff.setViewportSize({ width: 390, height: 800 })
  await expectAccessible(staff)
})
