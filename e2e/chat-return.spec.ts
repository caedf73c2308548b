import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { changeChatSettings, openCounter } from './technician.ts'
import { logIn, open, say, words } from './visitor.ts'

const t = words.fr
const tel = (page: Page) => page.getByRole('dialog').getByRole('link', { name: /555-/ })

test('resumes after a rate limit, at closing time, on a step back and in a restored tab', async ({
  page,
  newPerson,
  staff,
  product,
}) => {
  test.slow()
  const counter = await openCounter(staff, product.address())
  let isLimited = false
  await page.routeWebSocket(/socket\.io/, (route) => {
    const server = route.connectToServer()
    route.onMessage((message) => {
      const number = /^42(\d+)\["chat:client-join"/.exec(String(message))?.[1]
      if (!isLimited || !number) return server.send(message)
      const error = { code: 'limited', message: 'Trop de messages.', retry_after: 1 }
      route.send(`43${number}${JSON.stringify([{ ok: false, error }])}`)
    })
  })
  await open(page, 'fr', t)
  const name = `Revenante ${Date.now()}`
  await logIn(page, t, name)
  await say(page, t, 'Je tiens bon')
  const log = page.getByRole('log')
  await expect(log).toContainText('Envoyé')
  const stored = (one: Page) => one.evaluate(() => ['id_chat', 'chat_to_resume'].map((key) => sessionStorage.getItem(key)))
  const [key = null] = await stored(page)
  isLimited = true
  await page.reload()
  await expect(tel(page)).toBeVisible({ timeout: 8_000 })
  expect(await stored(page)).toEqual([key, null])
  isLimited = false
  await expect(log).toContainText('Je tiens bon')

  await page.goto('/contact')
  await expect(log).toContainText('Je tiens bon')
  await page.goBack()
  await expect(log).toContainText('Je tiens bon')

  const { week } = await changeChatSettings(staff, product.address(), { week: [] })
  await page.reload()
  await expect(log).toContainText('Je tiens bon')
  await counter.leave()
  // The administration is a console too.
  await staff.goto('/')
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expect.poll(() => stored(page)).toEqual([null, key])

  // A browser that comes back after the night gives a tab its session storage, and nothing else.
  const entries = await page.evaluate(() => Object.entries(sessionStorage))
  await page.close()
  const restored = await newPerson()
  await restored.addInitScript((saved) => {
    for (const [entry, value] of saved) if (sessionStorage.getItem(entry) === null) sessionStorage.setItem(entry, value)
  }, entries)
  await restored.goto('/about')
  await expect(restored.getByRole('dialog').getByRole('alert')).toBeVisible()
  await changeChatSettings(staff, product.address(), { week })
  const back = await openCounter(staff, product.address())
  await expect(restored.getByRole('log')).toContainText('Je tiens bon', { timeout: 20_000 })
  expect(await stored(restored)).toEqual([key, null])
  await back.close(await back.claim(name))
  await back.leave()
})

test('keeps unsent text of a closed conversation visible, copies it and sends it as a request', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket')
  const counter = await openCounter(staff, product.address())
  const dialog = page.getByRole('dialog')
  const name = `Tardive ${Date.now()}`
  const id = await writeOffline(page, counter, name, 'L’écran est noir')
  const unsent = `Et il fume\n${Array.from({ length: 8 }, (_, index) => `Ligne ${index + 1}`).join('\n')}`
  await page.getByRole('textbox', { name: t.write }).fill(unsent)
  await closeMeanwhile(page, counter, id)
  const text = dialog.getByText('L’écran est noir')
  await expect(text).toHaveText(`L’écran est noir\n${unsent}`)
  await page.reload()
  await expect(text).toHaveText(`L’écran est noir\n${unsent}`)
  await expectAccessible(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copier le texte' }).click()
  await expect(dialog.getByText('Texte copié')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`L’écran est noir\n${unsent}`)
  await dialog.getByRole('button', { name: 'Envoyer comme demande' }).click()
  await expect(dialog.getByRole('status').filter({ hasText: /CL-\d{4}-\d{6}/ })).toBeVisible()
  await expectAccessible(page)
  await counter.leave()

  await staff.goto(`/admin/demandes?search=${encodeURIComponent(name)}`)
  await staff.getByRole('row', { name: /CL-/ }).getByRole('link', { name: /CL-/ }).click()
  const entry = staff.getByRole('article').filter({ hasText: 'L’écran est noir' })
  await expect(entry.getByText('Ligne 8')).toBeHidden()
  await staff.emulateMedia({ media: 'print' })
  await expect(entry.getByText('Ligne 8')).toBeVisible()
  expect(await staff.evaluate(notForPaper)).toEqual([])
})

test('keeps an unsent text over a reload that comes before the disk has it', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket')
  await page.addInitScript(holdFirstWrite)
  const counter = await openCounter(staff, product.address())
  const id = await writeOffline(page, counter, `Pressée ${Date.now()}`, 'L’écran est noir')
  await closeMeanwhile(page, counter, id)
  await page.reload()
  await expect(page.getByRole('dialog').getByText('L’écran est noir')).toBeVisible()
  await counter.leave()
})

type Counter = Awaited<ReturnType<typeof openCounter>>

/** A visitor writes in a claimed conversation without a connection; returns its number. */
async function writeOffline(page: Page, counter: Counter, name: string, text: string) {
  await open(page, 'fr', t)
  await logIn(page, t, name)
  const id = await counter.claim(name)
  await page.context().setOffline(true)
  await expect(page.getByRole('dialog').getByText(t.lost)).toBeVisible()
  await say(page, t, text)
  return id
}

/** The technician closes it before the connection is back. */
async function closeMeanwhile(page: Page, counter: Counter, id: number) {
  await counter.close(id)
  await page.context().setOffline(false)
  await expect(page.getByRole('dialog').getByRole('heading', { name: t.over })).toBeVisible({ timeout: 15_000 })
}

/** A busy disk: the first text that is written waits until the page is left. */
function holdFirstWrite() {
  const { transaction } = IDBDatabase.prototype
  if (sessionStorage.getItem('held')) return
  IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (mode === 'readwrite' && !sessionStorage.getItem('held')) {
      sessionStorage.setItem('held', '1')
      const store = transaction.call(this, names, mode).objectStore(String(names))
      const hold = () => store.count().addEventListener('success', hold)
      hold()
    }
    return transaction.call(this, names, mode, options)
  }
}

/** Menus, buttons and toasts that would be printed; the chosen status is a button that is read. */
function notForPaper() {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter(
      (element) =>
        element.matches('button:not(.request-status), nav, .toast, .button') ||
        ['fixed', 'sticky'].includes(getComputedStyle(element).position),
    )
    .map((element) => element.outerHTML.slice(0, 120))
}
