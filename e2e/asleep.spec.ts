import type { Page } from '@playwright/test'
import { expect, hydrated, test } from './fixtures.ts'
import { fillIn, forms, stored } from './request-forms.ts'
import { openCounter } from './technician.ts'
import { logIn, open, say, words } from './visitor.ts'

const t = words.fr
const { send, number } = forms.contact

test('tabs that slept during a server restart resume their conversation and form', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('WebSocket', 'ERR_', '503')
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  const name = `Endormie ${Date.now()}`
  await logIn(page, t, name)
  await say(page, t, 'Bonne nuit')
  const id = await counter.claim(name)
  const form = await page.context().newPage()
  const text = `À moitié ${test.info().testId}`
  await form.goto('/contact')
  await hydrated(form)
  await fillIn(form, 'contact', text)

  const wakes = [await sleep(page), await sleep(form)]
  await counter.say(id, 'Pendant la nuit')
  await product.restart()
  for (const wake of wakes) await wake()

  const log = page.getByRole('log')
  await expect(log.getByText('Pendant la nuit', { exact: true })).toHaveCount(1, { timeout: 20_000 })
  await say(page, t, 'Au matin')
  await expect(log.locator('.message', { hasText: 'Au matin' })).toContainText('Envoyé', { timeout: 20_000 })
  await page.reload()
  // Where the technician's connection is down at that moment, the page tries again after 10 s.
  for (const said of ['Bonne nuit', 'Pendant la nuit', 'Au matin'])
    await expect(log.getByText(said, { exact: true })).toHaveCount(1, { timeout: 30_000 })

  await expect(form.locator('form [name="message"]')).toHaveValue(text)
  await form.getByRole('button', { name: send }).click()
  await expect(form.getByText(number)).toBeVisible()
  expect(await stored(staff, text)).toHaveLength(1)
  await counter.close(id)
  await counter.leave()
})

test('a clock that jumps eight hours ahead keeps the conversation and the form', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('WebSocket')
  const counter = await openCounter(staff, product.address())
  await page.clock.install()
  await open(page, 'fr', t)
  const name = `Avancée ${Date.now()}`
  await logIn(page, t, name)
  await say(page, t, 'Hier')
  const id = await counter.claim(name)
  await page.clock.fastForward('08:00:00')
  await say(page, t, 'Huit heures plus tard')
  await expect.poll(counter.texts).toContain('Huit heures plus tard')
  await counter.say(id, 'Toujours là')
  const log = page.getByRole('log')
  for (const text of ['Hier', 'Huit heures plus tard', 'Toujours là'])
    await expect(log.getByText(text, { exact: true })).toHaveCount(1)
  await counter.close(id)
  await counter.leave()

  const text = `Après huit heures ${test.info().testId}`
  await page.goto('/contact')
  await hydrated(page)
  await fillIn(page, 'contact', text)
  await page.clock.fastForward('08:00:00')
  await page.getByRole('button', { name: send }).click()
  await expect(page.getByText(number)).toBeVisible()
  expect(await stored(staff, text)).toMatchObject([{ status: 'new' }])
})

/** Freezes the page like a sleeping tab and breaks its connections; returns the function that resumes it. */
async function sleep(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Debugger.enable')
  const paused = new Promise((resolve) => browser.once('Debugger.paused', resolve))
  await browser.send('Debugger.pause')
  // The debugger pauses before the next statement, which is this one.
  void browser.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined)
  await paused
  return async () => {
    await browser.send('Debugger.resume')
    await browser.detach()
  }
}
