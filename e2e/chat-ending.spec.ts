import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { logIn, open, words } from './visitor.ts'

const t = words.fr
const ratings = '**/public_api/chat/rating'
const chosen = { rating: 4, rating_comment: 'Rapide' }

type Counter = Awaited<ReturnType<typeof openCounter>>

/** A visitor whose conversation was answered; returns its number. */
async function beAnswered(page: Page, counter: Counter) {
  const visitor = `Juge ${Date.now()}`
  await open(page, 'fr', t)
  await logIn(page, t, visitor)
  const id = await counter.claim(visitor)
  await counter.say(id, 'C’est réglé.')
  await expect(page.getByRole('log')).toContainText('C’est réglé.')
  return id
}

async function chooseRating(page: Page) {
  await page.getByRole('radio', { name: t.rating }).check({ force: true })
  await page.getByLabel(t.comment).fill(chosen.rating_comment)
}

/** The technician closes it, and the visitor chooses a rating. */
async function closeAndChoose(page: Page, counter: Counter) {
  const id = await beAnswered(page, counter)
  await counter.close(id)
  await chooseRating(page)
  return id
}

for (const [answer, told] of [
  [t.yes, t.sent],
  [t.no, t.skipped],
] as const)
  test(`sends a chosen rating with the answer « ${answer} »`, async ({ page, staff, product }) => {
    const counter = await openCounter(staff, product.address())
    const id = await closeAndChoose(page, counter)
    await page.getByRole('button', { name: answer }).click()
    await expect(page.getByText(told)).toBeVisible()
    expect(await counter.rating(id)).toEqual(chosen)
    await counter.leave()
  })

test('waits for a rating that is on its way before the page is left', async ({ page, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  const id = await closeAndChoose(page, counter)
  const held = Promise.withResolvers<void>()
  let count = 0
  await page.route(ratings, async (route) => {
    count += 1
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: t.sendRating }).click()
  const no = page.getByRole('button', { name: t.no })
  await no.click()
  await expect(no).toHaveAttribute('aria-busy', 'true')
  held.resolve()
  await expect(page.getByText(t.skipped)).toBeVisible()
  expect([count, await counter.rating(id)]).toEqual([1, chosen])
  await counter.leave()
})

test('stays where the rating fails, and leaves without it when asked again', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('503')
  const counter = await openCounter(staff, product.address())
  await closeAndChoose(page, counter)
  await page.route(ratings, (route) => route.fulfill({ status: 503, json: {} }))
  const no = page.getByRole('button', { name: t.no })
  await no.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Votre évaluation n’a pas été envoyée.' })).toBeVisible()
  await expect(page.getByLabel(t.comment)).toHaveValue(chosen.rating_comment)
  await expect(no).toBeFocused()
  await expectAccessible(page)
  await no.click()
  await expect(page.getByText(t.skipped)).toBeVisible()
  await counter.leave()
})

test('ends a conversation that was ended without a connection, and keeps the rating in progress', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket')
  const counter = await openCounter(staff, product.address())
  const id = await beAnswered(page, counter)
  // Loaded before: without a connection the question could not be.
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t.close }).click()
  await page.context().setOffline(true)
  await expect(page.getByText(t.lost)).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: t.endYes }).click()
  await chooseRating(page)
  const yes = dialog.getByRole('button', { name: t.yes })
  await expect(yes).toBeHidden()
  await page.context().setOffline(false)
  // Offered once the server has closed it.
  await expect(yes).toBeVisible({ timeout: 20_000 })
  await expect(dialog.getByLabel(t.comment)).toHaveValue(chosen.rating_comment)
  await dialog.getByRole('button', { name: t.no }).click()
  await expect(dialog.getByText(t.skipped)).toBeVisible()
  expect(await counter.rating(id)).toEqual(chosen)
  await counter.leave()
})
