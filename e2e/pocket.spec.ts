import type { Worker } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'

test('the administration is an app of its own: a call shows a notification, and its press opens the conversation', async ({
  newPerson,
  product,
  expectedErrors,
}) => {
  const page = await newPerson()
  const registered = page.context().waitForEvent('serviceworker')
  await signIn(page)
  const worker = await registered
  expect(worker.url()).toBe(`${product.address()}/admin/service-worker.js`)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${product.address()}/admin/`)

  await expect(page.locator('link[rel="manifest"]')).toHaveAttribute('href', /\/admin\/manifest\.fr\.webmanifest$/)
  const manifest = (await (await page.request.get('/admin/manifest.fr.webmanifest')).json()) as { icons: { src: string }[] }
  expect(manifest).toMatchObject({ scope: '/admin/', start_url: '/admin/panel' })
  for (const { src } of manifest.icons) expect((await page.request.get(src)).headers()['content-type']).toBe('image/png')

  const answer = page.context().waitForEvent('response', (response) => response.url().endsWith('/api/chat/push/answered'))
  // The console requests a conversation that does not exist, whatever other journeys of this product opened.
  const chat = 2_000_000_000
  const call = { chat, endpoint: 'https://push.example.com/7', lang: 'fr', title: 'Un visiteur attend', body: 'Ouvrez.' }
  expect(await receive(worker, JSON.stringify(call))).toEqual([
    { title: call.title, options: expect.objectContaining({ body: call.body, tag: `chat-${chat}`, lang: 'fr', data: { chat } }) },
  ])
  expect((await answer).status()).toBe(204)

  expectedErrors.push('unknown_chat')
  const refused = page.waitForEvent('console', (message) => message.text().includes('unknown_chat'))
  await press(worker, call.chat)
  await page.waitForURL('**/admin/chat*')
  await refused
  // Nothing of the product is stored on the device.
  expect(await page.evaluate(() => caches.keys())).toEqual([])

  // The browser of the tests has no notifications, and calls them blocked.
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }))
  await page.goto('/admin/profile')
  await expect(page.getByRole('heading', { name: 'Appareils avisés' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Aviser cet appareil' })).toBeVisible()
  await expectAccessible(page)
})

type Shown = { title: string; options: NotificationOptions | undefined }

/** Dispatches a push message, and returns the notifications that it shows; the browser of the tests itself has none. */
const receive = (worker: Worker, data: string) =>
  worker.evaluate(async (text) => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      PushEvent: new (name: string, options: { data: string }) => Event
      dispatchEvent: (event: Event) => boolean
    }
    const shown: Shown[] = []
    scope.registration.showNotification = (title, options) => {
      shown.push({ title, options })
      return Promise.resolve()
    }
    scope.dispatchEvent(new scope.PushEvent('push', { data: text }))
    return shown
  }, data)

/** A press on a notification, as the system reports it. */
const press = (worker: Worker, chat: number) =>
  worker.evaluate((id) => {
    const scope = globalThis as unknown as {
      ExtendableEvent: new (name: string) => Event
      dispatchEvent: (event: Event) => boolean
    }
    const notification = { data: { chat: id }, close: () => undefined }
    scope.dispatchEvent(Object.assign(new scope.ExtendableEvent('notificationclick'), { notification }))
  }, chat)
