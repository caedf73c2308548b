import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '#src/features/people/server/table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { revealSecret } from '#src/server/background/mail-secrets.ts'
import { choose, confirm, leave } from '../server/subscriptions.ts'
import { forgetMailings, oldestMailing } from '../server/mailings.ts'
import { startWithSubscribers } from '../testing.ts'
import { undoMs } from '../values.ts'
import type { Announcement } from './contract.ts'
import { keepCounts, mailAnnouncement, sendDueAnnouncements } from './server/service.ts'
import { announcements } from './server/table.ts'

const path = '/api/announcements'
const product = startWithSubscribers()
beforeEach(() => product.db.delete(announcements))

const texts = {
  subject: 'Nouveau bureau',
  subject_en: 'New office',
  text: '<p>Nous ouvrons à <strong>Lévis</strong>.</p><ul><li><p>Lundi</p></li><li><p>Mardi</p></li></ul><p><a href="/contact">Nous joindre</a></p>',
  text_en: '<p>We open in Lévis.</p>',
}
type Refused = { reason: string; current: Announcement; errors: { path: string; message: string }[] }
const send = (more: object = {}) => product.staff.post<Announcement & Refused>(path, { ...texts, ...more })
const afterUndo = () => new Date(Date.now() + undoMs + 1_000)
const find = async (id: number) =>
  (await product.staff.get<Announcement[]>(path)).body.find((one) => one.id_announcement === id) as Announcement
/** As if the minute were over. */
const passMinute = () => product.db.update(announcements).set({ mailsAt: sql`now() - interval '1 second'` })

async function joinNews() {
  await product.join('fr@example.com', { topics: ['news'], networks: [product.other] })
  await product.join('en@example.com', { topics: ['outages', 'news'], language: 'en' })
  await product.join('pannes@example.com')
}

describe('an announcement', () => {
  test('waits for a minute, goes once to those who asked for news, in their language, and says how many', async () => {
    await joinNews()
    expect((await product.staff.get(`${path}/audience`)).body).toEqual({ fr: 1, en: 1 })
    const sent = await send()
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ state: 'waiting', to: 2, sent: 0, author: expect.any(String) as string })
    const id = sent.body.id_announcement
    await sendDueAnnouncements(product.app)
    expect(await product.mailsTo('fr@example.com')).toEqual([])

    await Promise.all([sendDueAnnouncements(product.app, afterUndo()), mailAnnouncement(product.app, id, afterUndo())])
    await sendDueAnnouncements(product.app, afterUndo())
    const [french, ...more] = await product.mailsTo('fr@example.com')
    expect(more).toEqual([])
    if (!french) throw new Error('nothing was sent')
    const { body, html } = revealSecret(product.db, french)
    expect(french.subject).toBe('Nouveau bureau')
    expect(body).toContain('Nous ouvrons à Lévis.\n\n- Lundi\n- Mardi\n\nNous joindre (')
    expect(body).toContain(`${product.origin}/contact`)
    expect(html).toContain(`<a href="${product.origin}/contact"`)
    const token = await product.tokenFor('fr@example.com')
    expect(body).toContain(`${product.origin}/reseau/abonnement/${token}`)
    expect(french.headers.unsubscribe).toContain('/quitter')
    const [english] = await product.mailsTo('en@example.com')
    expect(english?.subject).toBe('New office')
    expect(await product.mailsTo('pannes@example.com')).toEqual([])

    await passMinute()
    expect(await find(id)).toMatchObject({ state: 'sending', to: 2, sent: 0 })
    await product.db.update(mails).set({ state: 'sent' })
    expect(await find(id)).toMatchObject({ state: 'sent', to: 2, sent: 2, bounced: 0, left: 0 })
  })

  test('is counted as it comes back and as readers leave, also after who got it is forgotten', async () => {
    await joinNews()
    const id = (await send()).body.id_announcement
    await passMinute()
    await sendDueAnnouncements(product.app)
    const [mail] = await product.mailsTo('en@example.com')
    await product.db.transaction((tx) => product.app.mailer.noteBounce(tx, [mail?.messageId ?? ''], '550 unknown user'))
    await leave(product.db, await product.tokenFor('fr@example.com'))
    await product.db.update(mails).set({ state: 'sent' })
    const counts = { to: 2, sent: 2, bounced: 1, left: 1 }
    expect(await find(id)).toMatchObject(counts)
    // Whoever takes back the news alone left them too.
    const token = await product.tokenFor('en@example.com')
    await choose(
      product.db,
      token,
      { language: 'en', networks: null, topics: ['outages'] },
      { address: '192.0.2.9', language: 'en' },
    )
    expect(await find(id)).toMatchObject({ left: 2 })
    // The next announcement was not what they left for.
    const later = new Date(Date.now() + 91 * 86_400_000)
    await keepCounts(product.db, oldestMailing(later))
    await forgetMailings(product.db, later)
    expect(await find(id)).toMatchObject({ ...counts, left: 2, state: 'sent' })
  })

  test('is undone within its minute, and not later', async () => {
    await joinNews()
    const id = (await send()).body.id_announcement
    expect((await product.staff.post<Announcement>(`${path}/${id}/undo`, {})).body).toMatchObject({ state: 'undone' })
    await sendDueAnnouncements(product.app, afterUndo())
    expect(await product.mailsTo('fr@example.com')).toEqual([])
    // What was undone can be sent again.
    const again = (await send()).body.id_announcement
    await passMinute()
    const late = await product.staff.post<Refused>(`${path}/${again}/undo`, {})
    expect([late.status, late.body.reason]).toEqual([409, 'too late'])
    await sendDueAnnouncements(product.app)
    expect(await product.mailsTo('fr@example.com')).toHaveLength(1)
    expect((await product.staff.post(`${path}/999999/undo`, {})).status).toBe(404)
  })

  test('sent by two people leaves once: the second is told who was first', async () => {
    await joinNews()
    const colleague = await product.signIn({ company: 'read_write' })
    const [one, other] = await Promise.all([send(), colleague.post<Announcement & Refused>(path, texts)])
    expect([one.status, other.status].toSorted()).toEqual([201, 409])
    const refused = one.status === 409 ? one.body : other.body
    expect(refused).toMatchObject({
      reason: 'sent',
      current: { subject: 'Nouveau bureau', author: expect.any(String) as string },
    })
    await sendDueAnnouncements(product.app, afterUndo())
    expect(await product.mailsTo('fr@example.com')).toHaveLength(1)
  })

  test('of more than a day ago is not sent any more', async () => {
    await joinNews()
    await send()
    await sendDueAnnouncements(product.app, new Date(Date.now() + 25 * 3_600_000))
    expect(await product.mailsTo('fr@example.com')).toEqual([])
  })

  test('as a test goes to its author alone, in both languages, and is not stored', async () => {
    await joinNews()
    const nobody = await product.signIn({ company: 'read_write' })
    await product.db.update(users).set({ email: '' })
    expect((await nobody.post<Refused>(path, { ...texts, test: true })).body.reason).toBe('no address')
    await product.db.update(users).set({ email: 'mireille@example.com' })
    const tested = await send({ test: true })
    expect([tested.status, tested.body]).toEqual([201, { id_announcement: null, to: 'mireille@example.com' }])
    expect((await product.mailsTo('mireille@example.com')).map(({ subject }) => subject)).toEqual([
      'Nouveau bureau',
      'New office',
    ])
    expect((await product.staff.get<Announcement[]>(path)).body).toEqual([])
    expect(await product.mailsTo('fr@example.com')).toEqual([])
  })

  test('with a script, a picture or nothing to read is cleaned or refused by its field', async () => {
    const hostile = await send({
      text: '<p onclick="x()">Bonjour<script>alert(1)</script><img src="https://example.com/p.png"></p>',
    })
    expect(hostile.body.text).toBe('<p>Bonjour</p>')
    for (const [field, value] of [
      ['subject', ''],
      ['subject', 'a\r\nBcc: victim@example.com'],
      ['subject_en', 'x'.repeat(201)],
      ['text', '<p> </p>'],
      ['text_en', '<script>alert(1)</script>'],
      ['text_en', 'x'.repeat(60_000)],
    ] as const) {
      const refused = await send({ [field]: value })
      expect([field, refused.status, refused.body.errors[0]?.path]).toEqual([field, 400, field])
    }
  })

  test('needs the right to change the site, to read and to send', async () => {
    const reader = await product.signIn({ company: 'read_only', networks: 'administrator' })
    expect((await reader.get(path)).status).toBe(403)
    expect((await reader.post(path, texts)).status).toBe(403)
  })
})

describe('the consent to news', () => {
  test('is stored with its words when somebody checks it on the page of their subscription', async () => {
    await product.join('zoe@example.com')
    const token = await product.tokenFor('zoe@example.com')
    const visitor = await product.client()
    const page = await visitor.post<{ html: string }>('/public_api/networks/subscription', { token, lang: 'fr', done: null })
    expect(page.body.html).toContain('En cochant les nouvelles, vous acceptez que')
    await fetch(`${product.origin}/reseau/abonnement/${token}`, {
      method: 'POST',
      body: 'action=save&language=fr&topics=outages&topics=news',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const row = await product.findRow('zoe@example.com')
    expect(row.topics).toEqual(['outages', 'news'])
    // In the words of the page, below those of the first consent with its time and address.
    expect(row.consentText).toMatch(
      /^J’accepte que .* \(\d{4}-\d\d-\d\dT[\d:.]+Z, 192\.0\.2\.1\)\nEn cochant les nouvelles, vous acceptez que Guichet/,
    )
    expect(row.consentAddress).toBe('127.0.0.1')
    const before = row.consentAt
    await choose(
      product.db,
      token,
      { language: 'fr', networks: null, topics: ['news'] },
      { address: '192.0.2.9', language: 'fr' },
    )
    expect((await product.findRow('zoe@example.com')).consentAt).toEqual(before)
    expect((await confirm(product.db, token)).state).toBe('active')
  })

  test('ends with one click', async () => {
    await joinNews()
    const token = await product.tokenFor('fr@example.com')
    await fetch(`${product.origin}/reseau/abonnement/${token}/quitter`, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    await send()
    await sendDueAnnouncements(product.app, afterUndo())
    expect(await product.mailsTo('fr@example.com')).toEqual([])
    expect(await product.db.$count(announcements, eq(announcements.subject, 'Nouveau bureau'))).toBe(1)
  })
})
