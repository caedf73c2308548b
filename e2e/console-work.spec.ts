import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { addReply, becomeAvailable, becomeUnavailable, createColleague, openConsole, openVisitor } from './console-people.ts'
import { words } from './console-words.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { logIn, open, words as visitorWords } from './visitor.ts'

const t = words.fr

/** Pastes or drops a file on an element, as the browser reports it. */
async function hand(element: Locator, kind: 'paste' | 'drop', name: string, type: string, bytes: Buffer) {
  await element.evaluate(
    (target, given) => {
      const data = new DataTransfer()
      data.items.add(
        new File([Uint8Array.from(atob(given.base64), (sign) => sign.codePointAt(0) ?? 0)], given.name, { type: given.type }),
      )
      const how = { bubbles: true, cancelable: true }
      if (given.kind === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
      else for (const event of ['dragover', 'drop']) target.dispatchEvent(new DragEvent(event, { ...how, dataTransfer: data }))
    },
    { kind, name, type, base64: bytes.toString('base64') },
  )
}

test('a technician sends files by button, paste and drop; the visitor gets each, and a refusal says why', async ({
  page: visitor,
  newPerson,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('415', '/api/chat/files')
  const page = await openConsole(newPerson, 'fr')
  await becomeAvailable(page, t)
  const name = `Kilo ${Date.now()}`
  await open(visitor, 'fr', visitorWords.fr)
  await logIn(visitor, visitorWords.fr, name)
  await page
    .getByRole('listitem')
    .getByRole('button', { name: new RegExp(name) })
    .click()
  const pane = page.getByRole('region', { name })
  const field = pane.getByRole('textbox', { name: t.answer })
  const files = pane.getByRole('list', { name: 'Fichiers joints' })
  const picture = await readFile('public/icon-180.png')
  const theirs = visitor.getByRole('dialog').getByRole('log')

  // Nothing leaves before « Envoyer », which takes the conversation too.
  await hand(field, 'paste', 'capture.png', 'image/png', picture)
  await expect(files.getByRole('img', { name: 'Image à envoyer : capture.png' })).toBeVisible()
  await hand(pane.getByRole('log'), 'drop', 'plan.txt', 'text/plain', Buffer.from('Le commutateur est au sous-sol.'))
  await pane
    .locator('input[type=file]')
    .setInputFiles({ name: 'de trop.txt', mimeType: 'text/plain', buffer: Buffer.from('non') })
  await expect(files.getByRole('listitem')).toHaveCount(3)
  await expect(files.getByText('Pas encore envoyé')).toHaveCount(3)
  await expectAccessible(page)
  await files.getByRole('button', { name: 'Retirer de trop.txt' }).click()
  await expect(files.getByRole('listitem')).toHaveCount(2)
  await expect(theirs.getByRole('button', { name: /capture/ })).toHaveCount(0)
  await field.fill('Voici la capture')
  await field.press('Enter')
  await expect(theirs.getByRole('img', { name: 'Image jointe : capture.png' })).toBeVisible()
  await expect(theirs.getByRole('button', { name: /Télécharger plan\.txt/ })).toBeVisible()
  await expect(theirs).toContainText('Voici la capture')
  await expect(theirs).not.toContainText('de trop')
  await expect(files).toHaveCount(0)
  await expect(pane.getByRole('log').getByRole('link', { name: 'capture.png' })).toBeVisible()
  const saving = visitor.waitForEvent('download')
  await theirs.getByRole('button', { name: /Télécharger plan\.txt/ }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toContain('sous-sol')

  // A slow upload shows how far it is, and goes on while another conversation is looked at.
  const isOver = Promise.withResolvers<void>()
  await page.route('**/api/chat/files', async (route) => {
    await isOver.promise
    await route.continue()
  })
  await pane.locator('input[type=file]').setInputFiles({ name: 'lent.png', mimeType: 'image/png', buffer: picture })
  await expect(field).toBeFocused()
  await field.press('Enter')
  await expect(files.getByRole('progressbar', { name: 'Envoi de lent.png' })).toBeVisible()
  await page.getByRole('button', { name: `Masquer la conversation avec ${name}` }).click()
  isOver.resolve()
  await expect(theirs.getByRole('img', { name: 'Image jointe : lent.png' })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })

  await page
    .getByRole('listitem')
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await hand(field, 'paste', 'piege.png', 'image/png', Buffer.from('<svg onload="alert(1)"/>'))
  await field.press('Enter')
  await expect(files.getByRole('alert')).toHaveText(/n’est ni une image/)
  await expect(files.getByRole('button', { name: 'Réessayer' })).toHaveCount(0)
  await expectAccessible(page)
  await files.getByRole('button', { name: 'Retirer piege.png' }).click()
  await visitor.getByRole('button', { name: visitorWords.fr.close }).click()
  await visitor.getByRole('button', { name: visitorWords.fr.endYes }).click()
  await expect(pane.getByText(t.closed)).toBeVisible()
  await becomeUnavailable(page, t)
})

test('with twelve conversations at 1366 by 700: the menu is a rail, each action is in reach, answers are suggested', async ({
  newPerson,
  product,
  staff,
}) => {
  test.slow()
  const counter = await openCounter(staff, product.address())
  await counter.closeAll()
  await counter.leave()
  const technician = await createColleague(staff, 'read_write')
  const page = await openConsole(newPerson, 'fr', technician)
  const shortcut = `fax${Date.now()}`
  await addReply(page, shortcut, 'Éteignez le télécopieur, puis rallumez-le.')
  await page.setViewportSize({ width: 1366, height: 700 })
  await page.reload()
  await page.getByRole('main').getByRole('button', { name: t.become }).click()
  await expect(page.getByRole('main').getByRole('button', { name: t.leave })).toBeVisible()
  const run = Date.now()
  const visitors = []
  for (let count = 1; count <= 12; count += 1) visitors.push(await openVisitor(product.address(), `Lima ${count} ${run}`, 'fr'))
  const [first] = visitors
  if (!first) throw new Error('twelve visitors')
  for (const text of ['Bonjour', 'Notre télécopieur ne répond plus', 'C’est pressant']) await first.say(text)
  const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('listitem').getByRole('button')
  await expect(rows).toHaveCount(12)

  const menu = page.getByRole('navigation', { name: 'Administration' })
  expect((await menu.boundingBox())?.width).toBeLessThan(80)
  const chatLink = menu.getByRole('link', { name: /^Clavardage/ })
  const name = chatLink.getByText('Clavardage', { exact: true })
  await chatLink.hover()
  await expect(name).toHaveCSS('opacity', '1')
  await page.keyboard.press('Escape')
  await expect(name).toHaveCSS('opacity', '0')
  await page.getByRole('banner').locator('summary').filter({ hasNotText: 'Menu' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Se déconnecter' })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Alt+KeyP')
  const pane = page.getByRole('region', { name: first.pattern })
  const field = pane.getByRole('textbox', { name: t.answer })
  await expect(pane.getByRole('button', { name: t.send, exact: true })).toBeVisible()
  const isSuggested = pane.getByRole('button', { name: new RegExp(`^/${shortcut}`) })
  await expect(isSuggested).toBeVisible()
  const actions = [
    pane.getByRole('button', { name: 'Transférer' }),
    pane.getByRole('button', { name: 'Terminer' }),
    pane.getByRole('button', { name: t.send, exact: true }),
    pane.getByRole('button', { name: 'Ajouter la note' }),
    page.getByRole('button', { name: /^Prendre Lima/ }),
    page.getByRole('complementary').getByRole('button', { name: t.convert }),
  ]
  for (const action of actions) await expect(action).toBeInViewport({ ratio: 1 })
  const isScrolled = () =>
    page.evaluate(() => [document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth])
  expect(await isScrolled()).toEqual([false, false])
  // The conversation that was taken is above those that wait.
  await expect(rows.first()).toHaveAccessibleName(first.pattern)
  await expect(rows.first()).toBeInViewport({ ratio: 1 })

  // Three messages of one person in a row have one name and one time.
  const log = pane.getByRole('log')
  const shown = (selector: string) => log.locator(`${selector}:not(.sr-only)`).filter({ hasText: /\S/ })
  await expect(log.getByText('C’est pressant')).toBeVisible()
  await expect(shown('.console-theirs > .console-meta.font-bold')).toHaveCount(1)
  await expect(shown('.console-theirs > .console-meta.tabular')).toHaveCount(1)

  // A suggestion is put into the field, and leaves only when it is sent.
  await field.fill('Bonjour.')
  await page.keyboard.press('Alt+Digit1')
  await expect(field).toHaveValue('Bonjour. Éteignez le télécopieur, puis rallumez-le.')
  await expect(field).toBeFocused()
  await expect(isSuggested).toHaveCount(0)
  expect(first.texts()).toEqual([])
  await field.press('Enter')
  await expect.poll(first.texts).toEqual(['Bonjour. Éteignez le télécopieur, puis rallumez-le.'])
  await first.say('Le télécopieur clignote')
  await pane.getByRole('button', { name: 'Masquer les suggestions dans cette conversation' }).click()
  await expect(isSuggested).toHaveCount(0)

  // Keys of one character are turned off on the profile; the help leads there.
  await pane.getByRole('log').focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: t.shortcuts })
  // Messages that come back from behind a dialog are not announced as new ones.
  const history = page.locator('[role=log]')
  await expect(help).toBeVisible()
  await expect(history).toHaveAttribute('aria-live', 'off')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await expect(history).not.toHaveAttribute('aria-live')
  await pane.getByRole('log').focus()
  await page.keyboard.press('?')
  page.on('dialog', (dialog) => void dialog.accept())
  await help.getByRole('link', { name: /Mon profil/ }).click()
  const keys = page.getByRole('checkbox', { name: /raccourcis d’une seule touche/ })
  await expect(keys).toBeInViewport()
  await keys.uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Réduire le menu' }).click()
  await expect.poll(async () => (await menu.boundingBox())?.width).toBeLessThan(80)
  await menu.getByRole('link', { name: /^Clavardage/ }).click()
  await rows.first().click()
  await pane.getByRole('log').focus()
  await page.keyboard.press('?')
  await page.keyboard.press('Alt+KeyR')
  await expect(field).toBeFocused()
  await expect(help).toHaveCount(0)

  // What was done is said beside the conversation, whose fields and buttons stay free.
  const { x = 0, width = 0 } = (await pane.boundingBox()) ?? {}
  await field.fill('Bonne journée')
  await field.press('Enter')
  await expect(log.locator('.console-own').last()).toContainText(/Bonne journée.*Envoyé/s)
  await page.keyboard.press('Alt+KeyX')
  const outcome = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Rouvrir' }) })
  expect((await outcome.boundingBox())?.x).toBeGreaterThan(x + width)
  for (const visitor of visitors) await visitor.leave()
})

test('two of one name are told apart; new messages below are shown; nothing is lost at 200 %, in forced colors or without notifications', async ({
  newPerson,
  product,
  staff,
}) => {
  test.slow()
  const page = await openConsole(newPerson, 'fr', await createColleague(staff, 'read_write'))
  await page.setViewportSize({ width: 1366, height: 700 })
  await page.getByRole('main').getByRole('button', { name: t.become }).click()
  await expect(page.getByRole('main').getByRole('button', { name: t.leave })).toBeVisible()
  const name = `Jean Roy ${Date.now()}`
  const twins = [await openVisitor(product.address(), name, 'fr'), await openVisitor(product.address(), name, 'fr')]
  const rows = page.getByRole('listitem').getByRole('button', { name: new RegExp(name) })
  await expect(rows).toHaveCount(2)
  await page.mouse.move(0, 0)
  for (const index of [0, 1]) {
    await rows.nth(index).click()
    await page.getByRole('button', { name: t.claim, exact: true }).click()
    await expect(page.getByRole('button', { name: t.send, exact: true })).toBeVisible()
  }
  const tabs = await page.getByRole('navigation', { name: t.open }).getByRole('button').allTextContents()
  expect(tabs.toSorted()).toEqual([...new Set(tabs)].toSorted())
  for (const tab of tabs) expect(tab).toMatch(/\(n°\s\d+\)$/)
  const pane = page.getByRole('region', { name })
  await expect(pane).toHaveAccessibleName(/\(n°\s\d+\)$/)

  const log = pane.getByRole('log')
  const field = pane.getByRole('textbox', { name: t.answer })
  for (let count = 1; count <= 12; count += 1) {
    await field.fill(`Étape ${count} : ${'redémarrez, puis attendez. '.repeat(4)}`)
    await field.press('Enter')
    await expect(log.getByText(new RegExp(`^Étape ${count} :`))).toBeVisible()
  }
  // One's own message brings the end into sight: it has to be sent before.
  await expect(log.getByText(/^(Envoi…|En attente d’envoi)$/)).toHaveCount(0)
  await log.evaluate((list) => list.scrollTo({ top: 0 }))
  await expect(log.getByText(/^Étape 12 :/)).not.toBeInViewport()
  const titles = await recordNotifications(page)
  for (const twin of twins) await twin.say('C’est fait')
  const numbered = expect.stringMatching(/^Nouveau message de Jean Roy .*\(n°\s\d+\)$/) as unknown
  await expect.poll(titles).toEqual([numbered, numbered])
  const below = log.getByRole('button', { name: '1 nouveau message plus bas' })
  await expect(below).toBeInViewport()
  await expectAccessible(page)
  await below.click()
  await expect(log.getByText('C’est fait')).toBeInViewport()
  await expect(below).toHaveCount(0)

  // A window of 1366 by 700 at 200 %.
  await page.setViewportSize({ width: 683, height: 350 })
  await page.getByRole('button', { name: 'Conversations', exact: true }).click()
  await rows.last().click()
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport({ ratio: 0.9 })
  for (const one of [t.send, 'Ajouter la note', 'Transférer', 'Terminer']) {
    const button = pane.getByRole('button', { name: one, exact: true })
    await button.click({ trial: true })
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)

  await page.setViewportSize({ width: 1366, height: 700 })
  await page.emulateMedia({ forcedColors: 'active' })
  const looks = (all: Locator, property: 'background-color' | 'border-top-color') =>
    all.evaluateAll((found, key) => found.map((one) => getComputedStyle(one).getPropertyValue(key)), property)
  const [pressed, ...others] = await looks(
    page.getByRole('group', { name: 'Conversations' }).getByRole('button'),
    'background-color',
  )
  expect(others).not.toContain(pressed)
  expect(new Set(await looks(page.getByRole('navigation', { name: t.open }).getByRole('button'), 'border-top-color')).size).toBe(
    2,
  )
  await expect(page.locator('.console-note-form')).toHaveCSS('border-top-style', 'dashed')
  await expect(page.locator('.console-own').first()).toHaveCSS('border-top-width', '1px')
  const lamp = page.getByRole('main').getByRole('status').locator('.lamp')
  const [lit] = await looks(lamp, 'background-color')
  const row = page.locator('.console-item[aria-current]')
  const [ground] = await looks(row, 'background-color')
  const texts = await row
    .locator('span:not(.sr-only, .badge, .badge *)')
    .evaluateAll((found) => found.map((one) => getComputedStyle(one).color))
  expect(new Set(texts).size).toBe(1)
  expect(texts).not.toContain(ground)
  page.on('dialog', (dialog) => void dialog.accept())
  await becomeUnavailable(page, t)
  expect(await looks(lamp, 'background-color')).not.toEqual([lit])
  await page.emulateMedia({ forcedColors: 'none' })

  await page.reload()
  expect(await page.evaluate(() => Notification.permission)).toBe('denied')
  await page.locator('summary').filter({ hasText: t.online }).click()
  await page.getByRole('button', { name: t.alerts }).click()
  const channel = page.getByRole('region', { name: 'Notification' })
  await expect(channel).toContainText('Le navigateur refuse les notifications')
  await expect(channel.getByRole('button')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.goto('/admin/profile')
  await expect(page.getByRole('heading', { name: 'Appareils avisés' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Appareils avisés' })).toContainText(
    /refuse les notifications|ne peut pas vous aviser/,
  )
  await expect(page.getByRole('button', { name: 'Aviser cet appareil' })).toHaveCount(0)
  for (const twin of twins) await twin.leave()
})

/** Until the next page, notifications are allowed and the window is behind another one; returns the titles of those shown. */
async function recordNotifications(page: Page) {
  await page.evaluate(() => {
    const titles: string[] = []
    class Recorded extends EventTarget {
      static permission = 'granted'
      constructor(title: string) {
        super()
        titles.push(title)
      }
    }
    document.hasFocus = () => false
    Object.assign(window, { Notification: Recorded, titles })
  })
  return () => page.evaluate(() => (window as unknown as { titles: string[] }).titles)
}
