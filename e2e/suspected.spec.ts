import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'
import { fillIn, stored } from './request-forms.ts'

test('a caught spam trap is « à vérifier »; one click accepts it, or deletes it with an undo for ten seconds', async ({
  page,
  staff,
}) => {
  const texts = ['un', 'deux'].map((word) => `Piège ${word} ${test.info().testId}`)
  for (const text of texts) {
    await page.goto('/contact')
    await hydrated(page)
    for (const trap of ['honey']) {
      const field = page.locator(`[name="${trap}"]`)
      await expect(field).toBeHidden()
      await field.evaluate((element: HTMLInputElement) => (element.value = 'filled'))
    }
    await fillIn(page, 'contact', text)
    await page.getByRole('button', { name: 'Envoyer!' }).click()
    await expect(page.getByText(/^CT-20\d\d-\d{6}$/)).toBeVisible()
  }
  await staff.goto('/admin/panel')
  const notice = staff.getByRole('region', { name: 'À vérifier' })
  await expect(notice).toContainText(/demandes? à vérifier/)
  await notice.getByRole('link', { name: 'Vérifier' }).click()
  const cards = staff.getByRole('article')
  const first = cards.filter({ hasText: texts[0] ?? '' })
  const second = cards.filter({ hasText: texts[1] ?? '' })
  await expect(first).toContainText('Un champ invisible était rempli.')
  await expectAccessible(staff)
  const undo = staff.getByRole('button', { name: 'Annuler' })
  await first.getByRole('button', { name: 'En faire une demande' }).click()
  await expect(first).toHaveCount(0)
  await expect(second).toBeFocused()
  await undo.click()
  await expect(first).toBeVisible()
  await second.focus()
  await staff.keyboard.press('Delete')
  await expect(second).toHaveCount(0)
  await staff.keyboard.press('Control+z')
  await expect(second).toBeVisible()
  await first.focus()
  await staff.keyboard.press('d')
  await expect(first).toHaveCount(0)
  expect(await stored(staff, texts[0] ?? '')).toMatchObject([{ status: 'new' }])
})

test('cannot be decided with read access only', async ({ newPerson, staff }) => {
  const user = await createUser(staff, `verif${test.info().workerIndex}`, { requests: 'read_only' })
  const page = await newPerson()
  await signIn(page, user)
  await page.goto('/admin/demandes?status=suspected')
  await expect(page.getByRole('heading', { level: 1, name: 'Demandes à vérifier' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'En faire une demande' })).toHaveCount(0)
})
