import { count } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import { requests } from './table.ts'

const call = {
  honey: '',
  username: '',
  action: 'send_request',
  firstname: 'Zoé',
  lastname: 'Lavallée',
  email: 'zoe@client.example.com',
  phone: '418 555-0100',
  subject: 'Imprimante hors ligne',
  description: 'Depuis ce matin.\nRien ne sort.',
}
const message = {
  honey: '',
  name: 'Sam Harbour',
  email: 'sam@client.example.com',
  phone: '418 555-0101',
  message: 'New laptop for Monday?',
}
const environment = {
  MAIL_SUPPORT_TO: 'soutien@company.example.com',
  MAIL_CONTACT_TO: 'info@company.example.com',
  TRUST_PROXY: '1',
}

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
let address = 0

beforeAll(async () => {
  smtp = await startTestSmtp()
  product = await startTestApp({
    queue: true,
    environment: { ...environment, SMTP_URL: smtp.url, PUBLIC_URL: 'https://www.company.example.com' },
  })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})

/** Each call from an address of its own, unless it names one: the limit is a test's own matter. */
async function send(kind: 'support' | 'contact', body: unknown, headers: Record<string, string> = {}) {
  address += 1
  const client = await product.client()
  const from = {
    origin: 'https://www.company.example.com',
    'x-forwarded-for': `192.0.2.${address % 250}`,
    'x-forwarded-proto': 'https',
  }
  return client.post<{ reference: string; errors: { path: string }[] }>(`/api/mailer/${kind}`, body, {
    headers: { ...from, ...headers },
  })
}

async function countStored() {
  const [stored] = await product.db.select({ total: count() }).from(requests)
  const [queued] = await product.db.select({ total: count() }).from(mails)
  return { requests: stored?.total, mails: queued?.total }
}

async function expectNothingStored(act: () => Promise<unknown>) {
  const before = await countStored()
  await act()
  expect(await countStored()).toEqual(before)
}

describe('a service call', () => {
  test('is stored, answered with its reference and mailed to the support, with the visitor to answer to', async () => {
    const answer = await send('support', call, { referer: 'https://www.company.example.com/appel-de-service?x=1' })
    expect(answer.status).toBe(200)
    expect(answer.body.reference).toMatch(/^AS-20\d\d-\d{6}$/)
    const { reference } = answer.body
    const stored = (await product.db.select().from(requests)).find((row) => row.reference === reference)
    expect(stored).toMatchObject({
      kind: 'support',
      status: 'new',
      name: 'Zoé Lavallée',
      language: 'fr',
      page: '/appel-de-service',
      subject: call.subject,
    })

    const mail = await vi.waitFor(() => {
      // The confirmation to the customer has the number, too.
      const found = smtp.received.find((one) => one.subject?.startsWith(`[${reference}] Appel de service`))
      if (!found) throw new Error('no mail yet')
      return found
    }, 10_000)
    expect(mail.subject).toBe(`[${reference}] Appel de service\u00a0: Imprimante hors ligne`)
    expect(mail.envelope.to).toEqual(['soutien@company.example.com'])
    expect(mail.replyTo).toEqual([{ name: '', address: 'zoe@client.example.com' }])
    expect(mail.html).toContain('Depuis ce matin.<br>Rien ne sort.')
    expect(mail.text).toContain('Nom\u00a0: Zoé Lavallée')
    expect(mail.text).toContain('Depuis ce matin.\nRien ne sort.')
    expect(mail.text).toContain(`https://www.company.example.com/admin/demandes/${stored?.id}`)
  })

  test('returns its errors in English to an English visitor', async () => {
    const { body } = await send('support', { ...call, language: 'en' })
    await vi.waitFor(
      () => expect(smtp.received.map((one) => one.subject)).toContain(`[${body.reference}] Service call: Imprimante hors ligne`),
      10_000,
    )
  })

  test('is taken from a client that sends the fields alone', async () => {
    const { honey: _honey, username: _username, action: _action, ...fields } = call
    expect((await send('support', fields)).status).toBe(200)
  })
})

test('a contact message has its own run of numbers and its own recipient', async () => {
  const { status, body } = await send('contact', message)
  expect(status).toBe(200)
  expect(body.reference).toMatch(/^CT-20\d\d-000001$/)
  await vi.waitFor(
    () => expect(smtp.received.some((one) => one.subject === `[${body.reference}] Message de Sam Harbour`)).toBe(true),
    10_000,
  )
  expect(smtp.received.find((one) => one.subject === `[${body.reference}] Message de Sam Harbour`)?.envelope.to).toEqual([
    'info@company.example.com',
  ])
})

describe('bad input is refused with the name of the field, and nothing is stored', () => {
  const tooLong = 'a'.repeat(2_001)
  test.each<[string, Record<string, unknown>, string]>([
    ['Bcc in the first name', { firstname: 'Zoé\r\nBcc: evil@example.com' }, 'firstname'],
    ['line feed in the last name', { lastname: 'L\nBcc: evil@example.com' }, 'lastname'],
    ['CRLF in the e-mail', { email: 'zoe@example.com\r\nBcc: evil@example.com' }, 'email'],
    ['CRLF in the subject', { subject: 'Hi\r\nBcc: evil@example.com' }, 'subject'],
    ['CRLF in the phone', { phone: '418\r\n555' }, 'phone'],
    ['quoted address', { email: '"a@evil x"@example.com' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['address with a name', { email: 'Zoé <zoe@example.com>' }, 'email'],
    ['no address', { email: 'zoe' }, 'email'],
    ['over 2000 characters', { description: tooLong }, 'description'],
    ['50,000 times a', { firstname: 'a'.repeat(50_000) }, 'firstname'],
    ['NUL', { description: 'a\0b' }, 'description'],
    ['lone surrogate', { subject: 'a\ud800' }, 'subject'],
    ['array for a string', { firstname: ['a', 'b'] }, 'firstname'],
    ['object for a string', { subject: { toString: 'x' } }, 'subject'],
    ['number for a string', { phone: 4185550100 }, 'phone'],
    ['empty', { lastname: '' }, 'lastname'],
    ['blank', { lastname: ' \t ' }, 'lastname'],
    ['another action', { action: 'delete_all' }, 'action'],
    ['negative time', { elapsed_ms: -1 }, 'elapsed_ms'],
    ['a time nobody signed', { shown_at: 'abc.def' }, 'shown_at'],
  ])('%s', async (_name, extra, field) => {
    await expectNothingStored(async () => {
      const answer = await send('support', { ...call, ...extra })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.body.errors.map((error) => error.path)).toContain(field)
    })
  })

  test('an unknown field, a missing field, no object', async () => {
    await expectNothingStored(async () => {
      expect((await send('support', { ...call, bcc: 'evil@example.com' })).status).toBe(400)
      expect((await send('support', { honey: '' })).status).toBe(400)
      expect((await send('support', ['x'])).status).toBe(400)
      expect((await send('contact', { ...message, message: tooLong })).status).toBe(400)
      expect((await send('contact', { ...message, name: 'a\r\nBcc: evil@example.com' })).status).toBe(400)
    })
  })

  test('another type of content, another site, no token', async () => {
    await expectNothingStored(async () => {
      expect((await send('support', call, { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await send('support', call, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
      expect((await send('support', call, { origin: 'https://evil.example' })).status).toBe(403)
      expect((await send('support', call, { 'x-xsrf-token': '' })).status).toBe(403)
      expect((await send('support', call, { 'x-xsrf-token': 'forged.pair' })).status).toBe(403)
    })
  })
})

test('SQL and markup are stored as the text they are', async () => {
  const odd = `' OR 1=1--; drop table requests; <img src=x onerror=alert(1)>`
  const { status, body } = await send('support', { ...call, firstname: odd, subject: odd, description: odd })
  expect(status).toBe(200)
  const stored = (await product.db.select().from(requests)).find((row) => row.reference === body.reference)
  expect(stored).toMatchObject({ firstName: odd, subject: odd, message: odd })
})

test('one address is slowed after twenty forms, another is not', async () => {
  const from = { 'x-forwarded-for': '198.51.100.7' }
  for (let time = 0; time < 20; time += 1) expect((await send('contact', message, from)).status).toBe(200)
  const refused = await send('contact', message, from)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send('contact', message, { 'x-forwarded-for': '198.51.100.8' })).status).toBe(200)
})

test('a form that the server could not store counts for no limit', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  await product.db.execute(`create function refuse_request() returns trigger language plpgsql
    as $$ begin raise exception 'no space left'; end $$`)
  await product.db.execute('create trigger refused before insert on requests for each row execute function refuse_request()')
  for (let time = 0; time < 21; time += 1) expect((await send('support', call, headers)).status).toBe(500)
  await product.db.execute('drop trigger refused on requests')
  expect((await send('support', call, headers)).status).toBe(200)
})
