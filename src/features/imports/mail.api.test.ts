import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { and, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentOf, runGuichet } from '#src/app/testing/run-guichet.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { startTestImap } from '#src/server/testing/test-imap.ts'
import type { RequestDetail } from '../requests/contract.ts'
import { openMailbox } from '../requests/server/mailbox.ts'
import { requests } from '../requests/server/table.ts'
import type { ImportResult } from './contract.ts'
import type { TestClient } from './testing.ts'
import { runImport as run, sendImport } from './testing.ts'

let imap: Awaited<ReturnType<typeof startTestImap>>
let product: TestApp
let staff: TestClient

beforeAll(async () => {
  imap = await startTestImap()
  product = await startTestApp({ queue: true, environment: { IMAP_URL: imap.url, MAIL_FROM: 'guichet@example.com' } })
  staff = await product.signIn()
})
afterAll(async () => {
  await product.stop()
  await imap.stop()
})

const unique = () => Math.random().toString(36).slice(2, 10)
const send = (fields: Record<string, string>, content: string | Uint8Array, name: string) =>
  sendImport(product, staff, { kind: 'mail', ...fields }, content, name)
const undo = async (id: number) => (await staff.post<ImportResult>(`/api/imports/imports/${id}/undo`)).body
/** Requests of a customer, the oldest first, with their threads. */
async function requestsOf(email: string) {
  const rows = await product.db
    .select()
    .from(requests)
    .where(and(like(requests.email, email)))
  const found = []
  for (const { id } of rows.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime()))
    found.push((await staff.get<RequestDetail>(`/api/requests/requests/${id}`)).body)
  return found
}

type Letter = { from: string; to?: string; id: string; date?: string; subject?: string; head?: string[]; text?: string }
const letter = ({
  from,
  to = 'soutien@example.com',
  id,
  date = 'Tue, 5 Mar 2024 08:30:00 -0500',
  subject = 'Panne',
  head = [],
  text = 'Bonjour',
}: Letter) =>
  [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: <${id}>`, `Date: ${date}`, ...head, '', text, ''].join(
    '\r\n',
  )
const mbox = (...letters: string[]) => letters.map((one) => `From x@example.com Tue Mar  5 08:30:00 2024\n${one}\n`).join('')

test('an mbox becomes requests with their threads, dates, people and files, and wakes nobody', async () => {
  const word = unique()
  const customer = `${word}@client.example.com`
  const mailsBefore = await product.db.$count(mails)
  const file = ['Content-Type: multipart/mixed; boundary=b']
  const parts = [
    '--b',
    'Content-Type: text/plain; charset=windows-1252',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '=C7a ne marche plus',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=plan.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('%PDF plan').toString('base64'),
    '--b--',
  ].join('\r\n')
  const content = mbox(
    // The answer lies before the question in the file.
    letter({
      from: 'Sam <sam@example.com>',
      to: customer,
      id: `${word}-2`,
      date: 'Tue, 5 Mar 2024 10:00:00 -0500',
      subject: 'Re: Panne',
      head: [`In-Reply-To: <${word}-1>`],
      text: 'On regarde.\r\n>From là',
    }),
    letter({ from: `=?utf-8?q?Zo=C3=A9?= <${customer}>`, id: `${word}-1`, head: file, text: parts }),
    letter({
      from: customer,
      id: `${word}-3`,
      date: 'Wed, 6 Mar 2024 08:00:00 -0500',
      subject: 'Re: Panne',
      head: [`References: <${word}-1> <${word}-2>`],
      text: 'Merci!',
    }),
    letter({ from: customer, id: `${word}-4`, date: new Date(Date.now() - 86_400_000).toUTCString(), subject: 'Autre chose' }),
    letter({ from: 'liste@example.com', id: `${word}-5`, head: ['List-Id: <nouvelles.example.com>'] }),
    letter({ from: 'sam@example.com', to: 'guichet@example.com', id: `${word}-6` }),
    letter({ from: 'pas une adresse', id: `${word}-7`, to: 'non plus' }),
    letter({ from: `x@${word}.example.com`, id: `${word}-8`, text: 'a\n'.repeat(700_000) }),
  )
  const fields = { staff: 'sam@example.com' }
  const tried = await send(fields, content, 'archives.mbox')
  expect(tried.body).toMatchObject({ created: { requests: 4 }, left_out: { automatic: 1 }, refused_total: 3, total: 8 })
  expect(tried.body.refused.map(({ reason_fr }) => reason_fr).toSorted()).toEqual([
    expect.stringMatching(/trop de temps/),
    expect.stringMatching(/Ni l’expéditeur/),
    expect.stringMatching(/Ni l’expéditeur/),
  ])
  const done = await run(staff, tried.body.id_import)
  expect(done).toMatchObject({ state: 'done', created: { requests: 4 }, refused_total: 3 })
  const [first, second] = await requestsOf(customer)
  expect(first).toMatchObject({
    name: 'Zoé',
    email: customer,
    subject: 'Panne',
    status: 'done',
    created_at: '2024-03-05T13:30:00.000Z',
    respond_by: null,
  })
  expect(first?.entries.map(({ kind, text, at }) => [kind, text, at])).toEqual([
    ['customer', 'Ça ne marche plus', '2024-03-05T13:30:00.000Z'],
    ['staff', 'On regarde.\nFrom là', '2024-03-05T15:00:00.000Z'],
    ['customer', 'Merci!', '2024-03-06T13:00:00.000Z'],
  ])
  expect(first?.entries[0]?.files).toMatchObject([{ name: 'plan.pdf', size: 9 }])
  expect(second).toMatchObject({ subject: 'Autre chose', status: 'open' })
  // Words of any mail of a thread find its request.
  const search = async (words: string) =>
    (await staff.get<RequestDetail[]>(`/api/requests/requests?search=${encodeURIComponent(`${customer} ${words}`)}`)).body.length
  expect(await Promise.all(['ca ne marche plus', 'on regarde', 'merci'].map(search))).toEqual([1, 1, 1])
  expect(await product.db.$count(mails)).toBe(mailsBefore)

  expect((await send(fields, content, 'archives.mbox')).body).toMatchObject({ created: {}, known: 4, refused_total: 3 })
  // Another file of the same mailbox: what is here already is named, what is new joins its thread.
  const later = mbox(
    content.slice(content.indexOf('\n', content.indexOf('From x', 5)) + 1).split('\nFrom x')[0] ?? '',
    letter({ from: customer, id: `${word}-9`, date: 'Thu, 7 Mar 2024 08:00:00 -0500', head: [`In-Reply-To: <${word}-3>`] }),
  )
  const other = await send(fields, later, 'suite.mbox')
  expect(other.body).toMatchObject({ created: { requests: 1 }, refused_total: 1 })
  expect(other.body.refused[0]?.reason_fr).toMatch(/déjà dans une demande/)
  const joined = await run(staff, other.body.id_import)
  expect((await requestsOf(customer))[0]?.entries).toHaveLength(4)
  expect(await undo(joined.id_import)).toMatchObject({ left: 0 })
  expect((await requestsOf(customer))[0]?.entries).toHaveLength(3)

  const { id_request: id, version } = (await requestsOf(customer))[1] as RequestDetail
  expect((await staff.put(`/api/requests/requests/${id}`, { version, priority: 'high' })).status).toBe(200)
  expect(await undo(done.id_import)).toMatchObject({
    left: 1,
    left_entries: [{ name: expect.stringContaining('Autre chose') as string }],
  })
  expect((await requestsOf(customer)).map(({ subject }) => subject)).toEqual(['Autre chose'])
})

async function zip(files: Record<string, string>) {
  const writer = new ZipWriter(new Uint8ArrayWriter())
  for (const [name, content] of Object.entries(files)) await writer.add(name, new TextReader(content))
  return writer.close()
}

test('a zip, a folder and a folder of the mailbox come too, each mail once', async () => {
  const word = unique()
  const customer = `${word}@client.example.com`
  const one = letter({ from: customer, id: `${word}-1` })
  const two = letter({ from: customer, id: `${word}-2`, subject: 'Deux' })
  const archive = await zip({ 'a/one.eml': one, 'a/notes.txt': 'x', 'a/two.eml': two })
  const tried = await send({}, archive, 'courriels.zip')
  expect(tried.body).toMatchObject({ created: { requests: 2 }, refused_total: 0 })
  await send({}, one, 'un.eml').then(({ body }) => expect(body).toMatchObject({ created: { requests: 1 } }))
  await run(staff, tried.body.id_import)

  const folder = join(product.dataDir, 'courriels', 'a')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'deux.eml'), two)
  writeFileSync(join(folder, 'trois.eml'), letter({ from: customer, id: `${word}-3`, subject: 'Trois' }))
  const guichet = (...words: string[]) => runGuichet(words, { environment: environmentOf(product) })
  const ended = await guichet('import', 'mail', join(product.dataDir, 'courriels'), '--json')
  expect(JSON.parse(ended.output)).toMatchObject({ state: 'done', created: { requests: 1 }, refused_total: 1 })

  const { client } = openMailbox(imap.url)
  await client.connect()
  await client.mailboxCreate('Archives')
  await client.append('Archives', letter({ from: customer, id: `${word}-4`, subject: 'Quatre' }))
  await client.append('Archives', letter({ from: customer, id: `${word}-5`, subject: 'Cinq' }))
  const fromImap = await guichet('import', 'mail', 'imap:Archives', '--json')
  expect(JSON.parse(fromImap.output)).toMatchObject({ state: 'done', source: 'imap:Archives', created: { requests: 2 } })
  expect(JSON.parse((await guichet('import', 'mail', 'imap:Archives', '--json')).output)).toMatchObject({ known: 2 })
  // It is only read.
  const status = await client.status('Archives', { messages: true, unseen: true })
  expect(status).toMatchObject({ messages: 2, unseen: 2 })
  await client.logout()
  expect(await guichet('import', 'mail', 'imap:Nulle-part')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('cannot be read') as string,
  })
  expect((await requestsOf(customer)).map(({ subject }) => subject).toSorted()).toEqual([
    'Cinq',
    'Deux',
    'Panne',
    'Quatre',
    'Trois',
  ])
})

test('a folder of the mailbox is chosen in the administration, tried, run, known the second time and undone', async () => {
  const word = unique()
  const customer = `${word}@client.example.com`
  const mailbox = openMailbox(imap.url).client
  await mailbox.connect()
  const folder = `Soutien été ${word}`
  await mailbox.mailboxCreate(folder)
  for (const [index, subject] of ['Un', 'Deux'].entries())
    await mailbox.append(folder, letter({ from: customer, id: `${word}-${index}`, subject }))
  const kinds = await staff.get<{ kind: string; has_mailbox: boolean }[]>('/api/imports/kinds')
  expect(kinds.body.filter((one) => one.has_mailbox).map(({ kind }) => kind)).toEqual(['mail'])
  const folders = await staff.get<{ name: string; count: number }[]>('/api/imports/kinds/mail/folders')
  expect(folders.body).toEqual(expect.arrayContaining([{ name: folder, count: 2 }, expect.objectContaining({ name: 'INBOX' })]))

  const choose = (client: TestClient, fields: Record<string, string>) => sendImport(product, client, fields, null)
  const tried = await choose(staff, { kind: 'mail', folder })
  expect(tried).toMatchObject({ status: 201, body: { file: `imap:${folder}`, source: `imap:${folder}`, state: 'waiting' } })
  expect(tried.body).toMatchObject({ created: { requests: 2 }, total: 2 })
  expect(tried.body.preview.map(({ name }) => name)).toEqual(['Un', 'Deux'])
  expect(await requestsOf(customer)).toEqual([])
  // What came into the folder since is taken too, and counted.
  await mailbox.append(folder, letter({ from: customer, id: `${word}-late`, subject: 'Trois' }))
  const done = await run(staff, tried.body.id_import)
  expect(done).toMatchObject({ state: 'done', created: { requests: 3 }, done: 3, total: 3 })
  expect(await requestsOf(customer)).toHaveLength(3)
  expect((await choose(staff, { kind: 'mail', folder })).body).toMatchObject({ created: {}, known: 3 })
  expect(await mailbox.status(folder, { unseen: true })).toMatchObject({ unseen: 3 })
  await mailbox.logout()
  expect(await undo(done.id_import)).toMatchObject({ state: 'undone', left: 0 })
  expect(await requestsOf(customer)).toEqual([])

  const gone = await choose(staff, { kind: 'mail', folder: 'Nulle part' })
  expect(gone).toMatchObject({ status: 422, body: { reason: { fr: expect.stringMatching(/ne peut pas être lu/) as string } } })
  // Neither a folder of the disk, nor of another kind, nor both, nor without the right to requests.
  expect((await choose(staff, { kind: 'mail', folder: '/etc' })).status).toBe(422)
  expect((await choose(staff, { kind: 'replies', folder })).status).toBe(400)
  expect((await choose(staff, { kind: 'mail' })).status).toBe(400)
  expect((await send({ folder }, letter({ from: customer, id: 'both' }), 'un.eml')).status).toBe(400)
  const other = await product.signIn({ chat: 'administrator', company: 'administrator' })
  expect((await choose(other, { kind: 'mail', folder })).status).toBe(403)
  expect((await other.get('/api/imports/kinds/mail/folders')).status).toBe(403)
  expect((await staff.get('/api/imports/kinds/replies/folders')).status).toBe(404)
})

test.each([
  ['no mail', async () => 'raccourci,texte\n', /ni une boîte mbox/],
  ['a zip with a path out of it', async () => zip({ '../../a.eml': letter({ from: 'a@example.com', id: 'out' }) }), /endommagé/],
  [
    'a zip that is cut',
    async () => (await zip({ 'a.eml': letter({ from: 'a@example.com', id: 'cut' }) })).subarray(0, 100),
    /endommagé/,
  ],
  [
    'a zip that unpacks to more than 200 times its size',
    async () => zip({ 'a.eml': `${letter({ from: 'a@example.com', id: 'bomb' })}${'a'.repeat(20_000_000)}` }),
    /200 fois/,
  ],
])('%s is refused in words', async (_name, make, message) => {
  const { status, body } = await send({}, await make(), 'courriels.zip')
  expect(status).toBe(422)
  expect(body.reason?.fr).toMatch(message)
})
