import type { Page } from '@playwright/test'
import { addReply, becomeAvailable, becomeUnavailable, createColleague, openConsole, openVisitor } from './console-people.ts'
import { words } from './console-words.ts'
import { expect, expectAccessible, signIn, test, xsrfHeaders } from './fixtures.ts'
import { openCounter } from './technician.ts'

test('a session that ends while a technician writes: nothing is lost, the sign-in comes over the work', async ({
  newPerson,
  product,
  staff,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('401', '403')
  const t = words.fr
  const technician = await createColleague(staff, 'read_write')
  const page = await openConsole(newPerson, 'fr', technician)
  await becomeAvailable(page, t)
  const visitor = await openVisitor(product.address(), `Golf ${Date.now()}`, 'fr')
  await visitor.say('Bonjour')
  await page.getByRole('listitem').getByRole('button', { name: visitor.pattern }).click()
  const pane = page.getByRole('region', { name: visitor.pattern })
  const field = pane.getByRole('textbox', { name: t.answer })
  await field.fill('Je regarde')
  await field.press('Enter')
  await expect.poll(visitor.texts).toEqual(['Je regarde'])

  // Who has a conversation is asked before stepping away from it.
  await page.getByRole('button', { name: t.leave }).first().click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(visitor.name)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Annuler' }).click()
  await expect(page.getByRole('button', { name: t.leave })).toBeVisible()

  const headers = await xsrfHeaders(page)
  await field.focus()
  const ended = await page.request.post('/api/auth/logoff', { headers })
  expect(ended.ok()).toBe(true)
  await page.keyboard.type('Redémarrez le modem')
  await page.keyboard.press('Enter')
  await page.keyboard.type('et rappelez-moi')
  await expect(page.getByRole('button', { name: t.become })).toBeDisabled()
  await expect(page.getByRole('status').filter({ hasText: /^Disponible/ })).toHaveCount(0)
  const dialog = page.getByRole('dialog', { name: 'Connectez-vous pour continuer' })
  const password = dialog.getByLabel('Mot de passe')
  await expect(password).toBeFocused()
  await expect(password).toHaveValue('')
  await expect(dialog.getByLabel('Nom d’utilisateur')).toHaveValue(technician.username)
  await expect(field).toHaveValue('et rappelez-moi')
  await expectAccessible(page)
  await password.fill(technician.password)
  await password.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect.poll(visitor.texts).toEqual(['Je regarde', 'Redémarrez le modem'])
  await expect(field).toHaveValue('et rappelez-moi')
  await expect(page.getByRole('button', { name: t.become })).toBeEnabled()

  // The browser asks before the page closes over the text, which the next tab has.
  const asking = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const asked = await asking
  expect(asked.type()).toBe('beforeunload')
  await asked.dismiss()
  const next = await page.context().newPage()
  await next.goto('/admin/chat')
  await next.getByRole('listitem').getByRole('button', { name: visitor.pattern }).click()
  await expect(next.getByRole('textbox', { name: t.answer })).toHaveValue('et rappelez-moi')
  await visitor.leave()
})

/** Holds confirmations of claims back until they are let through; what is announced to everyone still comes. */
async function holdClaims(page: Page) {
  const held: (() => void)[] = []
  await page.routeWebSocket(/socket\.io/, (route) => {
    const server = route.connectToServer()
    const awaited = new Set<string>()
    route.onMessage((message) => {
      const request = /^42(.{0,20}?\d+)\["staff:claim"/.exec(String(message))
      if (request) awaited.add(`43${request[1]}`)
      server.send(message)
    })
    server.onMessage((message) => {
      if (awaited.has(String(message).split('[', 1).join(''))) held.push(() => route.send(message))
      else route.send(message)
    })
  })
  return { count: () => held.length, letThrough: () => held.splice(0).forEach((send) => send()) }
}

test('a conversation is answered once, by any press, before the confirmation of its claim arrives', async ({
  newPerson,
  product,
}) => {
  const t = words.fr
  const page = await newPerson()
  const held = await holdClaims(page)
  await openConsole(async () => page, 'fr')
  await becomeAvailable(page, t)

  const taken = await openVisitor(product.address(), `India ${Date.now()}`, 'fr')
  await page.getByRole('listitem').getByRole('button', { name: taken.pattern }).click()
  await page.getByRole('button', { name: t.claim, exact: true }).click()
  await page.getByRole('textbox', { name: t.answer }).fill('Je regarde')
  await expect.poll(held.count).toBe(1)
  // Playwright would wait until a button is no longer busy, as no person does.
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click({ force: true })
  await expect.poll(taken.texts).toEqual(['Je regarde'])
  held.letThrough()

  const answered = await openVisitor(product.address(), `Juliett ${Date.now()}`, 'fr')
  await page.getByRole('listitem').getByRole('button', { name: answered.pattern }).click()
  const pane = page.getByRole('region', { name: answered.pattern })
  const field = pane.getByRole('textbox', { name: t.answer })
  await field.fill('Un instant')
  await field.press('Enter')
  await expect.poll(held.count).toBe(1)
  await expect(pane.getByRole('button', { name: 'Envoyer', exact: true })).toBeVisible()
  await field.press('Enter')
  held.letThrough()
  await expect(field).toHaveValue('')
  await field.fill('Voilà')
  await field.press('Enter')
  await expect.poll(() => answered.texts().at(-1)).toBe('Voilà')
  expect(answered.texts()).toEqual(['Un instant', 'Voilà'])
  await taken.leave()
  await answered.leave()
  await becomeUnavailable(page, t)
})

/** What a screen reader announces from now on: the next text takes the place of the one before. */
async function followAnnouncements(page: Page) {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const listen = () => document.querySelectorAll('[role=status]').forEach(({ textContent }) => heard.push(textContent))
    new MutationObserver(listen).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'))
}

test('by keyboard alone: each of eight tasks takes two presses at most, from where the focus is left', async ({
  newPerson,
  product,
  staff,
}) => {
  test.slow()
  const t = words.fr
  const counter = await openCounter(staff, product.address())
  await counter.closeAll()
  await counter.leave()
  // Who is there can be offered a conversation.
  await staff.goto('/admin/panel')
  const technician = await createColleague(staff, 'read_write')
  const page = await openConsole(newPerson, 'fr', technician)
  const run = Date.now()
  await addReply(page, `modem${run}`, 'Redémarrez le modem.')
  await page.reload()
  await becomeAvailable(page, t)
  const heard = await followAnnouncements(page)
  const visitors = []
  for (const name of ['Hôtel', 'India']) visitors.push(await openVisitor(product.address(), `${name} ${run}`, 'fr'))
  const [first, second] = visitors
  if (!first || !second) throw new Error('two visitors')
  for (const visitor of visitors) await visitor.say('Le modem clignote')
  await expect(page.getByRole('listitem').getByRole('button', { name: second.pattern })).toBeVisible()
  await expect.poll(heard).toContain(`${second.name} attend une réponse`)
  await page.reload()
  await expect(page.getByRole('button', { name: /^Prendre Hôtel/ })).toBeFocused()

  const presses: Record<string, number> = {}
  /** Presses the keys of a task; what is typed is no press of it. */
  const press = async (task: string, ...keys: string[]) => {
    presses[task] = keys.length
    for (const key of keys) await page.keyboard.press(key)
  }
  const field = (visitor: typeof first, name = t.answer) =>
    page.getByRole('region', { name: visitor.pattern }).getByRole('textbox', { name })
  for (const visitor of visitors) {
    await press('take the next', 'Alt+KeyP')
    await expect(field(visitor)).toBeFocused()
    await expect(page.getByRole('region', { name: visitor.pattern }).getByRole('button', { name: t.send })).toBeVisible()
    await page.keyboard.type(`Je regarde, ${visitor.name}`)
    await page.keyboard.press('Enter')
    await expect.poll(visitor.texts).toEqual([`Je regarde, ${visitor.name}`])
  }
  await press('note', 'Alt+KeyN')
  await expect(field(second, t.writeNote)).toBeFocused()
  await page.keyboard.type('Client impatient')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: second.pattern }).getByRole('log')).toContainText('Client impatient')
  await press('answer', 'Alt+KeyR')
  await expect(field(second)).toBeFocused()
  await second.say('Et le modem?')
  await expect(
    page.getByRole('region', { name: second.pattern }).getByRole('button', { name: new RegExp(`^/modem${run}`) }),
  ).toBeVisible()
  await press('insert a saved reply', 'Alt+Digit1')
  await expect(field(second)).toHaveValue('Redémarrez le modem.')
  await expect(field(second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => second.texts().at(-1)).toBe('Redémarrez le modem.')
  await press('previous', 'Alt+ArrowUp')
  await expect(field(first)).toBeFocused()
  await press('next', 'Alt+ArrowDown')
  await expect(field(second)).toBeFocused()

  const offer = page.getByRole('dialog', { name: /^Transférer la conversation/ })
  await page.keyboard.press('Alt+KeyT')
  await expect(offer.getByRole('listitem').getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Enter')
  presses.transfer = 2
  await expect(page.getByRole('region', { name: second.pattern }).getByText(/^Transfert proposé à /)).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
  await press('end', 'Alt+KeyX')
  await expect(page.getByRole('status').filter({ hasText: 'Conversation terminée.' })).toBeVisible()
  await expect.poll(second.isClosed).toBe(true)
  await expect(field(first)).toBeFocused()
  expect(Object.keys(presses)).toHaveLength(8)
  for (const count of Object.values(presses)) expect(count).toBeLessThanOrEqual(2)
  expect(second.texts()).not.toContain('Client impatient')
  await first.leave()
})

test('the first day: a given password is asked to be changed, and first steps lead to photo, device and availability', async ({
  newPerson,
  staff,
}) => {
  test.slow()
  const technician = await createColleague(staff, 'read_write')
  const page = await newPerson()
  await signIn(page, technician)
  const notice = page.getByRole('region', { name: 'Choisissez votre propre mot de passe' })
  const steps = page.getByRole('region', { name: 'Premiers pas' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  // The notice loads above the steps and moves them.
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Masquer' }).click()
  await expect(steps).toHaveCount(0)

  await notice.getByRole('link', { name: 'Changer le mot de passe' }).click()
  const view = page.getByRole('region', { name: 'Ce que voient les visiteurs' })
  await expect(view.getByText('Bonjour! Comment puis-je vous aider?')).toBeVisible()
  // A user name is never shown to visitors.
  await expect(view.getByText(technician.name)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByLabel('Nom affiché').fill('Zoé Lavoie')
  await page.getByRole('button', { name: 'Sauvegarder', exact: true }).click()
  await expect(view.getByText('Zoé Lavoie').first()).toBeVisible()
  await view.getByRole('button', { name: 'Afficher les premiers pas' }).click()

  await page.getByLabel('Mot de passe actuel').fill(technician.password)
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('Fanal-Tranquille-88!')
  await page.getByLabel('Confirmer le nouveau mot de passe').fill('Fanal-Tranquille-88!')
  const changed = page.waitForResponse('**/api/auth/me/password')
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  expect((await changed).ok()).toBe(true)
  await page.goto('/admin/panel')
  await steps.getByRole('link', { name: 'Devenez disponible' }).click()
  await becomeAvailable(page, words.fr)
  await page.goto('/admin/panel')
  await expect(steps.getByText('Fait')).toHaveCount(1)
  await expect(notice).toHaveCount(0)
})

test('a technician of one language is told before taking a visitor of the other', async ({
  newPerson,
  product,
  staff,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('400')
  const t = words.fr
  const notice = 'En anglais, qui n’est pas parmi vos langues'
  const technician = await createColleague(staff, 'read_write')
  const bilingual = await openConsole(newPerson, 'fr', await createColleague(staff, 'read_write'))
  const page = await openConsole(newPerson, 'fr', technician)
  await page.goto('/admin/profile')
  const spoken = page.getByRole('group', { name: 'Langues parlées' })
  await spoken.getByLabel('Français').uncheck()
  await spoken.getByLabel('Anglais').uncheck()
  await page.getByRole('button', { name: 'Sauvegarder', exact: true }).click()
  await expect(spoken.getByText('Ce champ est obligatoire.')).toBeVisible()
  await spoken.getByLabel('Français').check()
  await page.getByRole('button', { name: 'Sauvegarder', exact: true }).click()
  await expect(page.getByText('Sauvegardé avec succès')).toBeVisible()

  await page.goto('/admin/chat')
  await becomeAvailable(page, t)
  const english = await openVisitor(product.address(), `Sierra ${Date.now()}`, 'en')
  await english.say('Hello')
  const french = await openVisitor(product.address(), `Tango ${Date.now()}`, 'fr')
  await french.say('Bonjour')
  const row = (name: RegExp) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name }) })
  await expect(row(english.pattern).getByText(notice)).toBeVisible()
  await expect(row(french.pattern).getByText('Bonjour')).toBeVisible()
  await expect(row(french.pattern).getByText(notice)).toHaveCount(0)
  await row(english.pattern).getByRole('button').click()
  const pane = page.getByRole('region', { name: english.pattern })
  await expect(pane.getByText(notice)).toBeVisible()
  await expectAccessible(page)

  // Who has both is told nothing, and is offered the conversation before who lacks its language.
  const other = bilingual.getByRole('listitem').filter({ has: bilingual.getByRole('button', { name: english.pattern }) })
  await other.getByRole('button').click()
  await expect(bilingual.getByRole('region', { name: english.pattern })).toBeVisible()
  await expect(bilingual.getByText(notice)).toHaveCount(0)
  await bilingual.getByRole('region', { name: english.pattern }).getByRole('button', { name: t.claim, exact: true }).click()
  await bilingual.locator('[data-action="transfer"]').click()
  const colleague = bilingual.getByRole('dialog').getByRole('button', { name: technician.name })
  await expect(colleague).toContainText('sans anglais')
  await expectAccessible(bilingual)
  await english.leave()
  await french.leave()
})

for (const [language, c] of [
  [
    'fr',
    {
      correct: 'Corriger les coordonnées',
      name: 'Nom',
      email: 'Courriel',
      reason: 'Motif de la correction',
      save: 'Sauvegarder',
    },
  ],
  [
    'en',
    { correct: 'Correct the contact details', name: 'Name', email: 'Email', reason: 'Reason for the correction', save: 'Save' },
  ],
] as const) {
  test(`${language}: a visitor’s contact is corrected with a reason, from the console`, async ({
    newPerson,
    product,
    staff,
    expectedErrors,
  }) => {
    test.slow()
    expectedErrors.push('400')
    const page = await openConsole(newPerson, language, await createColleague(staff, 'read_write'))
    await becomeAvailable(page, words[language])
    const visitor = await openVisitor(product.address(), `Uniform ${language}${Date.now()}`, language)
    await visitor.say('Allô')
    await page.getByRole('button', { name: visitor.pattern }).first().click()
    await page.getByRole('button', { name: c.correct }).click()
    const dialog = page.getByRole('dialog', { name: c.correct })
    const name = dialog.getByRole('textbox', { name: c.name, exact: true })
    await expect(name).toHaveValue(visitor.name)
    await expect(name).toBeFocused()
    await dialog.getByRole('textbox', { name: c.email }).fill('sans arobas')
    await dialog.getByRole('button', { name: c.save }).click()
    await expect(dialog.getByRole('textbox', { name: c.email })).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByRole('textbox', { name: c.reason })).toHaveAttribute('aria-invalid', 'true')
    await expect(name).toHaveValue(visitor.name)
    await expectAccessible(page)
    const address = `corrige-${Date.now()}@example.com`
    await dialog.getByRole('textbox', { name: c.email }).fill(address)
    await dialog.getByRole('textbox', { name: c.reason }).fill('Faute de frappe')
    await dialog.getByRole('button', { name: c.save }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('complementary').getByText(address)).toBeVisible()
    await expect(page.getByRole('button', { name: c.correct })).toBeFocused()
    await visitor.leave()
  })
}
