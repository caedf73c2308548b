import type { Chat, FaultTime, Journal } from './journal.ts'
import { realTimesOf } from './journal.ts'
import { addresses } from './lane.ts'
import type { Stored, StoredChat } from './stored.ts'
import { alarmMs, findAlarm, isDueLater } from './stored.ts'

export type Violation = { kind: (typeof kinds)[number]; what: string }
export const kinds = [
  'lost',
  'doubled',
  'out of order',
  'two owners',
  'mail twice',
  'status without row',
  'no alarm',
  'noticed',
] as const

type Report = (kind: Violation['kind'], what: string) => void
export type Checked = { violations: Violation[]; latestAlarmMs: number }

/** Compares what the clients saw with what is stored. `isReal`: alarms are due within three minutes of real time. */
export function check(journal: Journal, stored: Stored, { isReal }: { isReal: boolean }): Checked {
  const violations: Violation[] = []
  const report: Report = (kind, what) => void violations.push({ kind, what })
  for (const what of journal.noticed) report('noticed', what)
  checkRequests(journal, stored, report)
  checkStarts(stored, report)
  for (const chat of journal.chats) checkChat(journal, chat, stored, report)
  checkSides(journal, stored, report)
  checkOutages(journal, stored, report)
  checkMails(journal, stored, report, isReal)
  const latestAlarmMs = checkAlarms(journal, stored, report, isReal)
  return { violations, latestAlarmMs }
}

function once(report: Report, what: string, count: number, isSure = true) {
  if (count === 0 && isSure) report('lost', what)
  if (count > 1) report('doubled', `${what} is there ${count} times`)
}

function checkRequests(journal: Journal, { requests, entries }: Stored, report: Report) {
  for (const { text, reference } of journal.forms) {
    const found = requests.filter(({ message }) => message === text)
    once(report, text, found.length, reference !== null)
    if (reference !== null && found[0] && found[0].reference !== reference)
      report('lost', `${text} was told ${reference} and is ${found[0].reference}`)
  }
  for (const { text, email, isReply } of journal.mails) {
    const found = entries.filter((entry) => entry.kind === 'customer' && entry.text.trim() === text)
    once(report, text, found.length)
    const request = requests.find(({ id }) => id === found[0]?.request_id)
    if (request && request.email !== email) report('lost', `${text} is in the request of ${request.email}`)
    if (isReply && request && entries.find(({ request_id: id }) => id === request.id)?.id === found[0]?.id)
      report('lost', `${text} answers a request and made a new one`)
  }
  for (const { text, requestId, isSure } of journal.replies) {
    const found = entries.filter((entry) => entry.request_id === requestId && entry.kind === 'staff' && entry.text === text)
    once(report, text, found.length, isSure)
  }
}

/** Each visitor begins one conversation, also one whose start was not answered. */
function checkStarts({ chats }: Stored, report: Report) {
  // One that was closed before anybody wrote is begun again.
  const begun = chats.filter(({ status, last_seq: last }) => status !== 'closed' || last > 0)
  for (const [name, all] of Map.groupBy(begun, (chat) => chat.name))
    if (all.length > 1) report('doubled', `${name} has ${all.length} conversations`)
}

function checkChat(journal: Journal, chat: Chat, stored: Stored, report: Report) {
  const row = stored.chats.find(({ id }) => id === chat.id)
  if (!row) return report('lost', `the conversation of ${chat.name}`)
  const messages = stored.messages.filter(({ chat_id: id }) => id === row.id)
  if (messages.some(({ seq }, index) => seq !== index + 1) || row.last_seq !== messages.length)
    report('out of order', `${chat.name} has the numbers ${messages.map(({ seq }) => seq).join(', ')} up to ${row.last_seq}`)
  for (const { text, isSure } of chat.sent) once(report, text, messages.filter(({ message }) => message === text).length, isSure)
  checkOrder(chat, messages, report)
  checkOwners(journal, chat, stored, row.id, report)
}

/** What was acknowledged before something else was sent comes before it. */
function checkOrder({ name, sent }: Chat, messages: Stored['messages'], report: Report) {
  const seqOf = (text: string) => messages.find(({ message }) => message === text)?.seq ?? 0
  for (const one of sent) {
    const later = sent.filter((next) => one.isSure && next.startedAt > one.endedAt && seqOf(next.text) > 0)
    for (const next of later)
      if (seqOf(next.text) < seqOf(one.text)) report('out of order', `${name}: “${next.text}” is before “${one.text}”`)
  }
}

/** Events that take a conversation from its owner. */
const releases = new Set(['unanswered', 'left', 'closed', 'reopened', 'transferred', 'taken_over'])
/** For so long after a fault an instance may not know who is connected to the other one: who is absent can lose a conversation. */
const absenceMs = 90_000

function checkOwners(journal: Journal, { name, taken, sent, races }: Chat, { events }: Stored, id: number, report: Report) {
  const { faults } = journal
  const own = events.filter(({ chat_id: chat }) => chat === id)
  const isDisturbed = (from: number, until: number) =>
    faults.some((fault) => isAboutPresence(fault) && fault.from <= until && fault.until + absenceMs >= from)
  for (const [index, event] of own.entries()) {
    const before = own[index - 1]
    const isLostTwice = event.kind === 'claimed' && before?.kind === 'claimed' && before.user_id !== event.user_id
    if (isLostTwice && !realTimesOf(journal, event.at).some((at) => isDisturbed(at - absenceMs, at)))
      report('two owners', `${name} was claimed by ${before.user_id} and then by ${event.user_id}`)
  }
  for (const { winners, startedAt, endedAt } of races)
    if (winners.length > 1 && !isDisturbed(startedAt, endedAt))
      report('two owners', `${name} was won by ${winners.join(' and ')}`)
  for (const { by, isSure } of taken) {
    const isKnown = own.some(({ kind, user_id: user }) => user === by && ['claimed', 'transferred', 'taken_over'].includes(kind))
    if (isSure && !isKnown) report('lost', `${name} was given to ${by}, which no event says`)
  }
  // Who lost a conversation to somebody cannot answer in it, whatever their screen shows.
  for (const answer of sent.filter(({ by, isSure }) => by !== 'visitor' && isSure)) {
    const lost = taken.find((one) => one.isSure && one.by !== answer.by && one.endedAt < answer.startedAt)
    const isBack =
      lost &&
      (taken.some((one) => one.by === answer.by && one.endedAt >= lost.startedAt) ||
        own.some(({ kind, at }) => releases.has(kind) && at >= lost.startedAt - absenceMs))
    if (lost && !isBack) report('two owners', `${name}: “${answer.text}” was taken from ${answer.by} after ${lost.by} had it`)
  }
}

function isAboutPresence({ fault }: FaultTime) {
  return ['kill', 'freeze', 'partition', 'restart', 'clock', 'frames', 'full disk'].includes(fault.do)
}

/** Visitor and technicians see the same, without a gap. */
function checkSides({ shown }: Journal, { messages }: Stored, report: Report) {
  for (const { id, name, side, messages: own, unsent } of shown) {
    const all = messages.filter(({ chat_id: chat }) => chat === id)
    const differs =
      all.length !== own.length || all.some(({ seq, message }, index) => own[index]?.seq !== seq || own[index].text !== message)
    if (differs) report('lost', `${side} sees ${own.length} of ${all.length} messages of ${name}, or others`)
    if (unsent > 0) report('lost', `${side} still has ${unsent} unsent texts for ${name}`)
  }
}

function checkOutages(journal: Journal, { monitors, incidents, updates, changes, pages }: Stored, report: Report) {
  for (const { id, state, incident_id: incidentId } of monitors) {
    const last = journal.signals.findLast(({ monitor, isSure }) => monitor === id && isSure)
    const isUnsure = journal.signals.some(({ monitor, isSure }) => monitor === id && !isSure)
    if (!last || isUnsure) continue
    if (state !== last.state) report('lost', `monitor ${id} said ${last.state} and is ${state}`)
    const incident = incidents.find((one) => one.id === incidentId)
    if (last.state === 'down' && (!incident || incident.resolved)) report('lost', `monitor ${id} is down without an outage`)
  }
  const open = incidents.filter(({ source, resolved }) => source === 'monitor' && !resolved)
  for (const [key, all] of Map.groupBy(open, ({ elements }) => JSON.stringify(elements)))
    if (all.length > 1) report('doubled', `${all.length} outages of ${key} are open`)
  for (const { title, isSure, updates: sent } of journal.incidents) {
    const found = incidents.filter((one) => one.title === title)
    once(report, title, found.length, isSure)
    const own = updates.filter(({ incident_id: id }) => id === found[0]?.id)
    for (const update of sent) once(report, update.text, own.filter(({ text }) => text === update.text).length, update.isSure)
  }
  const last = new Map(changes.map((one) => [`${one.network_id} ${one.element}`, one.to_status]))
  for (const [at, page] of pages.entries()) {
    for (const { network, element, status } of page) {
      const stored = last.get(`${network} ${element}`)
      if (stored !== status)
        report('status without row', `instance ${at} shows ${element} as ${status}, its last row says ${stored}`)
    }
  }
}

/** Who may have interrupted a delivery after the mail server took it, and before that was recorded. */
const interruptions = new Set(['kill', 'freeze', 'partition', 'mail server', 'restart', 'full disk'])
const aroundMs = 5_000

function checkMails(journal: Journal, { mails }: Stored, report: Report, isReal: boolean) {
  const { received, faults } = journal
  const byId = Map.groupBy(received, ({ messageId }) => messageId ?? '')
  for (const { message_id: id, recipient, state, body, last_error: error } of mails) {
    const deliveries = byId.get(id) ?? []
    if (state === 'failed') report('lost', `a mail to ${recipient} failed: ${error}`)
    if (state === 'sent' && deliveries.length === 0) report('lost', `a mail to ${recipient} counts as sent and never arrived`)
    if (state === 'waiting' && isReal) report('lost', `a mail to ${recipient} still waits: ${error ?? body.slice(0, 80)}`)
    // SMTP cannot tell a lost acknowledgement from a lost mail: then it comes again, under the same Message-ID.
    for (const [index, { at }] of deliveries.slice(1).entries()) {
      const first = deliveries[index]?.at ?? at
      const isExcused = faults.some(
        ({ fault, from, until }) => interruptions.has(fault.do) && from <= first + aroundMs && until + aroundMs >= first,
      )
      if (!isExcused) report('mail twice', `a mail to ${recipient} came again without any fault: ${body.slice(0, 80)}`)
    }
  }
  for (const [id, all] of byId)
    if (!mails.some(({ message_id: one }) => one === id))
      report('mail twice', `a mail to ${all[0]?.envelope.to.join()} has no row`)
  checkMailsOfMatters(journal, report, isReal)
}

/** One mail each for what a mail is about, whatever was interrupted: by Message-ID, as its receiver sees it. */
function checkMailsOfMatters({ received, forms, mails, replies, incidents }: Journal, report: Report, isReal: boolean) {
  const count = (text: string, isTo: (to: string) => boolean) =>
    new Set(
      received
        .filter(({ envelope, text: body }) => isTo(envelope.to[0] ?? '') && body?.includes(text))
        .map(({ messageId }) => messageId),
    ).size
  const oneMail = (text: string, to: string, isTo: (to: string) => boolean, isDue: boolean) => {
    const found = count(text, isTo)
    if (found > 1) report('mail twice', `${found} mails about “${text}” went to ${to}`)
    if (found === 0 && isDue && isReal) report('lost', `no mail about “${text}” went to ${to}`)
  }
  const isStaff = (to: string) => !to.startsWith('form') && !to.includes('client.example.com') && !to.startsWith('reader')
  for (const { text, reference } of forms) oneMail(text, 'the staff', isStaff, reference !== null)
  for (const { text } of mails) oneMail(text, 'the staff', isStaff, true)
  for (const { text, email, isSure } of replies) oneMail(text, email, (to) => to === email, isSure)
  const readers = new Set(received.flatMap(({ envelope }) => envelope.to).filter((to) => to.startsWith('reader')))
  for (const { updates } of incidents)
    for (const { text, isSure } of updates) for (const reader of readers) oneMail(text, reader, (to) => to === reader, isSure)
}

/** One that came back to the queue while an instance had another time has that time. */
function wrongClock({ faults }: Journal, { released_reason: reason }: StoredChat) {
  return reason !== null && faults.some(({ fault }) => fault.do === 'clock')
}

/** Each matter has an owner, or somebody was told of it in time. Returns the latest of these alarms. */
function checkAlarms(journal: Journal, stored: Stored, report: Report, isReal: boolean) {
  const delays: number[] = []
  const note = (what: string, since: number, at: number | undefined) => {
    if (at === undefined) return report('no alarm', what)
    delays.push(Math.max(0, at - since))
    if (isReal && at - since > alarmMs) report('no alarm', `${what}: only after ${Math.round((at - since) / 1_000)} s`)
  }
  for (const chat of stored.chats) {
    const own = journal.chats.find(({ id }) => id === chat.id)
    // Nobody is alerted for a visitor who left.
    if (!own || chat.status !== 'waiting' || !chat.is_here) continue
    if (isReal && isDueLater(chat)) continue
    note(`${own.name} waits`, wrongClock(journal, chat) ? Date.now() : chat.waiting_since, findAlarm(journal, chat, { isReal }))
  }
  if (!isReal) return Math.max(0, ...delays)
  const staffMail = (text: string) =>
    journal.received.find(({ envelope, text: body }) => {
      const to = envelope.to[0] ?? ''
      return (Object.values(addresses).includes(to) || to.startsWith('technicien')) && body?.includes(text)
    })?.at
  for (const { text, sureAt, reference } of journal.forms) if (reference !== null) note(text, sureAt, staffMail(text))
  for (const { text, deliveredAt } of journal.mails) note(text, deliveredAt, staffMail(text))
  return Math.max(0, ...delays)
}
