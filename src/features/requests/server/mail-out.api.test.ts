import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import { users } from '#src/features/people/server/table.ts'
import type { RequestDetail } from '../contract.ts'
import { createRequest } from './service.ts'
import { requestEntries, requestEntryMails, requests } from './table.ts'

const publicUrl = 'https://www.company.example.com'
const headers = { origin: publicUrl, 'x-forwarded-proto': 'https' }
const hostile = `<img src=x onerror=alert(1)> "Zoé" & 'Roy' </p><script>alert(2)</script>`
const copied = 'direction@client.example.com'
let product: TestApp

beforeAll(async () => {
  product = await startTestApp({ environment: { PUBLIC_URL: publicUrl, TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

/** Every mail to the customer that a request of a hostile person, answered by another one, can lead to. */
async function sendAll(language: 'fr' | 'en', text: string) {
  const email = `${crypto.randomUUID()}@client.example.com`
  const request = { kind: 'support', name: hostile, email, subject: hostile, message: hostile, language } as const
  const { id } = await product.db.transaction((tx) => createRequest(tx, product.app, request))
  const client = await product.signIn({ requests: 'read_write' })
  await product.db.update(users).set({ displayName: hostile }).where(eq(users.id, client.user.id))
  const path = `/api/requests/requests/${id}`
  const reply = { text, client_id: crypto.randomUUID(), cc: [copied] }
  expect((await client.post(`${path}/replies`, reply, { headers })).status).toBe(201)
  const { body } = await client.get<RequestDetail>(path)
  await product.db
    .update(requests)
    .set({ status: 'done', doneAt: new Date(0) })
    .where(eq(requests.id, id))
  await product.db
    .update(requests)
    .set({ linkMadeAt: new Date(0) })
    .where(eq(requests.id, id))
  const form = new FormData()
  form.append('action', 'lien')
  await fetch(product.origin + new URL(body.customer_page ?? '').pathname, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers,
  })
  const sent = await product.db
    .select({ mail: mails, purpose: requestEntryMails.purpose })
    .from(requestEntryMails)
    .innerJoin(mails, eq(mails.id, requestEntryMails.mailId))
    .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
    .where(eq(requestEntries.requestId, id))
    .orderBy(mails.id)
  return sent.map(({ mail, purpose }) => ({ ...mail, purpose, html: mail.html ?? '' }))
}

/** What a reader sees of the HTML, with the address of each link that has words of its own. */
const readHtml = (html: string) =>
  html
    .replace(/^[^]*?<body[^>]*>/, '')
    .replaceAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, (_, address: string, words: string) =>
      address === words ? words : `${words} ${address}`,
    )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|apos);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? "'")
    .replaceAll('&amp;', '&')
const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

describe.each([
  ['fr', 'Suivre ma demande'],
  ['en', 'Follow my request'],
] as const)('a mail to a customer in %s', (language, follow) => {
  const text = `Voyez « https://example.com/a?b=1&c=2 », "https://example.com/b".\n${hostile}\n\nDeuxième paragraphe : (https://example.com/d_(e)).`

  test('has the same content as text and as HTML, the link, and no markup of anybody', async () => {
    const sent = await sendAll(language, text)
    expect(sent.map(({ purpose }) => purpose)).toEqual(['acknowledgement', 'reply', 'copy', 'link'])
    for (const { html, body, purpose } of sent) {
      expect(html).toContain(`<html lang="${language}">`)
      expect(new Set([...html.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))).toEqual(
        new Set(['html', 'head', 'meta', 'body', 'div', 'p', 'br', 'a'].filter((tag) => html.includes(`<${tag}`))),
      )
      expect([...html.matchAll(/<a href="(?!https:\/\/)/g)]).toEqual([])
      expect(words(readHtml(html))).toBe(words(body.replace(/^--$/m, '')))
      const isCopy = purpose === 'copy'
      for (const part of [html, body])
        expect([part.includes(`${publicUrl}/suivi/`), part.includes(follow)]).toEqual([!isCopy, !isCopy])
    }
    const [, reply] = sent
    const addresses = [...(reply?.html ?? '').matchAll(/<a href="(https:\/\/example[^"]*)">/g)].map(([, address]) => address)
    expect(addresses).toEqual(['https://example.com/a?b=1&amp;c=2', 'https://example.com/b', 'https://example.com/d_(e)'])
  })

  test('is marked as automatic where no person wrote it, and repeats nothing that was typed', async () => {
    const sent = await sendAll(language, text)
    expect(sent.map(({ headers: { autoSubmitted } }) => autoSubmitted)).toEqual(['auto-replied', 'no', 'no', 'auto-replied'])
    const automatic = sent.filter(({ headers: { autoSubmitted } }) => autoSubmitted !== 'no')
    const parts = automatic.flatMap(({ subject, body, html }) => [subject, body, html])
    // The key in a link may spell a name by chance.
    for (const part of parts) expect(part.replaceAll(/\/suivi\/[\w-]+/g, '')).not.toMatch(/Zoé|Roy|alert|script/)
    for (const { subject } of sent) expect(subject).toMatch(/^\[AS-\d{4}-\d{6}\] [^\r\n]+$/)
  })
})

test('without the address of a mailbox none is read, and the health page names none', async () => {
  const staff = await product.signIn()
  const { body } = await staff.get<{ reports: { label: { en: string } }[] }>('/api/etat')
  expect(body).toHaveProperty('reports')
  expect(body.reports.map(({ label }) => label.en)).not.toContain('Incoming email')
  expect((await staff.get('/api/requests/requests/inbox')).body).toEqual([])
})

test('a mail that leaves while its address is corrected reaches the corrected one too, and the link in it ends', async () => {
  const smtp = await startTestSmtp()
  const release = smtp.hold()
  const own = await startTestApp({ queue: true, environment: { PUBLIC_URL: publicUrl, TRUST_PROXY: '1', SMTP_URL: smtp.url } })
  try {
    const client = await own.signIn({ requests: 'read_write' })
    const contact = { firstname: 'Annie', lastname: 'Roy', email: 'annie@client.example.com', phone: '418 555-0100' }
    const request = {
      kind: 'support',
      name: 'Annie Roy',
      message: 'Rien ne sonne.',
      language: 'fr',
      email: contact.email,
    } as const
    const { id } = await own.db.transaction((tx) => createRequest(tx, own.app, request))
    const to = (address: string) => smtp.received.filter(({ envelope }) => envelope.to.includes(address))
    await expect.poll(() => to(contact.email).length, { timeout: 20_000 }).toBe(1)
    const path = `/api/requests/requests/${id}`
    const { body: before } = await client.get<RequestDetail>(path)
    const corrected = 'annie.roy@client.example.com'
    const change = { contact: { ...contact, email: corrected }, reason: 'Faute de frappe' }
    expect((await client.send('PUT', path, change, { headers })).status).toBe(200)
    release()
    await expect.poll(() => to(corrected).length, { timeout: 20_000 }).toBe(1)
    const { body: after } = await client.get<RequestDetail>(path)
    expect(after.customer_page).not.toBe(before.customer_page)
    expect(to(corrected)[0]?.text).toContain(after.customer_page)
    await expect.poll(async () => (await client.get<RequestDetail>(path)).body.entries[0]?.delivery).toBe('sent')
    expect(to(contact.email)).toHaveLength(1)
  } finally {
    release()
    await own.stop()
    await smtp.stop()
  }
})
