import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tabStorage } from '#src/ui/storage.ts'
import { draftStorageKey } from '../keys.ts'
import { leftMessageMax } from '../values.ts'
import { sendAsRequest } from './panel-message.tsx'

const left = { name: 'Annie', email: 'annie@example.com', message: 'Rappelez-moi.', language: 'fr', idChat: null } as const
const reference = 'CL-2026-000001'
const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
const received = () => json({ reference })

let sent: { client_id: string; message: string }[]
let answer: (signal: AbortSignal) => Promise<Response>
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  vi.stubGlobal('document', { querySelector: () => null, cookie: '' })
  vi.stubGlobal('location', new URL('https://example.com/'))
  vi.stubGlobal('window', { addEventListener: vi.fn(), dispatchEvent: vi.fn() })
  vi.stubGlobal('fetch', (_path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    sent.push(JSON.parse(body) as (typeof sent)[number])
    return answer(signal)
  })
})
afterEach(() => {
  tabStorage.write(draftStorageKey, null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const send = (message: string = left.message, onSlow = vi.fn()) => sendAsRequest({ ...left, message }, onSlow)
const ids = () => sent.map((one) => one.client_id)

test.each([
  ['another page', () => new Response('<h1>Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } })],
  ['an empty object', () => json({})],
  ['a reference that is none', () => json({ reference: 'ok' })],
  ['nothing', () => new Response(null, { status: 204 })],
])('is not confirmed by %s, and is the same request once it is', async (_what, make) => {
  answer = async () => make()
  await expect(send()).rejects.toThrow()
  answer = async () => received()
  expect(await send()).toBe(reference)
  expect(await send('Autre chose')).toBe(reference)
  expect(ids()[1]).toBe(ids()[0])
  expect(ids()[2]).not.toBe(ids()[0])
})

test('without an answer shows a notice after 10 seconds, and is sent again after 30 with the same id', async () => {
  const silence = (signal: AbortSignal) =>
    new Promise<Response>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  answer = silence
  const onSlow = vi.fn()
  const sending = send(left.message, onSlow)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(onSlow).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(onSlow).toHaveBeenCalledOnce()
  answer = async () => received()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await sending).toBe(reference)
  expect(ids()).toEqual([ids()[0], ids()[0]])

  answer = silence
  const given = expect(send()).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(61_000)
  await given
})

test('becomes several requests where it is too long for one, and loses nothing', async () => {
  answer = async () => received()
  const message = 'é'.repeat(leftMessageMax) + 'fin'
  expect(await send(message)).toBe(`${reference}, ${reference}`)
  expect(sent.map((one) => one.message).join('')).toBe(message)
})
