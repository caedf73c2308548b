import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { openCounter } from './technician.ts'

const words = {
  fr: {
    chat: 'Clavarder',
    close: 'Fermer le clavardage',
    minimize: 'Réduire le clavardage',
    shut: 'Le clavardage est fermé',
    hours: /8:00 à 17:00/,
    leave: 'Laisser le message',
    offerLeave: 'Laisser un message',
    message: 'Votre message',
    required: 'Remplissez ce champ.',
    first: 'Vous êtes en tête de file.',
    taken: /prend votre demande/,
    rating: '4 sur 5',
    comment: /Un mot de plus/,
    sendRating: 'Envoyer mon avis',
    rated: 'Merci de votre avis.',
    download: 'Télécharger',
    connecting: 'Reconnexion…',
    email: 'Courriel',
    name: 'Nom',
    start: 'Commencer',
    nameMissing: 'Entrez votre nom.',
    write: 'Écrire un message',
    send: 'Envoyer',
    read: 'Lu',
    unsent: 'Pas encore envoyé',
    lost: 'Connexion perdue. Vos messages partiront au retour.',
    endTitle: 'Terminer le clavardage ?',
    endYes: 'Terminer',
    over: 'Le clavardage est terminé',
    yes: 'Oui, l’envoyer',
    no: 'Non, merci',
    sent: /transcription part vers votre courriel/,
    skipped: /Merci de votre visite/,
    broken: 'Une erreur est survenue avec le clavardage.',
    typing: /écrit…/,
  },
  en: {
    chat: 'Chat',
    close: 'Close the chat',
    minimize: 'Minimize the chat',
    shut: 'The chat is closed',
    hours: /8:00 to 17:00/,
    leave: 'Leave the message',
    offerLeave: 'Leave a message',
    message: 'Your message',
    required: 'Fill this field in.',
    first: 'You are next in line.',
    taken: /is taking your request/,
    rating: '4 out of 5',
    comment: /Anything to add/,
    sendRating: 'Send my rating',
    rated: 'Thank you for your rating.',
    download: 'Download',
    connecting: 'Reconnecting…',
    email: 'E-mail',
    name: 'Name',
    start: 'Start',
    nameMissing: 'Enter your name.',
    write: 'Write a message',
    send: 'Send',
    read: 'Read',
    unsent: 'Not sent yet',
    lost: 'Connection lost. Your messages will leave when it is back.',
    endTitle: 'End the chat?',
    endYes: 'End the chat',
    over: 'The chat is over',
    yes: 'Yes, send it',
    no: 'No, thank you',
    sent: /transcript is on its way/,
    skipped: /Thank you for your visit/,
    broken: 'An error occurred with the chat.',
    typing: /is typing…/,
  },
} as const
type Words = (typeof words)['fr' | 'en']

for (const language of ['fr', 'en'] as const) {
  const t = words[language]

  test(`${language}: nobody is there: the hours, and a message left instead`, async ({ page }) => {
    await open(page, language, t)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { name: t.shut })).toBeFocused()
    await expect(dialog).toContainText(t.hours)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: t.chat, exact: true }).last()).toBeFocused()
    await page.getByRole('button', { name: t.chat, exact: true }).last().click()
    await dialog.getByLabel(t.name).fill('Annie Roy')
    await dialog.getByLabel(t.email).fill('annie@client.example')
    await dialog.getByRole('button', { name: t.leave }).click()
    await expect(dialog.getByText(t.required)).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: t.message })).toBeFocused()
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: t.message }).fill('L’imprimante ne répond plus')
    await dialog.getByRole('button', { name: t.leave }).click()
    await expect(dialog.getByRole('status').filter({ hasText: /CL-\d{4}-\d{6}/ })).toBeVisible()
    await expectAccessible(page)
  })

  test(`${language}: a conversation, a reload, a lost line, a transcript`, async ({ page, staff, product, expectedErrors }) => {
    test.slow()
    expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to')
    const visitor = `Annie ${language} ${Date.now()}`
    const counter = await openCounter(staff, product.address())
    await open(page, language, t)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel(t.email)).toBeFocused()
    await expectAccessible(page)

    await dialog.getByLabel(t.email).fill('annie@client.example')
    await dialog.getByRole('button', { name: t.start }).click()
    await expect(dialog.getByText(t.nameMissing)).toBeVisible()
    await dialog.getByLabel(t.name).fill(visitor)
    await dialog.getByRole('button', { name: t.start }).click()
    const field = dialog.getByRole('textbox', { name: t.write })
    await expect(field).toBeFocused()
    await expect(dialog.getByText(t.first)).toBeVisible()

    await say(page, t, 'Le 2e étage est sans réseau')
    await expect.poll(counter.texts).toContain('Le 2e étage est sans réseau')
    await expect(field).toHaveValue('')
    const id = await counter.claim(visitor)
    await expect(dialog.getByText(t.taken)).toBeVisible()
    await counter.type(id)
    await expect(dialog.getByText(t.typing)).toBeVisible()
    await counter.say(id, 'Je regarde le commutateur <b>tout de suite</b>')
    await counter.read(id, 1)
    const log = dialog.getByRole('log')
    await expect(log).toContainText('Je regarde le commutateur <b>tout de suite</b>')
    await expect(log).toContainText(new RegExp(`\\d\\d:\\d\\d · ${t.read}`))

    await page.reload()
    await expect(log).toContainText('Le 2e étage est sans réseau')
    await expect(log).toContainText('tout de suite')

    await page.context().setOffline(true)
    await expect(dialog.getByText(t.lost)).toBeVisible()
    await say(page, t, 'Merci, on attend')
    await expect(log).toContainText(t.unsent)
    await expectAccessible(page)
    await page.context().setOffline(false)
    await expect(dialog.getByText(t.lost)).toBeHidden({ timeout: 20_000 })
    await expect(log).not.toContainText(t.unsent)
    await expect.poll(() => counter.texts().filter((text) => text === 'Merci, on attend')).toHaveLength(1)
    await expect(log.getByText('Merci, on attend')).toHaveCount(1)

    await dialog.getByRole('button', { name: t.close }).click()
    await expect(page.getByRole('alertdialog', { name: t.endTitle })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await dialog.getByRole('button', { name: t.close }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.endYes }).click()
    await expect(dialog.getByRole('heading', { name: t.over })).toBeFocused()
    await expectAccessible(page)
    await dialog.getByRole('radio', { name: t.rating }).check({ force: true })
    await dialog.getByLabel(t.comment).fill('Rapide')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t.sendRating }).click()
    await expect(dialog.getByText(t.rated)).toBeVisible()
    expect(await counter.rating(id)).toEqual({ rating: 4, rating_comment: 'Rapide' })
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: t.download }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^conversation-\d{4}-\d\d-\d\d\.html$/)
    expect(await readFile(await download.path(), 'utf8')).toContain('Je regarde le commutateur &lt;b&gt;tout de suite&lt;/b&gt;')
    const mailsBefore = product.smtp.received.length
    await dialog.getByRole('button', { name: t.yes }).click()
    await expect(dialog.getByText(t.sent)).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await page.evaluate(() => sessionStorage.getItem('id_chat'))).toBeNull()
    await expect
      .poll(() => product.smtp.received.slice(mailsBefore).map((mail) => mail.envelope.to), { timeout: 20_000 })
      .toContainEqual(['annie@client.example'])
    expect(product.smtp.received.at(-1)?.text).toContain('Merci, on attend')
    await counter.leave()
  })
}

test('two tabs of one visitor show the same conversation; the technician ends it for both', async ({ page, staff, product }) => {
  const t = words.fr
  const visitor = `Deux onglets ${Date.now()}`
  const counter = await openCounter(staff, product.address())
  await page.addInitScript(() => {
    const counted = window as unknown as { rings: number }
    counted.rings = 0
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...when: [number?]) {
      counted.rings += 1
      return start.apply(this, when)
    }
  })
  await open(page, 'fr', t)
  await logIn(page, t, visitor)
  await say(page, t, 'Du premier onglet')
  const other = await page.context().newPage()
  await open(other, 'fr', t)
  await expect(other.getByRole('log')).toContainText('Du premier onglet')
  await say(other, t, 'Du second')
  await expect(page.getByRole('log')).toContainText('Du second')

  const id = await counter.claim(visitor)
  await page.getByRole('button', { name: t.minimize }).click()
  await counter.say(id, 'Voilà, c’est réglé')
  await expect(page.getByRole('complementary', { name: t.chat }).getByRole('button')).toContainText('1')
  await expect(page).toHaveTitle(/^\(1\) /)
  expect(await rings(page)).toBeGreaterThan(0)
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await expect(page).toHaveTitle(/^[^(]/)
  await page.getByRole('button', { name: 'Couper le son' }).click()
  await page.getByRole('button', { name: t.minimize }).click()
  const before = await rings(page)
  await counter.say(id, 'Autre chose ?')
  await expect(page).toHaveTitle(/^\(1\) /)
  expect(await rings(page)).toBe(before)
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await counter.close(id)
  await expect(page.getByRole('heading', { name: t.over })).toBeVisible()
  await expect(other.getByRole('heading', { name: t.over })).toBeVisible()
  await page.getByRole('button', { name: t.no }).click()
  await expect(page.getByText(t.skipped)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await other.close()
  await counter.leave()
})

test('a text survives the switch of language; one too long is refused in words; an empty one is not sent', async ({
  page,
  staff,
  product,
}) => {
  const t = words.fr
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, `Brouillon ${Date.now()}`)
  const field = page.getByRole('dialog').getByRole('textbox')
  await say(page, t, '   ')
  await field.fill('x'.repeat(4001))
  await page.getByRole('button', { name: t.send }).click()
  await expect(page.getByRole('alert').filter({ hasText: '4001' })).toBeVisible()
  await field.fill('À moitié écrit')
  await page.getByRole('link', { name: 'EN, English' }).first().click()
  await expect(page.getByRole('textbox', { name: words.en.write })).toHaveValue('À moitié écrit')
  expect(counter.texts()).toEqual([])
  await counter.leave()
})

test('a stored chat that nobody attends any more, and a service that does not answer', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  const t = words.fr
  expectedErrors.push('available-users')
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, `Seul ${Date.now()}`)
  await counter.leave()
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('id_chat'))).toBeNull()

  await page.route('**/public_api/chat/available-users', (route) => route.abort())
  await page.getByRole('dialog').getByRole('button', { name: 'Vérifier de nouveau' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t.broken)
})

test('what was written without a network survives a crash of the browser, and arrives once', async ({
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

test('nobody answers in time: an apology and a message filled in, while the place is kept', async ({ page, staff, product }) => {
  const t = words.fr
  const counter = await openCounter(staff, product.address())
  await page.clock.install()
  await open(page, 'fr', t)
  const visitor = `Patiente ${Date.now()}`
  await logIn(page, t, visitor)
  await say(page, t, 'Mon courriel est bloqué')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('log')).toContainText('Envoyé')
  const offer = dialog.getByRole('button', { name: t.offerLeave })
  await expect(async () => {
    await page.clock.fastForward('03:05')
    await expect(offer).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expectAccessible(page)
  await offer.click()
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

test('a picture travels both ways of a reload; what only looks like one is refused in words', async ({
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
  await expect(dialog.getByRole('button', { name: 'Joindre une image ou un PDF' })).toBeVisible()
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'ecran.png', mimeType: 'image/png', buffer: await readFile('public/icon-180.png') })
  const picture = dialog.getByRole('img', { name: 'Image jointe : ecran.png' })
  await expect(picture).toBeVisible()
  await expect.poll(() => counter.texts()).toContain('ecran.png')
  await input.setInputFiles({ name: 'piege.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await expect(dialog.getByRole('alert').filter({ hasText: 'piege.png' })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(picture).toBeVisible()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^Enregistrer ecran\.png/ }).click()
  expect((await downloading).suggestedFilename()).toBe('ecran.png')
  await counter.leave()
})

test('at 320 pixels wide and 200 % everything can be reached', async ({ newPerson, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  const page = await newPerson({ viewport: { width: 320, height: 360 } })
  await open(page, 'fr', words.fr)
  await logIn(page, words.fr, `Loupe ${Date.now()}`)
  await say(page, words.fr, 'Un mot')
  await expect(page.getByRole('log')).toContainText('Envoyé')
  await expect(page.getByRole('button', { name: words.fr.send })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page)
  await counter.leave()
})

test('on a phone the chat takes the whole screen', async ({ newPerson }) => {
  const page = await newPerson({ viewport: { width: 390, height: 844 } })
  await open(page, 'fr', words.fr)
  await expect(page.getByRole('heading', { name: words.fr.shut })).toBeVisible()
  await expect.poll(async () => page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expectAccessible(page)
})

async function open(page: Page, language: 'fr' | 'en', t: Words) {
  await page.addInitScript((value) => {
    if (!localStorage.getItem('application_default_language')) localStorage.setItem('application_default_language', value)
  }, language)
  await page.goto(language === 'fr' ? '/about' : '/about?lang=en')
  await hydrated(page)
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

const rings = (page: Page) => page.evaluate(() => (window as unknown as { rings: number }).rings)

/** What the supervisor does on the settings page. */
async function allowFiles(staff: Page) {
  const status = await staff.evaluate(async () => {
    const settings = (await (await fetch('/api/chat/settings')).json()) as object
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const answer = await fetch('/api/chat/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
      body: JSON.stringify({ ...settings, attachments_enabled: true }),
    })
    return answer.status
  })
  expect(status).toBe(200)
}

async function logIn(page: Page, t: Words, name: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.email).fill('annie@client.example')
  await dialog.getByLabel(t.name).fill(name)
  await dialog.getByRole('button', { name: t.start }).click()
  await expect(dialog.getByRole('log')).toBeVisible()
}

async function say(page: Page, t: Words, text: string) {
  await page.getByRole('textbox', { name: t.write }).fill(text)
  await page.getByRole('dialog').getByRole('button', { name: t.send }).click()
}
