/** What a call carries; never a word of the visitor. */
type Call = { chat: number; endpoint: string; lang: string; title: string; body: string }
type WorkerEvent = { waitUntil: (work: Promise<unknown>) => void }
type PushEvent = WorkerEvent & { data: { json: () => Call } | null }
type ClickEvent = WorkerEvent & { notification: Notification }
type WindowClient = { focus: () => Promise<WindowClient>; postMessage: (message: object, ports: MessagePort[]) => void }
type WorkerScope = {
  skipWaiting: () => Promise<void>
  clients: {
    claim: () => Promise<void>
    matchAll: (options: object) => Promise<WindowClient[]>
    openWindow: (url: string) => Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
    (name: 'push', listener: (event: PushEvent) => void): void
    (name: 'notificationclick', listener: (event: ClickEvent) => void): void
  }
}

/**
 * The service worker of the administration. The server sends the text of this one function, so it may use nothing from
 * outside of it. It answers no request of a page: nothing is cached.
 */
export function runServiceWorker(answeredPath: string, consolePath: string) {
  const worker = globalThis as unknown as WorkerScope
  worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

  worker.addEventListener('push', (event) => {
    if (!event.data) return
    const { chat, endpoint, lang, title, body } = event.data.json()
    const shown = worker.registration.showNotification(title, {
      body,
      lang,
      tag: `chat-${chat}`,
      icon: '/admin-icon-192.png',
      badge: '/admin-badge-96.png',
      requireInteraction: true,
      data: { chat },
    })
    // Without an answer for a week the device is not called any more.
    const answered = fetch(answeredPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint }),
    }).catch(() => undefined)
    event.waitUntil(Promise.all([shown, answered]))
  })

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    const { chat } = (event.notification.data ?? {}) as { chat?: number }
    // The address of a window is that of its first page, so each is asked: only a page of the administration replies.
    const ask = (window: WindowClient) =>
      new Promise<WindowClient>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(window))
        port1.start()
        setTimeout(reject, 500)
        window.postMessage({ chat }, [port2])
      })
    const open = async () => {
      const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
      const admin = await Promise.any(windows.map(ask)).catch(() => null)
      if (!admin) return worker.clients.openWindow(chat ? `${consolePath}?chat=${chat}` : consolePath)
      return admin.focus()
    }
    event.waitUntil(open())
  })
}
