import { afterEach, expect, test, vi } from 'vitest'
import { notify } from './alerts.ts'

afterEach(() => void vi.unstubAllGlobals())

const given = { title: 'Annie attend une réponse', body: 'Ouvrir', tag: 'chat-12', lang: 'fr-CA' }

test('where only a service worker may show notifications, as on Android, that of the administration shows it', async () => {
  const showNotification = vi.fn(() => Promise.resolve())
  const Refusing = Object.assign(
    vi.fn(function refuse() {
      throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.')
    }),
    { permission: 'granted' },
  )
  vi.stubGlobal('Notification', Refusing)
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve({ showNotification }) } })
  expect(await notify(given)).toBe(true)
  expect(showNotification).toHaveBeenCalledWith(given.title, expect.objectContaining({ tag: 'chat-12', data: { chat: 12 } }))

  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.reject(new Error('refused')) } })
  expect(await notify(given)).toBe(false)
})
