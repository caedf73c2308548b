import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database, OpenDatabase } from '../database/database.ts'
import type { Mail } from './mail.ts'
import { createMailer } from './mail.ts'
import { mails } from './mail-table.ts'
import { createQueue } from './queue.ts'
import { bindKeys } from '../secrets/keys.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { startTestSmtp } from '../testing/test-smtp.ts'

const letter: Mail = { to: 'soutien@company.example.com', replyTo: 'zoe@client.example.com', subject: 'Sujet', body: 'Corps' }
const soon = { timeout: 15_000, interval: 50 }

let database: OpenDatabase
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await openTestDatabase()
  smtp = await startTestSmtp()
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
  await smtp.stop()
  await database.close()
})

/** A mailer with a running queue, as a started product has. */
async function start(smtpUrl: string | undefined = smtp.url, db: Database = database.db) {
  const queue = createQueue(database)
  const mailer = createMailer(
    db,
    queue,
    { smtpUrl, mailFrom: undefined },
    {
      defaultFrom: 'guichet@company.example.com',
      onFailure: () => undefined,
    },
  )
  const run = () => queue.start('America/Toronto')
  const stop = async () => {
    await queue.stop()
    mailer.close()
  }
  stops.push(stop)
  return { mailer, run, stop, post: (mail = letter) => database.db.transaction((tx) => mailer.enqueue(tx, mail)) }
}

async function stateOf(id: number) {
  const [mail] = await database.db.select().from(mails).where(eq(mails.id, id))
  return mail
}

test('sends a mail once its transaction commits, and not after a rollback', async () => {
  const { mailer, run, post } = await start()
  await run()
  const undone = database.db.transaction(async (tx) => {
    await mailer.enqueue(tx, { ...letter, subject: 'Jamais' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  const id = await post()
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'sent', attempts: 1, lastError: null }), soon)
  expect(smtp.received.map((mail) => mail.subject)).toEqual(['Sujet'])
  expect(smtp.received[0]).toMatchObject({
    envelope: { from: 'guichet@company.example.com', to: ['soutien@company.example.com'] },
    replyTo: [{ address: 'zoe@client.example.com' }],
    messageId: (await stateOf(id))?.messageId,
  })
  // A mail that is written as text alone has both.
  expect(smtp.received[0]?.text).toContain(letter.body.trim())
  expect(smtp.received[0]?.html).toMatch(/^<!doctype html><html lang="fr">/)
  expect(await mailer.retry(id)).toBe(false)
})

test('sends mails stored without SMTP_URL at the first start with one', async () => {
  const without = await start('')
  await without.run()
  expect(without.mailer.canSend).toBe(false)
  const id = await without.post()
  await without.stop()
  const { run } = await start()
  await run()
  await vi.waitFor(async () => expect((await stateOf(id))?.state).toBe('sent'), soon)
  expect(smtp.received).toHaveLength(1)
})

test('sends mails stored before the queue was ready', async () => {
  const { run, post } = await start()
  const id = await post()
  await run()
  await vi.waitFor(async () => expect((await stateOf(id))?.state).toBe('sent'), soon)
})

test.each([
  ['zoé@example.com', 'zoé@example.com'],
  ['hélène@québec.ca', 'hélène@xn--qubec-csa.ca'],
  ['用户@例子.广告', '用户@xn--fsqu00a.xn--55qw42g'],
])('sends a mail to %s, which another library parses to the same address', async (address, envelope) => {
  const { run, post } = await start()
  await run()
  const id = await post({ ...letter, to: address, replyTo: address, subject: 'Évaluation – 李' })
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'sent' }), soon)
  const [mail] = smtp.received
  expect([address, envelope]).toContain(mail?.envelope.to[0])
  expect([address, envelope]).toContain(mail?.to?.[0]?.address)
  expect([address, envelope]).toContain(mail?.replyTo?.[0]?.address)
  expect(mail?.subject).toBe('Évaluation – 李')
})

describe('a server that rejects mail', () => {
  test('temporarily (4xx) keeps the mail queued; it is sent after a restart with the same Message-ID', async () => {
    smtp.setMood(451)
    const first = await start()
    await first.run()
    const id = await first.post()
    await vi.waitFor(
      async () =>
        expect(await stateOf(id)).toMatchObject({ state: 'waiting', lastError: expect.stringContaining('451') as string }),
      soon,
    )
    const before = await stateOf(id)
    await first.stop()
    smtp.setMood('accept')
    const second = await start()
    await second.run()
    expect(await second.mailer.retry(id)).toBe(true)
    await vi.waitFor(async () => expect((await stateOf(id))?.state).toBe('sent'), soon)
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]?.messageId).toBe(before?.messageId)
  })

  test('permanently (5xx) marks the mail as failed, to be retried by a user', async () => {
    smtp.setMood(550)
    const { mailer, run, post } = await start()
    await run()
    const id = await post()
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'failed', attempts: 1 }), soon)
    expect((await stateOf(id))?.lastError).toContain('550')
    smtp.setMood('accept')
    expect(await mailer.retry(id)).toBe(true)
    await vi.waitFor(async () => expect((await stateOf(id))?.state).toBe('sent'), soon)
  })
})

test('does not send a mail twice after the database was down', async () => {
  const failing = Object.create(database.db) as Database
  let updates = 0
  failing.update = ((...table: Parameters<Database['update']>) => {
    updates += 1
    // The first one stores that the mail was sent.
    if (updates === 1) throw new Error('the database is away')
    return database.db.update(...table)
  }) as Database['update']
  const { run, post } = await start(smtp.url, failing)
  await run()
  const id = await post()
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'sent', attempts: 1 }), soon)
  expect(updates).toBeGreaterThan(1)
  expect(smtp.received).toHaveLength(1)
})

test('does not send a mail twice where another process could take it before its outcome is stored', async () => {
  const failing = Object.create(database.db) as Database
  let isAway = true
  failing.update = ((...table: Parameters<Database['update']>) => {
    const update = database.db.update(...table)
    const set = (values: { state?: string }) => {
      if (values.state === 'sent' && isAway) throw new Error('no connection is free')
      return update.set(values)
    }
    return { set }
  }) as Database['update']
  const first = await start(smtp.url, failing)
  await first.run()
  const id = await first.post()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon)
  const looking = Object.create(database.db) as Database
  let looks = 0
  looking.transaction = ((...work: Parameters<Database['transaction']>) => {
    looks += 1
    return database.db.transaction(...work)
  }) as Database['transaction']
  const second = await start(smtp.url, looking)
  await second.run()
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3), soon)
  isAway = false
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'sent', attempts: 1 }), soon)
  expect(smtp.received).toHaveLength(1)
})

test.each(['accept', 550] as const)(
  'sends a mail to the address that was corrected while it left to the former one (%s)',
  async (mood) => {
    const { run, post } = await start()
    smtp.setMood(mood)
    const release = smtp.hold()
    const id = await post()
    await run()
    await vi.waitFor(() => expect(smtp.attempts()).toBe(1), soon)
    smtp.setMood('accept')
    await database.db.update(mails).set({ recipient: 'luce@client.example.com' }).where(eq(mails.id, id))
    release()
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'sent', attempts: 1 }), soon)
    expect(smtp.received.at(-1)?.envelope.to).toEqual(['luce@client.example.com'])
    expect(smtp.attempts()).toBe(2)
  },
)

test('sends four at a time over connections that stay open', async () => {
  const { run, post } = await start()
  const release = smtp.hold()
  await Promise.all(Array.from({ length: 24 }, () => post()))
  await run()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(4), soon)
  release()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(24), soon)
  expect(smtp.connections()).toBeLessThanOrEqual(4)
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(24)
})

test('sends the mails of one thread in order, also where one has to be retried', async () => {
  smtp.setMood(451)
  const { mailer, run, post } = await start()
  await run()
  const first = await post({ ...letter, subject: 'Premier', thread: 'a' })
  await vi.waitFor(async () => expect(await stateOf(first)).toMatchObject({ state: 'waiting', attempts: 1 }), soon)
  const later = [
    await post({ ...letter, subject: 'Deuxième', thread: 'a' }),
    await post({ ...letter, subject: 'Troisième', thread: 'a' }),
  ]
  smtp.setMood('accept')
  const other = await post({ ...letter, subject: 'Autre', thread: 'b' })
  await mailer.retry(first)
  for (const id of [...later, other]) await vi.waitFor(async () => expect((await stateOf(id))?.state).toBe('sent'), soon)
  const subjects = smtp.received.map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject !== 'Autre')).toEqual(['Premier', 'Deuxième', 'Troisième'])
  expect(subjects).toHaveLength(4)
})

test('sends mails to many after those that somebody waits for, and none whose time is over', async () => {
  bindKeys(database.db, 'a secret of the test')
  const { mailer, run, post } = await start()
  const mail = { subject: 'Avis', body: 'Corps [secret]' }
  const recipients = Array.from({ length: 60 }, (_, index) => ({ to: `r${index}@example.com`, secret: `s${index}` }))
  await database.db.transaction((tx) => mailer.enqueueBulk(tx, { mail, recipients }))
  const late = await post({ ...letter, subject: 'Trop tard', endsAt: new Date(Date.now() - 1_000) })
  await post({ ...letter, subject: 'Urgent' })
  const release = smtp.hold()
  await run()
  // Nothing is acknowledged yet: what comes is what was taken first.
  await vi.waitFor(() => expect(smtp.received.map(({ subject }) => subject)).toContain('Urgent'), soon)
  expect(smtp.received.length).toBeLessThanOrEqual(4)
  release()
  await vi.waitFor(() => expect(smtp.received).toHaveLength(61), soon)
  expect((await stateOf(late))?.state).toBe('waiting')
})

test('an unresponsive mail server blocks neither forms nor other mails', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { run, stop, post } = await start(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  await run()
  const ids = await Promise.all(Array.from({ length: 20 }, () => post()))
  expect(new Set(ids).size).toBe(20)
  await stop()
  const second = await start()
  await second.run()
  for (const id of ids) expect((await stateOf(id))?.state).toBe('waiting')
  for (const id of ids) await second.mailer.retry(id)
  await vi.waitFor(() => expect(smtp.received).toHaveLength(20), soon)
  silent.close()
})
