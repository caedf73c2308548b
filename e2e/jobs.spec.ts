import type { Page } from '@playwright/test'
import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'
import { createUser } from './new-user.ts'

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body>
<!--StartFragment--><h1 style="color:red">Vos journées</h1>
<p class=MsoNormal style='margin:0cm'><b style='mso-bidi-font-weight:normal'><span style='font-size:14.0pt'>Important</span></b>
<span style='mso-bidi-font-weight:bold'>à lire</span><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Appels</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>Clavardage</p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<table class=MsoTableGrid><tr><td><p class=MsoNormal>Salaire</p></td><td><p class=MsoNormal><i>64 000 $</i></p></td></tr></table>
<p onclick="alert(1)"><a href="javascript:alert(1)">piège</a><img src="x" onerror="alert(1)"></p><!--EndFragment--></body></html>`

/** Visible rich text, without the editor's helpers and the attributes that pages add to links. */
function shownHtml(element: Element) {
  const copy = element.cloneNode(true) as Element
  for (const helper of copy.querySelectorAll('.ProseMirror-trailingBreak')) helper.removeAttribute('class')
  for (const link of copy.querySelectorAll('a')) for (const name of ['rel', 'target', 'class']) link.removeAttribute(name)
  return copy.innerHTML
}

test('shows the open postings in both languages', async ({ page }) => {
  await page.goto('/emploi')
  await hydrated(page)
  await expect(page.getByRole('link', { name: 'rh@example.com' })).toHaveAttribute('href', 'mailto:rh@example.com')
  await expectAccessible(page)
  await page.getByRole('link', { name: /Technicienne ou technicien réseau/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Technicienne ou technicien réseau')
  await expect(page.getByRole('heading', { name: 'Vos journées' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Network technician')
})

/** From the list of postings to the filled form of one. */
async function fillApplication(page: Page, name: string, email: string) {
  await page.getByRole('link', { name: /Technicienne ou technicien réseau/ }).click()
  await page.getByRole('link', { name: 'Poser ma candidature' }).click()
  await page.getByLabel('Prénom').fill('Zoé')
  await page.getByLabel('Nom', { exact: true }).fill(name)
  await page.getByLabel('Courriel').fill(email)
  await page.getByLabel('Téléphone').fill('418 555-0199')
}

test.describe('applications', () => {
  // A post that is refused shows the page again with its status.
  test.use({ expectedErrors: ['400', '422'] })

  const buffer = Buffer.from(`%PDF-1.7\n${'1 0 obj << >> endobj\n'.repeat(20)}trailer << >>\nstartxref\n9\n%%EOF\n`)

  test('a person applies with a file, with and without JavaScript, and the staff follow it up', async ({ newPerson, staff }) => {
    test.slow()
    for (const javaScriptEnabled of [true, false]) {
      const page = await newPerson({ javaScriptEnabled })
      const name = `Candidate ${test.info().testId} ${javaScriptEnabled ? 'avec' : 'sans'}`
      await page.goto('/emploi?utm_source=salon&utm_campaign=automne')
      await fillApplication(page, name, 'zoe')
      await page.getByLabel(/Message/).fill('Bonjour,\nme voici.')
      await page.getByRole('button', { name: 'Envoyer ma candidature' }).click()
      await expect(page.getByText('Entrez une adresse de courriel valide')).toBeVisible()
      await expect(page.getByLabel('Nom', { exact: true })).toHaveValue(name)
      await page.getByLabel('Courriel').fill('zoe@example.com')
      // A page of HTML, by its content.
      const files = page.getByLabel(/Curriculum vitæ/)
      await files.setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>%PDF-1.7 %%EOF') })
      await page.getByRole('button', { name: 'Envoyer ma candidature' }).click()
      await expect(page.getByText('Un des fichiers n’est ni un PDF')).toBeVisible()
      if (javaScriptEnabled) await expectAccessible(page)
      await files.setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer })
      await page.getByRole('button', { name: 'Envoyer ma candidature' }).click()
      await expect(page.getByText(/^CA-20\d\d-\d{6}$/)).toBeVisible()
      await expect(page.getByLabel('Nom', { exact: true })).toHaveValue('')

      await staff.goto('/admin/candidatures')
      await expectAccessible(staff)
      await staff.getByRole('link', { name: `Zoé ${name}` }).click()
      await expect(staff.getByText('me voici.')).toBeVisible()
      // Only a script knows the first page of a tab.
      await expect(staff.getByText('automne, salon')).toHaveCount(javaScriptEnabled ? 1 : 0)
      const download = staff.waitForEvent('download')
      await staff.getByRole('link', { name: /Télécharger cv\.pdf/ }).click()
      expect((await download).suggestedFilename()).toBe('cv.pdf')
      await staff.getByLabel('Statut').selectOption('Entrevue')
      await staff.getByLabel(/Note interne/).fill('À rappeler.')
      await staff.getByRole('button', { name: 'Sauvegarder' }).click()
      await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()
      await expectAccessible(staff)
      await staff.getByRole('button', { name: 'Effacer' }).click()
      await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
      await expect(staff).toHaveURL(/\/admin\/candidatures$/)
      await expect(staff.getByRole('link', { name: `Zoé ${name}` })).toHaveCount(0)
    }
  })
})

test('a suspected application is taken or deleted by one press, and either is undone for ten seconds', async ({
  page,
  staff,
}) => {
  const name = `Retenue ${test.info().testId}`
  await page.goto('/emploi')
  await fillApplication(page, name, 'zoe@example.com')
  await page
    .locator('section[aria-labelledby="postuler"] [name="honey"]')
    .evaluate((element: HTMLInputElement) => (element.value = 'filled'))
  await page.getByRole('button', { name: 'Envoyer ma candidature' }).click()
  await expect(page.getByText(/^CA-20\d\d-\d{6}$/)).toBeVisible()

  const link = staff.getByRole('link', { name: `Zoé ${name}` })
  const undo = staff.getByRole('button', { name: 'Annuler' })
  await staff.goto('/admin/candidatures?status=suspected')
  await link.click()
  await staff.getByRole('button', { name: 'Effacer' }).click()
  await expect(staff.getByText(/est effacée, pour de bon dans \d+/)).toBeVisible()
  await expect(link).toHaveCount(0)
  await expectAccessible(staff)
  await undo.click()
  await expect(staff.getByText(/est de nouveau à vérifier/)).toBeVisible()
  await link.click()
  await staff.getByRole('button', { name: 'Prendre cette candidature' }).click()
  await expect(staff.getByText(/l’accusé de réception part dans \d+/)).toBeVisible()
  await expectAccessible(staff)
  await undo.click()
  await expect(staff.getByRole('button', { name: 'Prendre cette candidature' })).toBeVisible()
})

test.describe('the form of a posting', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'the form is too slow', 'dynamically imported module'] })

  for (const [what, delayMs] of [
    ['comes late', 3_000],
    ['does not come', null],
  ] as const)
    test(`stays as it is, with what was typed, where its script ${what}`, async ({ page }) => {
      await page.route(/application-form[^/]*\.js$/, async (route) => {
        if (delayMs === null) return route.abort()
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        return route.continue()
      })
      await page.goto('/emploi', { waitUntil: 'commit' })
      const path = await page.locator('a[href^="/emploi/voir/"]').first().getAttribute('href')
      await page.goto(path ?? '', { waitUntil: 'commit' })
      const form = page.locator('section[aria-labelledby="postuler"]')
      await form.getByLabel('Prénom').fill('Annie')
      await form.evaluate((element) => {
        new MutationObserver(() => {
          if (!element.isConnected) document.documentElement.dataset.formLost = 'yes'
        }).observe(document.documentElement, { childList: true, subtree: true })
      })
      const isTakenOver = () => form.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactFiber')))
      await expect.poll(isTakenOver, { timeout: 20_000 }).toBe(true)
      await expect(form.getByLabel('Prénom')).toHaveValue('Annie')
      // What follows the hydration must not remove it either.
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => document.documentElement.dataset.formLost)).toBeUndefined()
      await expect(form.getByLabel('Prénom')).toHaveValue('Annie')
      if (delayMs !== null) return
      // The form of this posting must not stand under another.
      const main = page.getByRole('main')
      await main.locator('a[href="/emploi"]').first().click()
      await main.locator(`a[href^="/emploi/voir/"]:not([href="${path}"])`).first().click()
      await expect(main.locator('p#postuler a[href^="mailto:"]')).toBeVisible()
      await expect(form).toHaveCount(0)
    })
})

test.describe('postings', () => {
  test.use({ expectedErrors: ['410', '404', '400'] })

  test('a posting is indexed while open, and shown as filled afterwards', async ({ staff, page, request }) => {
    test.slow()
    const title = `Analyste ${test.info().testId}`
    await staff.goto('/admin/panel')
    await staff
      .getByRole('main')
      .getByRole('link', { name: /^Emplois \d/ })
      .click()
    await expect(staff.getByRole('heading', { level: 1, name: 'Emplois' })).toBeVisible()
    await expectAccessible(staff)
    await staff.getByRole('link', { name: 'Nouveau' }).click()
    await staff.getByLabel('Titre (Anglais)').fill('Analyst')
    await expect(staff.locator('[required], [aria-required="true"]')).toHaveCount(0)
    await expect(staff.getByText('il lui manque un titre en français')).toBeVisible()
    await staff.getByLabel('Titre', { exact: true }).fill(title)
    const saves: string[] = []
    staff.on('request', (asked) => void (asked.method() === 'POST' && saves.push(asked.url())))
    await staff.getByLabel('Titre', { exact: true }).press('Enter')
    await staff.getByLabel('Premier jour d’affichage').press('Enter')
    await staff.getByLabel('Type d’emploi').selectOption('Temps plein')
    expect(saves).toEqual([])

    const text = staff.getByRole('textbox', { name: 'Description', exact: true })
    await text.click()
    await staff.keyboard.type('Bonjour. ')
    await staff.keyboard.press('Control+b')
    await staff.keyboard.type('Bienvenue')
    await staff.keyboard.press('Control+b')
    await staff.keyboard.press('Enter')
    await text.evaluate((element, html) => {
      const data = new DataTransfer()
      data.setData('text/html', html)
      data.setData('text/plain', 'x')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, word)
    await expect(text).toHaveJSProperty(
      'innerHTML',
      '<p>Bonjour. <strong>Bienvenue</strong></p><h3>Vos journées</h3><p><strong>Important</strong> à lire</p>' +
        '<ul><li><p>Appels</p></li><li><p>Clavardage</p></li></ul><table><tbody><tr><td><p>Salaire</p></td><td><p><em>64 000 $</em></p></td></tr></tbody></table><p>piège</p>',
    )
    await expectAccessible(staff)

    await staff.keyboard.press('Alt+F10')
    const bar = staff.getByRole('toolbar', { name: /^Mise en forme.: Description$/ })
    await expect(bar.getByRole('button', { name: 'Gras' })).toBeFocused()
    for (let step = 0; step < 9; step += 1) await staff.keyboard.press('ArrowRight')
    await staff.keyboard.press('Enter')
    const dialog = staff.getByRole('dialog', { name: 'Ajouter ou modifier un lien' })
    await dialog.getByLabel('Adresse').fill('javascript:alert(1)')
    await staff.keyboard.press('Enter')
    await expect(dialog.getByText('Cette adresse n’est pas valide')).toBeVisible()
    await expectAccessible(staff)
    await dialog.getByLabel('Adresse').fill('example.com/postuler')
    const words = dialog.getByLabel('Texte du lien')
    await words.fill('Postuler')
    // The next key belongs to the text already, however busy the browser is.
    const focused = await words.evaluate((field) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      return document.activeElement?.getAttribute('role')
    })
    expect(focused).toBe('textbox')
    await expect(text.getByText('Postuler')).toHaveAttribute('href', 'https://example.com/postuler')
    await staff.keyboard.press('Enter')
    await staff.keyboard.press('Enter')
    await staff.keyboard.type('Après une ligne vide.')
    const written = await text.evaluate(shownHtml)

    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff).toHaveURL(/\/admin\/emplois$/)
    await page.goto('/emploi')
    await page.getByRole('link', { name: new RegExp(title) }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByRole('link', { name: 'Postuler', exact: true })).toHaveAttribute('rel', 'noopener noreferrer')
    expect(await page.locator('article .prose').evaluate(shownHtml)).toBe(written)
    const address = new URL(page.url()).pathname
    const open = await (await request.get(address)).text()
    const posting = /<script type="application\/ld\+json"[^>]*>(\{[^<]*"JobPosting"[^<]*\})<\/script>/.exec(open)?.[1] ?? '{}'
    expect(JSON.parse(posting)).toMatchObject({
      '@type': 'JobPosting',
      title,
      description: expect.stringContaining('Bienvenue'),
      employmentType: 'FULL_TIME',
      datePosted: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      hiringOrganization: { name: expect.any(String) },
      jobLocation: { address: { addressCountry: 'CA', postalCode: expect.any(String) } },
    })

    const row = staff.getByRole('row', { name: new RegExp(title) })
    await staff.getByRole('button', { name: `Retirer ${title}` }).click()
    await expect(row).toContainText('Affichage terminé')
    await expect(page.getByRole('heading', { level: 1, name: 'Ce poste n’est plus affiché' })).toBeVisible()
    await staff.getByRole('button', { name: `Afficher de nouveau ${title}` }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await staff.getByRole('button', { name: `Retirer ${title}` }).click()
    await expect(row).toContainText('Affichage terminé')
    const closed = await request.get(address)
    expect(closed.status()).toBe(410)
    expect(await closed.text()).not.toContain('JobPosting')
    await page.goto(address)
    const other = page.getByRole('main').getByRole('link', { name: 'Technicienne ou technicien réseau' })
    await expect(other).toHaveAttribute('href', /^\/emploi\/voir\/\d+$/)
    await expectAccessible(page)

    await staff.getByRole('button', { name: `Editer ${title}` }).click()
    await staff.getByLabel('Premier jour d’affichage').fill('2999-01-01')
    await staff.getByLabel('Dernier jour d’affichage').fill('')
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByRole('row', { name: new RegExp(title) })).toContainText('Affichage prévu')
    const gone = await request.get(address)
    expect(gone.status()).toBe(404)
    expect(await gone.text()).toMatch(/Ce poste n’est plus affiché[\s\S]*Technicienne ou technicien réseau/)

    await staff.getByRole('button', { name: `Effacer ${title}` }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click()
    await expect(staff.getByRole('row', { name: new RegExp(title) })).toHaveCount(0)
  })
})

test('restores typed text after a reload of the tab', async ({ staff }) => {
  await staff.goto('/admin/emploi_nouveau')
  await staff.getByLabel('Titre', { exact: true }).fill('Pas encore')
  await staff.getByRole('textbox', { name: 'Description', exact: true }).fill('Brouillon')
  staff.on('dialog', (dialog) => void dialog.accept())
  await staff.reload()
  await expect(staff.getByText('Vos modifications non sauvegardées ont été récupérées.')).toBeVisible()
  await expect(staff.getByRole('textbox', { name: 'Description', exact: true })).toHaveText('Brouillon')
  await staff.getByRole('button', { name: 'Effacer et recommencer' }).click()
  await expect(staff.getByRole('textbox', { name: 'Description', exact: true })).toHaveText('')
  await staff.getByRole('button', { name: 'Retour' }).click()
  await expect(staff).toHaveURL(/\/admin\/emplois$/)
})

test('a new user publishes a job using visible buttons only', async ({ staff, newPerson, page }) => {
  const title = `Adjointe administrative ${test.info().testId}`
  const user = await createUser(staff, `embauche${test.info().workerIndex}`, { jobs: 'read_write' })
  const person = await newPerson({ viewport: { width: 390, height: 844 } })
  const start = Date.now()
  await signIn(person, user)
  const main = person.getByRole('main')
  // The password that the administrator set is asked to be changed, and a second factor offered, without standing in the way.
  // Postings of others may wait for their English there.
  const links = main.getByRole('link').filter({ hasNotText: 'Anglais manquant' })
  await expect(links).toHaveText([/^Emplois/, 'Changer le mot de passe', 'Configurer'])
  await links.first().click()
  await main.getByRole('link', { name: 'Nouveau' }).click()
  await person.getByLabel('Titre', { exact: true }).fill(title)
  await person.getByLabel('Titre (Anglais)').fill('Administrative assistant')
  await person.getByRole('textbox', { name: 'Description', exact: true }).fill('Vous répondez au téléphone et tenez l’agenda.')
  await person.getByRole('textbox', { name: 'Description (Anglais)' }).fill('You answer the phone and keep the diary.')
  await expect(person.getByRole('button', { name: 'Sauvegarder' })).toBeInViewport()
  const pause = Date.now()
  await expectAccessible(person)
  const paused = Date.now() - pause
  await person.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(person.getByText('Sauvegardé avec succès')).toBeVisible()
  await expect(person.getByRole('row', { name: new RegExp(title) })).toContainText('Affiché')
  test.info().annotations.push({ type: 'from log-in to a published job', description: `${Date.now() - start - paused} ms` })
  await page.goto('/emploi?lang=en')
  await page.getByRole('link', { name: /Administrative assistant/ }).click()
  await expect(page.getByText('You answer the phone and keep the diary.')).toBeVisible()
})

test('prints a posting without buttons, with the address to write to', async ({ page }) => {
  await page.goto('/emploi/voir/1')
  await page.emulateMedia({ media: 'print' })
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Poser ma candidature' })).toBeHidden()
  await expect(main.getByText('rh@example.com')).toBeVisible()
})
