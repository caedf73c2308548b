import { parentPort, workerData } from 'node:worker_threads'
import { io } from 'socket.io-client'
import { addressOf, pause } from './clients.ts'

/** Fault of the response to a join, besides those of the server. */
export type JoinFault = 'lost' | 'limited' | null
export type Order = { order: 'begin' } | { order: 'reload'; fault: JoinFault } | { order: 'return' }
/** `key`: what the tab stores. `ms`: until the conversation was there; NaN where it was not. */
export type Report = { key: string | null; ms: number }

const { origin, number } = workerData as { origin: string; number: number }
const text = `Bonjour de ${number}`
const patienceMs = 60_000
const reloadMs = 200

// The globals of a browser that the chat of a page uses; the storage of the tab outlives each page of it.
const entries = new Map<string, string>()
const sessionStorage = {
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
}
const browser = {
  window: { sessionStorage, localStorage: sessionStorage },
  document: { cookie: '', querySelector: () => ({ content: origin }) },
  location: { origin: 'https://site.example', pathname: '/', search: '' },
  navigator: { onLine: true },
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  BroadcastChannel: undefined,
}
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true })

const { createVisitorSession } = await import('../src/features/chat/widget/visitor-session.ts')

let fault: JoinFault = null

/** Socket.IO with the visitor's own address, whose responses to a join may be lost or replaced. */
const openSocket = ((address: string, options: object) => {
  const socket = io(address, { ...options, extraHeaders: { 'x-forwarded-for': addressOf(number) }, forceNew: true })
  const withTimeout = socket.timeout.bind(socket)
  socket.timeout = (ms: number) => {
    const timed = withTimeout(ms)
    const emit = timed.emitWithAck.bind(timed)
    timed.emitWithAck = ((event: string, input: unknown) => {
      if (event !== 'chat:client-join' || !fault) return emit(event, input)
      const refused = { ok: false, error: { code: 'limited', message: 'Too many requests.', retry_after: 1 } }
      return fault === 'limited' ? Promise.resolve(refused) : pause(ms).then(() => Promise.reject(new Error('no answer')))
    }) as typeof timed.emitWithAck
    return timed
  }
  return socket
}) as unknown as typeof io

const openPage = () => createVisitorSession({ loadIo: () => openSocket })
let page = openPage()

const key = () => entries.get('id_chat') ?? entries.get('chat_to_resume') ?? null
const isThere = () => {
  const { phase, idChat } = page.read()
  return phase === 'open' && page.client.conversation(idChat).messages.some((one) => one.message === text)
}

async function waitUntilThere(): Promise<Report> {
  const startedAt = performance.now()
  while (!isThere()) {
    if (performance.now() - startedAt > patienceMs) return { key: key(), ms: Number.NaN }
    await pause(50)
  }
  return { key: key(), ms: Math.round(performance.now() - startedAt) }
}

async function obey(order: Order): Promise<Report> {
  if (order.order === 'begin') {
    page.start()
    page.logIn({
      client_name: `Visitor ${number}`,
      client_email: 'a@example.com',
      client_business: '',
      language: 'fr',
      page: '/',
    })
    while (page.read().phase !== 'open') await pause(20)
    page.client.send(page.read().idChat ?? '', text)
    return waitUntilThere()
  }
  if (order.order === 'return') {
    fault = null
    return waitUntilThere()
  }
  fault = order.fault
  page.sendLeave()
  page.stop()
  page = openPage()
  page.start()
  await pause(reloadMs)
  return { key: key(), ms: 0 }
}

parentPort?.on('message', (order: Order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no other origin
  void obey(order).then((report) => parentPort?.postMessage(report))
})
