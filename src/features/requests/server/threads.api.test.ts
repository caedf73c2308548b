import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { Presence, RequestDetail, RequestSettings, RequestSummary, RequestViewCounts } from '../contract.ts'
import { receiveFromCustomer } from './from-customer.ts'
import { createRequest } from './service.ts'
import { findSignedIds } from './signed-ids.ts'
import { requests } from './table.ts'

const path = '/api/requests/requests'
const publicUrl = 'https://www.company.example.com'
const inbox = 'demandes@company.example.com'

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>

beforeAll(async () => {
  smtp = await startTestSmtp()
  const environment = { SMTP_URL: smtp.url, PUBLIC_URL: publicUrl, MAIL_INBOX: inbox }
  product = await startTestApp({ queue: true, environment })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})

type Fields = Partial<Parameters<typeof createRequest>[2]>
let customers = 0

/** A request of a customer of its own. */
async function store(fields: Fields = {}) {
  customers += 1
  const email = `zoe${customers}@client.example.com`
  const request = { kind: 'support', name: 'Zoé Lavallée', email, subject: 'Imprimante', message: 'Rien ne sort.' } as const
  const made = await product.db.transaction((tx) => createRequest(tx, product.app, { ...request, language: 'fr', ...fields }))
  return { ...made, email: fields.email ?? email }
}

const headers = { origin: publicUrl, 'x-forwarded-proto': 'https' }
/** A member of the staff who calls as the pages of the public address do. */
async function signIn(rights: Parameters<TestApp['signIn']>[0] = { requests: 'read_write' }) {
  const client = await product.signIn(rights)
  return {
    user: client.user,
    read: async (id: number) => (await client.get<RequestDetail>(`${path}/${id}`)).body,
    get: client.get,
    post: <T = RequestDetail>(address: string, body: unknown = {}) => client.post<T>(path + address, body, { headers }),
    remove: <T = RequestDetail>(address: string) => client.delete<T>(path + address, undefined, { headers }),
    put: <T = RequestDetail>(address: string, body: unknown) => client.put<T>(path + address, body, { headers }),
  }
}

const mailTo = (address: string, subject?: RegExp) =>
  expect.poll(
    () => smtp.received.filter((mail) => mail.envelope.to.includes(address) && (subject?.test(mail.subject ?? '') ?? true)),
    { timeout: 20_000 },
  )
const receivedBy = (address: string) => smtp.received.filter((mail) => mail.envelope.to.includes(address))

describe('the acknowledgement', () => {
  test('carries number and link in the language of the customer, and nothing that was typed', async () => {
    const { reference, email, id } = await store({ language: 'en', subject: 'Secret plans', message: 'Top secret text' })
    await mailTo(email).toHaveLength(1)
    const [mail] = receivedBy(email)
    expect(mail?.subject).toBe(`[${reference}] We received your request`)
    expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-replied')
    expect(mail?.replyTo).toMatchObject([{ address: inbox }])
    for (const typed of ['Secret plans', 'secret text', 'Zoé', 'Lavallée']) {
      expect(mail?.text).not.toContain(typed)
      expect(mail?.html).not.toContain(typed)
    }
    const client = await signIn()
    const { customer_page: page, entries } = await client.read(id)
    expect(page).toMatch(/^https:\/\/www\.company\.example\.com\/suivi\/[\w-]{22}\?lang=en$/)
    expect(mail?.text).toContain(page)
    expect(mail?.html).toContain(page)
    expect(entries).toMatchObject([{ kind: 'customer', channel: 'form', text: 'Top secret text', delivery: 'sent' }])
  })

  test('leaves three times a day to one address, whoever fills the form', async () => {
    const email = 'flooded@client.example.com'
    for (let index = 0; index < 5; index += 1) await store({ email: index % 2 ? email.toUpperCase() : email })
    const sent = await product.db
      .select()
      .from(mails)
      .where(sql`lower(${mails.recipient}) = ${email}`)
    expect(sent).toHaveLength(3)
  })
})

describe('a reply', () => {
  test('is mailed in the thread, with its files, and joined to the state it leaves behind', async () => {
    const { id, reference, email } = await store()
    const client = await signIn()
    const files = [{ name: '../plan.pdf', data: Buffer.from('%PDF-1.7 plan').toString('base64') }]
    const reply = {
      text: 'Bonjour Zoé,\n\nvoir https://status.example.com.',
      client_id: crypto.randomUUID(),
      files,
      status: 'waiting',
    }
    const answer = await client.post(`/${id}/replies`, { ...reply, cc: ['direction@client.example.com'] })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ status: 'waiting', first_reply_at: expect.any(String) as string })
    const staff = answer.body.entries.filter(({ kind }) => kind === 'staff')
    expect(staff).toMatchObject([
      { channel: 'mail', text: reply.text, delivery: 'queued', files: [{ name: 'plan.pdf', size: 13 }] },
    ])
    expect(answer.body.entries.at(-1)).toMatchObject({ kind: 'event', event: { status: { from: 'new', to: 'waiting' } } })

    await mailTo(email, /Imprimante/).toHaveLength(1)
    await mailTo('direction@client.example.com').toHaveLength(1)
    const [acknowledgement, mail] = receivedBy(email)
    expect(mail).toMatchObject({
      subject: `[${reference}] Imprimante`,
      from: { name: `${client.user.displayName}, Guichet` },
      replyTo: [{ address: inbox }],
      inReplyTo: acknowledgement?.messageId,
      references: acknowledgement?.messageId,
      cc: [{ address: 'direction@client.example.com' }],
      attachments: [{ filename: 'plan.pdf' }],
    })
    expect(mail?.headers.some(({ key }) => key === 'auto-submitted')).toBe(false)
    expect(mail?.text).toContain('Suivre ma demande')
    expect(mail?.html).toContain('<a href="https://status.example.com">')
    const signed = findSignedIds(product.db, mail?.messageId ?? '')
    expect(signed).toEqual([{ reference, entryId: staff[0]?.id_entry }])
    const [copy] = receivedBy('direction@client.example.com')
    expect(copy?.to).toMatchObject([{ address: email }])
    expect(copy?.text).not.toContain('/suivi/')
    await expect.poll(async () => (await client.read(id)).entries.find(({ kind }) => kind === 'staff')?.delivery).toBe('sent')

    const file = await client.get(`${path}/${id}/files/${staff[0]?.files[0]?.id_file}`)
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(file.text).toBe('%PDF-1.7 plan')
  })

  test('sent twice is one reply', async () => {
    const { id } = await store()
    const client = await signIn()
    const reply = { text: 'Une fois.', client_id: crypto.randomUUID() }
    const [one, other] = await Promise.all([client.post(`/${id}/replies`, reply), client.post(`/${id}/replies`, reply)])
    expect([one.status, other.status]).toEqual([201, 201])
    expect((await client.read(id)).entries.filter(({ kind }) => kind === 'staff')).toHaveLength(1)
  })

  test('changed after an attempt whose answer was lost is a conflict, and another reply once its author has read', async () => {
    const [{ id }, client] = [await store(), await signIn()]
    const reply = { text: 'Mardi.', client_id: crypto.randomUUID() }
    await client.post(`/${id}/replies`, reply)
    expect(await client.post(`/${id}/replies`, { ...reply, text: 'Mercredi.' })).toMatchObject({
      status: 409,
      body: { current: {} },
    })
    await client.post(`/${id}/replies`, { text: 'Mercredi.', client_id: crypto.randomUUID() })
    const texts = (await client.read(id)).entries.filter(({ kind }) => kind === 'staff').map(({ text }) => text)
    expect(texts).toEqual(['Mardi.', 'Mercredi.'])
  })

  test('shows why it failed, and is sent after a retry', async () => {
    const { id, email } = await store()
    await mailTo(email).toHaveLength(1)
    const client = await signIn()
    smtp.setMood(550)
    const { body } = await client.post(`/${id}/replies`, { text: 'Refusée.', client_id: crypto.randomUUID() })
    const entry = body.entries.find(({ kind }) => kind === 'staff')
    const state = async () => (await client.read(id)).entries.find(({ kind }) => kind === 'staff')
    await expect.poll(async () => (await state())?.delivery, { timeout: 20_000 }).toBe('failed')
    expect((await state())?.error).toContain('550')
    const { body: list } = await client.get<RequestSummary[]>(`${path}?search=${body.reference}`)
    expect(list).toMatchObject([{ delivery: 'failed' }])
    smtp.setMood('accept')
    expect((await client.post(`/${id}/entries/${entry?.id_entry}/retry`)).status).toBe(200)
    await expect.poll(async () => (await state())?.delivery, { timeout: 20_000 }).toBe('sent')
    expect((await client.post(`/${id}/entries/${entry?.id_entry}/retry`)).status).toBe(409)
  })

  test('meets who wrote in the meantime; its author is asked, not surprised', async () => {
    const { id } = await store()
    const [first, second] = [await signIn(), await signIn()]
    const last = (await first.read(id)).entries.at(-1)?.id_entry
    await second.post(`/${id}/replies`, { text: 'Déjà répondu.', client_id: crypto.randomUUID() })
    const late = { text: 'Moi aussi.', client_id: crypto.randomUUID() }
    const refused = await first.post<{ current: RequestDetail }>(`/${id}/replies`, { ...late, last_entry: last })
    expect(refused.status).toBe(409)
    expect(refused.body.current.entries.some(({ text }) => text === 'Déjà répondu.')).toBe(true)
    expect((await first.post(`/${id}/replies`, late)).status).toBe(201)
  })

  test.each([
    ['nothing', { text: '   ' }],
    ['too long a text', { text: 'a'.repeat(10_001) }],
    ['no address', { text: 'a', cc: ['nobody'] }],
    ['a line break in an address', { text: 'a', cc: ['a@example.com\r\nBcc: b@example.com'] }],
    ['no base64', { text: 'a', files: [{ name: 'a', data: '{}' }] }],
  ])('with %s is refused', async (_name, body) => {
    const { id } = await store()
    const client = await signIn()
    expect((await client.post(`/${id}/replies`, { client_id: crypto.randomUUID(), ...body })).status).toBe(400)
  })

  test('of who may only read is refused', async () => {
    const { id } = await store()
    const client = await signIn({ requests: 'read_only' })
    expect((await client.post(`/${id}/replies`, { text: 'a', client_id: crypto.randomUUID() })).status).toBe(403)
  })
})

describe('the thread', () => {
  test('shows changes of state, and internal comments in both places', async () => {
    const { id } = await store()
    const client = await signIn()
    await client.put(`/${id}`, { status: 'open', id_user: client.user.id, priority: 'urgent' })
    const { body } = await client.post(`/${id}/comments`, { body: 'Port 24.' })
    expect(body.entries.map(({ kind }) => kind)).toEqual(['customer', 'event', 'internal'])
    expect(body.entries[1]?.event).toEqual({
      status: { from: 'new', to: 'open' },
      assignee: client.user.displayName,
      priority: 'urgent',
    })
    expect(body.comments).toMatchObject([{ body: 'Port 24.', user_name: client.user.displayName }])
  })

  test('returns who else has the request open, and whether it changed', async () => {
    const { id } = await store()
    const [first, second] = [await signIn(), await signIn({ requests: 'read_only' })]
    const look = async (client: typeof first, isWriting = false) =>
      (await client.post<Presence>(`/${id}/presence`, { is_writing: isWriting })).body
    const before = await look(first)
    expect(before.others).toEqual([])
    await look(second, true)
    await second.read(id)
    await first.post(`/${id}/comments`, { body: 'Vu.' })
    const after = await look(first)
    expect(after.others).toEqual([{ id_user: second.user.id, display_name: second.user.displayName, is_writing: true }])
    expect(after.last_author).toBe('Zoé Lavallée')
    expect(after.last_entry).toBeGreaterThan(before.last_entry ?? 0)
  })

  test('is searched, without accents', async () => {
    const { id } = await store()
    const client = await signIn()
    await client.post(`/${id}/replies`, { text: 'Le répéteur zêta est débranché.', client_id: crypto.randomUUID() })
    const { body } = await client.get<RequestSummary[]>(`${path}?search=REPETEUR%20zeta`)
    expect(body.map(({ id_request }) => id_request)).toEqual([id])
  })
})

describe('the views of the list', () => {
  test('count mine, nobody’s, late, waiting and done; what is late comes first', async () => {
    const client = await signIn({ requests: 'administrator' })
    const count = async () => (await client.get<RequestViewCounts>(`${path}/views`)).body
    const before = await count()
    const [mine, late, waiting, done] = [await store(), await store(), await store(), await store()]
    await client.put(`/${mine.id}`, { id_user: client.user.id })
    await product.db
      .update(requests)
      .set({ respondBy: new Date(0) })
      .where(eq(requests.id, late.id))
    await client.put(`/${waiting.id}`, { status: 'waiting' })
    await client.put(`/${done.id}`, { status: 'done' })
    const after = await count()
    const change = Object.fromEntries(Object.entries(after).map(([view, total]) => [view, total - before[view as 'mine']]))
    expect(change).toEqual({ mine: 1, unassigned: 1, late: 1, waiting: 1, done: 1, spam: 0 })
    const { body } = await client.get<RequestSummary[]>(`${path}?sort=due`)
    expect(body[0]).toMatchObject({ id_request: late.id, is_late: true })
    expect((await client.get<RequestSummary[]>(`${path}?view=mine`)).body.map(({ id_request }) => id_request)).toEqual([mine.id])
  })

  test('goals are business minutes by priority, and do not run while the customer is awaited', async () => {
    const client = await signIn({ requests: 'administrator' })
    const arrival = new Date('2026-11-20T14:00:00Z')
    const { id } = await store()
    await product.db.update(requests).set({ createdAt: arrival }).where(eq(requests.id, id))
    const settings = (await client.get<RequestSettings>(`${path}/settings`)).body
    const goals = { ...settings.goals, high: { respond_minutes: 60, resolve_minutes: 540 } }
    const saved = await client.put<RequestSettings>('/settings', { ...settings, goals })
    expect(saved.status).toBe(200)
    expect((await client.put('/settings', settings)).status).toBe(409)
    const { body } = await client.put(`/${id}`, { priority: 'high' })
    expect(body).toMatchObject({ respond_by: '2026-11-20T15:00:00.000Z', resolve_by: '2026-11-23T14:00:00.000Z' })
    await client.put(`/${id}`, { status: 'waiting' })
    // Since Friday at 9: a whole business day passed by Monday at 9.
    await product.db
      .update(requests)
      .set({ waitingSince: arrival, resolveBy: new Date('2099-01-01') })
      .where(eq(requests.id, id))
    const back = await client.put(`/${id}`, { status: 'open' })
    expect(Date.parse(back.body.resolve_by ?? '')).toBeGreaterThan(Date.parse('2099-01-01'))
    expect((await (await signIn()).put('/settings', settings)).status).toBe(403)
  })
})

describe('requests that belong together', () => {
  test('are merged; the former number leads there, and the merge can be undone', async () => {
    const [first, second, third] = [await store(), await store(), await store()]
    const client = await signIn()
    await client.post(`/${second.id}/merge`, { into: first.id })
    const { body: merged } = await client.post(`/${first.id}/merge`, { into: third.id })
    expect(merged.entries.filter(({ kind }) => kind === 'customer')).toHaveLength(3)
    expect(merged.merged).toMatchObject([{ reference: first.reference }])
    expect(await client.read(first.id)).toMatchObject({ entries: [], merged_into: { reference: third.reference } })
    const { body: list } = await client.get<RequestSummary[]>(`${path}?search=${first.reference}`)
    expect(list.map(({ id_request: id }) => id)).toEqual([third.id])
    const ofSecond = await client.get<RequestSummary[]>(`${path}?search=${second.reference}`)
    expect(ofSecond.body.map(({ id_request: id }) => id)).toEqual([third.id])
    expect((await client.post(`/${first.id}/merge`, { into: third.id })).status).toBe(409)
    expect((await client.post(`/${first.id}/replies`, { text: 'a', client_id: crypto.randomUUID() })).status).toBe(409)

    const { body: back } = await client.post(`/${first.id}/unmerge`)
    expect(back.entries.filter(({ kind }) => kind === 'customer')).toHaveLength(2)
    expect((await client.read(third.id)).entries.filter(({ kind }) => kind === 'customer')).toHaveLength(1)
    const found = await client.get<RequestSummary[]>(`${path}?search=${second.reference}`)
    expect(found.body.map(({ id_request: id }) => id)).toEqual([first.id])
    expect((await client.post(`/${second.id}/unmerge`)).body.entries.filter(({ kind }) => kind === 'customer')).toHaveLength(1)
    expect((await client.post(`/${second.id}/unmerge`)).status).toBe(409)
    expect((await client.post(`/${second.id}/merge`, { into: second.id })).status).toBe(400)
    expect((await client.post(`/${second.id}/merge`, { into: 999_999 })).status).toBe(404)
  })

  test('gets its thread back from a row of merges, in whatever order they are undone', async () => {
    const [first, second, third] = [await store(), await store({ message: 'Zigzag.' }), await store()]
    const client = await signIn()
    await client.post(`/${second.id}/merge`, { into: first.id })
    await client.post(`/${first.id}/merge`, { into: third.id })
    const { body } = await client.post(`/${second.id}/unmerge`)
    expect(body.entries.map(({ text }) => text)).toContain('Zigzag.')
    expect((await client.read(third.id)).entries.filter(({ kind }) => kind === 'customer')).toHaveLength(2)
    const found = await client.get<RequestSummary[]>(`${path}?search=zigzag`)
    expect(found.body.map(({ id_request: id }) => id)).toEqual([second.id])
    expect((await client.post(`/${first.id}/unmerge`)).body.entries.filter(({ kind }) => kind === 'customer')).toHaveLength(1)
  })

  test('are linked once, in both directions', async () => {
    const [first, second] = [await store(), await store()]
    const client = await signIn()
    await client.post(`/${first.id}/link`, { to: second.id })
    await client.post(`/${second.id}/link`, { to: first.id })
    expect((await client.read(first.id)).linked).toMatchObject([{ reference: second.reference }])
    expect((await client.read(second.id)).linked).toMatchObject([{ reference: first.reference }])
  })

  test('are split: an entry of the customer becomes a request of its own', async () => {
    const { id, email } = await store()
    const client = await signIn()
    const [row] = await product.db.select().from(requests).where(eq(requests.id, id))
    if (!row) throw new Error('no request')
    const file = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a') }
    const added = { channel: 'page', author: 'Zoé', authorEmail: email, text: 'Autre sujet.', files: [file] } as const
    const { entryId } = await product.db.transaction((tx) =>
      receiveFromCustomer(tx, product.app, row, { ...added, files: [file] }),
    )
    const first = (await client.read(id)).entries[0]?.id_entry
    expect((await client.post(`/${id}/entries/${first}/split`)).status).toBe(400)
    const { body, status } = await client.post(`/${id}/entries/${entryId}/split`)
    expect(status).toBe(201)
    expect(body.entries[0]).toMatchObject({ text: 'Autre sujet.', files: [{ name: 'a.txt' }] })
    expect((await client.read(id)).entries.some(({ text }) => text === 'Autre sujet.')).toBe(false)
    expect((await client.read(id)).linked).toMatchObject([{ reference: body.reference }])
  })

  test('spam leaves the lists, with undo', async () => {
    const { id, reference } = await store()
    const client = await signIn()
    const find = async (query: string) => (await client.get<RequestSummary[]>(`${path}?${query}search=${reference}`)).body.length
    expect((await client.post(`/${id}/spam`)).body.is_spam).toBe(true)
    expect([await find(''), await find('view=spam&')]).toEqual([0, 1])
    const undone = await client.remove(`/${id}/spam`)
    expect(undone.body.is_spam).toBe(false)
    expect([await find(''), await find('view=spam&')]).toEqual([1, 0])
  })

  test('a reply after the closed period makes a new request, linked to the old one', async () => {
    const { id } = await store()
    const ended = new Date(Date.now() - 91 * 86_400_000)
    await product.db.update(requests).set({ status: 'done', doneAt: ended }).where(eq(requests.id, id))
    const [row] = await product.db.select().from(requests).where(eq(requests.id, id))
    if (!row) throw new Error('no request')
    const written = {
      channel: 'mail',
      author: 'Zoé',
      text: 'De nouveau.',
      files: [],
      messageId: '<again@client.example.com>',
    } as const
    const again = await product.db.transaction((tx) => receiveFromCustomer(tx, product.app, row, { ...written, files: [] }))
    expect(again).toMatchObject({ isNew: true })
    const client = await signIn()
    const fresh = await client.read(again.requestId)
    expect(fresh).toMatchObject({
      status: 'new',
      linked: [{ id_request: id }],
      entries: [{ text: 'De nouveau.', channel: 'mail' }],
    })
    expect((await client.read(id)).status).toBe('done')
  })
})
