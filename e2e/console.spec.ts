import { becomeAvailable, becomeUnavailable, createColleague, openConsole, openVisitor } from './console-people.ts'
import { words } from './console-words.ts'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'
import { openCounter } from './technician.ts'

for (const language of ['fr', 'en'] as const) {
  const t = words[language]

  test(`${language}: several chats at once: side by side, by the keyboard, found again, on a phone`, async ({
    newPerson,
    product,
    staff,
  }) => {
    test.slow()
    // A technician of this journey's own: the administrator may have chats of another one open.
    const page = await openConsole(newPerson, language, await createColleague(staff, 'read_write'))
    const run = `${language}${Date.now()}`
    await becomeAvailable(page, t)
    const visitors = []
    for (const name of ['Alpha', 'Bravo', 'Charlie']) {
      visitors.push(await openVisitor(product.address(), `${name} ${run}`, language === 'fr' ? 'en' : 'fr'))
    }
    await visitors[0]?.say(`Le TÉLÉPHONE ${run} grésille`)
    for (const visitor of visitors) {
      await page.getByRole('button', { name: visitor.pattern }).first().click()
      const pane = page.getByRole('region', { name: visitor.pattern })
      await pane.getByRole('button', { name: t.claim, exact: true }).click()
      await expect(pane.getByRole('textbox', { name: t.answer })).toBeFocused()
    }
    await expect(page.getByRole('log')).toHaveCount(2)
    // The list keeps to its column, however long the words of its tabs are.
    expect(
      await page.getByRole('region', { name: 'Conversations' }).evaluate((list) => list.scrollWidth - list.clientWidth),
    ).toBe(0)
    await expect(page.getByRole('navigation', { name: t.open }).getByRole('button')).toHaveCount(3)
    await expectAccessible(page)
    const third = page.getByRole('region', { name: visitors[2]?.pattern }).getByRole('log')
    for (let count = 1; count <= 14; count++) await visitors[2]?.say(`Précision ${count}`)
    await expect(third.getByText('Précision 14')).toBeInViewport()

    // Alt and the arrows: from the third, round to the first.
    await page.keyboard.press('Alt+ArrowDown')
    const first = page.getByRole('region', { name: visitors[0]?.pattern })
    await expect(first.getByRole('textbox', { name: t.answer })).toBeFocused()
    await expect(first.getByRole('log')).toContainText('grésille')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t.mine }).click()
    const items = page.getByRole('listitem').getByRole('button', { name: new RegExp(run) })
    await expect(items).toHaveCount(3)
    await items.first().focus()
    await page.keyboard.press('End')
    await expect(items.last()).toBeFocused()
    await page.keyboard.press('Home')
    await expect(items.first()).toBeFocused()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: t.shortcuts })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox', { name: t.search }).fill(`telephone ${run}`)
    await expect(page.getByText(t.found)).toBeVisible()
    await expect(page.getByRole('listitem').getByRole('button', { name: /grésille/ })).toHaveCount(1)
    await page.getByRole('searchbox', { name: t.search }).press('Escape')
    await expect(items).toHaveCount(3)

    await page.locator('summary').filter({ hasText: t.online }).click()
    await expect(page.getByRole('listitem').filter({ hasText: /3 conversations/ })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.reload()
    await expect(page.getByRole('log')).toHaveCount(2)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: t.mine }).click()
    await items.first().click()
    await expect(page.getByRole('log')).toHaveCount(1)
    await expect(page.getByRole('log')).toBeInViewport()
    const conversation = page.getByRole('region', { name: new RegExp(run) })
    await expect(conversation.getByRole('textbox', { name: t.answer })).toBeInViewport()
    // Its fields stand at the foot of the window.
    const bottom = async () => conversation.boundingBox().then((box) => box && box.y + box.height)
    await expect.poll(bottom).toBe(844)
    await expectAccessible(page)
    // The link of a call opens its conversation at once, on a phone too.
    const pane = await conversation.getAttribute('id')
    await page.goto(`/admin/chat?chat=${pane?.replace('chat-', '')}`)
    await expect(page.getByRole('log')).toBeInViewport()
    for (const visitor of visitors) await visitor.leave()
    await expect(page.getByRole('log').getByText(t.closed)).toBeInViewport()
    await page.setViewportSize({ width: 1440, height: 900 })
    await becomeUnavailable(page, t)
  })

  test(`${language}: replies kept ready, a request, a block, alerts that prove themselves`, async ({
    newPerson,
    product,
    expectedErrors,
  }) => {
    test.slow()
    expectedErrors.push('/api/chat/canned_replies', '/api/chat/test_mail')
    const page = await openConsole(newPerson, language)
    await page.context().grantPermissions(['notifications'])
    await becomeAvailable(page, t)

    const shortcut = `salut${language}`
    await page.getByRole('link', { name: t.replies }).click()
    for (const isDouble of [false, true]) {
      await page.getByRole('link', { name: t.add, exact: true }).click()
      await page.getByRole('textbox', { name: t.shortcut }).fill(`/${shortcut}`)
      await page.getByRole('textbox', { name: t.reply, exact: true }).fill('Bonjour, ici le comptoir.')
      await page.getByRole('textbox', { name: t.replyEn }).fill('Hello from the counter.')
      await expectAccessible(page)
      await page.getByRole('button', { name: t.save }).click()
      if (!isDouble) await expect(page.getByRole('rowheader', { name: `/${shortcut}` })).toBeVisible()
    }
    await expect(page.getByText(t.taken)).toBeVisible()
    await expectAccessible(page)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/admin/chat')
    await expect(page.getByRole('button', { name: t.leave })).toBeVisible()

    // A visitor of the other language reads the reply in their own.
    const visitor = await openVisitor(product.address(), `Delta ${language}${Date.now()}`, language === 'fr' ? 'en' : 'fr')
    await visitor.say('Allô')
    await page.getByRole('button', { name: visitor.pattern }).first().click()
    // Each field keeps its own text through a claim and a reload.
    const pane = page.getByRole('region', { name: visitor.pattern })
    const note = pane.getByRole('textbox', { name: t.writeNote })
    const field = pane.getByRole('textbox', { name: t.answer })
    await expect(field).toBeFocused()
    await note.fill('À suivre')
    await pane.getByRole('button', { name: t.claim, exact: true }).click()
    await expect(pane.getByRole('button', { name: t.send, exact: true })).toBeVisible()
    await field.fill('Pas encore')
    await page.reload()
    await expect(note).toHaveValue('À suivre')
    await expect(field).toHaveValue('Pas encore')
    await note.press('Enter')
    await expect(page.getByRole('log')).toContainText('À suivre')
    await expect(field).toHaveValue('Pas encore')
    await field.fill('')
    await field.pressSequentially(`/${shortcut.slice(0, 5)}`)
    await expect(page.getByRole('option', { name: new RegExp(shortcut) })).toBeVisible()
    await expectAccessible(page)
    await field.press('Enter')
    await expect(field).toHaveValue(language === 'fr' ? 'Hello from the counter.' : 'Bonjour, ici le comptoir.')
    await field.press('Enter')
    await expect.poll(visitor.texts).toEqual([language === 'fr' ? 'Hello from the counter.' : 'Bonjour, ici le comptoir.'])
    await note.fill('Pour nous')
    await note.press('Enter')
    await expect(page.getByRole('log')).toContainText('Pour nous')
    expect(visitor.texts()).toHaveLength(1)

    await page.getByRole('button', { name: t.convert }).click()
    const request = page.getByRole('dialog', { name: t.convert })
    await request.getByRole('button', { name: t.create }).click()
    await expect(request.getByRole('textbox', { name: t.subject })).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await request.getByRole('textbox', { name: t.subject }).fill('Téléphones')
    await request.getByRole('button', { name: t.create }).click()
    await expect(page.getByRole('heading', { name: t.linked })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^CL-\d{4}-\d{6}$/ }).click()
    await page.getByRole('link', { name: t.conversation }).click()
    await expect(page.getByRole('log')).toContainText('Allô')

    await page.getByRole('button', { name: t.block }).click()
    const block = page.getByRole('dialog')
    await block.getByRole('textbox', { name: t.reason }).fill('Essai')
    await expectAccessible(page)
    await block.getByRole('button', { name: t.blockDo, exact: true }).click()
    await expect(page.getByText(t.isBlocked, { exact: true })).toBeVisible()
    await expect.poll(visitor.isClosed).toBe(true)
    expect(await visitor.startAgain()).toBe('blocked')

    await page.locator('summary').filter({ hasText: t.online }).click()
    await page.getByRole('button', { name: t.alerts }).click()
    await page.getByRole('button', { name: t.tryAll }).click()
    await expect(page.getByText(t.played)).toBeVisible()
    await expect(page.getByText(t.mail)).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: t.blocks }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.blocks)
    await expectAccessible(page)
    await page.getByRole('button', { name: t.lift }).click()
    await expect(page.getByText(t.nobody)).toBeVisible()
    await page.goto('/admin/chat')
    await expect(page.getByRole('button', { name: t.leave })).toBeVisible()
    expect(await visitor.startAgain()).toBe('ok')
    await visitor.leave()
    await becomeUnavailable(page, t)
  })
}

test('an answer that a colleague made needless stays in its field; who may only read does not act', async ({
  newPerson,
  staff,
  product,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to')
  const t = words.fr
  const page = await openConsole(newPerson, 'fr')
  await becomeAvailable(page, t)
  const visitor = await openVisitor(product.address(), `Echo ${Date.now()}`, 'fr')
  await visitor.say('Plus de réseau')
  await page.getByRole('button', { name: visitor.pattern }).first().click()
  const pane = page.getByRole('region', { name: visitor.pattern })
  const field = pane.getByRole('textbox', { name: t.answer })
  // One's first answer takes the conversation.
  await field.fill('Je regarde')
  await pane.getByRole('button', { name: t.claimAndSend }).click()
  // A busy server answers late; the console then asks it what became of the claim.
  await expect.poll(visitor.texts, { timeout: 30_000 }).toEqual(['Je regarde'])
  await expect(field).toHaveValue('')

  const supervisor = await createColleague(staff, 'administrator')
  const other = await newPerson()
  await signIn(other, supervisor)
  const counter = await openCounter(other, product.address())
  const id = await counter.find(visitor.name)
  await page.context().setOffline(true)
  await field.fill('Redémarrez')
  await field.press('Enter')
  await expect(page.getByRole('log')).toContainText('Redémarrez')
  await field.fill('Puis rappelez')
  await counter.takeOver(id)
  await counter.say(id, 'C’est déjà réglé')
  // Back on the network it leaves by itself, and is refused.
  await page.context().setOffline(false)
  await expect(page.getByRole('log')).toContainText('C’est déjà réglé', { timeout: 20_000 })
  await expect(pane.getByRole('alert').filter({ hasText: t.lost })).toContainText(supervisor.name)
  await expect(field).toHaveValue('Redémarrez\nPuis rappelez')
  await expect(field).toBeFocused()
  await field.press('Enter')
  await expect(field).toHaveValue('Redémarrez\nPuis rappelez')
  await expectAccessible(page)
  await counter.transfer(id, 'admin')
  const announced = page.getByRole('status').filter({ hasText: `Transfert proposé : conversation avec ${visitor.name}` })
  await expect(announced).toHaveCount(1)
  await pane.getByRole('button', { name: t.accept }).click()
  await expect(pane.getByRole('button', { name: t.send, exact: true })).toBeVisible()
  await field.press('Enter')
  await expect.poll(visitor.texts).toEqual(['Je regarde', 'C’est déjà réglé', 'Redémarrez\nPuis rappelez'])

  await field.fill('Encore ceci')
  await counter.close(id)
  await expect(pane.getByRole('alert').filter({ hasText: t.closed })).toBeVisible()
  await field.press('Enter')
  await expect(field).toHaveValue('Encore ceci')
  await pane.getByRole('button', { name: t.reopen }).click()
  await expect(field).toBeFocused()
  await pane.getByRole('button', { name: t.send, exact: true }).click()
  await expect.poll(visitor.texts).toContain('Encore ceci')
  await counter.leave()

  const reader = await createColleague(staff, 'read_only')
  const reading = await newPerson()
  await signIn(reading, reader)
  await reading.goto('/admin/chat')
  await expect(reading.getByText(t.readOnly)).toBeVisible()
  await reading.getByRole('button', { name: t.all, exact: true }).click()
  await reading.getByRole('button', { name: visitor.pattern }).first().click()
  await expect(reading.getByRole('log')).toContainText('C’est déjà réglé')
  await expect(reading.getByRole('textbox')).toHaveCount(0)
  await expect(reading.getByRole('button', { name: t.become })).toHaveCount(0)
  await expectAccessible(reading)
  await visitor.leave()
  // Who still has a conversation is asked before becoming unavailable.
  await expect(pane.getByText(t.closed)).toBeVisible()
  await becomeUnavailable(page, t)
})

test('who is available stays so on the other screens, is called there, and steps away from there', async ({
  newPerson,
  staff,
  product,
}) => {
  const t = words.fr
  const page = await openConsole(newPerson, 'fr', await createColleague(staff, 'read_write'))
  const count = async () => {
    const answer = await staff.request.get('/public_api/chat/available-users')
    return ((await answer.json()) as { user_count: number }).user_count
  }
  const before = await count()
  await becomeAvailable(page, t)
  const person = page.getByRole('banner')
  const account = person.locator('summary').filter({ hasNotText: 'Menu' })
  await account.click()
  await person.getByRole('link', { name: 'Mon profil' }).click()
  await page.waitForURL('**/admin/profile')
  await expect(person.getByRole('status')).toHaveText('Disponible')
  expect(await count()).toBe(before + 1)
  await page.reload()
  await expect(person.getByRole('status')).toHaveText('Disponible')

  const visitor = await openVisitor(product.address(), `Foxtrot ${Date.now()}`, 'fr')
  await expect(person.getByRole('link', { name: /^Clavardage.+attend/ })).toBeVisible()
  await expect(page).toHaveTitle(/^\(\d+\) /)
  await expectAccessible(page)
  await account.click()
  await person.getByRole('button', { name: t.leave }).click()
  await expect(person.getByRole('status')).toHaveText('Indisponible')
  expect(await count()).toBe(before)
  await person.getByRole('button', { name: t.become }).click()
  await expect(person.getByRole('status')).toHaveText('Disponible')
  await visitor.leave()
  await page.close()
  await expect.poll(count).toBe(before)
})
