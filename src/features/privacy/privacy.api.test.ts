import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { chatBlocks, chatFiles, chatMessages, chats } from '../chat/server/table.ts'
import { gramsOf } from '../recordings/server/service.ts'
import { recordings } from '../recordings/server/table.ts'
import { requests } from '../requests/server/table.ts'
import type { Erasure, PersonalDataFound, RetentionPeriod, TableEnding } from './contract.ts'
import { applyRetention } from './server/retention.ts'
import { auditLogData } from './server/audit-log-data.ts'
import { privacyTexts } from './texts.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

let counter = 0
const monthsAgo = (months: number) => {
  const date = new Date()
  date.setUTCMonth(date.getUTCMonth() - months)
  return date
}

/** Creates a call, a chat and an email of one person. */
async function createPersonalData(email: string, at = new Date()) {
  counter += 1
  const { db } = product
  const mail = {
    messageId: `<${counter}@test>`,
    recipient: 'soutien@example.com',
    replyTo: email,
    subject: 'Appel',
    body: '…',
    createdAt: at,
  }
  const [sent] = await db
    .insert(mails)
    .values({ ...mail, state: 'sent' as const })
    .returning()
  const request = {
    reference: `AS-${counter}`,
    kind: 'support' as const,
    name: 'Annie',
    email,
    message: '=SOMME(A1)',
    language: 'fr' as const,
  }
  await db.insert(requests).values({ ...request, mailId: sent?.id ?? null, createdAt: at })
  const chat = {
    key: `key-${counter}`,
    clientName: 'Annie',
    clientEmail: email,
    status: 'closed' as const,
    rating: 2,
    ratingComment: 'Un peu long',
    createdAt: at,
    updatedAt: at,
  }
  const [opened] = await db.insert(chats).values(chat).returning()
  const chatId = opened?.id ?? 0
  const [chatMessage] = await db
    .insert(chatMessages)
    .values({ chatId, seq: 1, message: 'Bonjour', fromStaff: false, userName: 'Annie' })
    .returning()
  const file = { name: 'contrat.pdf', type: 'application/pdf' as const, size: 4 }
  await db.insert(chatFiles).values({ ...file, chatId, messageId: chatMessage?.id ?? 0 })
  await db.insert(chatBlocks).values({ email: email.toLowerCase(), reason: 'Insultes', userName: 'Zoé' })
}

test('each table of the schema has its end or the reason why it stays', async () => {
  const { rows } = (await product.db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )) as { rows: { name: string }[] }
  const { rows: cascades } = (await product.db.execute(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and confdeltype = 'c'`)) as { rows: { child: string; parent: string }[] }
  const officer = await product.signIn()
  const { body } = await officer.get<TableEnding[]>('/api/privacy/tables')
  const declared = body.flatMap(({ tables }) => tables)
  expect(new Set(declared).size).toBe(declared.length)
  const ended = new Set(declared)
  for (let size = 0; size < ended.size;) {
    size = ended.size
    for (const { child, parent } of cascades) if (ended.has(parent)) ended.add(child)
  }
  // The list of applied migrations is no data.
  expect(rows.map(({ name }) => name).filter((name) => !ended.has(name) && name !== 'migrations')).toEqual([])
  const periods = await officer.get<RetentionPeriod[]>('/api/privacy/retention')
  const kinds = periods.body.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(body.flatMap(({ kind }) => kind ?? [])))
  for (const { label, kind, days, reason } of body) {
    expect(
      [kind, days, reason].filter((end) => end !== null),
      label.en,
    ).toHaveLength(1)
  }
})

test('mail that could not be sent ends its wait, and staff can still send it', async () => {
  const waiting = async (createdAt: Date, endsAt: Date | null = null) => {
    counter += 1
    const mail = { messageId: `<waiting-${counter}@test>`, recipient: 'w@example.com', subject: 'S', body: '', createdAt, endsAt }
    const [stored] = await product.db.insert(mails).values(mail).returning()
    return stored?.id ?? 0
  }
  const dayMs = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * dayMs)
  const [old, young, useless] = [await waiting(ago(31)), await waiting(ago(29)), await waiting(ago(2), ago(1))]
  const { purged } = await applyRetention(product.app)
  expect(purged['Courriels en attente d’envoi']).toBe(2)
  const stateOf = async (id: number) => (await product.db.select().from(mails).where(eq(mails.id, id)))[0]?.state
  expect([await stateOf(old), await stateOf(young), await stateOf(useless)]).toEqual(['failed', 'waiting', 'failed'])
  expect(await product.app.mailer.retry(old)).toBe(true)
  await product.db.delete(mails)
})

test('each kind of personal data has a name on the page', () => {
  for (const { kind } of product.app.personalData)
    for (const language of ['fr', 'en'] as const) expect(Object.keys(privacyTexts[language]), kind).toContain(kind)
})

const kindsOf = (found: PersonalDataFound[]) => found.map(({ kind }) => kind).toSorted()

describe('personal data', () => {
  test('is found by the address in any case, in every area', async () => {
    await createPersonalData('Annie@Client.example.com')
    await createPersonalData('other@client.example.com')
    const officer = await product.signIn()
    const { body } = await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: 'annie@client.EXAMPLE.com' })
    expect(kindsOf(body)).toEqual(['chats', 'mails', 'requests'])
    expect(JSON.stringify(body)).not.toContain('other@')
    for (const found of ['Bonjour', 'contrat.pdf', 'Un peu long', 'Insultes']) expect(JSON.stringify(body)).toContain(found)
  })

  test('is exported as JSON and as CSV without formulas', async () => {
    await createPersonalData('export@client.example.com')
    const officer = await product.signIn()
    const json = await officer.post<{ data: PersonalDataFound[] }>('/api/privacy/export', {
      email: 'export@client.example.com',
      format: 'json',
    })
    expect(kindsOf(json.body.data)).toEqual(['chats', 'mails', 'requests'])
    expect(json.headers.get('content-disposition')).toContain('attachment')
    const csv = await officer.post<string>('/api/privacy/export', { email: 'export@client.example.com', format: 'csv' })
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.text).toContain(",message,'=SOMME(A1)")
  })

  test('is erased with proof in the audit log, which does not name the address', async () => {
    await createPersonalData('erase@client.example.com')
    await createPersonalData('kept@client.example.com')
    const officer = await product.signIn()
    const { body } = await officer.post<Erasure>('/api/privacy/erase', { email: 'erase@client.example.com' })
    expect(body.erased).toMatchObject({ requests: 1, chats: 2, mails: 1 })
    expect((await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: 'erase@client.example.com' })).body).toEqual(
      [],
    )
    expect(
      (await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: 'kept@client.example.com' })).body,
    ).toHaveLength(3)
    const journal = await officer.get<{ action: string; entry_id: string }[]>('/api/audit/entries')
    const line = journal.body.find((one) => one.action === 'erase personal data')
    expect(line?.entry_id).toBe(body.proof)
    expect(journal.text).not.toContain('erase@client')
  })

  test('is erased once, though two officers ask for it; who is unknown gets no proof', async () => {
    await createPersonalData('twice@client.example.com')
    const [one, two] = [await product.signIn(), await product.signIn()]
    const email = 'twice@client.example.com'
    const answers = await Promise.all([one, two].map((officer) => officer.post<Erasure>('/api/privacy/erase', { email })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.proof).filter(Boolean)).toHaveLength(1)
    const unknown = await one.post<Erasure>('/api/privacy/erase', { email: 'nobody@client.example.com' })
    expect(unknown.body).toEqual({ proof: null, erased: {}, kept: [] })
  })

  test('that was chosen is erased alone, and what was not is named', async () => {
    await createPersonalData('chosen@client.example.com')
    const officer = await product.signIn()
    const email = 'chosen@client.example.com'
    const search = async () => (await officer.post<PersonalDataFound[]>('/api/privacy/search', { email })).body
    const found = await search()
    const [chat] = found.find(({ kind }) => kind === 'chats')?.findings ?? []
    expect(chat).toMatchObject({ certain: true })
    const findings = [{ kind: 'chats', id: chat?.id ?? '' }]
    const file = await officer.post<{ data: PersonalDataFound[] }>('/api/privacy/export', { email, format: 'json', findings })
    expect(kindsOf(file.body.data)).toEqual(['chats'])
    expect(JSON.stringify(file.body)).toContain('Bonjour')
    const { body } = await officer.post<Erasure>('/api/privacy/erase', { email, findings })
    expect(body.erased).toEqual({ chats: 1 })
    const left = (await search()).flatMap(({ kind, findings: all }) => all.map(({ id }) => `${kind} ${id}`))
    expect(body.kept.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual(left.toSorted())
    expect(new Set(body.kept.map(({ reason }) => reason))).toEqual(new Set(['not chosen']))
  })

  test('does not hold the calls of a number that somebody typed, unless they are chosen', async () => {
    await createPersonalData('caller@client.example.com')
    const email = 'caller@client.example.com'
    await product.db.update(requests).set({ phone: '418 555-0177' }).where(eq(requests.email, email))
    const call = { startedAt: new Date(), direction: 'in' as const, caller: '+14185550177', callee: '100' }
    const details = { agent: 'Zoé', durationMs: 1000, fileName: 'appel.wav', sha256: 's-177', storageKey: 'k-177', bytes: 4 }
    const words = { searched: '4185550177', grams: gramsOf('4185550177'), type: 'wav' as const }
    await product.db.insert(recordings).values({ ...call, ...details, ...words })
    const officer = await product.signIn()
    const found = await officer.post<PersonalDataFound[]>('/api/privacy/search', { email })
    const calls = found.body.find(({ kind }) => kind === 'recordings')?.findings ?? []
    expect(calls).toMatchObject([{ certain: false }])
    const file = await officer.post<string>('/api/privacy/export', { email, format: 'json' })
    expect(file.text).not.toContain('appel.wav')
    const findings = [{ kind: 'recordings', id: calls[0]?.id ?? '' }]
    const chosen = await officer.post<string>('/api/privacy/export', { email, format: 'json', findings })
    expect(chosen.text).toContain('appel.wav')
    const { body } = await officer.post<Erasure>('/api/privacy/erase', { email })
    expect(body.erased).toEqual({ requests: 1, chats: 2, mails: 1 })
    expect(body.kept).toEqual([{ kind: 'recordings', id: calls[0]?.id, reason: 'not chosen' }])
    expect(await product.db.select({ file: recordings.fileName }).from(recordings)).toEqual([{ file: 'appel.wav' }])
  })

  test('that an erasure leaves is named with the reason, whatever its kind', async () => {
    const officer = await product.signIn()
    const email = 'staff-erased@example.com'
    const profile = {
      ...{ nom: 'Zoé', departement: 'TECHNICIENS', sousdepartement: 'TELECOM', email },
      ...{ titre: 'Technicienne', titre_en: 'Technician', description: 'Bonjour', description_en: 'Hello' },
    }
    expect((await officer.post('/api/employees/employes', profile)).status).toBe(201)
    const search = async () => (await officer.post<PersonalDataFound[]>('/api/privacy/search', { email })).body
    expect(kindsOf(await search())).toContain('employees')
    const { body } = await officer.post<Erasure>('/api/privacy/erase', { email })
    const left = (await search()).flatMap(({ kind, findings }) => findings.map(({ id }) => `${kind} ${id}`))
    expect(body.kept.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual([...new Set(left)].toSorted())
    expect(body.kept).toContainEqual(expect.objectContaining({ kind: 'employees', reason: 'team profile' }))
  })
})

describe('retention', () => {
  test('erases conversations and mails past their period only', async () => {
    await createPersonalData('old@client.example.com', monthsAgo(13))
    await createPersonalData('young@client.example.com', monthsAgo(11))
    const { purged } = await applyRetention(product.app)
    expect(purged).toMatchObject({ chats: 1, mails: 1 })
    const left = await product.db.select({ email: chats.clientEmail }).from(chats)
    expect(left.map((chat) => chat.email)).toContain('young@client.example.com')
    expect(left.map((chat) => chat.email)).not.toContain('old@client.example.com')
  })

  test('erases a backlog in parts, and a kind that fails stops no other', async () => {
    for (let count = 0; count < 5; count += 1) await createPersonalData(`backlog-${count}@client.example.com`, monthsAgo(14))
    const failing = product.app.personalData.find(({ kind }) => kind === 'recordings')?.retention
    if (!failing) throw new Error('recordings have a period')
    const { purge } = failing
    failing.purge = () => Promise.reject(new Error('canceling statement due to statement timeout'))
    const { purged, failed } = await applyRetention(product.app, new Date(), 2)
    failing.purge = purge
    expect(purged).toMatchObject({ chats: 5, mails: 5, recordings: 0 })
    expect(failed).toEqual(['recordings'])
    const report = async () => (await product.app.findHealthReports()).find(({ label }) => label.en === 'Retention')
    expect(await report()).toMatchObject({ status: 'ERROR', lines: [{ en: expect.stringContaining('recordings') as string }] })
    expect(await product.app.metrics.registry.metrics()).toContain('guichet_retention_failures_total{kind="recordings"} 1')

    await createPersonalData('later@client.example.com', monthsAgo(14))
    expect((await applyRetention(product.app)).failed).toEqual([])
    expect(await report()).toBeUndefined()
  })

  test('a request stays when the conversation it was made from is deleted, without its link', async () => {
    const newRequest = {
      kind: 'chat' as const,
      name: 'Annie',
      email: 'kept@client.example.com',
      message: 'x',
      language: 'fr' as const,
    }
    for (const [who, at] of [
      ['purged', monthsAgo(13)],
      ['erased', new Date()],
    ] as const) {
      const email = `${who}-chat@client.example.com`
      await createPersonalData(email, at)
      const [chat] = await product.db.select().from(chats).where(eq(chats.clientEmail, email))
      await product.db.insert(requests).values({ ...newRequest, reference: `CL-${who}`, chatId: chat?.id ?? null })
      if (who === 'purged') await applyRetention(product.app)
      else await (await product.signIn()).post('/api/privacy/erase', { email })
      expect(await product.db.select().from(chats).where(eq(chats.clientEmail, email))).toEqual([])
      const [left] = await product.db
        .select()
        .from(requests)
        .where(eq(requests.reference, `CL-${who}`))
      expect(left).toMatchObject({ chatId: null })
    }
  })

  test('follows the table of periods, for files and messages too', async () => {
    const officer = await product.signIn()
    const saved = await officer.put('/api/privacy/retention', [{ kind: 'chats', count: 30, unit: 'days' }])
    expect(saved.status).toBe(200)
    expect(saved.body).toContainEqual({ kind: 'chats', count: 30, unit: 'days' })

    await createPersonalData('month@client.example.com', monthsAgo(2))
    await applyRetention(product.app)
    const found = await officer.post<PersonalDataFound[]>('/api/privacy/search', { email: 'month@client.example.com' })
    const words = JSON.stringify(found.body.filter(({ kind }) => kind === 'chats'))
    for (const gone of ['Bonjour', 'contrat.pdf', 'Un peu long']) expect(words).not.toContain(gone)
    expect(
      await product.db
        .select({ id: chatFiles.id })
        .from(chatFiles)
        .innerJoin(chats, eq(chats.id, chatFiles.chatId))
        .where(eq(chats.clientEmail, 'month@client.example.com')),
    ).toEqual([])
  })
})

test('finds the events of the audit log that contain an address, and not those of a longer one', async () => {
  const record = (after: object) =>
    product.db.transaction((tx) =>
      recordChange(tx, { userId: null, name: 'Zoé', address: '' }, { area: 'notes', action: 'create', entryId: 1, after }),
    )
  await record({ note: 'Écrire à Léa.Roy@exemple.test.', other: 'lea2.roy@exemple.test' })
  await record({ note: 'xlea.roy@exemple.test' })
  // Longer than a key of an index may be.
  await record({ note: `${'a'.repeat(200_000)}@exemple.test` })
  expect(await auditLogData.find(product.db, 'léa.roy@exemple.test')).toHaveLength(1)
  expect(await auditLogData.find(product.db, 'lea.roy@exemple.test')).toHaveLength(0)
  expect(await auditLogData.find(product.db, 'lea2.roy@exemple.test')).toMatchObject([{ fields: { who: 'Zoé', area: 'notes' } }])
})
