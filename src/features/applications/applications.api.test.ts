import { undoMs } from '#src/lib/suspected.ts'
import { deflateRawSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { company } from '#company/company.ts'
import type { Job } from '#src/features/jobs/contract.ts'
import { applyRetention } from '#src/features/privacy/server/retention.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Application, ApplicationSummary } from './contract.ts'
import { readDocumentKind } from './server/inspect-document.ts'
import { mailSuspected, settleDecisions } from './server/service.ts'
import { applicationFilePieces, applications } from './server/table.ts'

const pdf = Buffer.from(`%PDF-1.7\n${'1 0 obj << >> endobj\n'.repeat(10)}trailer << >>\nstartxref\n9\n%%EOF\n`)

async function zipOf(entries: Record<string, Uint8Array | string>) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, content] of Object.entries(entries)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    await zip.add(name, new Uint8ArrayReader(bytes), name === 'mimetype' ? { level: 0 } : {})
  }
  return zip.close()
}

const wordParts = { '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>' }

describe('a document is known by its content', () => {
  test('PDF, both kinds of Word and ODT', async () => {
    expect(await readDocumentKind(pdf)).toBe('pdf')
    expect(await readDocumentKind(await zipOf(wordParts))).toBe('docx')
    expect(
      await readDocumentKind(await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' })),
    ).toBe('odt')
    const former = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('WordDocument', 'utf16le'),
    ])
    expect(await readDocumentKind(former)).toBe('doc')
  })

  const bomb = async () => zipOf({ ...wordParts, 'word/media/image1.bmp': Buffer.alloc(60_000_000) })
  /** Its directory says that the entry unpacks to one byte. */
  const lyingBomb = async () => {
    const bytes = Buffer.from(await bomb())
    const size = Buffer.alloc(4)
    size.writeUInt32LE(60_000_000)
    for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size, at + 1)) bytes.writeUInt32LE(1, at)
    return bytes
  }
  test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['a zip bomb', bomb],
    ['a zip bomb that lies about its size', lyingBomb],
    ['a page of HTML with a PDF inside', () => Buffer.concat([Buffer.from('<!doctype html><script>alert(1)</script>'), pdf])],
    ['a PDF that was cut short', () => pdf.subarray(0, 60)],
    ['a document with macros', () => zipOf({ ...wordParts, 'word/vbaProject.bin': 'x' })],
    ['a spreadsheet', () => zipOf({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<a/>' })],
    ['an archive cut short', async () => (await zipOf(wordParts)).subarray(0, 90)],
    ['compressed bytes', () => deflateRawSync(pdf)],
    ['a program', () => Buffer.from('MZ\u0090\0\u0003')],
    ['nothing', () => new Uint8Array()],
  ])('%s is none', async (_what, make) => {
    expect(await readDocumentKind(await make())).toBeNull()
  })
})

let product: TestApp
let jobId: number
beforeAll(async () => {
  product = await startTestApp()
  const staff = await product.signIn({ jobs: 'read_write' })
  const posting = {
    titre: 'Technicienne ou technicien',
    titre_en: 'Technician',
    description: '<p>Ici.</p>',
    description_en: '<p>Here.</p>',
  }
  jobId = (await staff.post<Job>('/api/jobs/emplois', posting)).body.id_emploi
})
afterAll(() => product.stop())

const base = '/api/applications/applications'
const person = { firstname: 'Zoé', lastname: 'Tremblay', email: 'zoe@example.com', phone: '418 555-0199', message: 'Bonjour.' }
type Sent = { reference: string; errors?: { path: string; message: string }[] }

async function apply(fields: Record<string, string> = {}, files: [string, Uint8Array][] = [['cv.pdf', pdf]], job = jobId) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...person, ...fields })) form.append(name, value)
  for (const [name, bytes] of files) form.append('files', new Blob([Buffer.from(bytes)]), name)
  return (await product.client()).post<Sent>(`/public_api/jobs/${job}/applications`, form)
}

const mailsTo = (email: string) => product.db.select().from(mails).where(eq(mails.recipient, email))
const find = async (reference: string) => {
  const [row] = await product.db.select().from(applications).where(eq(applications.reference, reference))
  if (!row) throw new Error(`no application ${reference}`)
  return row
}

describe('an application', () => {
  test('is stored with its file before it is answered, acknowledged, and brought to the staff', async () => {
    const email = 'stored@example.com'
    const { status, body, text } = await apply({ email, language: 'en' }, [
      ['Mon CV.PDF', pdf],
      ['lettre.html', pdf],
    ])
    expect(status, text).toBe(201)
    expect(body).toEqual({ reference: expect.stringMatching(/^CA-\d{4}-\d{6}$/) as string })
    const { id } = await find(body.reference)
    expect(await mailsTo(email)).toMatchObject([
      {
        subject: `[${body.reference}] Application received`,
        body: expect.stringContaining(company.people.privacyOfficer.email) as string,
      },
    ])
    expect((await mailsTo(company.emails.hr)).map(({ subject }) => subject)).toContain(
      `[${body.reference}] Candidature\u00a0: Technicienne ou technicien`,
    )
    const staff = await product.signIn({ applications: 'read_only' })
    const list = await staff.get<ApplicationSummary[]>(`${base}?search=STORED@`)
    expect(list.body).toMatchObject([{ reference: body.reference, name: 'Zoé Tremblay', file_count: 2, status: 'new' }])
    const { body: found } = await staff.get<Application>(`${base}/${id}`)
    expect(found.files.map(({ name }) => name)).toEqual(['Mon CV.PDF', 'lettre.html.pdf'])
    const file = await staff.get(`${base}/${id}/files/${found.files[0]?.id_file}`)
    expect(file.text).toBe(pdf.toString())
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await staff.get(`${base}/${id + 1_000}/files/${found.files[0]?.id_file}`)).status).toBe(404)
    expect((await (await product.client()).get(`${base}/${id}`)).status).toBe(401)
    expect((await (await product.signIn({ requests: 'administrator' })).get(`${base}/${id}`)).status).toBe(403)
  })

  test('sent twice with one id is one, and another text or file is another', async () => {
    const client_id = crypto.randomUUID()
    const first = await apply({ client_id })
    expect((await apply({ client_id })).body).toEqual(first.body)
    expect((await apply({ client_id, message: 'Autre' })).body.reference).not.toBe(first.body.reference)
    expect((await apply({ client_id }, [])).body.reference).not.toBe(first.body.reference)
    const [one, other] = await Promise.all([apply({ client_id, phone: '1' }), apply({ client_id, phone: '1' })])
    expect(one.body).toEqual(other.body)
  })

  test.each<[string, Record<string, string>, [string, Uint8Array][], number, string]>([
    ['without a name', { firstname: ' ' }, [], 400, 'firstname'],
    ['with a wrong address', { email: 'zoe@' }, [], 400, 'email'],
    ['with a header in its name', { lastname: 'x\r\nBcc: a@example.com' }, [], 400, 'lastname'],
    ['with an unknown field', { role: 'administrator' }, [], 400, ''],
    ['with a forged time', { shown_at: 'abc.def' }, [], 400, 'shown_at'],
    ['with a page of HTML', {}, [['cv.pdf', Buffer.from('<html>%PDF-1.7 %%EOF')]], 422, 'files'],
    ['with 11 MB', {}, [['cv.pdf', Buffer.concat([pdf, Buffer.alloc(11_000_000)])]], 413, 'files'],
    [
      'with two files of 6 MB',
      {},
      [
        ['a.pdf', Buffer.concat([Buffer.alloc(6_000_000), pdf])],
        ['b.pdf', Buffer.alloc(6_000_000)],
      ],
      413,
      'files',
    ],
    ['with six files', {}, Array.from({ length: 6 }, (_, index) => [`${index}.pdf`, pdf] as [string, Uint8Array]), 413, 'files'],
  ])('%s is refused, and nothing is stored', async (_what, fields, files, status, path) => {
    const count = () => product.db.$count(applications)
    const before = await count()
    const refused = await apply(fields, files)
    expect(refused.status, refused.text).toBe(status)
    expect(refused.body.errors?.map((error) => error.path)).toContain(path)
    expect(await count()).toBe(before)
  })

  test('of a posting that does not exist is not found, and only multipart is taken', async () => {
    expect((await apply({}, [], 999_999)).status).toBe(404)
    const visitor = await product.client()
    expect((await visitor.post(`/public_api/jobs/${jobId}/applications`, person)).status).toBe(415)
    const raw = await fetch(`${product.origin}/public_api/jobs/${jobId}/applications`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Readable.toWeb(Readable.from([Buffer.from('--b\r\n')])) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect(raw.status).toBe(403)
    await raw.text()
  })

  test('that a trap caught is kept apart without a mail until the staff take it', async () => {
    const email = 'trapped@example.com'
    const { status, body } = await apply({ email, honey: 'x' })
    expect(status).toBe(201)
    const { id } = await find(body.reference)
    expect(await mailsTo(email)).toEqual([])
    const staff = await product.signIn({ applications: 'read_write' })
    expect((await staff.get<ApplicationSummary[]>(`${base}?search=trapped`)).body).toEqual([])
    expect((await staff.get<ApplicationSummary[]>(`${base}?status=suspected`)).body.map((one) => one.id_application)).toContain(
      id,
    )
    expect((await staff.put<Application>(`${base}/${id}`, { status: 'new', version: 1 })).body).toMatchObject({
      status: 'new',
      version: 2,
    })
    await settleDecisions(product.app, new Date(Date.now() + undoMs))
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await staff.delete(`${base}/${id}`)).status).toBe(403)
  })

  test('that a trap caught is told to the recruiters once a day, where there is a new one', async () => {
    await product.db.delete(mails)
    await mailSuspected(product.app, new Date(Date.now() + 2 * 86_400_000))
    expect(await mailsTo(company.emails.hr)).toEqual([])
    await apply({ email: 'robot@example.com', honey: 'spam' })
    await mailSuspected(product.app)
    const [mail, ...more] = await mailsTo(company.emails.hr)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/candidatures? à vérifier \/ \d+ applications? to verify$/)
    expect(mail?.body).not.toContain('robot@example.com')
  })

  test('is followed, exported as CSV, and erased with its files and mails', async () => {
    const email = 'erased@example.com'
    const { body } = await apply({ email, message: '=HYPERLINK("http://example.com")' })
    const { id } = await find(body.reference)
    const staff = await product.signIn({ applications: 'administrator', audit: 'read_only' })
    expect(
      (await staff.put<Application>(`${base}/${id}`, { status: 'interview', note: 'Parle trois langues.' })).body,
    ).toMatchObject({
      status: 'interview',
      note: 'Parle trois langues.',
    })
    expect((await staff.put(`${base}/${id}`, { status: 'declined', version: 1 })).status).toBe(409)
    const csv = await staff.get(`${base}/export.csv?search=erased@&language=en`)
    expect(csv.text).toMatch(/^Number,Received,Position,Status/)
    expect(csv.text).toContain('Interview')
    expect(csv.text).toContain('HYPERLINK')
    expect(csv.text).not.toMatch(/(^|,)"?=HYPERLINK/m)
    expect((await staff.delete(`${base}/${id}`)).status).toBe(204)
    expect(await mailsTo(email)).toEqual([])
    const log = (await staff.get(`/api/audit/entries?area=applications`)).text
    expect(log).not.toContain('trois langues')
    expect(log).not.toContain(email)
  })

  test('carries the campaign of the first page, in its list, its export and what the person may see', async () => {
    const source = { utm_source: 'salon', utm_medium: 'affiche', utm_campaign: 'emploi-2026', referrer: 'example.com' }
    const email = 'campaign@example.com'
    const { body } = await apply({ email, source: JSON.stringify(source) })
    const staff = await product.signIn({ applications: 'administrator', privacy: 'administrator', company: 'read_only' })
    expect((await staff.get<ApplicationSummary[]>(`${base}?search=${body.reference}`)).body).toMatchObject([{ source }])
    expect((await staff.get<Application>(`${base}/${(await find(body.reference)).id}`)).body.source).toEqual(source)
    const csv = (await staff.get(`${base}/export.csv?search=campaign@&language=en`)).text
    expect(csv).toMatch(/,utm_source,utm_medium,utm_campaign,referrer\r?\n/)
    expect(csv).toContain('salon,affiche,emploi-2026,example.com')
    expect((await staff.post('/api/privacy/search', { email })).text).toContain('emploi-2026')
    // What is no source is left out: the person gets through.
    for (const wrong of ['{', 'null', JSON.stringify({ ...source, utm_source: 'x'.repeat(61) })]) {
      const sent = await apply({ email: 'wrong@example.com', source: wrong })
      expect([sent.status, (await find(sent.body.reference)).source]).toEqual([201, null])
    }
  })

  test('is part of what a person may see and have erased, and ends after twelve months', async () => {
    const email = 'rights@example.com'
    const { body } = await apply({ email })
    const officer = await product.signIn()
    const found = await officer.post<{ kind: string; findings: { id: string; fields: { files: string } }[] }[]>(
      '/api/privacy/search',
      { email },
    )
    const own = found.body.find(({ kind }) => kind === 'applications')
    expect(own?.findings).toMatchObject([
      { id: body.reference, fields: { files: expect.stringContaining('[cv.pdf]') as string } },
    ])
    const erased = await officer.post<{ erased: Record<string, number> }>('/api/privacy/erase', { email })
    expect(erased.body.erased).toMatchObject({ applications: 1 })
    await expect(find(body.reference)).rejects.toThrow('no application')

    const old = await find((await apply({ email })).body.reference)
    const at = new Date()
    at.setUTCMonth(at.getUTCMonth() - 12)
    const set = (createdAt: Date) => product.db.update(applications).set({ createdAt }).where(eq(applications.id, old.id))
    await set(new Date(at.getTime() + 3_600_000))
    await applyRetention(product.app)
    await expect(find(old.reference)).resolves.toBeDefined()
    await set(new Date(at.getTime() - 3_600_000))
    await applyRetention(product.app)
    await expect(find(old.reference)).rejects.toThrow('no application')
    expect(await mailsTo(email)).toEqual([])
    const pieces = await product.db.select({ id: applicationFilePieces.fileId }).from(applicationFilePieces)
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(await product.db.$count(applicationFilePieces))
  })
})
