import { afterEach, expect, test, vi } from 'vitest'
import { mails } from '#src/server/background/mail-table.ts'
import { readTime } from '#src/server/database/database.ts'
import { sendDueAnnouncements } from './announcements/server/service.ts'
import type { Announcement } from './announcements/contract.ts'
import type { StaffIncident, UndoableStep } from './contract.ts'
import { sendDueNotices } from './server/mailings.ts'
import { startWithSubscribers } from './testing.ts'

const minuteMs = 60_000
const product = startWithSubscribers()

afterEach(() => vi.useRealTimers())

/** The clock of this instance alone: the database keeps its own. */
const shiftClock = (byMs: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs })
const countMails = () => product.db.$count(mails)
const inAMinute = async () => new Date((await readTime(product.db)).getTime() + minuteMs + 1)

async function declare() {
  const answer = await product.staff.post<StaffIncident>('/api/networks/incidents', {
    ...{ title: 'Coupures', title_en: 'Drops', severity: 'WARNING', text: 'Des appels coupent.', text_en: 'Calls drop.' },
    ...{ elements: [{ id_reseau: product.network, nom: 'Téléphonie' }], mails: true },
  })
  expect(answer.status).toBe(201)
  return answer.body.id_incident
}

test.each([20, -20])('the mails of an outage leave after a minute, published by a clock %i minutes off', async (minutes) => {
  await product.join('fr@example.com')
  await product.db.delete(mails)
  shiftClock(minutes * minuteMs)
  await declare()
  vi.useRealTimers()
  await sendDueNotices(product.app)
  expect(await countMails()).toBe(0)
  await sendDueNotices(product.app, await inAMinute())
  expect(await countMails()).toBe(1)
})

test.each([20, -20])(
  'an outage is offered to be undone within the minute, and is, by a clock %i minutes off',
  async (minutes) => {
    const id = await declare()
    shiftClock(minutes * minuteMs)
    const { body: offered } = await product.staff.get<UndoableStep[]>('/api/networks/incidents/undoable')
    expect(offered.map((step) => step.id_incident)).toContain(id)
    const { body: incident } = await product.staff.get<StaffIncident>(`/api/networks/incidents/${id}`)
    expect(incident.undo_until).not.toBeNull()
    expect(await product.staff.post(`/api/networks/incidents/${id}/undo`)).toMatchObject({ status: 200 })
  },
)

test.each([20, -20])('an announcement leaves after a minute, made by a clock %i minutes off', async (minutes) => {
  await product.join('fr@example.com', { topics: ['news'] })
  await product.db.delete(mails)
  shiftClock(minutes * minuteMs)
  const texts = { subject: `Heures ${minutes}`, subject_en: `Hours ${minutes}`, text: 'Nous fermons.', text_en: 'We close.' }
  const { status } = await product.staff.post<Announcement>('/api/announcements', texts)
  expect(status).toBe(201)
  vi.useRealTimers()
  await sendDueAnnouncements(product.app)
  expect(await countMails()).toBe(0)
  await sendDueAnnouncements(product.app, await inAMinute())
  expect(await countMails()).toBe(1)
})
