import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { serverFeatures } from '#src/app/server-features.ts'
import { writeBackup } from '#src/server/backup/archive.ts'
import { restore } from '#src/server/backup/commands.ts'
import { readConfig } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { createUpkeep } from '#src/server/database/upkeep.ts'
import { applyErasures, writeErasures } from '#src/server/erasures/erasures.ts'
import { erasuresName } from '#src/server/erasures/erasures-file.ts'
import { startTestImap } from '#src/server/testing/test-imap.ts'
import { createChatSockets } from '../chat/testing.ts'
import { chats } from '../chat/server/table.ts'
import { inboxMails, requests } from '../requests/server/table.ts'
import type { Erasure, PersonalDataFound } from './contract.ts'
import { fieldLabel } from './finding-texts.ts'

const email = 'planted@client.example.com'
const soon = { timeout: 25_000, interval: 100 }
let product: TestApp
let imap: Awaited<ReturnType<typeof startTestImap>>
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-erasure-'))
  imap = await startTestImap()
  product = await startTestApp({ queue: true, environment: { IMAP_URL: imap.url } })
})
afterAll(async () => {
  await product.stop()
  await imap.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Words that nothing but what was planted has. */
const words = Array.from({ length: 20 }, (_, index) => `zqv${index}mirabelle`)
const [name, message, subject, description, firstname, lastname, comment, visitor, business, chatText, page] = words
const [mailSubject, mailText, mailName, mailFile, chatFile, answered, open, applicationFile, reason] = words.slice(11)

/** Every field that a stranger can write, in every way in. */
async function plant() {
  const visitorClient = await product.client()
  const sent = [
    await visitorClient.post('/api/mailer/contact', { honey: '', name, email, phone: '418 555-0177', message }),
    await visitorClient.post('/api/mailer/support', {
      ...{ honey: '', username: '', action: 'send_request', firstname, lastname, email, phone: '418 555-0178' },
      ...{ subject, description },
    }),
    await visitorClient.post('/public_api/networks/subscribers', { email, language: 'en' }),
  ]
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 202])
  const staff = await product.signIn()
  const [request] = await product.db.select().from(requests).where(eq(requests.email, email))
  const corrected = { contact: { firstname: name, lastname, email, phone: '418 555-0177' }, reason }
  expect((await staff.put(`/api/requests/requests/${request?.id}`, corrected)).status).toBe(200)
  await apply(staff)
  const commented = await staff.post(`/api/requests/requests/${request?.id}/comments`, { body: comment })
  expect(commented.status, commented.text).toBe(201)

  const { body: settings } = await staff.get<object>('/api/chat/settings')
  expect((await staff.put('/api/chat/settings', { ...settings, attachments_enabled: true })).status).toBe(200)
  const sockets = createChatSockets(product)
  const technician = await sockets.openTechnician()
  for (const text of [chatText, open]) {
    const chat = await sockets.openVisitor({
      ...{ client_name: visitor, client_email: email, client_business: business, page: `/${page}` },
    })
    const input = { id_chat: chat.key, message: text, client_message_id: randomUUID() }
    expect(await chat.socket.timeout(10_000).emitWithAck('chat:send-message', input)).toMatchObject({ ok: true })
    if (text === chatText) await attach(chat.key)
    // The second one stays open.
    if (text === chatText) await chat.socket.timeout(10_000).emitWithAck('chat:close', { id_chat: chat.key })
  }
  technician.disconnect()

  const head = [`From: ${mailName} <${email}>`, `Subject: ${mailSubject}`, `Message-ID: <${answered}@client.example.com>`]
  const type = 'Content-Type: multipart/mixed; boundary="b"'
  const file = [
    `Content-Type: application/zip; name="${mailFile}.zip"`,
    `Content-Disposition: attachment; filename="${mailFile}.zip"`,
  ]
  const body = ['--b', 'Content-Type: text/plain', '', mailText, '--b', ...file, '', 'UEsF', '--b--', '']
  await imap.deliver([...head, type, '', ...body].join('\r\n'))
  await expect.poll(() => product.db.select().from(inboxMails).where(eq(inboxMails.fromAddress, email)), soon).toHaveLength(1)
  sockets.close()
}

async function attach(key: string) {
  const data = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n')
  const input = { id_chat: key, client_message_id: randomUUID(), name: `${chatFile}.pdf`, data: data.toString('base64') }
  const sent = await (await product.client()).post('/public_api/chat/attach', input)
  expect(sent.status, sent.text).toBe(200)
}

async function apply(staff: Awaited<ReturnType<TestApp['signIn']>>) {
  const posting = { titre: 'Technicienne', titre_en: 'Technician', description: '<p>Ici.</p>', description_en: '<p>Here.</p>' }
  const job = await staff.post<{ id_emploi: number }>('/api/jobs/emplois', posting)
  const form = new FormData()
  const fields = { firstname: firstname ?? '', lastname: lastname ?? '', email, phone: '418 555-0177' }
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  const pdf = `%PDF-1.7\n${'1 0 obj << >> endobj\n'.repeat(10)}trailer << >>\nstartxref\n9\n%%EOF\n`
  form.append('files', new Blob([pdf]), `${applicationFile}.pdf`)
  const sent = await (await product.client()).post(`/public_api/jobs/${job.body.id_emploi}/applications`, form)
  expect(sent.status, sent.text).toBe(201)
}

/** What of the planted words is in the text of every table. */
async function findInTables(db: Database) {
  const { rows: tables } = (await db.execute(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `)) as { rows: { schema: string; name: string }[] }
  const found: string[] = []
  for (const { schema, name: table } of tables) {
    const from = sql`${sql.identifier(schema)}.${sql.identifier(table)}`
    const { rows } = (await db.execute(sql`select row_to_json(t)::text as line from ${from} t`)) as { rows: { line: string }[] }
    for (const word of [...words, email])
      if (rows.some(({ line }) => line.toLowerCase().includes(word) || hasBytes(line, word))) found.push(`${table}: ${word}`)
  }
  return found
}
/** Bytes are written in hexadecimal. */
const hasBytes = (line: string, word: string) => line.includes(Buffer.from(word).toString('hex'))

function findInFiles(path: string): string[] {
  return readdirSync(path).flatMap((file) => {
    const whole = join(path, file)
    if (statSync(whole).isDirectory()) return findInFiles(whole)
    const bytes = whole.endsWith('.gz') ? gunzipSync(readFileSync(whole)) : readFileSync(whole)
    const text = bytes.toString('latin1').toLowerCase()
    return [...words, email].filter((word) => text.includes(word)).map((word) => `${file}: ${word}`)
  })
}

const configOf = (dataDir: string) => readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir })
const kinds = serverFeatures.flatMap(({ personalData = [] }) => personalData)

test(
  'of what a stranger wrote in every way in nothing is left after the erasure, nor after an older backup is restored',
  { timeout: 300_000 },
  async () => {
    await plant()
    const { config } = product.app
    const older = join(folder, 'older', 'older.tar.gz')
    await writeBackup(product.db, config, { file: older, files: true })
    const planted = await findInTables(product.db)
    for (const word of [
      name,
      message,
      subject,
      description,
      comment,
      visitor,
      business,
      chatText,
      page,
      firstname,
      lastname,
      mailSubject,
      mailText,
      mailName,
      mailFile,
      open,
      chatFile,
      applicationFile,
    ])
      expect(planted.map((one) => one.split(': ')[1])).toContain(word)

    const officer = await product.signIn({ privacy: 'read_write' })
    const { body: found } = await officer.post<PersonalDataFound[]>('/api/privacy/search', { email })
    expect(found.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['applications', 'requests', 'chats', 'journal', 'mails', 'subscribers']),
    )
    const fields = new Set(found.flatMap(({ findings }) => findings.flatMap((finding) => Object.keys(finding.fields))))
    const states = /^(?:before|after)\./
    expect([...fields].filter((field) => !states.test(field) && fieldLabel(field, 'fr') === null)).toEqual([])
    // What colleagues wrote among themselves is about the person too.
    const exported = await officer.post<string>('/api/privacy/export', { email, format: 'json' })
    for (const word of [comment, reason, chatFile, applicationFile]) expect(exported.text).toContain(word)
    const { body: erasure } = await officer.post<Erasure>('/api/privacy/erase', { email })
    expect(erasure.proof).not.toBeNull()

    expect(await findInTables(product.db)).toEqual([])
    expect(findInFiles(product.dataDir)).toEqual([])
    const fresh = join(folder, 'fresh', 'fresh.tar.gz')
    await writeBackup(product.db, config, { file: fresh, files: true })
    expect(findInFiles(join(folder, 'fresh'))).toEqual([])
    expect(findInFiles(join(folder, 'older'))).not.toEqual([])

    // A new machine has the older archive, and the erasures beside the newer one.
    const restored = configOf(join(folder, 'restored'))
    const erasuresFile = join(folder, 'fresh', erasuresName)
    const { json } = await restore(restored, older, { kinds, erasuresFile })
    expect((json as { erased: number }).erased).toBeGreaterThan(4)
    const database = await openDatabase(restored)
    expect(await findInTables(database.db)).toEqual([])
    expect(findInFiles(restored.dataDir)).not.toEqual([])
    await createUpkeep(database, restored.dataDir).run()
    expect(findInFiles(restored.dataDir)).toEqual([])
    await database.close()
  },
)

test('a restored backup whose erasures come later is erased at the start, once, and nobody else with it', async () => {
  const other = 'other@client.example.com'
  const make = async (client_email: string) => {
    const row = { key: randomUUID(), clientName: 'Annie', clientEmail: client_email, status: 'closed' as const }
    await product.db.insert(chats).values(row)
  }
  await make('twice@client.example.com')
  await make(other)
  const officer = await product.signIn({ privacy: 'read_write' })
  expect((await officer.post<Erasure>('/api/privacy/erase', { email: 'twice@client.example.com' })).body.erased).toEqual({
    chats: 1,
  })
  // As in a database of before the erasure: the row is there, and the record of it is not.
  const [other_row] = await product.db.select().from(chats).where(eq(chats.clientEmail, other))
  const erasedId = (other_row?.id ?? 0) - 1
  await product.db
    .insert(chats)
    .values([{ id: erasedId, key: randomUUID(), clientName: 'Annie', clientEmail: 'Twice@client.example.com', status: 'closed' }])
  await product.db.execute(sql`delete from erasures`)
  const { dataDir } = product
  expect(await applyErasures(product.db, dataDir, kinds)).toBe(1)
  expect(await applyErasures(product.db, dataDir, kinds)).toBe(0)
  const left = await product.db.select({ email: chats.clientEmail }).from(chats)
  expect(left).toEqual([{ email: other }])
  // The same number belongs to somebody else later.
  await product.db
    .insert(chats)
    .values([{ id: erasedId, key: randomUUID(), clientName: 'Luc', clientEmail: 'twice@client.example.com', status: 'closed' }])
  expect(await applyErasures(product.db, dataDir, kinds)).toBe(0)
})

test('an erasure whose file was not written is in the file after the next start', async () => {
  const before = readFileSync(join(product.dataDir, erasuresName), 'utf8')
  rmSync(join(product.dataDir, erasuresName))
  await writeErasures(product.db, product.dataDir)
  expect(readFileSync(join(product.dataDir, erasuresName), 'utf8').split('\n').toSorted()).toEqual(before.split('\n').toSorted())
  expect(before).not.toContain('@')
})
