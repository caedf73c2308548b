import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, holdScripts, hydrated, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { allowFiles, logIn, open, say, words } from './visitor.ts'

test('keeps text written offline through a browser crash, and sends it once', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  const t = words.fr
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to')
  const counter = await openCounter(staff, product.address())
  const tag = String(Date.now())
  await open(page, 'fr', t)
  await logIn(page, t, `Panne ${tag}`)
  await say(page, t, `Avant ${tag}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('log')).toContainText('Envoyé')
  await page.context().setOffline(true)
  await expect(dialog.getByText(t.lost)).toBeVisible()
  await say(page, t, `Un ${tag}`)
  await say(page, t, `Deux ${tag}`)
  await expect(dialog.getByText(t.unsent)).toHaveCount(2)
  // The tab and all it remembered are gone; the disk is not.
  const crashed = page
  const after = await page.context().newPage()
  await crashed.close({ runBeforeUnload: false })
  await after.context().setOffline(false)
  await open(after, 'fr', t)
  const log = after.getByRole('log')
  await expect(log).toContainText(`Avant ${tag}`)
  await expect(log.getByText(`Un ${tag}`)).toHaveCount(1)
  await expect(log).not.toContainText(t.unsent)
  await expect
    .poll(() => counter.texts().filter((text) => text.includes(tag)))
    .toEqual([`Avant ${tag}`, `Un ${tag}`, `Deux ${tag}`])
  await after.close()
  await counter.leave()
})

test('keeps the conversation open when a page fails to load, and loads it once the network is back', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  const t = words.fr
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to', 'The server cannot be reached', 'ERR_FAILED')
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, `Page ${Date.now()}`)
  await say(page, t, 'Toujours là')
  const log = page.getByRole('dialog').getByRole('log')
  await expect(log).toContainText('Envoyé')
  await page.getByRole('textbox', { name: t.write }).fill('À moitié')
  const list = /\/emploi$|\/api\/jobs\/emplois$/
  await page.route(list, (route) => route.abort())
  await page.getByRole('contentinfo').getByRole('link', { name: 'Carrières' }).click()
  await expect(page.getByRole('heading', { name: 'La page n’est pas arrivée' })).toBeVisible()
  await expect(log).toContainText('Toujours là')
  await expect(page.getByRole('textbox', { name: t.write })).toHaveValue('À moitié')
  await expectAccessible(page)
  await page.unroute(list)
  await page.context().setOffline(true)
  await expect(page.getByText(t.lost)).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Carrières' })).toBeVisible({ timeout: 20_000 })
  await counter.leave()
})

test('offers a prefilled message when nobody answers in time, and keeps the place in the queue', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('net::ERR_FAILED')
  const t = words.fr
  const counter = await openCounter(staff, product.address())
  let isCut = false
  await page.routeWebSocket(/socket\.io/, (route) => void (isCut ? route.close() : route.connectToServer()))
  // Long polling would get through meanwhile, and bring the server's own time.
  await page.route(/socket\.io/, (route) => (isCut ? route.abort() : route.continue()))
  await page.clock.install()
  await open(page, 'fr', t)
  const visitor = `Patiente ${Date.now()}`
  await logIn(page, t, visitor)
  await say(page, t, 'Mon courriel est bloqué')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('log')).toContainText('Envoyé')
  const offer = dialog.getByRole('button', { name: t.leaveMessage })
  await expect(async () => {
    await page.clock.fastForward('03:05')
    await expect(offer).toBeVisible({ timeout: 1_000 })
  }).toPass()
  // The jump breaks the connection too; afterwards the server sends the time that is left by its own clock.
  isCut = true
  await expectAccessible(page)
  await offer.click()
  isCut = false
  await expect(dialog.getByLabel(t.email)).toHaveValue('annie@client.example')
  await expect(dialog.getByLabel(t.name)).toHaveValue(visitor)
  await expect(dialog.getByRole('textbox', { name: t.message })).toHaveValue('Mon courriel est bloqué')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t.leave }).click()
  await expect(dialog.getByRole('status').filter({ hasText: /CL-\d{4}-\d{6}/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Revenir au clavardage' }).click()
  const id = await counter.claim(visitor)
  await counter.say(id, 'Pardon pour l’attente')
  await expect(dialog.getByRole('log')).toContainText('Pardon pour l’attente')
  await expect(offer).toBeHidden()
  await counter.close(id)
  await counter.leave()
})

test('sends chosen, pasted and dropped files, shows them after a reload, and refuses a false picture', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  const t = words.fr
  expectedErrors.push('415')
  await allowFiles(staff)
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, `Fichiers ${Date.now()}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Joindre une image, un PDF ou un texte' })).toBeVisible()
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'ecran.png', mimeType: 'image/png', buffer: await readFile('public/icon-180.png') })
  const picture = dialog.getByRole('img', { name: 'Image jointe : ecran.png' })
  await expect(picture).toBeVisible()
  await expect.poll(() => counter.texts()).toContain('ecran.png')
  await input.setInputFiles({ name: 'piege.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await expect(dialog.getByRole('alert').filter({ hasText: 'piege.png' })).toBeVisible()
  await expectAccessible(page)
  // A screenshot from the clipboard, and two files dropped at once; a text that comes with a picture is pasted as text.
  const field = page.getByRole('textbox', { name: t.write })
  await field.evaluate((element) => {
    const transfer = (files: File[], text = '') => {
      const data = new DataTransfer()
      for (const file of files) data.items.add(file)
      if (text) data.setData('text/plain', text)
      return data
    }
    const note = (name: string) => new File([`contenu de ${name}`], name, { type: 'text/plain' })
    const paste = (clipboardData: DataTransfer) =>
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    paste(transfer([note('colle.txt')]))
    paste(transfer([note('office.txt')], 'un tableau'))
    const dataTransfer = transfer([note('depose-1.txt'), note('depose-2.txt')])
    element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  })
  for (const name of ['colle.txt', 'depose-1.txt', 'depose-2.txt']) await expect.poll(() => counter.texts()).toContain(name)
  expect(counter.texts()).not.toContain('office.txt')
  await page.reload()
  await expect(picture).toBeVisible()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^Télécharger ecran\.png/ }).click()
  expect((await downloading).suggestedFilename()).toBe('ecran.png')
  await counter.leave()
})

test('keeps everything reachable at 320 pixels and 200 %', async ({ newPerson, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  const page = await newPerson({ viewport: { width: 320, height: 360 } })
  await open(page, 'fr', words.fr)
  await logIn(page, words.fr, `Loupe ${Date.now()}`)
  await say(page, words.fr, 'Un mot')
  await expect(page.getByRole('log')).toContainText('Envoyé')
  await expect(page.getByRole('button', { name: words.fr.send })).toBeInViewport()
  const field = await page.getByRole('textbox', { name: words.fr.write }).boundingBox()
  expect(field?.height).toBeLessThan(80)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 256 })
  const head = await page.getByRole('dialog').locator('header').boundingBox()
  expect(head?.height).toBeLessThanOrEqual(56)
  await counter.leave()
})

test('fills the screen of a phone', async ({ newPerson }) => {
  const page = await newPerson({ viewport: { width: 390, height: 844 } })
  await open(page, 'fr', words.fr)
  await expect(page.getByRole('heading', { name: words.fr.closed })).toBeVisible()
  await expect.poll(async () => page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expectAccessible(page)
})

test('opens once the script is loaded when requested before', async ({ page }) => {
  const bringScripts = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('main').getByRole('link', { name: 'Laisser un message' }).click()
  await expect(page.getByText('Ouverture du clavardage…')).toBeVisible()
  await expectAccessible(page)
  bringScripts()
  await expect(page.getByRole('dialog', { name: 'Clavardage' })).toBeVisible()
  await expect(page.getByText('Ouverture du clavardage…')).toBeHidden()
})

test('links the launcher to the form without scripts, and opens the chat with them', async ({
  page,
  newPerson,
  expectedErrors,
}) => {
  expectedErrors.push('ERR_FAILED', 'Failed to fetch dynamically imported module')
  const bubble = { fr: /^Clavardage/, en: /^Live chat/ }
  await page.goto('/about')
  await hydrated(page)
  await expect(page.getByRole('button', { name: bubble.fr })).toBeVisible()
  await page.getByRole('button', { name: bubble.fr }).press('Space')
  await expect(page.getByRole('dialog', { name: 'Clavardage' })).toBeVisible()

  const blocked = await newPerson()
  await blocked.route('**/assets/*.js', (route) => route.abort())
  await blocked.goto('/about')
  await blocked.getByRole('link', { name: bubble.fr }).click()
  await expect(blocked.getByRole('heading', { level: 1, name: 'Appel de service' })).toBeVisible({ timeout: 12_000 })

  const without = await newPerson({ javaScriptEnabled: false })
  await without.goto('/about?lang=en')
  await without.getByRole('link', { name: bubble.en }).click()
  await expect(without).toHaveURL(/\/appel-de-service\?lang=en$/)
})

test('updates hero, launcher, footer and tab of an open page with the availability', async ({
  page,
  newPerson,
  staff,
  product,
}) => {
  await page.goto('/')
  await hydrated(page)
  const main = page.getByRole('main')
  const bubble = page.getByRole('button', { name: words.fr.launcher })
  await expect(main.getByRole('button', { name: 'Laisser un message' })).toBeVisible()
  await expect(main).toContainText(/Clavardage fermé, réouverture|Aucun technicien n’est libre/)
  await expect(main).not.toContainText('Tout de suite')
  await expect(bubble).toContainText('Laisser un message')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/Clavardage fermé, réouverture|Aucun technicien n’est libre/)
  const icon = page.locator('link[rel=icon]')
  await expect(icon).toHaveAttribute('href', /^\/favicon-(closed|busy)\.svg$/)
  const counter = await openCounter(staff, product.address())
  await expect(main.getByRole('button', { name: 'Clavarder avec un technicien' })).toBeVisible()
  await expect(footer).toContainText('1 technicien disponible')
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
  await expect(main).toContainText('Tout de suite')
  await expect(main).toContainText('1 technicien disponible')
  await expect(bubble).toContainText('Clavarder')
  await expectAccessible(page)
  const without = await newPerson({ javaScriptEnabled: false })
  await without.goto('/')
  await expect(without.getByRole('contentinfo')).toContainText('1 technicien disponible')
  const second = await page.context().newPage()
  await second.goto('/')
  await expect(second.getByRole('main')).toContainText('Tout de suite')
  await second.close()
  await bubble.click()
  const panel = page.getByRole('dialog', { name: 'Clavardage' })
  await expect(panel.getByRole('button', { name: 'Parler à un technicien' })).toBeVisible()
  await expect(panel).toContainText('1 technicien disponible')
  await panel.getByLabel('Nom', { exact: true }).fill('Léa Soir')
  await counter.leave()
  await expect(panel).toContainText(/Fermé|Aucun technicien libre/)
  await expect(panel).not.toContainText('un technicien vous répondra')
  await expect(panel.getByRole('button', { name: 'Laisser un message' })).toBeVisible()
  await expect(panel.getByLabel('Nom', { exact: true })).toHaveValue('Léa Soir')
  await expect(panel.getByRole('status')).toContainText(/Le clavardage est fermé|Aucun technicien n’est libre/)
  await expect(panel.getByRole('status').getByRole('link')).toHaveAttribute('href', /^tel:/)
  await panel.getByRole('button', { name: 'Laisser un message' }).click()
  const message = panel.getByRole('form', { name: /./ })
  await expect(message.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(message.getByLabel('Nom', { exact: true })).toHaveValue('Léa Soir')
  await expect(main).not.toContainText('Tout de suite')
  await expect(main).toContainText('Laisser un message')
  await expect(async () => {
    await without.reload()
    await expect(without.getByRole('contentinfo')).not.toContainText('disponible', { timeout: 500 })
  }).toPass({ timeout: 20_000 })
})

test('the form of a message names every field that is missing, and a lost connection leaves the phone to be called', async ({
  newPerson,
  expectedErrors,
}) => {
  expectedErrors.push('net::ERR_INTERNET_DISCONNECTED')
  const page = await newPerson({ viewport: { width: 390, height: 844 } })
  const t = words.fr
  await open(page, 'fr', t)
  const form = page.getByRole('form', { name: t.message })
  const name = form.getByLabel(t.name, { exact: true })
  const email = form.getByLabel(t.email)
  const message = form.getByRole('textbox', { name: t.message })
  const fields = [name, email, message]
  for (const field of fields) await expect(field).toHaveAttribute('required', '')
  await expect(form.getByLabel('Téléphone')).not.toHaveAttribute('required')
  await form.getByRole('button', { name: t.leave }).click()
  for (const field of fields) await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toBeFocused()
  await expectAccessible(page)
  await name.fill('Annie')
  await email.fill('annie@client.example')
  await message.fill('Rappelez-moi.')
  await expect(form.getByText(t.required)).toHaveCount(0)
  await page.context().setOffline(true)
  await form.getByRole('button', { name: t.leave }).click()
  const alert = form.getByRole('alert')
  await expect(alert).toContainText('Votre message n’est pas confirmé.')
  const call = alert.getByRole('link')
  await expect(call).toHaveAttribute('href', /^tel:/)
  // The number is on one line.
  expect(await call.evaluate((link) => link.getClientRects().length)).toBe(1)
  await page.context().setOffline(false)
})
