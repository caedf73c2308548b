import { networkViewKey } from '../src/features/networks/values.ts'
import { expect, expectAccessible, hydrated, signIn, test, xsrfHeaders } from './fixtures.ts'

test('a visitor sees a network change on an open page, in the header too', async ({ page, staff }) => {
  test.slow()
  const name = `Rimouski ${test.info().testId}`
  await page.goto('/reseau')
  await hydrated(page)

  await staff.goto('/admin/panel')
  await staff.getByRole('main').getByRole('link', { name: 'Réseau statut' }).click()
  await staff.getByRole('link', { name: 'Nouveau' }).click()
  await expect(staff.getByLabel('Statut')).toBeVisible()
  await expect(staff.locator('[required], [aria-required="true"]')).toHaveCount(0)
  await staff.getByLabel('Nom').fill(name)
  await staff.getByLabel('Statut').selectOption('En ligne')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/reseau$/)
  await expect(page.getByRole('region', { name })).toContainText('EN LIGNE')

  await expect(staff.getByRole('columnheader')).toContainText(['Nom', 'Statut'])
  const listed = staff.getByRole('row', { name: new RegExp(name) })
  await expect(listed).toContainText('EN LIGNE')
  await expect(listed.getByRole('button')).toHaveText(['Éditer', 'Effacer'])
  await listed.getByRole('button', { name: `Éditer ${name}` }).click()
  await staff.getByRole('button', { name: 'Ajouter' }).click()
  await expect(staff.getByRole('textbox', { name: /^Nom français/ })).toBeFocused()
  await staff.getByRole('textbox', { name: /^Nom français/ }).fill('Téléphonie')
  await staff.getByRole('textbox', { name: /^Nom anglais/ }).fill('Telephony')
  await staff.getByRole('button', { name: 'Mettre Téléphonie à Erreur' }).click()
  // A line left empty is not shown to visitors.
  await staff.getByRole('button', { name: 'Ajouter' }).click()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/reseau$/)
  await expectAccessible(staff)

  const row = page.getByRole('region', { name }).getByRole('row', { name: /Téléphonie/ })
  await expect(row.getByRole('rowheader')).toContainText('En panne')
  await page.getByRole('link', { name: 'Trois icônes' }).click()
  await expect(row.getByRole('img', { name: 'Erreur' })).toBeVisible()
  await page.reload()
  await hydrated(page)
  await expect(row.getByRole('img', { name: 'Erreur' })).toBeVisible()
  await page.getByRole('link', { name: '90 jours' }).click()
  await expect(page.getByRole('region', { name }).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('banner').getByRole('link', { name: /en panne/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByRole('region', { name }).getByRole('row', { name: /Telephony/ })).toBeVisible()

  await staff.getByRole('button', { name: `Effacer ${name}` }).click()
  const question = staff.getByRole('alertdialog')
  await expect(question).toContainText('Vous pourrez annuler la suppression.')
  await expectAccessible(staff)
  await question.getByRole('button', { name: 'Effacer' }).click()
  await expect(staff.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
  await expect(page.getByRole('region', { name })).toHaveCount(0)
})

test('the status page weighs little until it is used, and shows a change all the same', async ({ page, staff }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  const followed = page.waitForRequest(/\/api\/live/)
  await page.goto('/reseau')
  await followed
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(150_000)
  const isHydrated = () =>
    page.evaluate(() => Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')))
  expect(await isHydrated()).toBe(false)
  await expectAccessible(page)

  const name = `Témis ${test.info().testId}`
  const headers = await xsrfHeaders(staff)
  const details = JSON.stringify([{ nom: 'Voix', nom_en: 'Voice', statut: 'OK' }])
  const made = await staff.request.post('/api/networks/reseau', { data: { nom: name, status: 'ONLINE', details }, headers })
  const { id_reseau } = (await made.json()) as { id_reseau: number }
  await expect(page.getByRole('region', { name })).toContainText('EN LIGNE')

  await page.goto('/reseau')
  const icon = page.getByRole('region', { name }).getByRole('img', { name: 'OK', exact: true })
  await page.getByRole('link', { name: 'Trois icônes' }).click()
  await expect(icon).toBeVisible()
  await expect(page).toHaveURL(/\/reseau$/)
  await page.reload()
  await expect(icon).toBeVisible()
  expect((await staff.request.delete(`/api/networks/reseau/${id_reseau}`, { headers })).status()).toBe(204)
})

test('an open page asks for what changed, and for nothing where something else did', async ({ page, staff }) => {
  const title = `Analyste ${test.info().testId}`
  await page.goto('/emploi')
  await hydrated(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/live') asked.push(pathname)
  })
  const save = async (path: string, data: object) => {
    const answer = await staff.request.post(path, { data, headers: await xsrfHeaders(staff) })
    expect(answer.status()).toBe(201)
  }
  await save('/api/notes/notes', { note: 'Une autre zone' })
  await save('/api/jobs/emplois', { titre: title })
  await expect(page.getByRole('link', { name: title })).toBeVisible()
  expect(asked).toEqual(['/api/jobs/emplois'])

  const network = `Gaspé ${test.info().testId}`
  await page.goto('/reseau')
  await hydrated(page)
  await page
    .locator('.net')
    .first()
    .evaluate((element) => element.setAttribute('data-untouched', ''))
  asked.length = 0
  await save('/api/networks/reseau', { nom: network, status: 'OFFLINE' })
  await expect(page.getByRole('region', { name: network })).toContainText('HORS LIGNE')
  expect(new Set(asked)).toEqual(new Set(['/api/networks/status_changes']))
  // The others were not drawn again, and the header follows.
  await expect(page.locator('[data-untouched]')).toHaveCount(1)
  await expect(page.getByRole('banner').getByRole('link', { name: /hors ligne|en panne/i })).toBeVisible()
})

test('a page that slept for eight hours behind a connection that is dead shows what changed', async ({ page, staff }) => {
  const name = `Gaspé ${test.info().testId}`
  let opened = 0
  // The first stream never brings anything, and never ends.
  await page.route('**/api/live?*', (route) => (opened++ === 0 ? undefined : route.continue()))
  // With a stored view the scripts load at once, so that no other stream is opened before theirs.
  await page.addInitScript((key) => localStorage.setItem(key, 'ribbon'), networkViewKey)
  await page.clock.install()
  await page.goto('/reseau')
  await hydrated(page)
  await page.clock.runFor(15_000)
  await expect.poll(() => opened).toBe(1)
  await staff.goto('/admin/reseau_nouveau')
  await staff.getByLabel('Nom').fill(name)
  await staff.getByLabel('Statut').selectOption('En ligne')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff).toHaveURL(/\/admin\/reseau$/)
  await page.clock.fastForward('08:00:00')
  await expect(page.getByRole('region', { name })).toContainText('EN LIGNE')
})

test('what is not saved is asked about, kept in the tab and can be dropped', async ({ staff }) => {
  await staff.goto('/admin/reseau_nouveau')
  await staff.getByLabel('Nom').fill('Jamais sauvegardé')
  await staff.getByRole('button', { name: 'Retour' }).click()
  const question = staff.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Rester sur la page' }).click()
  await expect(staff.getByLabel('Nom')).toHaveValue('Jamais sauvegardé')
  await staff.getByRole('button', { name: 'Retour' }).click()
  await question.getByRole('button', { name: 'Quitter la page' }).click()
  await expect(staff).toHaveURL(/\/admin\/reseau$/)

  await staff.getByRole('link', { name: 'Nouveau' }).click()
  await expect(staff.getByLabel('Nom')).toHaveValue('Jamais sauvegardé')
  await staff.getByRole('button', { name: 'Effacer et recommencer' }).click()
  await expect(staff.getByLabel('Nom')).toHaveValue('')
})

test.describe('two editors', () => {
  test.use({ expectedErrors: ['409'] })

  test('of one network: the second is told and chooses', async ({ staff, newPerson }) => {
    const name = `Gaspé ${test.info().testId}`
    const other = await newPerson()
    await signIn(other)
    await staff.goto('/admin/reseau_nouveau')
    await staff.getByLabel('Nom').fill(name)
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('row', { name: new RegExp(name) })).toBeVisible()
    for (const editor of [staff, other]) {
      await editor.goto('/admin/reseau')
      await editor.getByRole('button', { name: `Éditer ${name}` }).click()
      await expect(editor.getByLabel('Nom')).toHaveValue(name)
    }
    await other.getByLabel('Statut').selectOption('Hors ligne')
    await other.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(other).toHaveURL(/\/admin\/reseau$/)

    await staff.getByLabel('Statut').selectOption('En ligne')
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    const question = staff.getByRole('alertdialog')
    await expect(question).toContainText('Hors ligne')
    await expectAccessible(staff)
    // Both changed the same field: nothing of the colleague's is dropped without a choice.
    await question.getByRole('button', { name: 'Continuer avec mes choix' }).click()
    await expect(question).toContainText('Vous avez tous deux modifié « Statut ».')
    await expect(question.getByRole('radio').first()).toBeFocused()
    await staff.keyboard.press('ArrowDown')
    await expect(question.getByRole('radio', { name: 'Votre version' })).toBeChecked()
    await question.getByRole('button', { name: 'Continuer avec mes choix' }).click()
    await expect(staff.getByText('Sauvegardez pour les publier.')).toBeVisible()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('row', { name: new RegExp(name) })).toContainText('EN LIGNE')
    await staff.getByRole('button', { name: `Effacer ${name}` }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
    await expect(staff.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
  })
})

test.describe('an outage', () => {
  test.use({ expectedErrors: ['409'] })

  test('is declared on one page, seen live with its own page, undone, published by a colleague meanwhile, and resolved', async ({
    page,
    staff,
  }) => {
    test.slow()
    const name = `Lévis ${test.info().testId}`
    const headers = await xsrfHeaders(staff)
    const details = JSON.stringify([{ nom: 'Voix', nom_en: 'Voice', statut: 'OK' }])
    const made = await staff.request.post('/api/networks/reseau', { data: { nom: name, status: 'ONLINE', details }, headers })
    const { id_reseau } = (await made.json()) as { id_reseau: number }
    await page.goto('/reseau')
    await hydrated(page)
    await expect(page.getByRole('region', { name })).toContainText('En service')

    await staff.goto('/admin/reseau/pannes/nouvelle')
    await staff.getByRole('group', { name }).getByRole('button', { name: 'Mettre Voix à Erreur' }).click()
    await staff.getByRole('button', { name: 'Appels qui coupent' }).click()
    await staff.getByLabel('Titre français').fill(`Coupures ${name}`)
    // What publishing requires is not called optional.
    await expect(staff.getByText(/^Texte anglais\s*\(facultatif\)/)).toBeVisible()
    await expect(staff.getByText(/^Texte français\s*\(facultatif\)/)).toHaveCount(0)
    await expect(staff.getByRole('region', { name: 'Ce qui sera publié' })).toContainText(`Coupures ${name}`)
    await expectAccessible(staff)
    await staff.getByRole('button', { name: /^Publier à/ }).click()
    const card = page.getByRole('article', { name: `Coupures ${name}` })
    await expect(card).toContainText('Voix')
    await expect(page.getByRole('region', { name })).toContainText('En panne')
    await expectAccessible(page)

    // On a phone the buttons of the next form stay in reach beside the undo.
    const outage = staff.url()
    await staff.setViewportSize({ width: 390, height: 844 })
    await staff.goto('/admin/emploi_nouveau')
    await expect(staff.getByRole('button', { name: /^Annuler tout/ })).toBeVisible()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click({ trial: true, timeout: 5_000 })
    await staff.setViewportSize({ width: 1280, height: 720 })
    await staff.goto(outage)

    await staff.getByRole('button', { name: /^Annuler tout/ }).click()
    await expect(card).toHaveCount(0)
    await expect(page.getByRole('region', { name })).toContainText('En service')

    await expect(staff.getByRole('button', { name: /^Publier à/ })).toBeVisible()
    // A colleague publishes it while this form changes its text.
    await staff.getByLabel('Texte français').fill('Le texte de la seconde personne.')
    const { pathname } = new URL(staff.url())
    const id = pathname.split('/').at(-1)
    const published = await staff.request.post(`/api/networks/incidents/${id}/publish`, { data: {}, headers })
    expect(published.status()).toBe(200)
    await expect(card).toBeVisible()
    await staff.getByRole('button', { name: /^Publier à/ }).click()
    const conflict = staff.getByRole('alertdialog', { name: 'Un collègue a déjà publié cette panne' })
    await expect(conflict).toContainText('Des appels coupent chez certains clients.')
    await expect(conflict).toContainText('Le texte de la seconde personne.')
    await expectAccessible(staff)
    await conflict.getByRole('button', { name: /garder mon texte/ }).click()
    await expect(staff.getByRole('article', { name: `Coupures ${name}` })).toContainText('Des appels coupent')
    await expect(staff.getByLabel('Texte français')).toHaveValue('Le texte de la seconde personne.')
    await card.getByRole('link', { name: 'Page de cette panne' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Coupures ${name}`)

    await staff.getByText('Corriger la panne').click()
    await staff.getByLabel('Titre français').fill(`Panne ${name}`)
    await staff.getByRole('button', { name: 'Mettre Voix à Erreur' }).click()
    await expectAccessible(staff)
    await staff.getByRole('button', { name: 'Publier les corrections' }).click()
    await expect(staff.getByText('Les corrections sont publiées.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Panne ${name}`)
    await expect(staff.getByLabel('Texte français')).toHaveValue('Le texte de la seconde personne.')

    await staff.getByRole('group', { name: 'Étape' }).getByText('Résolue').click()
    await staff.getByLabel('Texte français').fill('Tout fonctionne de nouveau.')
    await staff.getByRole('button', { name: 'Publier une mise à jour' }).click()
    await expect(page.getByRole('article')).toContainText('Tout fonctionne de nouveau.')
    await staff.goto('/admin/reseau/pannes')
    await expect(staff.getByRole('row', { name: new RegExp(name) })).toContainText('Résolue')
    await expectAccessible(staff)
    const csv = await staff.getByRole('link', { name: 'Disponibilité par mois (CSV)' }).getAttribute('href')
    expect(await (await staff.request.get(csv ?? '')).text()).toContain(`${name},Voix,`)
    expect((await staff.request.delete(`/api/networks/reseau/${id_reseau}`, { headers })).status()).toBe(204)
  })
})

test('without JavaScript the status page has everything, and a subscription is made, confirmed and left', async ({
  newPerson,
  staff,
  product,
}) => {
  const name = `Saguenay ${test.info().testId}`
  const headers = await xsrfHeaders(staff)
  const details = JSON.stringify([{ nom: 'Voix', nom_en: 'Voice', statut: 'OK' }])
  const made = await staff.request.post('/api/networks/reseau', { data: { nom: name, status: 'ONLINE', details }, headers })
  const { id_reseau } = (await made.json()) as { id_reseau: number }
  const outage = {
    title: `Coupures ${name}`,
    severity: 'ERROR',
    elements: [{ id_reseau, nom: 'Voix' }],
    text: 'Des appels coupent.',
  }
  const declared = await staff.request.post('/api/networks/incidents', { data: outage, headers })
  const { id_incident } = (await declared.json()) as { id_incident: number }

  const page = await newPerson({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto('/reseau')
  await expect(page.getByRole('article', { name: `Coupures ${name}` })).toContainText('Des appels coupent.')
  const row = page.getByRole('region', { name }).getByRole('row', { name: /Voix/ })
  await expect(row.getByRole('rowheader')).toContainText('En panne')
  await expect(row.getByRole('img', { name: /^Voix/ })).toBeVisible()
  await page.getByRole('link', { name: 'Trois icônes' }).click()
  await expect(row.getByRole('img', { name: 'Erreur' })).toBeVisible()

  const email = `${test.info().testId}@example.com`
  const form = page.getByRole('region', { name: 'Recevez un courriel quand ça change' })
  await form.getByRole('textbox', { name: 'Courriel' }).fill(email)
  await form.getByText(name).click()
  await form.getByLabel(/^J’accepte/).check()
  await form.getByRole('button', { name: 'M’abonner' }).click()
  await expect(form.getByRole('status')).toContainText('Un courriel vous attend')
  const find = () => product.smtp.received.find(({ envelope }) => envelope.to.includes(email))?.text ?? ''
  await expect.poll(find, { timeout: 30_000 }).toContain('/reseau/abonnement/')
  await page.goto(/http\S+\/reseau\/abonnement\/\S+/.exec(find())?.[0] ?? '')
  await page.getByRole('button', { name: 'Confirmer l’abonnement' }).click()
  await expect(page.getByText('Votre abonnement est confirmé.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name })).toBeChecked()
  await page.getByRole('button', { name: 'Me désabonner' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vous êtes désabonné')

  const resolved = { phase: 'resolved', text: 'Réglé.', mails: false }
  await staff.request.post(`/api/networks/incidents/${id_incident}/updates`, { data: resolved, headers })
  expect((await staff.request.delete(`/api/networks/reseau/${id_reseau}`, { headers })).status()).toBe(204)
})

test('a ribbon is one stop of the keyboard, and each of its days is read by arrows', async ({ page }) => {
  await page.goto('/reseau')
  await hydrated(page)
  const ribbon = page.locator('.ribbon').first()
  await ribbon.focus()
  await expect(ribbon).toHaveRole('slider')
  await expect(ribbon).toHaveAttribute('aria-valuenow', '89')
  await page.keyboard.press('ArrowLeft')
  await expect(ribbon).toHaveAttribute('aria-valuenow', '88')
  await page.keyboard.press('Home')
  await expect(ribbon).toHaveAttribute('aria-valuenow', '0')
  await expect(ribbon).toHaveAttribute('aria-valuetext', /\d{4}\s: /)
  await expectAccessible(page)
})
