import { eq, inArray, like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestImap } from '#src/server/testing/test-imap.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { RequestDetail } from '../contract.ts'
import { takeLease } from './inbox.ts'
import { checkInbox } from './mailbox.ts'
import { signMessageId } from './signed-ids.ts'
import { inboxMails, inboxState, requestEntries, requests } from './table.ts'

const soon = { timeout: 25_000, interval: 100 }
const path = '/api/requests/requests'
let imap: Awaited<ReturnType<typeof startTestImap>>
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  imap = await startTestImap()
  smtp = await startTestSmtp()
  product = await startTestApp({ queue: true, environment: { IMAP_URL: imap.url, SMTP_URL: smtp.url } })
  staff = await product.signIn()
})
afterAll(async () => {
  await product.stop()
  await imap.stop()
  await smtp.stop()
})

let written = 0
type Letter = { from?: string; subject?: string; text?: string; headers?: string[]; id?: string }

/** A mail of a sender of its own, unless it names one. */
function compose({ from, subject, text = 'Bonjour, rien ne va.', headers = [], id }: Letter = {}) {
  written += 1
  const mail = {
    from: from ?? `client${written}@client.example.com`,
    subject: subject ?? `Sujet ${written}`,
    id: id ?? `<${written}@client.example.com>`,
  }
  const head = [
    `From: Ana Roy <${mail.from}>`,
    `Subject: ${mail.subject}`,
    `Message-ID: ${mail.id}`,
    'Date: Fri, 20 Nov 2026 09:00:00 -0500',
  ]
  return { ...mail, source: [...head, ...headers, '', text, ''].join('\r\n') }
}

async function deliver(letter?: Letter) {
  const mail = compose(letter)
  await imap.deliver(mail.source)
  return mail
}

/** A mail with a file. */
const withPlan = (content: string, encoding: string[] = []) => ({
  headers: ['Content-Type: multipart/mixed; boundary="b"'],
  text: [
    '--b',
    'Content-Type: text/plain',
    '',
    'Le plan.',
    '--b',
    'Content-Type: application/zip; name="plan.zip"',
    'Content-Disposition: attachment; filename="plan.zip"',
    ...encoding,
    '',
    content,
    '--b--',
  ].join('\r\n'),
})

const stateOf = async (id: string) => {
  const rows = await product.db.select().from(inboxMails).where(eq(inboxMails.messageId, id))
  return rows.map(({ state, reason }) => [state, reason])
}
const becomes = (id: string, state: string, reason: string | null = null) =>
  expect.poll(() => stateOf(id), soon).toEqual([[state, reason]])

/** The request that a mail belongs to. */
async function requestOf(id: string) {
  const [entry] = await product.db.select().from(requestEntries).where(eq(requestEntries.messageId, id))
  const { body } = await staff.get<RequestDetail>(`${path}/${entry?.requestId}`)
  return body
}
async function readHealth() {
  type Report = { label: { en: string }; status: string; lines: { en: string }[] }
  const { body } = await staff.get<{ reports: Report[] }>('/api/etat')
  const report = body.reports.find(({ label }) => label.en === 'Incoming email')
  return { status: report?.status, text: report?.lines.map(({ en }) => en).join('\n') }
}
/** A pass over the mailbox that began after this call, to its end. */
async function awaitPass() {
  const readAt = async () => (await product.db.select().from(inboxState))[0]?.lastPassAt?.getTime() ?? 0
  for (let pass = 0; pass < 2; pass += 1) {
    const before = await readAt()
    await deliver()
    await expect.poll(readAt, soon).toBeGreaterThan(before)
  }
}
const sentTo = (address: string) => smtp.received.filter((mail) => mail.envelope.to.includes(address))

describe('a mail that comes in', () => {
  test('becomes a request, is acknowledged in its thread, then marked as read and moved', async () => {
    const mail = await deliver({ subject: 'Re: Écran noir', text: 'Bonjour, mon écran est noir.' })
    await becomes(mail.id, 'created')
    const request = await requestOf(mail.id)
    expect(request).toMatchObject({
      kind: 'mail',
      subject: 'Écran noir',
      name: 'Ana Roy',
      email: mail.from,
      language: 'fr',
      status: 'new',
    })
    expect(request.reference).toMatch(/^CO-/)
    await expect.poll(() => sentTo(mail.from), soon).toHaveLength(1)
    expect(sentTo(mail.from)[0]).toMatchObject({ subject: `[${request.reference}] Votre demande est reçue`, inReplyTo: mail.id })
    await expect
      .poll(() => imap.list('Guichet/Traités'), soon)
      .toContainEqual({
        subject: 'Re: Écran noir',
        flags: expect.arrayContaining(['\\Seen']) as string[],
      })
    await expect.poll(() => imap.list('INBOX'), soon).toEqual([])
  })

  test('that answers ours joins its request and opens it again; the history is folded', async () => {
    const first = await deliver()
    await becomes(first.id, 'created')
    const { id_request: id, reference, entries } = await requestOf(first.id)
    await staff.put(`${path}/${id}`, { status: 'done' })
    const ours = signMessageId(product.db, 'company.example.com', reference, entries[0]?.id_entry ?? 0)
    // From another address of theirs: the id is the proof.
    const answer = await deliver({
      from: 'ana.autre@client.example.com',
      headers: [`References: <other@example.com> ${ours}`],
      text: 'Toujours noir.\r\n\r\nLe 20 nov. 2026 à 10:02, Guichet <s@example.com> a écrit :\r\n> Bonjour\r\n',
    })
    await becomes(answer.id, 'joined')
    const request = await requestOf(answer.id)
    expect(request).toMatchObject({ id_request: id, status: 'open' })
    expect(request.entries.find(({ message_id: one }) => one === answer.id)).toMatchObject({
      text: 'Toujours noir.',
      channel: 'mail',
      quoted: expect.stringContaining('> Bonjour') as string,
    })
  })

  test('with a forged id, or with a number of somebody else’s, joins nothing', async () => {
    const first = await deliver()
    await becomes(first.id, 'created')
    const { id_request: id, reference } = await requestOf(first.id)
    const forged = await deliver({ headers: [`In-Reply-To: <${reference}.1.${'a'.repeat(32)}@example.com>`] })
    const foreign = await deliver({ subject: `Re: [${reference}] x` })
    const own = await deliver({ from: first.from, subject: `Re: [${reference}] x` })
    await becomes(forged.id, 'created')
    await becomes(foreign.id, 'created')
    await becomes(own.id, 'joined')
    expect((await requestOf(forged.id)).id_request).not.toBe(id)
    expect((await requestOf(foreign.id)).id_request).not.toBe(id)
    expect((await requestOf(own.id)).id_request).toBe(id)
  })

  test('twice, whatever its place in the mailbox, is taken once', async () => {
    const mail = await deliver()
    await becomes(mail.id, 'created')
    await imap.deliver(mail.source)
    await expect.poll(() => imap.list('INBOX'), soon).toEqual([])
    expect(await product.db.$count(requestEntries, eq(requestEntries.messageId, mail.id))).toBe(1)
    // Another mail under the same id is another mail.
    const other = await deliver({ id: mail.id, text: 'Autre chose.' })
    await expect.poll(() => product.db.$count(requestEntries, eq(requestEntries.messageId, other.id)), soon).toBe(2)
  })
})

describe('machines', () => {
  test('two that answer by themselves stop after one exchange', async () => {
    const address = 'robot@client.example.com'
    const first = await deliver({ from: address })
    await becomes(first.id, 'created')
    await expect.poll(() => sentTo(address), soon).toHaveLength(1)
    const received = sentTo(address)[0]?.messageId ?? ''
    const { id_request: id } = await requestOf(first.id)
    await staff.put(`${path}/${id}`, { status: 'done' })
    const absent = await deliver({
      from: address,
      headers: [`In-Reply-To: ${received}`, 'Auto-Submitted: auto-replied'],
      text: 'Absent.',
    })
    await becomes(absent.id, 'joined', 'automatic')
    // One without a content type.
    const dumb = await deliver({ from: address, headers: [`In-Reply-To: ${received}`], text: 'Je suis absente.' })
    await becomes(dumb.id, 'joined')
    const last = await deliver()
    await expect.poll(() => sentTo(last.from), soon).toHaveLength(1)
    expect(sentTo(address)).toHaveLength(1)
    expect((await requestOf(first.id)).entries.filter(({ kind }) => kind === 'customer')).toHaveLength(3)
  })

  test.each([
    ['a list', ['List-Id: <news.example.com>'], 'list'],
    ['a machine', ['Auto-Submitted: auto-generated'], 'automatic'],
    ['nobody', ['Return-Path: <>'], 'automatic'],
  ])('%s is not answered: it waits for a person', async (_name, headers, reason) => {
    const mail = await deliver({ headers })
    await becomes(mail.id, 'waiting', reason)
    const { body } = await staff.get<{ id_mail: number; subject: string }[]>(`${path}/inbox`)
    const waiting = body.find(({ subject }) => subject === mail.subject)
    const isThere = expect.objectContaining({ subject: mail.subject }) as object
    await expect.poll(() => imap.list('Guichet/À trier'), soon).toContainEqual(isThere)
    expect((await staff.post(`${path}/inbox/${waiting?.id_mail}/accept`)).status).toBe(204)
    expect((await staff.post(`${path}/inbox/${waiting?.id_mail}/dismiss`)).status).toBe(404)
    expect(await requestOf(mail.id)).toMatchObject({ subject: mail.subject, email: mail.from })
    expect(await product.db.$count(mails, eq(mails.recipient, mail.from))).toBe(0)
  })

  test('an absence notice of a merged request is in the thread that it went into', async () => {
    const [first, target] = [await deliver(), await deliver()]
    await becomes(first.id, 'created')
    await becomes(target.id, 'created')
    const [{ id_request: id, reference }, { id_request: into }] = [await requestOf(first.id), await requestOf(target.id)]
    await staff.post(`${path}/${id}/merge`, { into })
    const absent = await deliver({ from: first.from, subject: `[${reference}]`, headers: ['Auto-Submitted: auto-replied'] })
    await becomes(absent.id, 'joined', 'automatic')
    expect((await requestOf(absent.id)).id_request).toBe(into)
  })

  test('a bounce is noted where the mail was written, and only with an id of ours', async () => {
    const first = await deliver()
    await becomes(first.id, 'created')
    await expect.poll(() => sentTo(first.from), soon).toHaveLength(1)
    const bounce = (id: string) => ({
      from: 'mailer-daemon@client.example.com',
      headers: ['Return-Path: <>', 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"'],
      text: [
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; x',
        '',
        'Action: failed',
        'Status: 5.2.2',
        'Diagnostic-Code: smtp; 552 5.2.2 Mailbox full',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${id}`,
        '',
        '--b--',
      ].join('\r\n'),
    })
    const forged = await deliver(bounce(`<CO-2026-000001.1.${'b'.repeat(32)}@example.com>`))
    await becomes(forged.id, 'waiting', 'unknown bounce')
    const real = await deliver(bounce(sentTo(first.from)[0]?.messageId ?? ''))
    await becomes(real.id, 'bounce')
    expect((await requestOf(first.id)).entries[0]).toMatchObject({ delivery: 'bounced', error: 'smtp; 552 5.2.2 Mailbox full' })
  })

  test('what the product itself sent leads to nothing', async () => {
    const first = await deliver()
    await expect.poll(() => sentTo(first.from), soon).toHaveLength(1)
    const copy = await deliver({ id: sentTo(first.from)[0]?.messageId ?? '' })
    await becomes(copy.id, 'ours')
  })
})

describe('limits', () => {
  test('over thirty mails an hour from one address the rest waits, with one notice', async () => {
    const from = 'flood@client.example.com'
    const all = Array.from({ length: 35 }, () => compose({ from }))
    imap.deliverAll(all.map(({ source }) => source))
    await expect.poll(() => product.db.$count(inboxMails, eq(inboxMails.fromAddress, from)), soon).toBe(35)
    expect(await product.db.$count(inboxMails, eq(inboxMails.reason, 'too many'))).toBe(5)
    expect(await product.db.$count(requests, eq(requests.email, from))).toBe(30)
    expect(await product.db.$count(mails, eq(mails.recipient, from))).toBe(3)
    const notices = () => smtp.received.filter(({ subject }) => subject?.includes('Emails wait to be sorted'))
    await expect.poll(notices, soon).toHaveLength(1)

    // Hours later the same mails still wait.
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    await product.db
      .update(inboxMails)
      .set({ takenAt: hoursAgo(3) })
      .where(eq(inboxMails.fromAddress, from))
    await product.db.update(inboxState).set({ lastNoticeAt: hoursAgo(2) })
    await awaitPass()
    expect(await product.db.$count(mails, like(mails.subject, '%Emails wait to be sorted%'))).toBe(1)
  })

  test('old mail is announced once: not to its senders, nor to the staff for each', async () => {
    const all = Array.from({ length: 30 }, () => compose())
    imap.deliverAll(
      all.map(({ source }) => source),
      new Date(Date.now() - 30 * 86_400_000),
    )
    const addresses = all.map(({ from }) => from)
    await expect.poll(() => product.db.$count(requests, inArray(requests.email, addresses)), soon).toBe(30)
    const notices = () => smtp.received.flatMap(({ subject, text }) => (subject?.includes('Old emails') ? (text ?? '') : []))
    // The mailbox may be read while the mails are put there.
    const announced = () => notices().map((text) => Number(/(\d+) emails? more than two days old/.exec(text)?.[1] ?? 0))
    await expect.poll(() => announced().reduce((total, one) => total + one, 0), soon).toBe(30)
    expect(notices().length).toBeLessThan(5)
    expect(await product.db.$count(mails, inArray(mails.recipient, addresses))).toBe(0)
    expect(await product.db.$count(mails, inArray(mails.replyTo, addresses))).toBe(0)
    const found = await product.db.select().from(requests).where(inArray(requests.email, addresses))
    expect(found.filter(({ respondBy, resolveBy }) => respondBy ?? resolveBy)).toEqual([])
  })

  test('a blocked sender makes no request until it is unblocked', async () => {
    const first = await deliver()
    await becomes(first.id, 'created')
    const { id_request: id } = await requestOf(first.id)
    await staff.post(`${path}/${id}/spam`)
    const second = await deliver({ from: first.from })
    await becomes(second.id, 'dismissed', 'blocked sender')
    await staff.delete(`${path}/${id}/spam`)
    const third = await deliver({ from: first.from })
    await becomes(third.id, 'created')
    expect((await requestOf(third.id)).email).toBe(first.from)
  })

  test('25 MB are taken whole; more stays in the mailbox and is named, and holds nothing up', async () => {
    const data = Buffer.alloc(17_000_000, 'x').toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const large = await deliver(withPlan(data, ['Content-Transfer-Encoding: base64']))
    const tooLarge = await deliver({ ...withPlan(`${data}\r\n${data}`), subject: 'Trop gros', from: 'Gros@client.example.com' })
    const small = await deliver()
    await becomes(small.id, 'created')
    await becomes(large.id, 'created')
    expect((await requestOf(large.id)).entries[0]).toMatchObject({
      text: 'Le plan.',
      files: [{ name: 'plan.zip', size: 17_000_000 }],
    })
    await expect.poll(() => imap.list('INBOX'), soon).toMatchObject([{ subject: tooLarge.subject }])
    expect(await readHealth()).toEqual({ status: 'WARNING', text: expect.stringContaining('Trop gros') as string })
    expect(await product.db.$count(inboxMails, eq(inboxMails.fromAddress, 'gros@client.example.com'))).toBe(1)
    // It is named until somebody took it out of the mailbox.
    await imap.remove(tooLarge.subject)
    await deliver()
    await expect.poll(async () => (await readHealth()).text, soon).not.toContain('Trop gros')
  })

  test.each([
    ['millions of lines', '\r\n'.repeat(2_000_000), [], /too many lines/],
    ['thousands of parts', '--b\r\n\r\n'.repeat(24_000), ['Content-Type: multipart/mixed; boundary=b'], /too many parts/],
  ])('a mail of %s stays in the mailbox and is named, and holds nothing up', async (subject, text, headers, reason) => {
    const endless = await deliver({ subject, text, headers })
    const small = await deliver()
    await becomes(small.id, 'created')
    expect(await imap.list('INBOX')).toContainEqual(expect.objectContaining({ subject }) as object)
    const named = (await readHealth()).text?.split('\n').find((one) => one.includes(endless.from))
    expect(named).toContain(subject)
    expect(named).toMatch(reason)
  })

  test('a large mail that waits is accepted with its files, read in a thread of its own', async () => {
    const content = 'a'.repeat(300_000)
    const { headers, text } = withPlan(content)
    const waiting = await deliver({ headers: ['List-Id: <news.example.com>', ...headers], text })
    await becomes(waiting.id, 'waiting', 'list')
    const { body } = await staff.get<{ id_mail: number; subject: string }[]>(`${path}/inbox`)
    const { id_mail: id } = body.find(({ subject }) => subject === waiting.subject) ?? {}
    const threads: unknown[] = []
    const note = (worker: unknown) => threads.push(worker)
    process.on('worker', note)
    expect((await staff.post(`${path}/inbox/${id}/accept`)).status).toBe(204)
    process.off('worker', note)
    expect(threads).not.toEqual([])
    const { entries, ...request } = await requestOf(waiting.id)
    expect(entries[0]).toMatchObject({ text: 'Le plan.', files: [{ name: 'plan.zip' }] })
    const file = await staff.get(`${path}/${request.id_request}/files/${entries[0]?.files[0]?.id_file}`)
    expect(file.text.trim()).toBe(content)
  })
})

test('one of several instances reads the mailbox; another takes over once it renews its claim no more', async () => {
  const after = (seconds: number) => new Date(Date.UTC(2090, 0) + seconds * 1_000)
  const take = (holder: string, seconds: number) => takeLease(product.db, holder, after(seconds))
  const taken = [await take('a', 0), await take('b', 10), await take('a', 15), await take('b', 34), await take('b', 36)]
  expect(taken).toEqual([true, false, true, false, true])
  expect(await take('a', 40)).toBe(false)
  // The clock of the first was ahead by twenty minutes.
  expect([await take('b', 1_200), await take('a', 60)]).toEqual([true, true])
})

test('checks the mailbox, and describes a fault in one sentence', async () => {
  expect(await checkInbox(imap.url)).toMatchObject({ ok: true, text: { en: expect.stringMatching(/can be read/) as string } })
  const wrong = (address: string) => checkInbox(address).then(({ text }) => text.en)
  expect(await wrong(imap.url.replace('courriel-entrant', 'faux'))).toMatch(/refuses the username or the password/)
  expect(await wrong(imap.url.replace('/INBOX', '/Absente'))).toMatch(/no mailbox Absente/)
  expect(await wrong('imap://a:b@127.0.0.1:9/INBOX')).toMatch(/Nothing listens/)
})
