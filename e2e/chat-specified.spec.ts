import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { logIn, open, words } from './visitor.ts'

const t = words.fr

test('validates nothing in the browser, and marks refused fields until they are changed', async ({ page, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await open(page, 'fr', t)
  const dialog = page.getByRole('dialog')
  const [email, name] = [dialog.getByLabel(t.email), dialog.getByLabel(t.name)]
  await email.fill('annie@')
  await dialog.getByLabel('Entreprise').fill('Boulangerie Roy')
  await expect(email).not.toHaveAttribute('aria-invalid')
  await dialog.getByRole('button', { name: t.start }).click()

  await expect(email).toBeFocused()
  expect(sent.filter((frame) => frame.includes('chat:connect'))).toHaveLength(1)
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveValue('annie@')
  await expect(dialog.getByLabel('Entreprise')).toHaveValue('Boulangerie Roy')
  await expect(name).toHaveAccessibleDescription(new RegExp(t.nameMissing))
  await expectAccessible(page)

  await email.fill('annie@client.example')
  await expect(email).not.toHaveAttribute('aria-invalid')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('Annie Roy')
  await dialog.getByRole('button', { name: t.start }).click()
  await expect(dialog.getByRole('log')).toBeVisible()
  await counter.leave()
})

test('on a phone a refused field is in sight, also where answers were offered above it', async ({ page, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  await page.setViewportSize({ width: 390, height: 664 })
  await open(page, 'fr', t)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.problem).fill('Mon téléphone ne sonne plus')
  await expect(dialog.getByRole('link', { name: /téléphone/i }).first()).toBeVisible()
  await dialog.getByRole('button', { name: t.start }).click()
  const email = dialog.getByLabel(t.email)
  await expect(email).toBeFocused()
  await page.waitForLoadState('networkidle')
  await expect(email).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByLabel(t.problem)).toHaveValue('Mon téléphone ne sonne plus')
  await counter.leave()
})

for (const status of [404, 503]) {
  test(`shows the chat as inactive with its hours when the service responds ${status}, and retries`, async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(String(status))
    await page.route('**/public_api/chat/available-users', (route) => route.fulfill({ status, body: '' }))
    await open(page, 'fr', t)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(/inactif/)
    await expect(dialog).toContainText('8:00 à 17:00, du lundi au vendredi')
    await expect(dialog.getByRole('link', { name: /555-/ })).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Vérifier de nouveau' }).click()
    await expect(dialog.getByRole('heading', { name: t.closed })).toBeVisible()
  })
}

test('shows an error when the files of the chat do not load', async ({ page, expectedErrors }) => {
  expectedErrors.push('ERR_FAILED', 'dynamically imported module')
  await page.route('**/assets/panel-*.js', (route) => route.abort())
  await page.goto('/about')
  await hydrated(page)
  const chat = page.getByRole('complementary', { name: t.chat })
  await chat.getByRole('button').click()
  await expect(chat.getByRole('alert')).toHaveText(t.broken)
  await expectAccessible(page)
})

test('sends client-leave with the key of the conversation when the page is left', async ({ page, staff, product }) => {
  const counter = await openCounter(staff, product.address())
  // A beacon of a page that goes away is not among the requests that the browser reports.
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator)
    navigator.sendBeacon = (address, body) => {
      sessionStorage.setItem('beacon', JSON.stringify([address, (body as Blob).size]))
      return send(address, body)
    }
  })
  await open(page, 'fr', t)
  await logIn(page, t, `Partante ${Date.now()}`)
  const read = (key: string) => page.evaluate((name) => sessionStorage.getItem(name), key)
  const idChat = await read('id_chat')
  await page.goto('/contact')
  expect(JSON.parse((await read('beacon')) ?? '')).toEqual([
    '/public_api/chat/client-leave',
    JSON.stringify({ id_chat: idChat }).length,
  ])
  await counter.leave()
})

test('shows that a transcript request failed, and repeats it', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('503')
  const visitor = `Curieuse ${Date.now()}`
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  await logIn(page, t, visitor)
  const id = await counter.claim(visitor)
  await counter.say(id, 'C’est réglé.')
  await counter.close(id)
  await page.route('**/public_api/chat/transcript', (route) => route.fulfill({ status: 503, json: {} }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t.yes }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'L’envoi de la transcription a échoué' })).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await dialog.getByRole('button', { name: t.yes }).click()
  await expect(dialog.getByText(t.sent)).toBeVisible()
  await counter.leave()
})
