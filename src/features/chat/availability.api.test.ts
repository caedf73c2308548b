import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyDay } from '#src/lib/time/business-hours.ts'
import type { Availability } from '#src/server/live/events.ts'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import type { ChatSettings, ChatAvailability } from './contract.ts'
import { ask, createChatSockets } from './testing.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
const leaving = new AbortController()

beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  leaving.abort()
  chats.close()
  await product.stop()
})

/** What an open page is told, with the moment it came. */
async function follow() {
  const told: (Availability & { at: number })[] = []
  const { body } = await fetch(`${product.origin}/api/live`, { signal: leaving.signal })
  if (!body) throw new Error('no stream')
  const read = async () => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const data = /^event: availability\ndata: (.+)$/m.exec(text.slice(0, end))?.[1]
        if (data) told.push({ ...(JSON.parse(data) as Availability), at: Date.now() })
        text = text.slice(end + 2)
      }
    }
  }
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return told
}

test('whether the chat is open has one source, and each open page hears of a change within a second', async () => {
  const supervisor = await product.signIn({ chat: 'administrator', home: 'read_write' })
  const { body: settings } = await supervisor.get<ChatSettings>('/api/chat/settings')
  const always = everyDay([1, 2, 3, 4, 5, 6, 7], '00:00', '24:00')
  const save = async (change: Partial<ChatSettings>) => {
    const { body } = await supervisor.get<ChatSettings>('/api/chat/settings')
    expect((await supervisor.put('/api/chat/settings', { ...body, ...change })).status).toBe(200)
  }
  await save({ week: always, holidays: [] })
  const told = await follow()
  await expect.poll(() => told.at(-1)).toMatchObject({ state: 'busy', emergency: false, user_count: 0, next_opening: null })

  const begun = Date.now()
  const technician = await chats.openTechnician()
  await expect.poll(() => told.at(-1)).toMatchObject({ state: 'open', user_count: 1 })
  const opened = told.findLast((one) => one.state === 'open')
  expect((opened?.at ?? 0) - begun).toBeLessThan(3_000)
  const { body } = await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')
  expect(body).toMatchObject({ state: 'open', open: true, user_count: 1, emergency: false, next_opening: null })
  // A page that comes later is told at once.
  const late = await follow()
  await expect.poll(() => late.at(-1)).toMatchObject({ state: 'open', user_count: 1 })

  const banner = { message: '<p>Panne</p>', message_en: '<p>Outage</p>' }
  expect((await supervisor.post('/api/home_messages/home_message', banner)).status).toBe(201)
  await expect.poll(() => told.at(-1)).toMatchObject({ state: 'open', emergency: true })

  await ask(technician, 'staff:availability', { available: false })
  await expect.poll(() => told.at(-1)).toMatchObject({ state: 'busy', user_count: 0 })
  const tomorrow = ((new Date(Date.now() + 2 * 86_400_000).getUTCDay() + 6) % 7) + 1
  await save({ week: everyDay([tomorrow], '08:00', '17:00') })
  await expect.poll(() => told.at(-1)).toMatchObject({ state: 'closed', next_opening: expect.any(String) })
  await save({ week: settings.week, holidays: settings.holidays })
})
