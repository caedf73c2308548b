import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { logIn, open, rings, say, words } from './visitor.ts'

for (const language of ['fr', 'en'] as const) {
  const t = words[language]

  test(`${language}: shows the hours and takes a message when no technician is available`, async ({ page }) => {
    await open(page, language, t)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { name: t.closed })).toBeFocused()
    await expect(dialog).toContainText(t.hours)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: t.launcher })).toBeFocused()
    await page.getByRole('button', { name: t.launcher }).click()
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

  test(`${language}: carries a conversation through a reload and a lost connection to the transcript`, async ({
    page,
    staff,
    product,
    expectedErrors,
  }) => {
    test.slow()
    expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to')
    const visitor = `Annie ${language} ${Date.now()}`
    const counter = await openCounter(staff, product.address())
    await open(page, language, t)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel(t.problem)).toBeFocused()
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
    await counter.say(id, 'Suivez https://example.com/etat?a=1.')
    await counter.read(id, 1)
    const log = dialog.getByRole('log')
    const link = log.getByRole('link', { name: 'https://example.com/etat?a=1', exact: true })
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await expect(link).toHaveAttribute('target', '_blank')
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

test('shows the same conversation in two tabs, and ends it in both', async ({ page, staff, product }) => {
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
  await expect.poll(() => rings(page)).toBeGreaterThan(0)
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

test('keeps the draft when the language changes, refuses long and empty texts, and sends two quick messages', async ({
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
  await expect(page.getByRole('alert').filter({ hasText: /4.001/ })).toBeVisible()
  await field.fill('À moitié écrit')
  await page.getByRole('link', { name: 'EN, English' }).first().click()
  await expect(page.getByRole('textbox', { name: words.en.write })).toHaveValue('À moitié écrit')
  expect(counter.texts()).toEqual([])
  // The second is written and sent before the field has been cleared of the first.
  await page.getByRole('textbox', { name: words.en.write }).evaluate(async (area: HTMLTextAreaElement) => {
    const type = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    for (const text of ['Un', 'Un Deux']) {
      type?.call(area, text)
      area.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve, 10))
      area.form?.requestSubmit()
    }
  })
  await expect.poll(counter.texts).toEqual(['Un', 'Deux'])
  await expect(page.getByRole('textbox', { name: words.en.write })).toHaveValue('')
  await counter.leave()
})

test('resumes a stored conversation once a technician is connected again', async ({ page, staff, product }) => {
  const t = words.fr
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  const visitor = `Seul ${Date.now()}`
  await logIn(page, t, visitor)
  await say(page, t, 'Je reste là')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('log')).toContainText('Envoyé')
  const stored = () => page.evaluate(() => ['id_chat', 'chat_to_resume'].map((key) => sessionStorage.getItem(key)))
  const [key] = await stored()
  await counter.leave()
  // The administration is a console too.
  await staff.goto('/')
  await page.reload()
  await expect(dialog.getByRole('alert')).toBeVisible()
  expect(await stored()).toEqual([null, key])
  await expect(dialog.getByRole('button', { name: 'Reprendre la conversation' })).toBeVisible()
  await expectAccessible(page)
  const back = await openCounter(staff, product.address())
  await dialog.getByRole('button', { name: 'Reprendre la conversation' }).click()
  await expect(dialog.getByRole('log')).toContainText('Je reste là')
  expect(await stored()).toEqual([key, null])
  await back.close(await back.claim(visitor))
  await back.leave()
})
