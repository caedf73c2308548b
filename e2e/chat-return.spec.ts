import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { changeChatSettings, openCounter } from './technician.ts'
import { logIn, open, say, words } from './visitor.ts'

const t = words.fr
const tel = (page: Page) => page.getByRole('dialog').getByRole('link', { name: /555-/ })

test('a reload after a limit or at closing time, a step back and a restored tab find the conversation again', async ({
  page,
  newPerson,
  staff,
  product,
}) => {
  test.slow()
  const counter = await openCounter(staff, product.address())
  let isLimited = false
  await page.routeWebSocket(/socket\.io/, (line) => {
    const server = line.connectToServer()
    line.onMessage((message) => {
      const number = /^42(\d+)\["chat:client-join"/.exec(String(message))?.[1]
      if (!isLimited || !number) return server.send(message)
      const error = { code: 'limited', message: 'Trop de messages.', retry_after: 1 }
      line.send(`43${number}${JSON.stringify([{ ok: false, error }])}`)
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
  await restored.addInitScript((kept) => {
    for (const [entry, value] of kept) if (sessionStorage.getItem(entry) === null) sessionStorage.setItem(entry, value)
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
