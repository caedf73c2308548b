import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { revealSecret, secretMarker } from '#src/server/background/mail-secrets.ts'
import type { Network } from './contract.ts'
import { mailingRecipients, subscribers } from './server/subscriber-table.ts'
import { confirm, leave, subscribe, subscriberData } from './server/subscriptions.ts'
import { subscribeByForm } from './server/subscriber-routes.ts'
import type { Subscriber, SubscriberCounts } from './subscription.ts'
import { subscriptionOf, useSubscribers } from './testing.ts'

const hourMs = 3_600_000

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let network: number
let other: number
let { findRow, tokenFor, join, mailsTo, clear } = {} as ReturnType<typeof useSubscribers>
beforeAll(async () => {
  product = await startTestApp()
  ;({ findRow, tokenFor, join, mailsTo, clear } = useSubscribers(product))
  staff = await product.signIn()
  const create = async (nom: string) => {
    const details = JSON.stringify([{ nom: 'Téléphonie', nom_en: 'Telephony', statut: 'OK' }])
    return (await staff.post<Network>('/api/networks/reseau', { nom, status: 'ONLINE', details })).body.id_reseau
  }
  network = await create('Québec')
  other = await create('Mauricie')
})
afterAll(() => product.stop())
beforeEach(() => clear())

const post = (path: string, body = '', headers: Record<string, string> = {}) =>
  fetch(product.origin + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('subscribing', () => {
  test('answers 202 to all, keeps the consent, and sends one confirmation whose link confirms twice alike', async () => {
    const visitor = await product.client()
    for (const email of ['zoe@example.com', 'ZOE@example.com', 'zoe@example.com']) {
      const answer = await visitor.post('/public_api/networks/subscribers', { email, language: 'en' })
      expect([answer.status, answer.body]).toEqual([202, 'OK'])
    }
    const row = await findRow('zoe@example.com')
    expect(row).toMatchObject({
      state: 'pending',
      language: 'en',
      networks: null,
      topics: ['outages', 'maintenance'],
      consentText: expect.stringContaining('I agree that Guichet') as string,
      consentAddress: '127.0.0.1',
    })
    const [mail, ...rest] = await mailsTo('zoe@example.com')
    expect(rest).toEqual([])
    expect(mail?.subject).toBe('Confirm your network status subscription')
    // The database stores the link encrypted.
    const token = await tokenFor('zoe@example.com')
    expect(mail?.body).toContain(`/reseau/abonnement/${secretMarker}?lang=en`)
    expect(JSON.stringify(mail)).not.toContain(token)
    expect(revealSecret(product.db, mail as NonNullable<typeof mail>).body).toContain(
      `${product.origin}/reseau/abonnement/${token}`,
    )
    for (let time = 0; time < 2; time += 1) {
      const answer = await post(`/reseau/abonnement/${token}`, 'action=confirm&lang=en')
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/reseau/abonnement/${token}?etat=confirme&lang=en`])
    }
    expect(await findRow('zoe@example.com')).toMatchObject({ state: 'active' })
  })

  test('ten thousand times with one address is one mail a day, and changes nothing of a subscription that there is', async () => {
    const now = new Date()
    for (let time = 0; time < 50; time += 1) await subscribe(product.app, subscriptionOf('luc@example.com'), '192.0.2.2', now)
    expect(await mailsTo('luc@example.com')).toHaveLength(1)
    await confirm(product.db, await tokenFor('luc@example.com'))
    const stranger = subscriptionOf('LUC@example.com', { language: 'en', topics: ['news'], networks: [network] })
    await subscribe(product.app, stranger, '192.0.2.9', new Date(now.getTime() + hourMs))
    expect(await mailsTo('luc@example.com')).toHaveLength(1)
    await subscribe(product.app, stranger, '192.0.2.9', new Date(now.getTime() + 25 * hourMs))
    const [, reminder, ...rest] = await mailsTo('luc@example.com')
    expect(rest).toEqual([])
    expect(reminder?.subject).toBe('Votre abonnement à l’état du réseau')
    expect(await findRow('luc@example.com')).toMatchObject({
      state: 'active',
      language: 'fr',
      networks: null,
      email: 'luc@example.com',
    })
  })

  test('a confirmation that is older than 48 hours confirms nothing; subscribing again does', async () => {
    await subscribe(product.app, subscriptionOf('ana@example.com'), '192.0.2.3')
    const token = await tokenFor('ana@example.com')
    const later = new Date(Date.now() + 49 * hourMs)
    expect((await confirm(product.db, token, later)).state).toBe('pending')
    await subscribe(product.app, subscriptionOf('ana@example.com', { language: 'en' }), '192.0.2.3', later)
    const renewed = await tokenFor('ana@example.com')
    expect(renewed).not.toBe(token)
    expect(await confirm(product.db, renewed, later)).toMatchObject({ state: 'active', language: 'en' })
  })

  test('refuses a wrong address, an unknown topic, no topic and a stranger’s field', async () => {
    const visitor = await product.client()
    for (const input of [
      { email: 'pas-une-adresse', language: 'fr' },
      { email: 'a@example.com\r\nBcc: b@example.com', language: 'fr' },
      { email: 'a@example.com', language: 'de' },
      { email: 'a@example.com', language: 'fr', topics: [] },
      { email: 'a@example.com', language: 'fr', topics: ['offers'] },
      { email: 'a@example.com', language: 'fr', state: 'active' },
    ])
      expect((await visitor.post('/public_api/networks/subscribers', input)).status).toBe(400)
    expect(await product.db.select().from(subscribers)).toEqual([])
  })

  test('one address of a network is limited', async () => {
    const statuses = []
    const own = await startTestApp()
    const visitor = await own.client()
    for (let time = 0; time < 21; time += 1)
      statuses.push(
        (await visitor.post('/public_api/networks/subscribers', { email: `a${time}@example.com`, language: 'fr' })).status,
      )
    await own.stop()
    expect(statuses.filter((status) => status === 202)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })

  test('by the form of the page, needs the consent and keeps what was typed', async () => {
    const send = (fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      return subscribeByForm(product.app, form, { address: '192.0.2.5', language: 'fr' })
    }
    const fields = { email: 'pia@example.com', language: 'en', topics: 'outages', networks: String(other) }
    const refused = await send(fields)
    expect(refused).toMatchObject({ isStored: false, status: 400 })
    const html = refused.isStored ? '' : refused.html
    expect(html).toContain('value="pia@example.com"')
    expect(html).toContain('role="alert"')
    expect(html).toContain(`value="${other}" checked`)
    // Never ticked in advance.
    expect(html).toMatch(/name="consent" value="1" required>/)
    expect(await send({ ...fields, consent: '1', email: '<b>"' })).toMatchObject({
      status: 400,
      html: expect.stringContaining('value="&lt;b&gt;&quot;"') as string,
    })
    expect(await send({ ...fields, consent: '1', email: '"a@evil x"@example.com' })).toMatchObject({ status: 400 })
    expect(await send({ ...fields, consent: '1' })).toEqual({ isStored: true })
    expect(await findRow('pia@example.com')).toMatchObject({ language: 'en', networks: [other], topics: ['outages'] })
  })
})

describe('leaving', () => {
  test('is one POST that mail programs send, from any origin, and an unknown secret is a 404', async () => {
    await join('zoe@example.com')
    const token = await tokenFor('zoe@example.com')
    const oneClick = await post(`/reseau/abonnement/${token}/quitter`, 'List-Unsubscribe=One-Click', {
      origin: 'https://mail.example',
    })
    expect(oneClick.status).toBe(200)
    expect(await findRow('zoe@example.com')).toMatchObject({ state: 'left', leftAt: expect.any(Date) as Date })
    expect((await post(`/reseau/abonnement/${token}/quitter`)).status).toBe(200)
    for (const address of ['x', 'x'.repeat(22), `${token}x`]) {
      expect((await post(`/reseau/abonnement/${address}/quitter`)).status).toBe(404)
      expect((await post(`/reseau/abonnement/${address}`, 'action=leave')).status).toBe(404)
    }
    // A link that is opened by a scanner leaves nothing.
    await join('luc@example.com')
    const link = `${product.origin}/reseau/abonnement/${await tokenFor('luc@example.com')}/quitter`
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(302)
    expect(await findRow('luc@example.com')).toMatchObject({ state: 'active' })
  })

  test('ends the links of then when somebody subscribes again', async () => {
    await join('zoe@example.com')
    const token = await tokenFor('zoe@example.com')
    await leave(product.db, token)
    await subscribe(product.app, subscriptionOf('zoe@example.com'), '192.0.2.7')
    expect(await findRow('zoe@example.com')).toMatchObject({ state: 'pending', consentAddress: '192.0.2.7' })
    expect((await post(`/reseau/abonnement/${token}`, 'action=confirm')).status).toBe(404)
  })

  test('choices are changed on the page; a topic that it does not show stays', async () => {
    await join('zoe@example.com', { topics: ['outages', 'news'] })
    const token = await tokenFor('zoe@example.com')
    const saved = await post(`/reseau/abonnement/${token}`, `action=save&language=en&topics=maintenance&networks=${network}`)
    expect(saved.headers.get('location')).toBe(`/reseau/abonnement/${token}?etat=sauve`)
    expect(await findRow('zoe@example.com')).toMatchObject({
      language: 'en',
      networks: [network],
      topics: ['maintenance', 'news'],
    })
    const none = await post(`/reseau/abonnement/${token}`, 'action=save&language=en')
    expect(none.headers.get('location')).toBe(`/reseau/abonnement/${token}?etat=sujet`)
    const page = await (
      await product.client()
    ).post<{ title: string; html: string }>('/public_api/networks/subscription', {
      token,
      lang: 'en',
      done: 'sauve',
    })
    expect(page.body.title).toBe('Your subscription')
    expect(page.body.html).toContain('Your choices are saved.')
    expect(page.body.html).toContain('zoe@example.com')
  })
})

describe('staff', () => {
  test('sees addresses, consent and counts by right, and removes without leaving the address in the audit log', async () => {
    await join('zoe@example.com')
    await subscribe(product.app, subscriptionOf('luc@example.com', { language: 'en' }), '192.0.2.1')
    const reader = await product.signIn({ networks: 'read_only' })
    const counts = await reader.get<SubscriberCounts>('/api/networks/subscribers/counts')
    expect(counts.body).toEqual({ active: { fr: 1, en: 0 }, pending: 1, paused: 0, left: 0 })
    expect((await reader.get('/api/networks/subscribers')).status).toBe(403)
    const { body, headers } = await staff.get<Subscriber[]>('/api/networks/subscribers?q=ZOE&state=active')
    expect(headers.get('x-total-count')).toBe('1')
    expect(body).toMatchObject([
      {
        email: 'zoe@example.com',
        consent: { address: '192.0.2.1', text: expect.stringContaining('J’accepte') as string },
      },
    ])
    const address = `/api/networks/subscribers/${body[0]?.id_subscriber}`
    expect((await reader.delete(address)).status).toBe(403)
    expect((await staff.delete(address)).status).toBe(204)
    expect((await staff.delete(address)).status).toBe(404)
    const [entry] = await product.db.select().from(auditLog).where(eq(auditLog.action, 'remove subscriber'))
    expect(entry?.entryId).toMatch(/^subscriber\/\d+$/)
    expect(JSON.stringify(entry)).not.toContain('zoe')
  })

  test('a person’s data holds the consent, is erased, and ends by its periods', async () => {
    await join('zoe@example.com')
    const [found] = await subscriberData.find(product.db, 'zoe@example.com')
    expect(found?.fields).toMatchObject({ consent_address: '192.0.2.1', state: 'active' })
    expect(await subscriberData.erase?.(product.db, 'zoe@example.com')).toBe(1)
    await join('partie@example.com')
    await leave(product.db, await tokenFor('partie@example.com'))
    await subscribe(product.app, subscriptionOf('attente@example.com'), '192.0.2.1')
    await join('reste@example.com')
    const { purge } = subscriberData.retention ?? {}
    expect(await purge?.(product.db, new Date(Date.now() - hourMs), 10)).toBe(0)
    await product.db
      .update(subscribers)
      .set({ linkSentAt: new Date(Date.now() - 49 * hourMs) })
      .where(eq(subscribers.email, 'attente@example.com'))
    expect(await purge?.(product.db, new Date(Date.now() + hourMs), 10)).toBe(2)
    expect((await product.db.select().from(subscribers)).map(({ email }) => email)).toEqual(['reste@example.com'])
    expect(await product.db.select().from(mailingRecipients)).toEqual([])
  })
})
