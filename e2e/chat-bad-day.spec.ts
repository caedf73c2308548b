import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { logIn, open, say, words } from './visitor.ts'

const t = words.fr
const tel = (page: Page) => page.getByRole('dialog').getByRole('link', { name: /555-/ })
const form = (page: Page) => page.getByRole('dialog').getByRole('link', { name: 'Faire un appel de service' })

/** What a network between the visitor and the server does to `/socket.io/`. */
const networks = {
  'refuses it': {
    poll: (page: Page) => page.route('**/socket.io/**', (route) => route.fulfill({ status: 403, body: 'Blocked' })),
    socket: (page: Page) => page.routeWebSocket(/socket\.io/, (route) => void route.close()),
  },
  'lets it hang': {
    poll: (page: Page) => page.route('**/socket.io/**', () => undefined),
    socket: (page: Page) => page.routeWebSocket(/socket\.io/, () => undefined),
  },
} as const

for (const [what, { poll, socket }] of Object.entries(networks)) {
  test(`shows the phone number and the form within four seconds where the network ${what}, and connects once it no longer does`, async ({
    page,
    staff,
    product,
    expectedErrors,
  }) => {
    expectedErrors.push('403', 'WebSocket', 'ERR_')
    const counter = await openCounter(staff, product.address())
    await poll(page)
    await socket(page)
    await open(page, 'fr', t)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t.email).fill('annie@client.example')
    await dialog.getByLabel(t.name).fill(`Bloquée ${Date.now()}`)
    await dialog.getByRole('button', { name: t.start }).click()
    await expect(tel(page)).toHaveAttribute('href', /^tel:\+1/, { timeout: 5_000 })
    await expect(form(page)).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expect(dialog.getByRole('log')).toBeVisible({ timeout: 25_000 })
    await counter.leave()
  })

  test(`falls back to long polling within five seconds where the network ${what}`, async ({
    page,
    staff,
    product,
    expectedErrors,
  }) => {
    expectedErrors.push('WebSocket')
    const counter = await openCounter(staff, product.address())
    await socket(page)
    await open(page, 'fr', t)
    const begun = Date.now()
    await logIn(page, t, `Longue ${begun}`)
    expect(Date.now() - begun).toBeLessThan(6_000)
    await say(page, t, 'Par le petit chemin')
    await expect.poll(counter.texts).toContain('Par le petit chemin')
    const id = await counter.claim(`Longue ${begun}`)
    await counter.say(id, 'Bien reçu')
    await expect(page.getByRole('log')).toContainText('Bien reçu')
    await counter.close(id)
    await counter.leave()
  })
}

test('copies text written without a connection into the service call form', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('WebSocket', 'ERR_', '403')
  const counter = await openCounter(staff, product.address())
  const routes: { close: () => Promise<void> }[] = []
  let isCut = false
  await page.routeWebSocket(/socket\.io/, (route) => {
    if (isCut) return void route.close()
    route.connectToServer()
    routes.push(route)
  })
  await open(page, 'fr', t)
  await logIn(page, t, `Coupée ${Date.now()}`)
  await say(page, t, 'Avant la coupure')
  await expect(page.getByRole('log')).toContainText('Envoyé')
  isCut = true
  await page.route('**/socket.io/**', (route) => route.abort())
  for (const route of routes) await route.close()
  await say(page, t, 'Mon serveur fume')
  await expect(tel(page)).toBeVisible({ timeout: 10_000 })
  await expectAccessible(page)
  await form(page).click()
  await expect(page.getByLabel('Description')).toHaveValue('Mon serveur fume')
  await counter.leave()
})

test('moves the stored id aside when the socket cannot be opened, and resumes the conversation later', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('403', 'WebSocket', 'ERR_')
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, `Refusée ${Date.now()}`)
  await say(page, t, 'Je reviens')
  await expect(page.getByRole('log')).toContainText('Envoyé')
  const stored = () => page.evaluate(() => ['id_chat', 'chat_to_resume'].map((key) => sessionStorage.getItem(key)))
  const [key] = await stored()
  let isBlocked = true
  await page.route('**/socket.io/**', (route) => (isBlocked ? route.fulfill({ status: 403 }) : route.continue()))
  await page.routeWebSocket(/socket\.io/, (route) => void (isBlocked ? route.close() : route.connectToServer()))
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t.broken)
  await expect(tel(page)).toBeVisible()
  await expect.poll(stored).toEqual([null, key])
  await page.reload()
  await expect(tel(page)).toBeVisible({ timeout: 8_000 })
  isBlocked = false
  await expect(page.getByRole('log')).toContainText('Je reviens', { timeout: 20_000 })
  expect(await stored()).toEqual([key, null])
  await counter.leave()
})

test('retries a join without an answer, and keeps the conversation when reloaded meanwhile', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('WebSocket')
  const counter = await openCounter(staff, product.address())
  let answers = true
  await page.routeWebSocket(/socket\.io/, (route) => {
    const server = route.connectToServer()
    route.onMessage((message) => {
      if (answers || !String(message).includes('chat:client-join')) server.send(message)
    })
  })
  await open(page, 'fr', t)
  await logIn(page, t, `Muette ${Date.now()}`)
  await say(page, t, 'Ne m’oubliez pas')
  await expect(page.getByRole('log')).toContainText('Envoyé')
  answers = false
  for (let time = 0; time < 2; time += 1) {
    await page.reload()
    await expect(tel(page)).toBeVisible({ timeout: 8_000 })
  }
  answers = true
  await expect(page.getByRole('log')).toContainText('Ne m’oubliez pas', { timeout: 20_000 })
  await counter.leave()
})

test('begins one conversation where no answer comes and the page is loaded again', async ({ page, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  let answers = false
  await page.routeWebSocket(/socket\.io/, (route) => {
    const server = route.connectToServer()
    // Packets that begin so acknowledge what was sent.
    server.onMessage((message) => {
      if (answers || !String(message).startsWith('43')) route.send(message)
    })
  })
  await open(page, 'fr', t)
  const dialog = page.getByRole('dialog')
  const name = `Répétée ${Date.now()}`
  const start = async () => {
    await dialog.getByLabel(t.email).fill('annie@client.example')
    await dialog.getByLabel(t.name).fill(name)
    await dialog.getByRole('button', { name: t.start }).click()
    await expect(tel(page)).toBeVisible({ timeout: 8_000 })
  }
  await start()
  await open(page, 'fr', t)
  await start()
  const id = await counter.claim(name)
  await counter.say(id, 'Je vous écoute')
  answers = true
  await expect(dialog.getByRole('log')).toContainText('Je vous écoute', { timeout: 20_000 })
  expect(await counter.findAll(name)).toEqual([id])
  await counter.close(id)
  await counter.leave()
})

test('loads older messages above without moving the visible ones', async ({ page, staff, product }) => {
  test.slow()
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  const name = `Bavarde ${Date.now()}`
  await logIn(page, t, name)
  const id = await counter.claim(name)
  // Past the limit of one person the server asks to wait.
  for (let count = 1; count <= 130; count += 1)
    await expect(() => counter.say(id, `réponse ${count}`)).toPass({ intervals: [1_000] })
  const log = page.getByRole('log')
  await expect(log).toContainText('réponse 130')
  await page.reload()
  await expect(log).toContainText('réponse 130')
  await expect(log.getByText('réponse 81', { exact: true })).toBeAttached()
  await expect(log.getByText('réponse 80', { exact: true })).not.toBeAttached()
  const placeOf = (text: string) =>
    log.getByText(text, { exact: true }).evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await log.evaluate((list) => list.scrollTo({ top: 60 }))
  await log.evaluate((list) => list.scrollTo({ top: 0 }))
  const before = await placeOf('réponse 81')
  await expect(log.getByText('réponse 31', { exact: true })).toBeAttached()
  expect(Math.abs((await placeOf('réponse 81')) - before)).toBeLessThan(60)
  expect(await log.getByText('réponse 31', { exact: true }).evaluate((one) => one.closest('[aria-live]')?.ariaLive)).toBe('off')
  // A pointer would scroll to the top first, which loads them and removes the button.
  await log.getByRole('button', { name: 'Messages précédents' }).dispatchEvent('click')
  await expect(log.getByText('réponse 1', { exact: true })).toBeAttached()
  await expect(log.getByRole('button', { name: 'Messages précédents' })).toBeHidden()
  await expectAccessible(page)

  await staff.goto(`/admin/chat?chat=${id}`)
  const history = staff.getByRole('log')
  await expect(history.getByText('réponse 130', { exact: true })).toBeVisible()
  await expect(history.getByText('réponse 80', { exact: true })).not.toBeAttached()
  await history.evaluate((list) => list.scrollTo({ top: 60 }))
  await history.evaluate((list) => list.scrollTo({ top: 0 }))
  await expect(history.getByText('réponse 31', { exact: true })).toBeAttached()
  await expect(history.getByText('réponse 81', { exact: true })).toBeInViewport()
  await counter.close(id)
  await counter.leave()
})

/** As a browser's translation does: each text is put into two elements of its own. */
async function translatePage(page: Page) {
  await page.evaluate(() => {
    const wrap = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (texts.nextNode()) found.push(texts.currentNode as Text)
      for (const text of found) {
        if (!text.data.trim() || text.parentElement?.closest('font, script, style, textarea, [translate=no]')) continue
        const inner = document.createElement('font')
        const outer = document.createElement('font')
        text.replaceWith(outer)
        outer.append(inner)
        inner.append(text.data)
      }
    }
    wrap(document.body)
    new MutationObserver((changes) => {
      for (const { target } of changes) wrap(target)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

test('works in a browser that translates the page, and shows every change', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket')
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await translatePage(page)
  const dialog = page.getByRole('dialog')
  const name = `Traduite ${Date.now()}`
  await dialog.getByLabel(t.name).fill(name)
  await dialog.getByRole('button', { name: t.start }).click()
  await dialog.getByLabel(t.email).fill('annie@client.example')
  await dialog.getByRole('button', { name: t.start }).click()
  await expect(dialog.getByText(t.first)).toBeVisible()
  await say(page, t, 'Hello')
  const log = dialog.getByRole('log')
  await expect(log).toContainText('Envoyé')
  const id = await counter.claim(name)
  await expect(dialog.getByText(t.taken)).toBeVisible()
  await counter.read(id, 1)
  await expect(log).toContainText(t.read)
  await counter.type(id)
  await expect(dialog.getByText(t.typing)).toBeVisible()
  await counter.say(id, 'Bonjour')
  await expect(log).toContainText('Bonjour')
  await expect(dialog.getByText(t.typing)).toBeHidden()
  await page.context().setOffline(true)
  await expect(dialog.getByText(t.lost)).toBeVisible()
  await say(page, t, 'Sans réseau')
  await expect(log).toContainText(t.unsent)
  await page.context().setOffline(false)
  await expect(dialog.getByText(t.lost)).toBeHidden({ timeout: 15_000 })
  await expect(log).not.toContainText(t.unsent)
  await dialog.getByRole('button', { name: t.minimize }).click()
  await counter.say(id, 'Toujours là?')
  await expect(page.getByText('1 nouveau message')).toBeAttached()
  await page.getByRole('complementary', { name: t.chat }).getByRole('button').click()
  await counter.close(id)
  await expect(dialog.getByRole('heading', { name: t.over })).toBeVisible()
  await dialog.getByText('4', { exact: true }).click()
  await dialog.getByRole('button', { name: t.sendRating }).click()
  await expect(dialog.getByText(t.rated)).toBeVisible()
  await dialog.getByRole('button', { name: t.yes }).click()
  await expect(dialog.getByText(t.sent)).toBeVisible()
  await counter.leave()
})
