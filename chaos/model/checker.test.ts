import { expect, test } from 'vitest'
import type { Received } from '../../src/server/testing/test-smtp.ts'
import type { Violation } from './checker.ts'
import { check } from './checker.ts'
import type { Journal } from './journal.ts'
import { newJournal } from './journal.ts'
import type { Stored } from './stored.ts'

/* The checker itself: it accepts a history in which all went well, and names each thing that can go wrong in it. */

const now = Date.now()
const staff = 'support@company.example.com'

function receive(id: string, to: string, text: string, at = now): Received {
  return { messageId: id, text, envelope: { from: 'chat@example.com', to: [to] }, at } as Received
}

function goodHistory(): { journal: Journal; stored: Stored } {
  const form = { text: 'Form 0.', kind: 'support', email: 'form0@example.com', sureAt: now, reference: 'AS-2026-000001' } as const
  const mail = { text: 'Mail 1.', email: 'mail0@client.example.com', copies: 2, deliveredAt: now, isReply: false }
  const sent = [
    { text: 'Question', by: 'visitor' as const, startedAt: now, endedAt: now + 10, isSure: true },
    { text: 'Answer', by: 2, startedAt: now + 40, endedAt: now + 50, isSure: true },
  ]
  const taken = [{ by: 2, startedAt: now + 20, endedAt: now + 30, isSure: true }]
  const messages = [
    { seq: 1, text: 'Question' },
    { seq: 2, text: 'Answer' },
  ]
  const chat = { id: 7, name: 'Visitor 1', key: 'key', startedAt: now, sent, taken, races: [], isClosing: false }
  const waiting = { ...chat, id: 8, name: 'Visitor 2', key: 'other', sent: [], taken: [] }
  const mails = [
    ['<1>', staff, 'Form 0.'],
    ['<2>', staff, 'Mail 1.'],
    ['<3>', 'reader0@example.com', 'Step 0-0.'],
  ] as const
  const journal: Journal = {
    ...newJournal(mails.map(([id, to, text]) => receive(id, to, text))),
    forms: [form],
    mails: [mail],
    chats: [chat, waiting],
    signals: [{ monitor: 1, state: 'down', at: now, isSure: true }],
    incidents: [{ title: 'Outage 0', at: now, isSure: true, updates: [{ text: 'Step 0-0.', isSure: true, at: now }] }],
    alerts: new Map([[8, [now + 60_000]]]),
    shown: ['visitor', 'technicien1'].map((side) => ({ id: 7, name: chat.name, side, messages, unsent: 0 })),
  }
  const row = { is_here: true, released_reason: null, waiting_since: now }
  const stored: Stored = {
    requests: [
      { id: 1, reference: 'AS-2026-000001', email: form.email, message: form.text },
      { id: 2, reference: 'CL-2026-000001', email: mail.email, message: mail.text },
    ],
    entries: [{ id: 1, request_id: 2, kind: 'customer', text: mail.text }],
    chats: [
      { ...row, id: 7, name: 'Visitor 1', status: 'claimed', last_seq: 2 },
      { ...row, id: 8, name: 'Visitor 2', status: 'waiting', last_seq: 0 },
    ],
    messages: messages.map(({ seq, text }) => ({ chat_id: 7, seq, message: text })),
    events: [{ chat_id: 7, kind: 'claimed', user_id: 2, at: now + 25 }],
    mails: mails.map(([id, recipient, body]) => ({ message_id: id, recipient, body, state: 'sent', last_error: null })),
    monitors: [{ id: 1, state: 'down', incident_id: 1 }],
    incidents: [
      { id: 1, title: 'Lien 1', resolved: false, source: 'monitor', elements: [] },
      { id: 2, title: 'Outage 0', resolved: false, source: 'staff', elements: [] },
    ],
    updates: [{ incident_id: 2, text: 'Step 0-0.' }],
    changes: [{ network_id: 1, element: 'Lien 1', to_status: 'ERROR' }],
    pages: [0, 1].map(() => [{ network: 1, element: 'Lien 1', status: 'ERROR' }]),
  }
  return { journal, stored }
}

type Spoil = (history: ReturnType<typeof goodHistory>) => void
const spoiled: [what: string, kind: Violation['kind'], spoil: Spoil][] = [
  ['a form without its request', 'lost', ({ stored }) => stored.requests.shift()],
  ['a form with two requests', 'doubled', ({ stored }) => stored.requests.push({ ...first(stored.requests), id: 3 })],
  ['another reference than the one that was told', 'lost', ({ stored }) => (first(stored.requests).reference = 'AS-2026-000002')],
  ['a mail without its entry', 'lost', ({ stored }) => stored.entries.pop()],
  ['a mail that was taken twice', 'doubled', ({ stored }) => stored.entries.push({ ...first(stored.entries), id: 2 })],
  ['an acknowledged message that is not there', 'lost', ({ stored }) => stored.messages.pop()],
  ['a message that is there twice', 'doubled', ({ stored }) => stored.messages.push({ ...first(stored.messages), seq: 3 })],
  ['a conversation that was begun twice', 'doubled', ({ stored }) => stored.chats.push({ ...first(stored.chats), id: 9 })],
  [
    'one that was begun twice, and was never answered',
    'doubled',
    ({ stored }) => stored.chats.push(...[9, 10].map((id) => ({ ...first(stored.chats), id, name: 'Visitor 3', last_seq: 0 }))),
  ],
  ['a gap in the numbers', 'out of order', ({ stored }) => (first(stored.messages).seq = 0)],
  [
    'an answer before its question',
    'out of order',
    ({ stored }) =>
      (stored.messages = [
        { chat_id: 7, seq: 1, message: 'Answer' },
        { chat_id: 7, seq: 2, message: 'Question' },
      ]),
  ],
  ['a side that lacks a message', 'lost', ({ journal }) => void (first(journal.shown).messages = [])],
  ['a text that stays unsent', 'lost', ({ journal }) => void (first(journal.shown).unsent = 1)],
  [
    'a race with two winners',
    'two owners',
    ({ journal }) => first(journal.chats).races.push({ winners: [2, 3], startedAt: now, endedAt: now }),
  ],
  [
    'a claim of what somebody has',
    'two owners',
    ({ stored }) => stored.events.push({ chat_id: 7, kind: 'claimed', user_id: 3, at: now + 26 }),
  ],
  [
    'an answer of a former owner',
    'two owners',
    ({ journal }) => first(journal.chats).taken.push({ by: 3, startedAt: now + 31, endedAt: now + 35, isSure: true }),
  ],
  ['a claim without an event', 'lost', ({ stored }) => stored.events.pop()],
  [
    'a mail twice without a fault',
    'mail twice',
    ({ journal }) => journal.received.push(receive('<1>', staff, 'Form 0.', now + 1)),
  ],
  ['two mails about one matter', 'mail twice', ({ journal }) => journal.received.push(receive('<9>', staff, 'Form 0.'))],
  ['a mail that counts as sent', 'lost', ({ journal }) => journal.received.splice(2, 1)],
  ['a mail that waits', 'lost', ({ stored }) => (first(stored.mails).state = 'waiting')],
  ['a signal that changed nothing', 'lost', ({ stored }) => (first(stored.monitors).state = 'up')],
  ['a failure without an outage', 'lost', ({ stored }) => (first(stored.monitors).incident_id = null)],
  ['a status without its row', 'status without row', ({ stored }) => (first(stored.changes).to_status = 'OK')],
  ['an instance that shows another status', 'status without row', ({ stored }) => (first(stored.pages[1] ?? []).status = 'OK')],
  ['a conversation that alerts nobody', 'no alarm', ({ journal }) => journal.alerts.clear()],
  ['an alert after four minutes', 'no alarm', ({ journal }) => journal.alerts.set(8, [now + 240_000])],
  ['a form that nobody is told of', 'no alarm', ({ journal }) => journal.received.shift()],
  ['an instance that stopped by itself', 'noticed', ({ journal }) => journal.noticed.push('instance 0 stopped by itself')],
]

function first<One>(all: readonly One[]): One {
  const [one] = all
  if (one === undefined) throw new Error('the history has none')
  return one
}

test('accepts a history in which all went well', () => {
  const { journal, stored } = goodHistory()
  expect(check(journal, stored, { isReal: true })).toEqual({ violations: [], latestAlarmMs: 60_000 })
})

test('accepts that a start begins anew after its first conversation was closed without a message', () => {
  const { journal, stored } = goodHistory()
  stored.chats.push({ ...first(stored.chats), id: 9, status: 'closed', last_seq: 0 })
  expect(check(journal, stored, { isReal: true }).violations).toEqual([])
})

test.each(spoiled)('finds %s', (_what, kind, spoil) => {
  const history = goodHistory()
  spoil(history)
  const { violations } = check(history.journal, history.stored, { isReal: true })
  expect(violations.map((one) => one.kind)).toContain(kind)
})

test('takes a claim by a clock that is ahead for what it is where a fault hid the owner', () => {
  const { journal, stored } = goodHistory()
  const shiftMs = 1_200_000
  stored.events.push({ chat_id: 7, kind: 'claimed', user_id: 3, at: now + 26 + shiftMs })
  journal.faults.push({ fault: { do: 'clock', at: 1, shiftMs, forMs: 1_000 }, from: now, until: now + 1_000 })
  expect(check(journal, stored, { isReal: true }).violations).toEqual([])
})

test.each([
  ['takes an alarm for that of a conversation whose return was recorded by a clock ahead', 1_000, []],
  ['takes no alarm before that return for it', -1_000, ['no alarm']],
])('%s', (_what, afterMs, found) => {
  const { journal, stored } = goodHistory()
  const [shiftMs, returned] = [120_000, now - 400_000]
  const chat = stored.chats.find(({ status }) => status === 'waiting')
  Object.assign(chat ?? {}, { released_reason: 'left', waiting_since: returned + shiftMs })
  journal.faults.push({ fault: { do: 'clock', at: 1, shiftMs, forMs: 2_000 }, from: returned - 1_000, until: returned + 1_000 })
  journal.alerts.set(8, [returned + afterMs])
  expect(check(journal, stored, { isReal: true }).violations.map(({ kind }) => kind)).toEqual(found)
})

test('takes a second delivery under the same Message-ID for what it is where a fault interrupted the first', () => {
  const { journal, stored } = goodHistory()
  journal.received.push(receive('<1>', staff, 'Form 0.', now + 90_000))
  journal.faults.push({ fault: { do: 'kill', at: 0 }, from: now + 100, until: now + 100 })
  expect(check(journal, stored, { isReal: true }).violations).toEqual([])
})
