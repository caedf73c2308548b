import { randomUUID } from 'node:crypto'
import { count } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import { signShownAt, findNotStored } from './form-checks.ts'
import { receiveRequest } from './receive.ts'
import { hashToken } from './signed-ids.ts'
import { requests, trapCounts } from './table.ts'

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

describe('what a trap catches', () => {
  const findStored = async (reference: string) =>
    (await product.db.select().from(requests)).find((row) => row.reference === reference)

  test.each([
    ['the first trap', 'support', { honey: 'http://spam.example' }, 'honey'],
    ['both traps', 'support', { honey: 'x', username: 'robot' }, 'both'],
    ['the trap of the contact form', 'contact', { honey: 'x' }, 'honey'],
  ] as const)('%s: answered alike, stored as suspected, and no mail leaves', async (_name, kind, extra, trap) => {
    const before = await countStored()
    const answer = await send(kind, { ...(kind === 'support' ? call : message), ...extra })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['reference', 'follow'])
    expect(answer.body.reference).toMatch(kind === 'support' ? /^AS-20\d\d-\d{6}$/ : /^CT-20\d\d-\d{6}$/)
    expect(await findStored(answer.body.reference)).toMatchObject({ status: 'suspected', trap, mailId: null })
    expect(await countStored()).toEqual({ requests: Number(before.requests) + 1, mails: before.mails })
  })

  test('what a browser fills by itself is no trap: the request is one like another', async () => {
    const time = signShownAt(product.app.config.secret, Date.now() - 60_000)
    for (const extra of [{ username: 'zoe' }, { username: 'zoe', shown_at: time }]) {
      const { body } = await send('support', { ...call, ...extra })
      expect(await findStored(body.reference)).toMatchObject({ status: 'new', trap: null, mailId: expect.any(Number) as number })
    }
  })

  test('more than a hundred from one address in a day are counted, not stored', async () => {
    const from = { trap: 'honey' as const, address: '203.0.113.77' }
    const robot = { kind: 'contact', name: 'R', email: 'r@example.com', message: 'Buy', language: 'en' } as const
    const before = Number((await countStored()).requests)
    for (let index = 0; index < 103; index += 1) {
      const { reference, follow } = await receiveRequest(product.app, robot, from)
      expect(reference).toMatch(/^CT-/)
      expect(follow === null).toBe(index >= 100)
    }
    expect((await countStored()).requests).toBe(before + 100)
    await receiveRequest(product.app, robot, { ...from, address: '203.0.113.78' })
    expect((await countStored()).requests).toBe(before + 101)
    const [day] = await findNotStored(product.db)
    expect(day?.count).toBe(3)
    const counts = await product.db.select().from(trapCounts)
    expect(JSON.stringify(counts)).not.toContain('203.0.113')
  })
})

describe('a form that comes sooner than a person fills it', () => {
  test.each([
    ['by the signed time of its page', () => ({ shown_at: signShownAt(product.app.config.secret, Date.now()) })],
    ['by what a script counted', () => ({ elapsed_ms: 0 })],
  ])('waits for the rest of two seconds and is a request like another, %s', async (_name, extra) => {
    const begun = performance.now()
    const { status, body } = await send('contact', { ...message, ...extra() })
    expect(performance.now() - begun).toBeGreaterThan(1_900)
    expect(status).toBe(200)
    const stored = (await product.db.select().from(requests)).find((row) => row.reference === body.reference)
    expect(stored).toMatchObject({ status: 'new' })
  })

  test('a form made in the browser fetches its time, which is good', async () => {
    const client = await product.client()
    const { body } = await client.get<{ shown_at: string }>('/api/mailer/form')
    expect((await send('contact', { ...message, shown_at: body.shown_at })).status).toBe(200)
  })
})

describe('the same form sent again', () => {
  const storedWith = async (clientId: string) =>
    (await product.db.select().from(requests)).filter((row) => row.clientId === clientId)

  test('is one request with one reference, one mail to the staff and one to the customer, whoever sends it and however many at once', async () => {
    const client_id = randomUUID()
    const before = await countStored()
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('support', { ...call, client_id })))
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((one) => one.body.reference)).size).toBe(1)
    // The case of the id and what clings to the texts are no other content.
    const again = await send('support', {
      ...call,
      lastname: ' Lavallée\u00a0',
      client_id: client_id.toUpperCase(),
      language: 'en',
    })
    expect(again.body.reference).toBe(answers[0]?.body.reference)
    expect(await storedWith(client_id)).toHaveLength(1)
    expect(await countStored()).toEqual({ requests: Number(before.requests) + 1, mails: Number(before.mails) + 2 })
  })

  test('with other content is a new request', async () => {
    const client_id = randomUUID()
    const first = await send('support', { ...call, client_id })
    const second = await send('support', { ...call, description: 'Autre chose.', client_id })
    expect(second.body.reference).not.toBe(first.body.reference)
    expect(await storedWith(client_id)).toHaveLength(2)
  })

  test('and caught by a trap is stored once', async () => {
    const client_id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => send('contact', { ...message, honey: 'x', client_id })))
    expect(new Set(answers.map((one) => one.body.reference)).size).toBe(1)
    expect(await storedWith(client_id)).toHaveLength(1)
  })

  test('an id that is none is refused', async () => {
    expect((await send('contact', { ...message, client_id: 'abc' })).status).toBe(400)
  })
})

test('many forms at once are one request each, with its own number, link and two mails', async () => {
  const before = await countStored()
  const from = { trap: null, address: '192.0.2.77' }
  const form = { kind: 'support', name: 'Ana', email: 'ana@many.example.com', language: 'fr' } as const
  const forms = Array.from({ length: 40 }, (_, at) => ({ ...form, email: `Ana${at}@many.example.com`, message: `Panne ${at}` }))
  const twice = { ...from, clientId: randomUUID() }
  const stored = await Promise.all([
    ...forms.map((form) => receiveRequest(product.app, form, { ...from, clientId: randomUUID() })),
    ...[twice, twice].map((arrival) => receiveRequest(product.app, { ...form, message: 'Panne' }, arrival)),
  ])
  expect(new Set(stored.map(({ reference }) => reference)).size).toBe(41)
  expect(new Set(stored.map(({ follow }) => follow)).size).toBe(41)
  const after = await countStored()
  expect(after).toEqual({ requests: (before.requests ?? 0) + 41, mails: (before.mails ?? 0) + 82 })
  const rows = await product.db.select().from(requests)
  for (const [at, { email, message: text }] of forms.entries()) {
    const linkHash = hashToken(stored[at]?.follow?.replace('/suivi/', '') ?? '')
    const own = { email, message: text, linkHash, mailId: expect.any(Number), respondBy: expect.any(Date) }
    expect(rows.find(({ reference }) => reference === stored[at]?.reference)).toMatchObject(own)
  }
})

test('of many forms at once from one address, three are acknowledged', async () => {
  const before = await countStored()
  const form = { kind: 'contact', name: 'Flo', email: 'flo@flood.example.com', language: 'fr' } as const
  const from = { trap: null, address: '192.0.2.78' }
  await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      receiveRequest(product.app, { ...form, message: `Message ${at}` }, { ...from, clientId: randomUUID() }),
    ),
  )
  const after = await countStored()
  expect(after).toEqual({ requests: (before.requests ?? 0) + 6, mails: (before.mails ?? 0) + 6 + 3 })
})

describe('what people really write', () => {
  test('accepts long phone numbers, pasted addresses and accents, and names the limit of what is too long', async () => {
    const phone = '418 555-0100 poste 204, ou le soir chez Mme Lavallée au 581 555-0199'
    const { body } = await send('support', { ...call, phone, email: '\u00a0zoé@example.com., ', firstname: 'Zoe\u0301\u200B' })
    const stored = (await product.db.select().from(requests)).find((row) => row.reference === body.reference)
    expect(stored).toMatchObject({ phone, email: 'zoé@example.com', firstName: 'Zoé', name: 'Zoé Lavallée' })
    const refused = await send('support', { ...call, phone: '4'.repeat(213) })
    expect(refused.body.errors).toEqual([{ path: 'phone', message: 'too long: 213 of 200' }])
  })

  test.each(['\u200B', '\u2800', '\u3164', ' \u00AD '])(
    'a first name in which nothing is seen is refused: %j',
    async (firstname) => {
      expect((await send('support', { ...call, firstname })).status).toBe(400)
    },
  )

  test('mails of odd names and addresses are read back whole by another library', async () => {
    const odd = {
      ...call,
      firstname: 'Ze\u0301\u202Ednuora',
      lastname: '"Löwe" 李 👩‍💻; (x) <y>,',
      email: 'hélène@québec.ca',
      subject: 'Été ½ = =?utf-8?q?x?= ' + 'ô'.repeat(120),
    }
    const { body } = await send('support', odd)
    const mail = await vi.waitFor(() => {
      // The confirmation to the customer has the number, too.
      const found = smtp.received.find((one) => one.subject?.startsWith(`[${body.reference}] Appel de service`))
      if (!found) throw new Error('no mail yet')
      return found
    }, 10_000)
    const name = '\u2068Zé\u202Ednuora "Löwe" 李 👩‍💻; (x) <y>,\u202C\u2069'
    expect(mail.text).toContain(`Nom\u00a0: ${name}`)
    expect(mail.subject).toBe(`[${body.reference}] Appel de service\u00a0: ${odd.subject.trim()}`)
    expect(mail.replyTo?.[0]?.address).toMatch(/^hélène@(québec|xn--qubec-csa)\.ca$/)
    expect(mail.envelope.to).toEqual(['soutien@company.example.com'])
  })
})
