import { arrayContains, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { AuditEntry } from '#src/features/audit/contract.ts'
import type { Erasure, PersonalDataFound } from '#src/features/privacy/contract.ts'
import { applyRetention } from '#src/features/privacy/server/retention.ts'
import { auditLog, auditLogKeys } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { RequestBlock, RequestDetail, RequestSettings, RequestSummary } from '../contract.ts'
import { findEntries } from './entries.ts'
import { receiveFromCustomer } from './from-customer.ts'
import { createRequest } from './service.ts'
import { inboxMails, requestEntries, requestEntryMails, requestFiles, requests } from './table.ts'

const path = '/api/requests/requests'
const publicUrl = 'https://www.company.example.com'
const headers = { origin: publicUrl, 'x-forwarded-proto': 'https' }

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>

beforeAll(async () => {
  smtp = await startTestSmtp()
  product = await startTestApp({ queue: true, environment: { SMTP_URL: smtp.url, PUBLIC_URL: publicUrl } })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})

let customers = 0
const newEmail = () => `annie${(customers += 1)}@client.example.com`

/** A request of a customer of its own, with a mail that came in and a file. */
async function store(email = newEmail(), createdAt = new Date()) {
  const file = { name: 'plan.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF plan') }
  const request = { kind: 'support', name: 'Annie Roy', firstName: 'Annie', lastName: 'Roy', email, language: 'fr' } as const
  return product.db.transaction(async (tx) => {
    const made = await createRequest(
      tx,
      product.app,
      { ...request, phone: '418 555-0100', message: 'Rien ne sonne.' },
      { createdAt },
    )
    const [row] = await tx.select().from(requests).where(eq(requests.id, made.id))
    if (!row) throw new Error('no request')
    const written = { channel: 'mail', author: 'Annie Roy', authorEmail: email, text: 'Voici le plan.', createdAt } as const
    const { entryId } = await receiveFromCustomer(tx, product.app, row, { ...written, files: [file] })
    customers += 1
    const place = {
      uidValidity: 77,
      uid: customers,
      size: 100,
      receivedAt: createdAt,
      state: 'joined',
      fromAddress: email,
    } as const
    await tx.insert(inboxMails).values({ ...place, entryId })
    return { ...made, email, mailEntryId: entryId }
  })
}

async function signIn(rights: Parameters<TestApp['signIn']>[0] = { requests: 'read_write' }) {
  const client = await product.signIn(rights)
  return {
    get: client.get,
    read: async (id: number) => (await client.get<RequestDetail>(`${path}/${id}`)).body,
    send: <T = RequestDetail>(method: string, address: string, body?: unknown) =>
      client.send<T>(method, path + address, body, { headers }),
  }
}

const officer = async () => {
  const client = await product.signIn()
  const post = <T>(address: string, body: unknown) => client.post<T>(`/api/privacy/${address}`, body, { headers })
  return { get: client.get, post }
}

const actionsOf = async (id: number) => {
  const { get } = await officer()
  const { body } = await get<{ area: string; action: string; entry_id: string }[]>('/api/audit/entries?area=requests')
  return body.filter(({ entry_id: entry }) => entry === String(id)).map(({ action }) => action)
}

async function correctionOf(id: number) {
  const { body } = await (await officer()).get<AuditEntry[]>(`/api/audit/entries?area=requests&action=rectify&entry=${id}`)
  return body[0]
}

async function storedAudit() {
  return JSON.stringify(await product.db.select().from(auditLog).where(eq(auditLog.action, 'rectify')))
}

describe('the contact of a request', () => {
  const contact = { firstname: 'Anne', lastname: 'Roy', phone: '418 555-0199' }

  test('is corrected with a reason; the audit log alone keeps the former values', async () => {
    const { id, email } = await store()
    const { get, send } = await signIn()
    const corrected = { ...contact, email: newEmail() }
    const { body, status } = await send('PUT', `/${id}`, { contact: corrected, reason: 'Faute de frappe' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Anne Roy', firstname: 'Anne', email: corrected.email, phone: contact.phone })
    expect(body.entries.at(-1)).toMatchObject({ kind: 'event', event: { contact: ['name', 'email', 'phone'] } })
    expect(JSON.stringify(body.entries.filter(({ kind }) => kind === 'customer').map(({ author }) => author))).not.toContain(
      'Annie',
    )
    const authors = await product.db.select().from(requestEntries).where(eq(requestEntries.requestId, id))
    expect(authors.map(({ authorEmail }) => authorEmail)).not.toContain(email)
    const found = await get<RequestSummary[]>(`${path}?search=${corrected.email}`)
    expect(found.body.map(({ id_request }) => id_request)).toEqual([id])

    expect(await correctionOf(id)).toMatchObject({
      before: { name: 'Annie Roy', email, phone: '418 555-0100' },
      after: { name: 'Anne Roy', email: corrected.email, phone: contact.phone, reason: 'Faute de frappe' },
      is_erased: false,
    })
    // The rows themselves are chained for good.
    expect(await storedAudit()).not.toMatch(new RegExp(`${email}|${corrected.email}|${contact.phone}|Faute de frappe`))
  })

  test.each([
    ['the person', (correctedTo: string) => correctedTo],
    ['whoever had the former address', (_: string, former: string) => former],
  ])('leaves nothing of its former values after %s is erased, and the chain is whole', async (_name, whose) => {
    const { id, email } = await store()
    const { send } = await signIn()
    const corrected = { ...contact, email: newEmail() }
    await send('PUT', `/${id}`, { contact: corrected, reason: 'Mariée à Anne Roy' })
    const address = whose(corrected.email, email)
    const { get, post } = await officer()
    const found = (await post<PersonalDataFound[]>('search', { email: address })).body
    const correction = { 'before.name': 'Annie Roy', 'before.email': email, 'before.phone': '418 555-0100' }
    expect(found.find(({ kind }) => kind === 'journal')?.findings).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining(correction) as object, certain: true }),
    )

    await send('PUT', `/${id}/hold`, { on_hold: true })
    const kept = (await post<Erasure>('erase', { email: address })).body.kept
    expect(kept).toContainEqual({ kind: 'journal', id: String((await correctionOf(id))?.id_entry), reason: 'legal hold' })
    expect(await correctionOf(id)).toMatchObject({ is_erased: false })
    await (await signIn({ requests: 'administrator' })).send('PUT', `/${id}/hold`, { on_hold: false })

    await post('erase', { email: address })
    expect(await correctionOf(id)).toMatchObject({ before: null, after: null, is_erased: true })
    const audit = await get('/api/audit/entries?area=requests')
    expect(audit.text).not.toMatch(new RegExp(`${email}|${corrected.email}|Mariée`))
    expect(
      await product.db
        .select()
        .from(auditLogKeys)
        .where(arrayContains(auditLogKeys.addresses, [address])),
    ).toEqual([])
    expect((await post<PersonalDataFound[]>('search', { email: address })).body).toEqual([])
    expect((await get('/api/audit/verification')).body).toMatchObject({ broken_at: null, is_complete: true })
  })

  test.each([
    ['no reason', { contact: { ...contact, email: 'a@example.com' } }],
    ['no address', { contact: { ...contact, email: 'nobody' }, reason: 'x' }],
    ['no name', { contact: { ...contact, lastname: ' ', email: 'a@example.com' }, reason: 'x' }],
    [
      'a line break in a name',
      { contact: { ...contact, firstname: 'a\r\nBcc: b@example.com', email: 'a@example.com' }, reason: 'x' },
    ],
    ['an unknown part', { contact: { ...contact, email: 'a@example.com', page: '/' }, reason: 'x' }],
  ])('is not changed by %s', async (_name, body) => {
    const { id, email } = await store()
    const { read, send } = await signIn()
    expect((await send('PUT', `/${id}`, body)).status).toBe(400)
    expect((await read(id)).email).toBe(email)
  })

  test('is not changed from an older version, nor by who may only read', async () => {
    const { id, email } = await store()
    const { read, send } = await signIn()
    const { version } = await read(id)
    await send('PUT', `/${id}`, { priority: 'high' })
    const body = { contact: { ...contact, email: newEmail() }, reason: 'x', version }
    expect((await send('PUT', `/${id}`, body)).status).toBe(409)
    expect((await (await signIn({ requests: 'read_only' })).send('PUT', `/${id}`, body)).status).toBe(403)
    expect((await read(id)).email).toBe(email)
  })

  test('a corrected address resends nothing by itself; sent again, the reply goes there, with a link that works', async () => {
    const { id, email } = await store()
    const { read, send } = await signIn()
    const replyOf = async () => (await read(id)).entries.find(({ kind }) => kind === 'staff')
    await expect.poll(async () => (await read(id)).entries[0]?.delivery, { timeout: 20_000 }).toBe('sent')
    const before = (await read(id)).customer_page
    smtp.setMood(550)
    const reply = { text: 'Bonjour.', client_id: crypto.randomUUID(), cc: ['direction@client.example.com'] }
    await send('POST', `/${id}/replies`, reply)
    await expect
      .poll(async () => (await replyOf())?.mails.map(({ delivery }) => delivery), { timeout: 20_000 })
      .toEqual(['failed', 'failed'])
    smtp.setMood('accept')
    const corrected = newEmail()
    await send('PUT', `/${id}`, { contact: { ...contact, email: corrected }, reason: 'Refusée par le serveur' })
    expect((await replyOf())?.mails).toMatchObject([{ recipient: email, delivery: 'failed' }, { delivery: 'failed' }])

    expect((await send('POST', `/${id}/entries/${(await replyOf())?.id_entry}/retry`)).status).toBe(200)
    await expect.poll(async () => (await replyOf())?.delivery, { timeout: 20_000 }).toBe('sent')
    expect((await replyOf())?.mails.map(({ recipient }) => recipient)).toEqual([corrected, 'direction@client.example.com'])
    const mail = smtp.received.find(({ envelope }) => envelope.to.includes(corrected))
    expect(mail?.to).toMatchObject([{ address: corrected }])
    const { customer_page: page } = await read(id)
    expect(mail?.text).toContain(page)
    expect(mail?.html).toContain(page)
    // The former address had received a link: it ends.
    expect(page).not.toBe(before)
    const token = before?.split('/').at(-1)
    const visitor = await product.client()
    expect((await visitor.post('/public_api/requests/page', { token })).status).toBe(404)
  })

  test('a mail that came back is sent again', async () => {
    const { id } = await store()
    const { read, send } = await signIn()
    const { body } = await send('POST', `/${id}/replies`, { text: 'Bonjour.', client_id: crypto.randomUUID() })
    const entryId = body.entries.find(({ kind }) => kind === 'staff')?.id_entry ?? 0
    const deliveryOf = async () => (await read(id)).entries.find(({ id_entry: one }) => one === entryId)?.delivery
    await expect.poll(deliveryOf, { timeout: 20_000 }).toBe('sent')
    expect((await send('POST', `/${id}/entries/${entryId}/retry`)).status).toBe(409)
    const bounce = { bouncedAt: new Date(), bounceReason: '550 5.2.2 mailbox full' }
    await product.db.update(requestEntryMails).set(bounce).where(eq(requestEntryMails.entryId, entryId))
    expect(await deliveryOf()).toBe('bounced')
    expect((await send('POST', `/${id}/entries/${entryId}/retry`)).status).toBe(200)
    await expect.poll(deliveryOf, { timeout: 20_000 }).toBe('sent')
  })
})

describe('a legal hold', () => {
  test('is set by who may write, lifted by administrators alone, and recorded', async () => {
    const { id } = await store()
    const [writer, administrator] = [await signIn(), await signIn({ requests: 'administrator' })]
    expect((await (await signIn({ requests: 'read_only' })).send('PUT', `/${id}/hold`, { on_hold: true })).status).toBe(403)
    expect((await writer.send('PUT', `/${id}/hold`, { on_hold: 'yes' })).status).toBe(400)
    expect((await writer.send('PUT', `/${id}/hold`, { on_hold: true })).body).toMatchObject({ on_hold: true })
    expect((await writer.send('PUT', `/${id}/hold`, { on_hold: false })).status).toBe(403)
    expect((await administrator.send('DELETE', `/${id}`)).status).toBe(409)
    const lifted = await administrator.send('PUT', `/${id}/hold`, { on_hold: false })
    expect(lifted.body.entries.filter(({ event }) => event?.hold !== undefined)).toHaveLength(2)
    expect(await actionsOf(id)).toEqual(['release', 'hold'])
    expect((await administrator.send('DELETE', `/${id}`)).status).toBe(204)
  })

  /** What is left of a request: its row, entries, files, mails sent and mails received. */
  async function leftOf({ id, email }: { id: number; email: string }) {
    const { db } = product
    const entries = await findEntries(db, id)
    const ids = entries.map(({ id_entry: one }) => one)
    const files = ids.length === 0 ? [] : await db.select().from(requestFiles).where(inArray(requestFiles.entryId, ids))
    const sent = await db.select().from(mails).where(eq(mails.recipient, email))
    const received = await db.select().from(inboxMails).where(eq(inboxMails.fromAddress, email))
    return { entries: entries.length > 0, files: files.length, mails: sent.length > 0, received: received.length }
  }
  const whole = { entries: true, files: 1, mails: true, received: 1 }
  const nothing = { entries: false, files: 0, mails: false, received: 0 }

  test('keeps thread, files, mails and the request itself from erasure, which says so', async () => {
    const [held, free] = [await store(), await store()]
    const { send, read } = await signIn({ requests: 'administrator' })
    await send('PUT', `/${held.id}/hold`, { on_hold: true })
    await send('POST', `/${held.id}/replies`, { text: 'Sous gel.', client_id: crypto.randomUUID() })
    const { post } = await officer()
    const kept = (await post<Erasure>('erase', { email: held.email })).body
    expect(kept.erased).toEqual({})
    expect(kept.proof).toBeNull()
    expect(kept.kept).toContainEqual({ kind: 'requests', id: held.reference, reason: 'legal hold' })
    expect(await leftOf(held)).toEqual(whole)
    const { entries, customer_page: page } = await read(held.id)
    const reply = entries.find(({ text }) => text === 'Sous gel.')
    expect(reply?.mails).toHaveLength(1)
    const visitor = await product.client()
    const token = page?.split('/').at(-1)
    expect((await visitor.post('/public_api/requests/page', { token })).status).toBe(200)

    const erased = (await post<Erasure>('erase', { email: free.email })).body
    expect(erased).toMatchObject({ kept: [], erased: { requests: 1 } })
    expect(await leftOf(free)).toEqual(nothing)

    await send('PUT', `/${held.id}/hold`, { on_hold: false })
    expect((await post<Erasure>('erase', { email: held.email })).body.kept).toEqual([])
    expect(await leftOf(held)).toEqual(nothing)
  })

  test('keeps them past their periods', async () => {
    const long = new Date()
    long.setUTCMonth(long.getUTCMonth() - 40)
    const [held, free] = [await store(newEmail(), long), await store(newEmail(), long)]
    const { send } = await signIn({ requests: 'administrator' })
    for (const { email } of [held, free])
      await product.db.update(mails).set({ createdAt: long, state: 'sent' }).where(eq(mails.recipient, email))
    await send('PUT', `/${held.id}/hold`, { on_hold: true })
    expect((await applyRetention(product.app)).failed).toEqual([])
    expect(await leftOf(held)).toEqual(whole)
    expect(await leftOf(free)).toEqual(nothing)
    await send('PUT', `/${held.id}/hold`, { on_hold: false })
    await applyRetention(product.app)
    expect(await leftOf(held)).toEqual(nothing)
  })

  test('goes with the thread into a merge, and with what is split off', async () => {
    const [held, target] = [await store(), await store()]
    const { send, read } = await signIn({ requests: 'administrator' })
    await send('PUT', `/${held.id}/hold`, { on_hold: true })
    const { body: split } = await send('POST', `/${held.id}/entries/${held.mailEntryId}/split`)
    expect(split.on_hold).toBe(true)
    const { body: merged } = await send('POST', `/${held.id}/merge`, { into: target.id })
    expect(merged.on_hold).toBe(true)
    expect((await send('PUT', `/${held.id}/hold`, { on_hold: false })).status).toBe(409)
    const { post } = await officer()
    for (const { email } of [held, target]) await post('erase', { email })
    expect((await read(target.id)).entries.filter(({ kind }) => kind === 'customer')).toHaveLength(3)
    await send('PUT', `/${target.id}/hold`, { on_hold: false })
    expect((await read(held.id)).on_hold).toBe(false)
  })
})

describe('the personal data of requests', () => {
  test('holds thread and files with their address, and what somebody wrote in the request of another', async () => {
    const { id, reference } = await store()
    const colleague = newEmail()
    const [row] = await product.db.select().from(requests).where(eq(requests.id, id))
    if (!row) throw new Error('no request')
    const written = {
      channel: 'mail',
      author: 'Paul',
      authorEmail: colleague,
      text: 'Je réponds pour Annie.',
      files: [],
    } as const
    await product.db.transaction((tx) => receiveFromCustomer(tx, product.app, row, { ...written, files: [] }))
    const { post } = await officer()
    const own = (await post<PersonalDataFound[]>('search', { email: row.email })).body.find(({ kind }) => kind === 'requests')
    expect(JSON.stringify(own)).toContain(`[plan.pdf] ${path}/${id}/files/`)
    const found = (await post<PersonalDataFound[]>('search', { email: colleague })).body
    expect(found).toMatchObject([{ kind: 'requests', findings: [{ id: reference }] }])
    expect(JSON.stringify(found)).toContain('Je réponds pour Annie.')
    expect(JSON.stringify(found)).not.toContain('Voici le plan.')
    const exported = await post<string>('export', { email: colleague, format: 'csv' })
    expect(exported.text).toContain('Je réponds pour Annie.')

    expect((await post<Erasure>('erase', { email: colleague })).body.erased).toMatchObject({ requests: 1 })
    expect((await post<PersonalDataFound[]>('search', { email: colleague })).body).toEqual([])
    const left = (await findEntries(product.db, id)).map(({ text }) => text)
    expect(left).toContain('Voici le plan.')
    expect(left).not.toContain('Je réponds pour Annie.')
  })
})

describe('blocked senders', () => {
  test('are listed and let in again, and that can be undone', async () => {
    const { id, email, reference } = await store()
    const { send, get } = await signIn()
    await send('POST', `/${id}/spam`)
    const list = async () => (await get<RequestBlock[]>(`${path}/blocks`)).body.filter((one) => one.email === email)
    expect(await list()).toMatchObject([{ id_request: id, reference }])
    expect((await send<RequestBlock[]>('DELETE', '/blocks', { email: email.toUpperCase() })).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await send('DELETE', '/blocks', { email })).status).toBe(404)
    expect((await send('POST', '/blocks', { email })).status).toBe(200)
    expect(await list()).toMatchObject([{ id_request: null }])
    expect((await send('POST', '/blocks', { email: 'nobody' })).status).toBe(400)
    expect((await (await signIn({ requests: 'read_only' })).send('DELETE', '/blocks', { email })).status).toBe(403)
    const audit = await (await officer()).get('/api/audit/entries?area=requests')
    expect(audit.text).not.toContain(email)

    const { post } = await officer()
    await post('erase', { email })
    expect(await list()).toEqual([])
  })
})

describe('the settings', () => {
  test.each([
    [
      'no minute',
      'goals.low.respond_minutes',
      (one: RequestSettings) => ({ ...one, goals: { ...one.goals, low: { respond_minutes: 0, resolve_minutes: 60 } } }),
    ],
    [
      'a resolution before the reply',
      'goals.high.resolve_minutes',
      (one: RequestSettings) => ({ ...one, goals: { ...one.goals, high: { respond_minutes: 60, resolve_minutes: 30 } } }),
    ],
    ['half a day', 'reopen_days', (one: RequestSettings) => ({ ...one, reopen_days: 1.5 })],
    ['another choice', 'unknown_mail', (one: RequestSettings) => ({ ...one, unknown_mail: 'drop' })],
  ])('are not saved with %s', async (_name, field, change) => {
    const { get, send } = await signIn({ requests: 'administrator' })
    const { body: before } = await get<RequestSettings>(`${path}/settings`)
    const refused = await send<{ errors: { path: string }[] }>('PUT', '/settings', change(before))
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map((error) => error.path)).toContain(field)
    expect((await get<RequestSettings>(`${path}/settings`)).body).toEqual(before)
  })
})
