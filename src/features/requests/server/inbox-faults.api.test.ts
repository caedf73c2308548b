import { eq, max } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { startTestImap } from '#src/server/testing/test-imap.ts'
import { inboxMails, requestEntries } from './table.ts'

const soon = { timeout: 25_000, interval: 100 }
let imap: Awaited<ReturnType<typeof startTestImap>>
let product: TestApp

beforeAll(async () => {
  imap = await startTestImap()
  product = await startTestApp({ environment: { IMAP_URL: imap.url } })
  await product.db.execute(`create function refuse_entry() returns trigger language plpgsql
    as $$ begin raise exception 'no space left'; end $$`)
})
afterAll(async () => {
  await product.stop()
  await imap.stop()
})

/** As on a full disk: what is small can be stored, and a new entry cannot. */
const failEntries = () =>
  product.db.execute('create trigger refused before insert on request_entries for each row execute function refuse_entry()')
const takeEntries = () => product.db.execute('drop trigger refused on request_entries')

let written = 0
/** Returns the Message-ID. */
async function deliver(headers: string[] = []) {
  const id = `<${(written += 1)}@client.example.com>`
  const head = [`From: client${written}@client.example.com`, 'Subject: Panne', `Message-ID: ${id}`, ...headers]
  await imap.deliver([...head, '', 'Rien ne va.', ''].join('\r\n'))
  return id
}
const stateOf = async (id: string) => {
  const [row] = await product.db.select().from(inboxMails).where(eq(inboxMails.messageId, id))
  return row?.state
}
/** Passes over the mailbox, each with a mail that leads to no entry. */
async function pass(times: number) {
  for (let time = 0; time < times; time += 1) {
    const id = await deliver(['Auto-Submitted: auto-generated'])
    await expect.poll(() => stateOf(id), soon).toBe('waiting')
  }
}
const countEntries = (id: string) => product.db.$count(requestEntries, eq(requestEntries.messageId, id))

test('a mail that cannot be stored for a moment holds up no other one, and is stored later', async () => {
  await failEntries()
  const id = await deliver()
  await pass(4)
  expect(await stateOf(id)).toBeUndefined()
  await takeEntries()
  await pass(1)
  await expect.poll(() => stateOf(id), soon).toBe('created')
  expect(await countEntries(id)).toBe(1)
})

test('a mail that was named as not stored is tried again', async () => {
  await failEntries()
  const id = await deliver()
  await pass(1)
  const [latest] = await product.db
    .select({ uidValidity: inboxMails.uidValidity, uid: max(inboxMails.uid) })
    .from(inboxMails)
    .groupBy(inboxMails.uidValidity)
  if (!latest?.uid) throw new Error('no mail was taken')
  const { uidValidity } = latest
  // The mail of the pass came after it.
  const place = { uidValidity, uid: latest.uid - 1, size: 1, receivedAt: new Date() }
  const takenAt = new Date(Date.now() - 11 * 60_000)
  await product.db.insert(inboxMails).values({ ...place, state: 'unreadable', reason: 'not stored', takenAt })
  await takeEntries()
  await pass(2)
  await expect.poll(() => stateOf(id), soon).toBe('created')
  expect(await countEntries(id)).toBe(1)
})
