import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { applyErasures } from '#src/server/erasures/erasures.ts'
import { erasures } from '#src/server/erasures/erasures-table.ts'
import { chats } from '../chat/server/table.ts'
import { requests } from '../requests/server/table.ts'
import type { Erasure, PersonalDataFound } from './contract.ts'

let product: TestApp
let officer: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp()
  officer = await product.signIn({ privacy: 'read_write', requests: 'administrator', chat: 'administrator' })
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.db.delete(requests)
  await product.db.delete(chats)
  await product.db.delete(mails)
})

const base = '/api/privacy'
const person = { name: 'Marc Lavoie', email: 'marc.lavoie@example.com', phone: '418 555-0177', message: 'Rappelez-moi.' }
async function send(more: Partial<typeof person>) {
  const body = { honey: '', ...person, ...more }
  return (await (await product.client()).post<{ reference: string }>('/api/mailer/contact', body)).body.reference
}
const idOf = async (reference: string) => {
  const [row] = await product.db.select({ id: requests.id }).from(requests).where(eq(requests.reference, reference))
  return row?.id
}
const search = async (q: string) => {
  const { status, body, text } = await officer.post<PersonalDataFound[]>(`${base}/search`, { q })
  expect(status, text).toBe(200)
  return body
}
const found = (all: PersonalDataFound[], kind = 'requests') =>
  (all.find((one) => one.kind === kind)?.findings ?? []).map(({ id, certain }) => [id, certain])
const erase = async (q: string, findings?: { kind: string; id: string }[]) =>
  (await officer.post<Erasure>(`${base}/erase`, { q, ...(findings && { findings }) })).body

describe('a search', () => {
  test('by address is certain of its own, and names what quotes it in the request of another', async () => {
    const own = await send({})
    const other = await send({ email: 'annie@example.com', name: 'Annie Roy', message: 'Écrivez à marc.lavoie@example.com.' })
    const all = await search('Marc.Lavoie@example.com')
    expect(found(all)).toEqual([
      [own, true],
      [other, false],
    ])
    const quoted = all.find(({ kind }) => kind === 'requests')?.findings.find(({ id }) => id === other)
    expect(quoted?.found_by?.text).toContain('marc.lavoie@example.com')
  })

  test.each(['418 555-0177', '(418) 555-0177', '+1 418.555.0177', '4185550177'])('by a telephone written %s', async (q) => {
    const reference = await send({})
    expect(found(await search(q))).toEqual([[reference, false]])
  })

  test('by a name finds internal comments about a person, with the words around, and hands them over', async () => {
    const reference = await send({ email: 'annie@example.com', name: 'Annie Roy' })
    const comment = 'Son collègue Étienne Bélanger, NAS 046 454 286, part vendredi.'
    await officer.post(`/api/requests/requests/${await idOf(reference)}/comments`, { body: comment })
    const all = await search('etienne belanger')
    expect(found(all)).toEqual([[reference, false]])
    expect(all[0]?.findings[0]?.found_by?.text).toContain('Étienne Bélanger')
    // Without a choice nothing of what is only possible leaves.
    const nothing = await officer.post(`${base}/export`, { q: 'etienne belanger', format: 'json' })
    expect(nothing.text).not.toContain('046 454 286')
    const chosen = { q: 'etienne belanger', format: 'json', findings: [{ kind: 'requests', id: reference }] }
    expect((await officer.post(`${base}/export`, chosen)).text).toContain('046 454 286')
  })

  test('of a percent sign, one character or 201, and of both an address and words, is refused', async () => {
    for (const body of [
      { q: '%' },
      { q: '%%' },
      { q: 'a' },
      { q: ' a ' },
      { q: 'a'.repeat(201) },
      {},
      { q: 'ab', email: person.email },
    ])
      expect((await officer.post(`${base}/search`, body)).status, JSON.stringify(body).slice(0, 40)).toBe(400)
    await send({ message: 'cent %' })
    expect(found(await search('zz%'))).toEqual([])
  })

  test('leaves a line of the audit log without its words', async () => {
    await search('Étienne Bélanger')
    const lines = await readAuditLog(product.db, eq(auditLog.area, 'privacy'))
    expect(lines.at(-1)).toMatchObject({ action: 'search', entryId: expect.stringMatching(/^[\da-f]{32}$/) as string })
    expect(JSON.stringify(lines)).not.toMatch(/B[ée]langer/i)
  })
})

describe('an erasure', () => {
  test('takes the candidates that were chosen, keeps the others and names them, and is found again by its words', async () => {
    const [one, other] = [await send({ email: 'a@example.com' }), await send({ email: 'b@example.com' })]
    expect(await erase('418-555-0177')).toMatchObject({ proof: null, erased: {} })
    const { proof, erased, kept } = await erase('418-555-0177', [{ kind: 'requests', id: one }])
    expect(proof).toMatch(/^[\da-f]{32}$/)
    expect(erased).toEqual({ requests: 1 })
    expect(kept).toContainEqual({ kind: 'requests', id: other, reason: 'not chosen' })
    expect(found(await search('418-555-0177'))).toEqual([[other, false]])
    expect(await product.db.$count(mails, eq(mails.recipient, 'a@example.com'))).toBe(0)
  })

  test('leaves what a legal hold keeps, and says so', async () => {
    const reference = await send({ email: 'a@example.com' })
    await officer.put(`/api/requests/requests/${await idOf(reference)}/hold`, { on_hold: true })
    await product.db.update(requests).set({ onHold: true })
    const { proof, kept } = await erase('Marc Lavoie', [{ kind: 'requests', id: reference }])
    expect(proof).toBeNull()
    expect(kept).toContainEqual({ kind: 'requests', id: reference, reason: 'legal hold' })
  })

  test('of two officers at once happens once', async () => {
    const reference = await send({ email: 'a@example.com' })
    const findings = [{ kind: 'requests', id: reference }]
    const both = await Promise.all([erase('Marc Lavoie', findings), erase('Marc Lavoie', findings)])
    expect(both.filter(({ proof }) => proof !== null)).toHaveLength(1)
  })

  test('outlives the restore of an older backup, where no address leads to what was erased', async () => {
    const reference = await send({ email: 'a@example.com' })
    const [row] = await product.db.select().from(requests).where(eq(requests.reference, reference))
    if (!row) throw new Error('no request')
    await erase('Marc Lavoie', [{ kind: 'requests', id: reference }])
    // As an older backup has it: the request is there, and its erasure is not known.
    await product.db.delete(erasures)
    await product.db.insert(requests).values({ ...row, mailId: null })
    expect(await applyErasures(product.db, product.dataDir, product.app.personalData)).toBe(1)
    expect(await product.db.$count(requests)).toBe(0)
  })
})
