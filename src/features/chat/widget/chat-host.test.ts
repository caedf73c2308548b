import { afterEach, expect, test, vi } from 'vitest'
import { sendBeforeUnload } from './chat-host.ts'

afterEach(() => vi.unstubAllGlobals())

test('sends client-leave as a beacon, which outlives the page', async () => {
  const sendBeacon = vi.fn<(address: string, body: Blob) => boolean>(() => true)
  vi.stubGlobal('navigator', { sendBeacon })
  sendBeforeUnload('/public_api/chat/client-leave', { id_chat: 'k' })
  const [address, body] = sendBeacon.mock.calls[0] ?? []
  expect([address, body?.type, await body?.text()]).toEqual([
    '/public_api/chat/client-leave',
    'application/json',
    '{"id_chat":"k"}',
  ])
})

test('sends client-leave to another host without cookies', () => {
  const call = vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status: 204 })))
  vi.stubGlobal('fetch', call)
  sendBeforeUnload('https://chat.example.com/public_api/chat/client-leave', { id_chat: 'k' })
  expect(call.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', keepalive: true, credentials: 'omit' })
})
