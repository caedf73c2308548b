import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { revealSecret } from '#src/server/background/mail-secrets.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { Network, StaffIncident } from './contract.ts'
import { mailUpdate, sendDueNotices } from './server/mailings.ts'
import { subscribers } from './server/subscriber-table.ts'
import { confirm, leave, subscribe, tokenOf } from './server/subscriptions.ts'
import { incidentUpdates } from './server/table.ts'
import { startWithSubscribers, subscriptionOf } from './testing.ts'

const incidentPath = '/api/networks/incidents'
const hourMs = 3_600_000

const product = startWithSubscribers()

describe('the mails of an outage', () => {
  const declare = async (more: object = {}) => {
    const answer = await product.staff.post<StaffIncident>(incidentPath, {
      title: 'Coupures brèves',
      title_en: 'Short drops',
      severity: 'WARNING',
      elements: [{ id_reseau: product.network, nom: 'Téléphonie' }],
      text: 'Des appels coupent <b>parfois</b>.',
      text_en: 'Calls drop.',
      meanwhile: 'Le renvoi vers un cellulaire fonctionne.',
      meanwhile_en: 'Forwarding to a cell phone works.',
      mails: true,
      ...more,
    })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const inAMinute = () => new Date(Date.now() + 60_001)
  const updateOf = async ({ id_incident }: StaffIncident) => {
    const rows = await product.db
      .select()
      .from(incidentUpdates)
      .where(eq(incidentUpdates.incidentId, id_incident))
      .orderBy(asc(incidentUpdates.id))
    return rows.at(-1)?.id ?? 0
  }

  test('go once to each reader in their language, after the minute, with what to do and one click to leave', async () => {
    await product.join('fr@example.com')
    await product.join('en@example.com', { language: 'en', networks: [product.network] })
    await product.join('ailleurs@example.com', { networks: [product.other] })
    await product.join('entretiens@example.com', { topics: ['maintenance'] })
    await subscribe(product.app, subscriptionOf('attente@example.com'), '192.0.2.1')
    await product.join('parti@example.com')
    await leave(product.db, await product.tokenFor('parti@example.com'))
    await product.db.delete(mails)
    const count = await product.staff.get(`/api/networks/subscribers/audience?networks=${product.network}`)
    expect(count.body).toEqual({ fr: 1, en: 1 })

    const incident = await declare()
    await sendDueNotices(product.app)
    expect(await product.db.select().from(mails)).toEqual([])
    await Promise.all([sendDueNotices(product.app, inAMinute()), mailUpdate(product.app, await updateOf(incident), inAMinute())])
    await sendDueNotices(product.app, inAMinute())
    const sent = await product.db.select().from(mails).orderBy(asc(mails.recipient))
    expect(sent.map(({ recipient }) => recipient)).toEqual(['en@example.com', 'fr@example.com'])
    const [english, french] = sent
    expect(french?.subject.replaceAll(/\s/g, ' ')).toBe('[Panne] Téléphonie (Québec) : service dégradé')
    expect(english?.subject).toBe('[Outage] Telephony (Québec): degraded')
    expect(french?.body).toContain('En attendant\u00a0: Le renvoi vers un cellulaire fonctionne.')
    expect(english?.body).toContain('Meanwhile: Forwarding to a cell phone works.')
    expect(french?.html).toContain('&lt;b&gt;parfois&lt;/b&gt;')
    expect(english?.body).toContain(`/reseau/incident/${incident.id_incident}?lang=en`)
    const token = await product.tokenFor('en@example.com')
    const revealed = revealSecret(product.db, english as NonNullable<typeof english>)
    expect(revealed.unsubscribe).toBe(`${product.origin}/reseau/abonnement/${token}/quitter`)
    expect(revealed.body).toContain(`${product.origin}/reseau/abonnement/${token}?lang=en`)

    const path = `${incidentPath}/${incident.id_incident}/updates`
    await product.staff.post(path, { phase: 'resolved', text: 'C’est réparé.', text_en: 'It is repaired.' })
    await sendDueNotices(product.app, inAMinute())
    const [, resolved] = await product.mailsTo('fr@example.com')
    expect(resolved?.subject).toBe('[Résolue] Téléphonie (Québec)')
    expect(resolved?.body).toContain('Durée de la panne')
    expect(resolved?.body).not.toContain('En attendant')
    expect(resolved?.body).toContain('Si le problème persiste')
  })

  test('are in one language: advice that has no English is left out of the English ones', async () => {
    await product.join('fr@example.com')
    await product.join('en@example.com', { language: 'en' })
    await declare({ meanwhile_en: '' })
    await sendDueNotices(product.app, inAMinute())
    const [english] = await product.mailsTo('en@example.com')
    expect(english?.body).not.toContain('cellulaire')
    expect(english?.body).toContain('No need to open a request')
    expect((await product.mailsTo('fr@example.com'))[0]?.body).toContain('cellulaire')
  })

  test('do not leave when it is undone, at the first or a later step', async () => {
    await product.join('fr@example.com')
    const incident = await declare()
    await product.staff.post(`${incidentPath}/${incident.id_incident}/undo`, {})
    await sendDueNotices(product.app, inAMinute())
    expect(await product.mailsTo('fr@example.com')).toEqual([])
    const places = { banner: false, note: false, mails: false }
    await product.staff.post(`${incidentPath}/${incident.id_incident}/publish`, places)
    await product.staff.post(`${incidentPath}/${incident.id_incident}/updates`, {
      phase: 'identified',
      text: 'Trouvé',
      text_en: 'Found',
    })
    await product.staff.post(`${incidentPath}/${incident.id_incident}/undo`, {})
    await sendDueNotices(product.app, inAMinute())
    expect(await product.mailsTo('fr@example.com')).toEqual([])
  })

  test('are finished by the next run where a run was interrupted, and nobody gets two', async () => {
    for (let number = 0; number < 120; number += 1) await product.join(`n${number}@example.com`)
    const incident = await declare()
    const { enqueueBulk } = product.app.mailer
    let batches = 0
    product.app.mailer.enqueueBulk = async (...args) => {
      batches += 1
      if (batches === 2) throw new Error('interrupted')
      return enqueueBulk(...args)
    }
    await expect(mailUpdate(product.app, await updateOf(incident), inAMinute())).rejects.toThrow('interrupted')
    product.app.mailer.enqueueBulk = enqueueBulk
    const half = await product.db.select().from(mails)
    expect(half.length).toBe(50)
    await sendDueNotices(product.app, inAMinute())
    const sent = await product.db.select().from(mails)
    expect(new Set(sent.map(({ recipient }) => recipient)).size).toBe(120)
    expect(sent).toHaveLength(120)
  })

  test('that are a day late are not sent', async () => {
    await product.join('fr@example.com')
    const incident = await declare()
    await sendDueNotices(product.app, new Date(Date.now() + 25 * hourMs))
    expect(await product.mailsTo('fr@example.com')).toEqual([])
    await sendDueNotices(product.app, inAMinute())
    expect(await product.mailsTo('fr@example.com')).toEqual([])
    expect(incident.draft).toBe(false)
  })

  test('that bounce three times pause the address, and staff resumes it', async () => {
    await product.join('fr@example.com')
    const incident = await declare()
    const path = `${incidentPath}/${incident.id_incident}/updates`
    for (let time = 0; time < 3; time += 1) {
      await product.staff.post(path, { phase: 'identified', text: `Étape ${time}`, text_en: `Step ${time}` })
      await sendDueNotices(product.app, inAMinute())
      const ids = (await product.mailsTo('fr@example.com')).map(({ messageId }) => messageId)
      const note = () => product.db.transaction((tx) => product.app.mailer.noteBounce(tx, ids.slice(-1), '550 unknown user'))
      expect(await note()).toBe(1)
      // The same bounce twice counts once.
      expect(await note()).toBe(0)
    }
    expect(await product.findRow('fr@example.com')).toMatchObject({
      state: 'paused',
      bounces: 3,
      bounceReason: '550 unknown user',
    })
    expect(await product.db.transaction((tx) => product.app.mailer.noteBounce(tx, ['<x@y>'], ''))).toBe(0)
    const { id } = await product.findRow('fr@example.com')
    expect((await product.staff.get('/api/networks/subscribers/audience')).body).toEqual({ fr: 0, en: 0 })
    expect((await product.staff.post(`/api/networks/subscribers/${id}/resume`, {})).body).toMatchObject({
      state: 'active',
      bounces: 0,
    })
  })
})

describe('maintenance', () => {
  const announce = async (startsIn: number, more: object = {}) =>
    (
      await product.staff.put<{ id_update: number }>('/api/updates/alert', {
        next_update: new Date(Date.now() + startsIn).toISOString(),
        duration_minutes: 90,
        public: true,
        message: 'Remplacement d’un onduleur.',
        message_en: 'Replacement of a UPS.',
        elements: [{ id_reseau: product.network, nom: 'Téléphonie' }],
        ...more,
      })
    ).body.id_update
  beforeEach(() => product.db.execute(sql`delete from update_windows`))

  const subjects = async (email: string) => (await product.mailsTo(email)).map(({ subject }) => subject.replace(/\].*/, ']'))
  const run = (inMs = 0) => sendDueNotices(product.app, new Date(Date.now() + inMs))

  test('reminds a day and an hour before, once each, of the networks and topics that were chosen', async () => {
    await product.join('fr@example.com')
    await product.join('en@example.com', { language: 'en', topics: ['maintenance'] })
    await product.join('ailleurs@example.com', { networks: [product.other] })
    await product.join('pannes@example.com', { topics: ['outages'] })
    await announce(30 * hourMs)
    await run()
    expect(await subjects('fr@example.com')).toEqual([])
    for (const at of [6.1, 6.2, 20, 29.1, 29.5]) await run(at * hourMs)
    expect(await subjects('fr@example.com')).toEqual(['[Entretien]', '[Entretien]'])
    expect(await subjects('en@example.com')).toEqual(['[Maintenance]', '[Maintenance]'])
    expect(await subjects('ailleurs@example.com')).toEqual([])
    expect(await subjects('pannes@example.com')).toEqual([])
    const [mail] = await product.mailsTo('en@example.com')
    expect(mail?.body).toContain('Replacement of a UPS.')
    expect(mail?.body).toContain(`${product.origin}/reseau/calendar.ics`)
    await run(31 * hourMs)
    expect(await subjects('fr@example.com')).toHaveLength(2)
  })

  test('that is moved or canceled after a reminder is announced anew, at once', async () => {
    await product.join('fr@example.com')
    await announce(20 * hourMs)
    await run()
    await announce(80 * hourMs)
    await run()
    await run()
    expect(await subjects('fr@example.com')).toEqual(['[Entretien]', '[Entretien déplacé]'])
    await product.staff.delete('/api/updates/alert')
    await run()
    await run()
    expect(await subjects('fr@example.com')).toEqual(['[Entretien]', '[Entretien déplacé]', '[Entretien annulé]'])
    await announce(40 * hourMs)
    await product.staff.delete('/api/updates/alert')
    await run()
    expect(await subjects('fr@example.com')).toHaveLength(3)
  })

  test('whose message has no English is announced in English with the standard text', async () => {
    await product.join('en@example.com', { language: 'en' })
    await announce(20 * hourMs, { message_en: '' })
    await run()
    const [mail] = await product.mailsTo('en@example.com')
    expect(mail?.body).toContain('Our services may be interrupted for a few minutes.')
    expect(mail?.body).not.toContain('onduleur')
  })

  test('that is for the staff alone reminds nobody', async () => {
    await product.join('fr@example.com')
    await announce(20 * hourMs, { public: false })
    await run()
    expect(await subjects('fr@example.com')).toEqual([])
  })
})

test('by SMTP: the mail carries its link and the headers of one click, and a refused address counts as a bounce', async () => {
  const smtp = await startTestSmtp()
  const own = await startTestApp({ environment: { SMTP_URL: smtp.url }, queue: true })
  try {
    await subscribe(own.app, subscriptionOf('zoe@example.com'), '192.0.2.1')
    await expect.poll(() => smtp.received.length, { timeout: 60_000 }).toBe(1)
    const [row] = await own.db.select().from(subscribers)
    const token = tokenOf(own.db, row as NonNullable<typeof row>)
    expect(smtp.received[0]?.text).toContain(`${own.origin}/reseau/abonnement/${token}`)
    await confirm(own.db, token)
    smtp.setMood(550)
    const client = await own.signIn()
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }])
    const created = await client.post<Network>('/api/networks/reseau', { nom: 'Est', status: 'ONLINE', details })
    const declared = await client.post<StaffIncident>(incidentPath, {
      title: 'Coupure',
      title_en: 'Cut',
      severity: 'ERROR',
      elements: [{ id_reseau: created.body.id_reseau, nom: 'Fibre' }],
      text: 'Texte',
      text_en: 'Text',
      mails: true,
    })
    expect(declared.status).toBe(201)
    await sendDueNotices(own.app, new Date(Date.now() + 60_001))
    const bounces = async () => (await own.db.select().from(subscribers))[0]?.bounces
    await expect.poll(bounces, { timeout: 60_000 }).toBe(1)
    smtp.setMood('accept')
    const path = `${incidentPath}/${declared.body.id_incident}/updates`
    await client.post(path, { phase: 'resolved', text: 'Réparé', text_en: 'Repaired' })
    await sendDueNotices(own.app, new Date(Date.now() + 60_001))
    await expect.poll(() => smtp.received.length, { timeout: 60_000 }).toBe(2)
    const headers = Object.fromEntries((smtp.received[1]?.headers ?? []).map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({
      'list-unsubscribe': `<${own.origin}/reseau/abonnement/${token}/quitter>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    })
    // The secret of a mail that was sent is not stored; the state is written after the server took the mail.
    const secrets = async () => {
      const sent = await own.db.select().from(mails).where(eq(mails.state, 'sent'))
      return sent.map(({ secret }) => secret)
    }
    await expect.poll(secrets, { timeout: 60_000 }).toEqual([null, null])
  } finally {
    await own.stop()
    await smtp.stop()
  }
})
