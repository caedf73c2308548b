import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { everyDay } from '#src/lib/time/business-hours.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { chatSettingsTable } from './server/table.ts'
import { requests } from '../requests/server/table.ts'
import { findChatHours, forgetChatSettings } from './server/settings.ts'
import type { ChatSettings, ChatAvailability } from './contract.ts'

const path = '/api/chat/settings'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const supervise = () => product.signIn({ chat: 'administrator' })
type Client = Awaited<ReturnType<typeof supervise>>
const read = async (client: Client) => (await client.get<ChatSettings>(path)).body
const availability = async () => (await (await product.client()).get<ChatAvailability>('/public_api/chat/available-users')).body

describe('the settings of the chat', () => {
  let client: Client
  beforeEach(async () => {
    client = await supervise()
  })

  test('are those of the company until they are saved, then what was saved', async () => {
    const before = await read(client)
    expect(before).toMatchObject({ no_answer_minutes: 3, attachments_enabled: false, auto_reply: false })
    expect(before.week.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5])
    expect((await availability()).hours).toMatchObject({ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '17:00' })

    const week = [
      { day: 6, spans: [{ opens: '09:00', closes: '12:00' }] },
      {
        day: 2,
        spans: [
          { opens: '19:00', closes: '24:00' },
          { opens: '10:00', closes: '18:30' },
        ],
      },
    ]
    const inOrder = [
      {
        day: 2,
        spans: [
          { opens: '10:00', closes: '18:30' },
          { opens: '19:00', closes: '24:00' },
        ],
      },
      week[0],
    ]
    const changed = {
      auto_reply: true,
      auto_reply_message: 'On arrive.',
      auto_reply_message_en: 'Coming.',
      expected_wait: '5 min',
    }
    const saved = await client.put<ChatSettings>(path, {
      ...before,
      ...changed,
      week,
      embed_origins: ['https://www.example.com'],
    })
    expect(saved.status).toBe(200)
    expect(saved.body).toMatchObject({ version: before.version + 1, ...changed, week: inOrder })

    expect(await availability()).toMatchObject({
      auto_reply: { chat_auto_reply: true, chat_auto_reply_message: 'On arrive.', chat_auto_reply_message_en: 'Coming.' },
      expected_wait: '5 min',
      hours: { days: [2, 6], opens: '10:00', closes: '18:30', week: inOrder },
    })
    expect((await findChatHours(product.db)).week).toEqual(inOrder)
  })

  test('round the clock never closes; a holiday, and its own hours, reach what visitors read', async () => {
    const before = await read(client)
    const week = everyDay([1, 2, 3, 4, 5, 6, 7], '00:00', '24:00')
    const holidays = [
      { date: '2001-01-01', name: 'Ancien', name_en: '', spans: [] },
      { date: '2999-12-25', name: 'Noël', name_en: '', spans: [] },
      { date: '2999-12-24', name: 'Veille', name_en: '', spans: [{ opens: '08:00', closes: '12:00' }] },
    ]
    expect((await client.put(path, { ...before, week, holidays })).status).toBe(200)
    const { state, next_opening, hours } = await availability()
    expect({ state, next_opening, closes_at: hours.closes_at, opening: hours.next_opening }).toEqual({
      state: 'busy',
      next_opening: null,
      closes_at: null,
      opening: null,
    })
    expect(hours.holidays).toEqual([
      { date: '2999-12-24', spans: [{ opens: '08:00', closes: '12:00' }] },
      { date: '2999-12-25', spans: [] },
    ])
    const { body: contact } = await (await product.client()).get<{ html: string }>('/api/site/texts/contact?lang=fr')
    expect(contact.html).toContain('24\u00a0h sur 24, 7\u00a0jours sur\u00a07')
    const { body: english } = await (
      await product.client()
    ).get<{ html: string; lead: string }>('/api/site/texts/support?lang=en')
    expect(english.html).toContain('24\u00a0hours a day, 7\u00a0days a week')
  })

  test('what was stored before a setting existed has its default', async () => {
    const before = await read(client)
    const { version: _version, silence_seconds: _added, ...older } = before
    await client.put(path, before)
    await product.db.update(chatSettingsTable).set({ settings: older as ChatSettings })
    forgetChatSettings(product.db)
    expect(await read(client)).toMatchObject({ silence_seconds: 30, no_answer_minutes: before.no_answer_minutes })
    const { version } = await read(client)
    expect((await client.put(path, { ...before, version, silence_seconds: 45 })).status).toBe(200)
    expect((await read(client)).silence_seconds).toBe(45)
  })

  test('the goals of requests follow the hours that are set', async () => {
    // Half an hour a week: a goal of two hours takes more than three weeks.
    const week = [{ day: 3, spans: [{ opens: '03:00', closes: '03:30' }] }]
    expect((await client.put(path, { ...(await read(client)), week, holidays: [] })).status).toBe(200)
    const visitor = await product.client()
    const left = { name: 'Annie', email: 'annie@example.com', message: 'Rappelez-moi.', client_id: crypto.randomUUID() }
    expect((await visitor.post('/public_api/chat/message', left)).status).toBe(200)
    const [request] = await product.db.select().from(requests).where(eq(requests.clientId, left.client_id))
    expect(request?.respondBy?.getTime()).toBeGreaterThan(Date.now() + 20 * 86_400_000)
    const other = await product.signIn({ requests: 'read_write' })
    const changed = await other.put<{ respond_by: string }>(`/api/requests/requests/${request?.id}`, { priority: 'urgent' })
    expect(changed.status).toBe(200)
    const [urgent] = await product.db.select().from(requests).where(eq(requests.clientId, left.client_id))
    expect(new Date(urgent?.respondBy ?? 0).getUTCDay()).toBe(3)
  })

  test('a save is in the journal', async () => {
    const before = await read(client)
    await client.put(path, { ...before, no_answer_minutes: 4 })
    const auditor = await product.signIn({ audit: 'read_only' })
    const lines = (await auditor.get(`/api/audit/entries?area=chat`)).text
    expect(lines).toContain('no_answer_minutes')
  })

  test('the second of two saves from the same version gets a conflict, and replaces nothing', async () => {
    const before = await read(client)
    expect((await client.put(path, { ...before, no_answer_minutes: 5 })).status).toBe(200)
    const second = await client.put<{ current: ChatSettings }>(path, { ...before, no_answer_minutes: 9 })
    expect(second.status).toBe(409)
    expect(second.body.current.no_answer_minutes).toBe(5)
    expect((await read(client)).no_answer_minutes).toBe(5)
  })

  test('another instance of the product sees a save after a moment', async () => {
    const before = await read(client)
    const { version: _version, ...settings } = before
    await product.db.update(chatSettingsTable).set({ version: 90, settings: { ...settings, expected_wait: 'ailleurs' } })
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    const received = await findChatHours(product.db).then(() => availability())
    vi.useRealTimers()
    expect(received.expected_wait).toBe('ailleurs')
  })

  test.each([
    ['hours that end when they begin', { week: everyDay([1], '08:00', '08:00') }],
    ['an hour after 24:00', { week: everyDay([1], '08:00', '24:30') }],
    ['an opening at 24:00', { week: everyDay([1], '24:00', '08:00') }],
    [
      'hours that overlap',
      {
        week: [
          {
            day: 1,
            spans: [...everyDay([1], '08:00', '12:00'), ...everyDay([1], '11:00', '17:00')].flatMap(({ spans }) => spans),
          },
        ],
      },
    ],
    [
      'a night that reaches into the next day',
      { week: [...everyDay([1], '22:00', '06:00'), ...everyDay([2], '05:00', '17:00')] },
    ],
    ['the form of the version before', { week: [{ day: 1, opens: '08:00', closes: '17:00' }] }],
    [
      'seven spans a day',
      { week: [{ day: 1, spans: [0, 1, 2, 3, 4, 5, 6].map((hour) => ({ opens: `0${hour}:00`, closes: `0${hour}:30` })) }] },
    ],
    ['the same day twice', { week: everyDay([1, 1], '08:00', '17:00') }],
    ['an eighth day', { week: everyDay([8], '08:00', '17:00') }],
    ['a date that is none', { holidays: [{ date: '2026-02-30', name: 'x', name_en: '', spans: [] }] }],
    ['the same date twice', { holidays: [1, 2].map(() => ({ date: '2026-12-25', name: 'Noël', name_en: '', spans: [] })) }],
    ['an automatic reply without its text', { auto_reply: true, auto_reply_message: '  ' }],
    ['a mail before the notification', { escalation_notification_minutes: 9, escalation_mail_minutes: 2 }],
    ['a bell after four seconds', { silence_seconds: 4 }],
    ['a bell after eleven minutes', { silence_seconds: 660 }],
    ['a retention, which has one table', { retention_days: 30 }],
    ['a site with a path', { embed_origins: ['https://www.example.com/'] }],
    ['every site', { embed_origins: ['*'] }],
    ['a site that is a script', { embed_origins: ['javascript:alert(1)'] }],
    ['a policy hidden in a site', { embed_origins: ["https://a.example.com; script-src 'unsafe-inline'"] }],
    ['an unknown field', { admin: true }],
  ])('refuse %s', async (_name, change) => {
    const before = await read(client)
    expect((await client.put(path, { ...before, ...change })).status).toBe(400)
    expect(await read(client)).toEqual(before)
  })
})

test('who only answers chats reads the settings and changes nothing; a stranger does neither', async () => {
  const technician = await product.signIn({ chat: 'read_write' })
  const before = await technician.get<ChatSettings>(path)
  expect(before.status).toBe(200)
  expect((await technician.put(path, before.body)).status).toBe(403)
  const other = await product.signIn({ jobs: 'administrator' })
  expect((await other.get(path)).status).toBe(403)
  expect((await (await product.client()).get(path)).status).toBe(401)
})
