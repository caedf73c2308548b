import type { Page } from '@playwright/test'
import { callApi, expect, test } from './fixtures.ts'

/** The server does what the next matching request asks, and its answer is lost on the way. */
async function loseNextAnswer(page: Page, path: RegExp) {
  let isLost = false
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  return () => isLost
}

test.describe('after an answer of the server that is lost', () => {
  test.use({ expectedErrors: ['409', 'ERR_CONNECTION_RESET'] })

  test('a reply sent again is one, also after a reload; a corrected one follows what was sent', async ({ staff }) => {
    await staff.goto('/admin/panel')
    const person = { firstname: 'Zoé', lastname: 'Roy', email: `zoe-${Date.now()}@client.example.com`, phone: '418 555-0100' }
    const call = { ...person, subject: 'Réponse perdue', description: 'Rien ne sort.', language: 'fr' }
    const { reference } = await callApi<{ reference: string }>(staff, 'POST', '/api/mailer/support', call)
    await staff.goto(`/admin/demandes?search=${reference}`)
    await staff.getByRole('link', { name: reference }).click()
    const field = staff.getByLabel('Votre réponse')
    const send = staff.getByRole('button', { name: /^Envoyer/ })
    const written = staff.getByRole('main').getByRole('paragraph')

    const isFirstLost = await loseNextAnswer(staff, /\/replies$/)
    await field.fill('Un technicien passe mardi.')
    await send.click()
    await expect(staff.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    expect(isFirstLost()).toBe(true)
    await staff.reload()
    await expect(field).toHaveValue('Un technicien passe mardi.')
    await send.click()
    await expect(field).toHaveValue('')
    await expect(written.filter({ hasText: 'Un technicien passe mardi.' })).toHaveCount(1)

    const isSecondLost = await loseNextAnswer(staff, /\/replies$/)
    await field.fill('Il apporte la pièce.')
    await send.click()
    await expect(staff.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    expect(isSecondLost()).toBe(true)
    await field.fill('Il apporte aussi la pièce de rechange.')
    await send.click()
    await expect(staff.getByRole('alert').filter({ hasText: 'Cette demande a changé' })).toBeVisible()
    await expect(field).toHaveValue('Il apporte aussi la pièce de rechange.')
    await staff.getByRole('button', { name: 'Envoyer quand même' }).click()
    await expect(written.filter({ hasText: 'Il apporte la pièce.' })).toHaveCount(1)
    await expect(written.filter({ hasText: 'Il apporte aussi la pièce de rechange.' })).toHaveCount(1)
    const id = new URL(staff.url()).pathname.split('/').at(-1)
    const path = `/api/requests/requests/${id}`
    const { entries } = await callApi<{ entries: { kind: string; text: string }[] }>(staff, 'GET', path)
    const replies = ['Un technicien passe mardi.', 'Il apporte la pièce.', 'Il apporte aussi la pièce de rechange.']
    expect(entries.filter(({ kind }) => kind === 'staff').map(({ text }) => text)).toEqual(replies)
  })

  test('an outage is published as it was corrected, and its update once', async ({ staff }) => {
    test.slow()
    await staff.goto('/admin/panel')
    const name = `Matane ${test.info().testId}`
    const details = JSON.stringify([{ nom: 'Voix', nom_en: 'Voice', statut: 'OK' }])
    const network = { nom: name, status: 'ONLINE', details }
    const made = await callApi<{ id_reseau: number }>(staff, 'POST', '/api/networks/reseau', network)
    await staff.goto('/admin/reseau/pannes/nouvelle')
    const isDraftLost = await loseNextAnswer(staff, /\/api\/networks\/incidents$/)
    await staff.getByRole('group', { name }).getByRole('button', { name: 'Mettre Voix à Erreur' }).click()
    await staff.getByLabel('Titre français').fill(`Coupures ${name}`)
    await staff.getByLabel('Texte français').fill('Des appels coupent à Rimouski.')
    const publish = staff.getByRole('button', { name: /^Publier à/ })
    await publish.click()
    await expect.poll(isDraftLost).toBe(true)
    await expect(publish).toBeEnabled()
    await staff.getByLabel('Texte français').fill('Des appels coupent à Matane.')
    await publish.click()
    await expect(staff).toHaveURL(/\/pannes\/\d+$/)
    const outage = staff.getByRole('article', { name: `Coupures ${name}` })
    await expect(outage).toContainText('Des appels coupent à Matane.')
    const id = new URL(staff.url()).pathname.split('/').at(-1)

    const isUpdateLost = await loseNextAnswer(staff, /\/updates$/)
    const text = staff.getByLabel('Texte français')
    const update = staff.getByRole('button', { name: 'Publier une mise à jour' })
    await text.fill('La cause est trouvée.')
    await update.click()
    await expect.poll(isUpdateLost).toBe(true)
    await expect(update).toBeEnabled()
    await update.click()
    await expect(text).toHaveValue('')
    await expect(outage.getByText('La cause est trouvée.')).toHaveCount(1)
    const incident = await callApi<{ updates: { text: string }[] }>(staff, 'GET', `/api/networks/incidents/${id}`)
    expect(incident?.updates.map((one) => one.text)).toEqual(['Des appels coupent à Matane.', 'La cause est trouvée.'])
    const undo = staff.getByRole('button', { name: /^Annuler tout/ })
    await undo.click()
    await expect(undo).toHaveCount(0)
    await callApi(staff, 'DELETE', `/api/networks/reseau/${made?.id_reseau}`)
  })
})
