import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { revealSecret, secretMarker } from '#src/server/background/mail-secrets.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { mailingRecipients, mailings, subscribers } from './server/subscriber-table.ts'
import { confirm, leave, subscribe, subscriberData } from './server/subscriptions.ts'
import { subscribeByForm } from './server/subscriber-routes.ts'
import { company } from '#company/company.ts'
import type { Subscriber, SubscriberCounts } from './subscription.ts'
import { subscriptionTexts } from './subscription-texts.ts'
import { startWithSubscribers, subscriptionOf } from './testing.ts'

const hourMs = 3_600_000

const product = startWithSubscribers()

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
    const row = await product.findRow('zoe@example.com')
    expect(row).toMatchObject({
      state: 'pending',
      language: 'en',
      networks: null,
      topics: ['outages', 'maintenance'],
      consentText: expect.stringContaining('I agree that Guichet') as string,
      consentAddress: '127.0.0.1',
    })
    const [mail, ...rest] = await product.mailsTo('zoe@example.com')
    expect(rest).toEqual([])
    expect(mail?.subject).toBe('Confirm your network status subscription')
    // The database stores the link encrypted.
    const token = await product.tokenFor('zoe@example.com')
    expect(mail?.body).toContain(`/reseau/abonnement/${secretMarker}?lang=en`)
    expect(JSON.stringify(mail)).not.toContain(token)
    expect(revealSecret(product.db, mail as NonNullable<typeof mail>).body).toContain(
      `${product.origin}/reseau/abonnement/${token}`,
    )
    for (let time = 0; time < 2; time += 1) {
      const answer = await post(`/reseau/abonnement/${token}`, 'action=confirm&lang=en')
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/reseau/abonnement/${token}?etat=confirme&lang=en`])
    }
    expect(await product.findRow('zoe@example.com')).toMatchObject({ state: 'active' })
  })

  test('ten thousand times with one address is one mail a day, and changes nothing of a subscription that there is', async () => {
    const now = new Date()
    for (let time = 0; time < 50; time += 1) await subscribe(product.app, subscriptionOf('luc@example.com'), '192.0.2.2', now)
    expect(await product.mailsTo('luc@example.com')).toHaveLength(1)
    await confirm(product.db, await product.tokenFor('luc@example.com'))
    const stranger = subscriptionOf('LUC@example.com', { language: 'en', topics: ['news'], networks: [product.network] })
    await subscribe(product.app, stranger, '192.0.2.9', new Date(now.getTime() + hourMs))
    expect(await product.mailsTo('luc@example.com')).toHaveLength(1)
    await subscribe(product.app, stranger, '192.0.2.9', new Date(now.getTime() + 25 * hourMs))
    const [, reminder, ...rest] = await product.mailsTo('luc@example.com')
    expect(rest).toEqual([])
    expect(reminder?.subject).toBe('Votre abonnement à l’état du réseau')
    expect(await product.findRow('luc@example.com')).toMatchObject({
      state: 'active',
      language: 'fr',
      networks: null,
      email: 'luc@example.com',
    })
  })

  test('stores the sentence of consent as the page showed it, whatever the language of the notices', async () => {
    const form = new FormData()
    const fields = { email: 'both@example.com', language: 'en', topics: 'outages', consent: '1' }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    expect(await subscribeByForm(product.app, form, { address: '192.0.2.3', language: 'fr' })).toEqual({ isStored: true })
    expect(await product.findRow('both@example.com')).toMatchObject({
      language: 'en',
      consentText: subscriptionTexts.fr.consent.replace('{company}', company.legalName),
    })
  })

  test('a confirmation that is older than 48 hours confirms nothing; subscribing again does', async () => {
    await subscribe(product.app, subscriptionOf('ana@example.com'), '192.0.2.3')
    const token = await product.tokenFor('ana@example.com')
    const later = new Date(Date.now() + 49 * hourMs)
    expect((await confirm(product.db, token, later)).state).toBe('pending')
    await subscribe(product.app, subscriptionOf('ana@example.com', { language: 'en' }), '192.0.2.3', later)
    const renewed = await product.tokenFor('ana@example.com')
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

  test('of networks that were deleted meanwhile is not one to all of them', async () => {
    const visitor = await product.client()
    const input = { email: 'eva@example.com', language: 'fr' }
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...input, topics: 'outages', consent: '1' })) form.append(name, value)
    const send = async (network: string) => {
      form.set('networks', network)
      return subscribeByForm(product.app, form, { address: '192.0.2.5', language: 'fr' })
    }
    for (const network of ['999999', 'quebec'])
      expect(await send(network)).toMatchObject({
        isStored: false,
        status: 400,
        html: expect.stringContaining('n’existent plus') as string,
      })
    expect(await product.db.select().from(subscribers)).toEqual([])
    const subscribeTo = (email: string, ...networks: number[]) =>
      visitor.post('/public_api/networks/subscribers', { ...input, email, networks })
    expect((await subscribeTo('eva@example.com', 999_999, product.other)).status).toBe(202)
    expect((await product.findRow('eva@example.com')).networks).toEqual([product.other])
    expect((await subscribeTo('noe@example.com', 999_999)).status).toBe(202)
    expect((await product.findRow('noe@example.com')).networks).toEqual([999_999])
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
    const fields = { email: 'pia@example.com', language: 'en', topics: 'outages', networks: String(product.other) }
    const refused = await send(fields)
    expect(refused).toMatchObject({ isStored: false, status: 400 })
    const html = refused.isStored ? '' : refused.html
    expect(html).toContain('value="pia@example.com"')
    expect(html).toContain('role="alert"')
    expect(html).toContain(`value="${product.other}" checked`)
    // Never ticked in advance.
    expect(html).toMatch(/name="consent" value="1" required aria-invalid="false">/)
    expect(await send({ ...fields, consent: '1', email: '<b>"' })).toMatchObject({
      status: 400,
      html: expect.stringContaining('value="&lt;b&gt;&quot;"') as string,
    })
    expect(await send({ ...fields, consent: '1', email: '"a@evil x"@example.com' })).toMatchObject({ status: 400 })
    expect(await send({ ...fields, consent: '1' })).toEqual({ isStored: true })
    expect(await product.findRow('pia@example.com')).toMatchObject({
      language: 'en',
      networks: [product.other],
      topics: ['outages'],
    })
  })
})

describe('leaving', () => {
  test('is one POST that mail programs send, from any origin, and an unknown secret is a 404', async () => {
    await product.join('zoe@example.com')
    const token = await product.tokenFor('zoe@example.com')
    const oneClick = await post(`/reseau/abonnement/${token}/quitter`, 'List-Unsubscribe=One-Click', {
      origin: 'https://mail.example',
    })
    expect(oneClick.status).toBe(200)
    expect(await product.findRow('zoe@example.com')).toMatchObject({ state: 'left', leftAt: expect.any(Date) as Date })
    expect((await post(`/reseau/abonnement/${token}/quitter`)).status).toBe(200)
    for (const address of ['x', 'x'.repeat(22), `${token}x`]) {
      expect((await post(`/reseau/abonnement/${address}/quitter`)).status).toBe(404)
      expect((await post(`/reseau/abonnement/${address}`, 'action=leave')).status).toBe(404)
    }
    // A link that is opened by a scanner leaves nothing.
    await product.join('luc@example.com')
    const link = `${product.origin}/reseau/abonnement/${await product.tokenFor('luc@example.com')}/quitter`
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(302)
    expect(await product.findRow('luc@example.com')).toMatchObject({ state: 'active' })
  })

  test('ends the links of then when somebody subscribes again', async () => {
    await product.join('zoe@example.com')
    const token = await product.tokenFor('zoe@example.com')
    await leave(product.db, token)
    await subscribe(product.app, subscriptionOf('zoe@example.com'), '192.0.2.7')
    expect(await product.findRow('zoe@example.com')).toMatchObject({ state: 'pending', consentAddress: '192.0.2.7' })
    expect((await post(`/reseau/abonnement/${token}`, 'action=confirm')).status).toBe(404)
  })

  test('choices are changed on the page', async () => {
    await product.join('zoe@example.com')
    const token = await product.tokenFor('zoe@example.com')
    const choices = `action=save&language=en&topics=maintenance&topics=news&networks=${product.network}`
    const saved = await post(`/reseau/abonnement/${token}`, choices)
    expect(saved.headers.get('location')).toBe(`/reseau/abonnement/${token}?etat=sauve`)
    // The page says what checking the news means.
    expect(await product.findRow('zoe@example.com')).toMatchObject({
      language: 'en',
      networks: [product.network],
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
    expect(page.body.html).toMatch(/value="news" checked><span>Company news/)
  })

  test('choices of networks that were deleted are not all networks, and their page says so', async () => {
    await product.join('leo@example.com', { networks: [product.other] })
    const token = await product.tokenFor('leo@example.com')
    const save = async (networks: string) =>
      (await post(`/reseau/abonnement/${token}`, `action=save&language=fr&topics=outages${networks}`)).headers.get('location')
    expect(await save('&networks=999999')).toContain('etat=reseaux')
    expect((await product.findRow('leo@example.com')).networks).toEqual([product.other])
    await product.db
      .update(subscribers)
      .set({ networks: [999_999] })
      .where(eq(subscribers.email, 'leo@example.com'))
    const visitor = await product.client()
    const page = await visitor.post<{ html: string }>('/public_api/networks/subscription', { token, lang: 'fr', done: null })
    expect(page.body.html).toContain('Les réseaux choisis n’existent plus.')
    expect(await save('')).toContain('etat=sauve')
    expect((await product.findRow('leo@example.com')).networks).toBeNull()
  })

  test('news are asked for with a consent that names them, and taken back on the page of the subscription', async () => {
    const visitor = await product.client()
    const asked = { email: 'ana@example.com', language: 'en', topics: ['outages', 'news'] }
    expect((await visitor.post('/public_api/networks/subscribers', asked)).status).toBe(202)
    expect((await product.findRow('ana@example.com')).consentText).toContain('network status notices and its news')
    const [mail] = await product.mailsTo('ana@example.com')
    expect(mail?.body).toContain('network status notices and news from')
    const token = await product.tokenFor('ana@example.com')
    await confirm(product.db, token)
    const read = () =>
      visitor
        .post<{ html: string }>('/public_api/networks/subscription', { token, lang: 'en', done: null })
        .then(({ body }) => body.html)
    expect(await read()).toMatch(/value="news" checked/)
    expect(await read()).toContain('By checking the news, you agree that')
    await post(`/reseau/abonnement/${token}`, 'action=save&language=en&topics=outages')
    expect((await product.findRow('ana@example.com')).topics).toEqual(['outages'])
    expect(await read()).not.toMatch(/value="news" checked/)
  })
})

describe('staff', () => {
  test('sees addresses, consent and counts by right, and removes without leaving the address in the audit log', async () => {
    await product.join('zoe@example.com')
    await subscribe(product.app, subscriptionOf('luc@example.com', { language: 'en' }), '192.0.2.1')
    const reader = await product.signIn({ networks: 'read_only' })
    const counts = await reader.get<SubscriberCounts>('/api/networks/subscribers/counts')
    expect(counts.body).toMatchObject({ active: { fr: 1, en: 0 }, pending: 1, paused: 0, left: 0 })
    expect((await reader.get('/api/networks/subscribers')).status).toBe(403)
    const { body, headers } = await product.staff.get<Subscriber[]>('/api/networks/subscribers?q=ZOE&state=active')
    expect(headers.get('x-total-count')).toBe('1')
    expect(body).toMatchObject([
      {
        email: 'zoe@example.com',
        consent: { address: '192.0.2.1', text: expect.stringContaining('J’accepte') as string },
      },
    ])
    const address = `/api/networks/subscribers/${body[0]?.id_subscriber}`
    expect((await reader.delete(address)).status).toBe(403)
    expect((await product.staff.delete(address)).status).toBe(204)
    expect((await product.staff.delete(address)).status).toBe(404)
    const [entry] = await readAuditLog(product.db, eq(auditLog.action, 'remove subscriber'))
    expect(entry?.entryId).toMatch(/^subscriber\/\d+$/)
    expect(JSON.stringify(entry)).not.toContain('zoe@')
  })

  test('counts and lists by network, language and topic', async () => {
    await product.join('tous@example.com')
    await product.join('quebec@example.com', { networks: [product.network], topics: ['outages'] })
    await product.join('both@example.com', {
      language: 'en',
      networks: [product.network, product.other],
      topics: ['maintenance'],
    })
    const { body } = await product.staff.get<SubscriberCounts>('/api/networks/subscribers/counts')
    expect(body.networks).toEqual(
      expect.arrayContaining([
        { id_reseau: product.network, fr: 2, en: 1 },
        { id_reseau: product.other, fr: 1, en: 1 },
      ]),
    )
    expect(body.topics).toEqual({ outages: { fr: 2, en: 0 }, maintenance: { fr: 1, en: 1 }, news: { fr: 0, en: 0 } })
    const listed = async (query: string) => {
      const found = await product.staff.get<Subscriber[]>(`/api/networks/subscribers?${query}`)
      return found.body.map(({ email }) => email).toSorted()
    }
    expect(await listed(`network=${product.other}`)).toEqual(['both@example.com', 'tous@example.com'])
    expect(await listed('topic=outages')).toEqual(['quebec@example.com', 'tous@example.com'])
    expect(await listed(`language=en&network=${product.network}`)).toEqual(['both@example.com'])
    expect(await listed('q=%25')).toEqual([])
  })

  test('corrects an address, which its owner confirms; what waits for the former one does not leave', async () => {
    await product.join('zoe@exemple.com')
    await product.join('luc@example.com')
    const { id, consentAt } = await product.findRow('zoe@exemple.com')
    const former = await product.tokenFor('zoe@exemple.com')
    const address = `/api/networks/subscribers/${id}`
    const correct = (email: string) => product.staff.put(address, { email, reason: 'Faute de frappe, dite au téléphone' })
    expect((await correct('LUC@example.com')).status).toBe(409)
    expect((await product.staff.put(address, { email: 'zoe@example.com' })).status).toBe(400)
    await product.db.insert(mailings).values({ key: 'update/1' })
    const [waiting] = await product.db
      .insert(mails)
      .values({ messageId: '<1@test>', recipient: 'zoe@exemple.com', subject: 'Panne', body: '' })
      .returning()
    await product.db.insert(mailingRecipients).values({ mailing: 'update/1', subscriberId: id, mailId: waiting?.id ?? 0 })
    const corrected = await correct('zoe@example.com')
    expect(corrected).toMatchObject({ status: 200, body: { email: 'zoe@example.com', state: 'pending' } })
    expect(await product.mailsTo('zoe@exemple.com')).toEqual([])
    const [confirmation, ...rest] = await product.mailsTo('zoe@example.com')
    expect([confirmation?.subject, rest]).toEqual(['Confirmez votre abonnement à l’état du réseau', []])
    expect((await post(`/reseau/abonnement/${former}`, 'action=confirm')).status).toBe(404)
    await confirm(product.db, await product.tokenFor('zoe@example.com'))
    expect(await product.findRow('zoe@example.com')).toMatchObject({ state: 'active', consentAt })
    const [entry] = await readAuditLog(product.db, eq(auditLog.action, 'correct subscriber'))
    expect(entry).toMatchObject({
      before: { email: 'zoe@exemple.com' },
      after: { email: 'zoe@example.com', reason: 'Faute de frappe, dite au téléphone' },
    })
    // The values end with the subscription.
    expect((await product.staff.delete(address)).status).toBe(204)
    expect(await readAuditLog(product.db, eq(auditLog.action, 'correct subscriber'))).toMatchObject([{ isErased: true }])
  })

  test('pauses and resumes, and the page of the subscription blames no mail server for it', async () => {
    await product.join('zoe@example.com')
    const { id } = await product.findRow('zoe@example.com')
    const token = await product.tokenFor('zoe@example.com')
    const reader = await product.signIn({ networks: 'read_only' })
    expect((await reader.post(`/api/networks/subscribers/${id}/pause`, {})).status).toBe(403)
    const paused = await product.staff.post(`/api/networks/subscribers/${id}/pause`, {})
    expect(paused.body).toMatchObject({ state: 'paused', bounces: 0 })
    const visitor = await product.client()
    const page = await visitor.post<{ html: string }>('/public_api/networks/subscription', { token, lang: 'fr', done: null })
    expect(page.body.html).toContain('Les envois à zoe@example.com sont suspendus.')
    expect(page.body.html).not.toContain('refusés')
    expect((await product.staff.get('/api/networks/subscribers/audience')).body).toEqual({ fr: 0, en: 0 })
    const resumed = await product.staff.post(`/api/networks/subscribers/${id}/resume`, {})
    expect(resumed.body).toMatchObject({ state: 'active' })
  })

  test('a person’s data holds the consent, is erased, and ends by its periods', async () => {
    await product.join('zoe@example.com')
    const [found] = await subscriberData.find(product.db, 'zoe@example.com')
    expect(found?.fields).toMatchObject({ consent_address: '192.0.2.1', subscription_state: 'active' })
    expect(await subscriberData.erase?.(product.db, 'zoe@example.com')).toBe(1)
    await product.join('partie@example.com')
    await leave(product.db, await product.tokenFor('partie@example.com'))
    await subscribe(product.app, subscriptionOf('attente@example.com'), '192.0.2.1')
    await product.join('reste@example.com')
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
