import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { followLog } from '#src/server/testing/follow-log.ts'
import { users } from '#src/features/people/server/table.ts'
import type { CustomerPage, RequestDetail, RequestReceipt } from '../contract.ts'
import { networkIncidents } from '../../networks/server/table.ts'
import { createRequest } from './service.ts'
import { requests } from './table.ts'

const publicUrl = 'https://www.company.example.com'
const headers = { origin: publicUrl, 'x-forwarded-proto': 'https' }
let product: TestApp

beforeAll(async () => {
  product = await startTestApp({ environment: { PUBLIC_URL: publicUrl, TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

let customers = 0

/** A request with the token of its page. */
async function store(language: 'fr' | 'en' = 'fr') {
  customers += 1
  const request = {
    kind: 'support',
    name: 'Zoé Lavallée',
    email: `zoe${customers}@client.example.com`,
    subject: 'Imprimante',
  } as const
  const made = await product.db.transaction((tx) =>
    createRequest(tx, product.app, { ...request, message: 'Rien ne sort.', language }),
  )
  const client = await product.signIn({ requests: 'read_write' })
  const { body } = await client.get<RequestDetail>(`/api/requests/requests/${made.id}`)
  const token = /\/suivi\/([\w-]{22})/.exec(body.customer_page ?? '')?.[1] ?? ''
  const read = async () => (await client.get<RequestDetail>(`/api/requests/requests/${made.id}`)).body
  return { ...made, email: request.email, token, client, read }
}

async function look(token: string) {
  const visitor = await product.client()
  return visitor.post<CustomerPage>('/public_api/requests/page', { token }, { headers })
}

let addresses = 0
/** A browser's post of the page; without a script, without a cookie, and with the origin that `no-referrer` leaves. */
async function post(token: string, fields: Record<string, string>, files: File[] = []) {
  addresses += 1
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const file of files) body.append('files', file)
  const response = await fetch(`${product.origin}/suivi/${token}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { origin: 'null', 'x-forwarded-for': `192.0.2.${addresses % 250}`, 'x-forwarded-proto': 'https' },
  })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    referrer: response.headers.get('referrer-policy'),
  }
}

describe('the page of a customer', () => {
  test('is reached from the form that was sent, and shows no internal entry', async () => {
    const visitor = await product.client()
    const call = {
      firstname: 'Ana',
      lastname: 'Roy',
      email: 'ana@client.example.com',
      phone: '418 555-0100',
      subject: 'Panne',
      description: 'Tout est noir.',
    }
    const { body } = await visitor.post<RequestReceipt>('/api/mailer/support', call, { headers })
    expect(body.follow).toMatch(/^\/suivi\/[\w-]{22}$/)
    const [row] = await product.db.select().from(requests).where(eq(requests.reference, body.reference))
    const staff = await product.signIn()
    await staff.put(`/api/requests/requests/${row?.id}`, { status: 'open', id_user: staff.user.id }, { headers })
    const titles = { titre: 'Technicienne réseau', titre_en: 'Network technician' }
    const record = {
      nom: 'Mireille',
      email: 'm@example.com',
      departement: 'TECHNICIENS',
      sousdepartement: 'TECHNICIENS',
      description: 'a',
      description_en: 'a',
      ...titles,
    }
    const { body: employee } = await staff.post<{ id_employe: number }>('/api/employees/employes', record, { headers })
    expect(employee).toMatchObject(titles)
    await product.db.update(users).set({ employeeId: employee.id_employe }).where(eq(users.id, staff.user.id))
    await staff.post(`/api/requests/requests/${row?.id}/comments`, { body: 'Mauvais payeur.' }, { headers })
    const { body: page } = await look(body.follow?.split('/').at(-1) ?? '')
    expect(page).toMatchObject({
      state: 'open',
      reference: body.reference,
      status: 'open',
      assignee: { name: staff.user.displayName, title: 'Technicienne réseau', title_en: 'Network technician' },
      taken_at: expect.any(String) as string,
      entries: [{ kind: 'customer', text: 'Tout est noir.' }],
    })
    expect(JSON.stringify(page)).not.toContain('Mauvais payeur')
  })

  test('takes an answer with files, which opens the request again and is written to the staff', async () => {
    const { id, token, client, read, reference } = await store()
    await client.put(`/api/requests/requests/${id}`, { status: 'done', id_user: client.user.id }, { headers })
    const file = new File(['<script>alert(1)</script>'], '../../évil.html', { type: 'text/html' })
    const fields = { text: 'Encore\r\nen panne.', client_id: crypto.randomUUID(), lang: 'en' }
    const answer = await post(token, fields, [file])
    expect(answer).toMatchObject({ status: 303, referrer: 'no-referrer' })
    expect(answer.location).toBe(`/suivi/${token}?etat=envoye&lang=en#reponse`)
    await post(token, fields, [file])
    const request = await read()
    expect(request).toMatchObject({ status: 'open', done_at: null })
    const written = request.entries.filter(({ channel, kind }) => channel === 'page' && kind === 'customer')
    expect(written).toMatchObject([{ text: 'Encore\nen panne.', files: [{ name: 'évil.html', size: 25 }] }])
    const [mail] = await product.db
      .select()
      .from(mails)
      .where(eq(mails.recipient, client.user.email ?? ''))
    expect(mail?.subject).toContain(reference)
    expect(mail?.body).toContain('en panne.')

    const found = await fetch(`${product.origin}/suivi/${token}/fichiers/${written[0]?.files[0]?.id_file}`)
    expect(found.headers.get('content-type')).toBe('application/octet-stream')
    expect(found.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(found.headers.get('referrer-policy')).toBe('no-referrer')
    const other = await store()
    expect((await fetch(`${product.origin}/suivi/${other.token}/fichiers/${written[0]?.files[0]?.id_file}`)).status).toBe(404)
  })

  test('of a request that was merged by way of another shows the thread, and takes an answer into it', async () => {
    const [first, middle, last] = [await store(), await store(), await store()]
    for (const { id } of [middle, last]) await product.db.update(requests).set({ email: first.email }).where(eq(requests.id, id))
    const all = '/api/requests/requests'
    await first.client.post(`${all}/${first.id}/merge`, { into: middle.id }, { headers })
    await first.client.post(`${all}/${middle.id}/merge`, { into: last.id }, { headers })
    expect((await look(first.token)).body).toMatchObject({ entries: [{}, {}, {}] })
    await post(first.token, { text: 'Autre chose.' })
    expect((await look(first.token)).body).toMatchObject({ entries: [{}, {}, {}, { text: 'Autre chose.' }] })
    expect((await last.read()).entries.at(-1)).toMatchObject({ text: 'Autre chose.' })
  })

  test('of a request that was merged into another customer’s shows what is theirs alone', async () => {
    const [one, other] = [await store(), await store()]
    await post(one.token, { text: 'Avant la fusion.' })
    await one.client.post(`/api/requests/requests/${one.id}/merge`, { into: other.id }, { headers })
    await post(other.token, { text: 'Confidentiel.' })
    await post(one.token, { text: 'Après la fusion.' })
    const { body } = await look(one.token)
    expect(body).toMatchObject({
      reference: one.reference,
      entries: [{ text: 'Rien ne sort.' }, { text: 'Avant la fusion.' }, { text: 'Après la fusion.' }],
    })
    expect((await other.read()).entries.map(({ text }) => text)).toContain('Après la fusion.')
  })

  test('closes the request', async () => {
    const { token, read } = await store()
    expect((await post(token, { action: 'regle' })).location).toContain('etat=regle')
    const request = await read()
    expect(request.status).toBe('done')
    expect(request.entries.at(-1)).toMatchObject({ kind: 'event', author: 'Zoé Lavallée', event: { status: { to: 'done' } } })
  })

  test.each([
    ['nothing', { text: ' \u200b ' }, [], 'vide'],
    ['too long a text', { text: 'a'.repeat(10_001) }, [], 'long'],
    ['too large a file', { text: 'a' }, [new File(['a'.repeat(10_000_001)], 'a.bin')], 'fichiers'],
    ['too many files', { text: 'a' }, Array.from({ length: 11 }, () => new File(['a'], 'a.txt')), 'fichiers'],
  ] as const)('says what is wrong with %s, and stores nothing', async (_name, fields, files, outcome) => {
    const { token, read } = await store()
    expect((await post(token, fields, [...files])).location).toContain(`etat=${outcome}`)
    expect((await read()).entries).toHaveLength(1)
  })

  test('of an unknown token is not found, whatever is asked of it, and takes as long', async () => {
    const { token } = await store()
    const unknown = 'A'.repeat(22)
    expect((await look(unknown)).status).toBe(404)
    expect((await post(unknown, { text: 'a' })).location).toContain('etat=erreur')
    expect((await fetch(`${product.origin}/suivi/${unknown}/fichiers/1`)).status).toBe(404)
    const time = async (one: string) => {
      const startedAt = performance.now()
      await look(one)
      return performance.now() - startedAt
    }
    const [known, none]: [number[], number[]] = [[], []]
    for (let round = 0; round < 15; round += 1) {
      known.push(await time(token))
      none.push(await time(unknown))
    }
    const median = (values: number[]) => values.toSorted((one, other) => one - other)[7] ?? 0
    expect(median(none)).toBeGreaterThan(median(known) / 3)
  })

  test('expires ninety days after the end, and a new link goes to the address of the request', async () => {
    const { id, token, email, client, reference } = await store()
    await client.put(`/api/requests/requests/${id}`, { status: 'done' }, { headers })
    const long = new Date(Date.now() - 91 * 86_400_000)
    await product.db.update(requests).set({ doneAt: long, linkMadeAt: long }).where(eq(requests.id, id))
    expect((await look(token)).body).toEqual({ state: 'expired', reference, language: 'fr' })
    expect((await post(token, { text: 'Encore' })).location).toContain('etat=erreur')
    expect((await post(token, { action: 'lien' })).location).toContain('etat=lien')
    expect((await look(token)).status).toBe(404)
    const sent = await product.db.select().from(mails).where(eq(mails.recipient, email))
    const fresh = /\/suivi\/([\w-]{22})/.exec(sent.find(({ subject }) => subject.includes('Nouveau lien'))?.body ?? '')?.[1]
    expect(fresh).not.toBe(token)
    expect((await look(fresh ?? '')).body).toMatchObject({ state: 'open', reference })
  })

  test.each([
    ['fr', 'a ouvert une nouvelle demande', ''],
    ['en', 'opened a new request', '&lang=en'],
  ] as const)('long after the end, takes a message as another request, and leads there (%s)', async (lang, words, suffix) => {
    const { id, token, email, client, read, reference } = await store(lang)
    await client.put(`/api/requests/requests/${id}`, { status: 'done' }, { headers })
    expect((await look(token)).body).toMatchObject({ reopens: true, continued_by: null })
    // A new link was sent since: the page lives on, and the request stays as it ended.
    const long = new Date(Date.now() - 91 * 86_400_000)
    await product.db.update(requests).set({ doneAt: long, linkMadeAt: new Date() }).where(eq(requests.id, id))
    expect((await look(token)).body).toMatchObject({ reopens: false })

    const fields = { text: 'Elle est encore en panne.', client_id: crypto.randomUUID(), lang }
    const { location } = await post(token, fields)
    const fresh = /^\/suivi\/([\w-]{22})/.exec(location)?.[1] ?? ''
    expect(location).toBe(`/suivi/${fresh}?etat=nouvelle${suffix}#reponse`)
    expect((await post(token, fields)).location).toBe(location)
    const { body: begun } = await look(fresh)
    if (begun.state !== 'open') throw new Error('expired')
    expect(begun).toMatchObject({ status: 'new', continues: reference, continued_by: null })
    expect(begun.entries).toMatchObject([{ channel: 'page', text: 'Elle est encore en panne.' }])
    const next = { reference: begun.reference, path: `/suivi/${fresh}` }
    expect((await look(token)).body).toMatchObject({ status: 'done', continues: null, continued_by: next })

    const sent = await product.db.select().from(mails).where(eq(mails.recipient, email))
    const acknowledgements = sent.filter(({ subject }) => subject.includes(begun.reference))
    expect(acknowledgements).toHaveLength(1)
    for (const text of [words, reference, fresh]) expect(acknowledgements[0]?.body).toContain(text)
    const { linked, entries } = await read()
    expect(linked).toMatchObject([{ reference: begun.reference }])
    expect(entries.at(-1)).toMatchObject({ event: { linked: begun.reference } })
    // What staff linked may be somebody else's: the page does not lead there.
    const other = await store()
    await client.post(`/api/requests/requests/${id}/link`, { to: other.id }, { headers })
    expect(JSON.stringify((await look(token)).body)).not.toContain(other.reference)
  })

  test('does not leave its token in the log', async () => {
    const log = followLog()
    const own = await startTestApp()
    try {
      const unknown = 'B'.repeat(22)
      await fetch(`${own.origin}/suivi/${unknown}/fichiers/1`)
      await fetch(`${own.origin}/suivi/${unknown}`, { method: 'POST', body: new FormData(), redirect: 'manual' })
      expect(log.lines().some(({ path }) => path === '/suivi/…')).toBe(true)
      expect(log.written.join('')).not.toContain(unknown)
    } finally {
      log.stop()
      await own.stop()
    }
  })
})

test('the outage that a request is linked to stands on its page, and in its thread; a draft does not', async () => {
  const { id, token, client, read } = await store()
  const outage = { title: 'Téléphonie coupée', titleEn: '', severity: 'ERROR', phase: 'identified', source: 'staff' } as const
  const rows = [
    { ...outage, number: `2026-${id}`, draft: false, startedAt: new Date(), elements: [] },
    { ...outage, draft: true, startedAt: new Date(), elements: [] },
  ]
  const [published, draft] = await product.db.insert(networkIncidents).values(rows).returning()
  const path = `/api/requests/requests/${id}`
  expect((await client.put(path, { id_incident: draft?.id })).status).toBe(400)
  const { body } = await client.put<RequestDetail>(path, { id_incident: published?.id })
  expect(body).toMatchObject({ id_incident: published?.id, incident: { title: 'Téléphonie coupée' } })
  expect(body.open_incidents.map(({ id_incident: one }) => one)).toContain(published?.id)
  expect(body.open_incidents.map(({ id_incident: one }) => one)).not.toContain(draft?.id)
  expect((await look(token)).body).toMatchObject({ incident: { title: 'Téléphonie coupée' } })
  await client.put(path, { id_incident: null })
  expect((await look(token)).body).toMatchObject({ incident: null })
  const events = (await read()).entries.flatMap(({ event }) => (event ? [event] : []))
  expect(events).toEqual([{ incident: `2026-${id}` }, { incident: null }])
})
