import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { auditLog, auditLogKeys } from '#src/server/audit-log/audit-log-table.ts'
import { applyErasures } from '#src/server/erasures/erasures.ts'
import { erasures } from '#src/server/erasures/erasures-table.ts'
import type { AuditEntry } from '../audit/contract.ts'
import type { Erasure, PersonalDataFound } from './contract.ts'
import { applyRetention } from './server/retention.ts'

let product: TestApp
let officer: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp()
  officer = await product.signIn()
})
afterAll(() => product.stop())

let counter = 0
/** A deleted team record of a person of their own. */
async function deleteRecord() {
  counter += 1
  const name = `Zoé Planté${counter}`
  const email = `zoe.plante${counter}@example.com`
  const created = await officer.post<{ id_employe: number }>('/api/employees/employes', {
    ...{ nom: name, departement: 'TECHNICIENS', sousdepartement: 'TECHNICIENS', email },
    ...{ titre: 'Technicienne, (418) 555-0142', titre_en: 'Technician' },
    ...{ description: 'Malade depuis mai', description_en: 'Ill since May' },
  })
  expect(created.status, created.text).toBe(201)
  const id = created.body.id_employe
  expect((await officer.delete(`/api/employees/employes/${id}`)).status).toBe(204)
  return { id, name, email }
}

async function find(q: string) {
  const { status, body, text } = await officer.post<PersonalDataFound[]>('/api/privacy/search', { q })
  expect(status, text).toBe(200)
  return body.find(({ kind }) => kind === 'journal')?.findings ?? []
}

const erase = async (q: string, findings?: { kind: string; id: string }[]) =>
  (await officer.post<Erasure>('/api/privacy/erase', { q, ...(findings && { findings }) })).body

async function eventsOf(id: number) {
  const { body } = await officer.get<AuditEntry[]>(`/api/audit/entries?area=employees&entry=${id}`)
  return body
}

describe('what the audit log says of somebody', () => {
  test('is stored encrypted, and read by whoever may read the log', async () => {
    const { id, email } = await deleteRecord()
    const stored = JSON.stringify(await product.db.select().from(auditLog))
    expect(stored).not.toMatch(new RegExp(`Malade|Planté|${email}|555-0142`))
    expect(await eventsOf(id)).toMatchObject([
      { action: 'delete', before: { description: 'Malade depuis mai' }, restorable: true, is_erased: false },
      { action: 'create', after: { description: 'Malade depuis mai' } },
    ])
  })

  test('is found by address as certain, by name, words and phone number as possible, and handed over', async () => {
    const { name, email } = await deleteRecord()
    expect(await find(email)).toMatchObject([{ certain: true }, { certain: true }])
    const named = await find(`${name.toLowerCase()} MALADE`)
    expect(named).toMatchObject([
      { certain: false, fields: { 'after.description': 'Malade depuis mai' } },
      { certain: false, fields: { 'before.description': 'Malade depuis mai' } },
    ])
    expect((await find('418.555.0142')).length).toBeGreaterThanOrEqual(2)
    expect(await find('Planté9999')).toEqual([])
    const exported = await officer.post('/api/privacy/export', { q: email, format: 'csv' })
    expect(exported.text).toContain('Malade depuis mai')
  })

  test('is erased with them: the events and the chain stay, say so, and bring nothing back', async () => {
    const { id, name, email } = await deleteRecord()
    const { erased, proof } = await erase(email)
    expect(erased).toMatchObject({ journal: 2 })
    expect(proof).toMatch(/^[\da-f]{32}$/)
    const events = await eventsOf(id)
    expect(events).toMatchObject([
      { action: 'delete', before: null, after: null, is_erased: true, restorable: false, name: null },
      { action: 'create', before: null, after: null, is_erased: true },
    ])
    expect((await officer.post(`/api/audit/entries/${events[0]?.id_entry}/restore`)).status).toBe(409)
    expect([await find(email), await find(name)]).toEqual([[], []])
    const { body } = await officer.get('/api/audit/verification')
    expect(body).toMatchObject({ broken_at: null, is_complete: true })
  })

  test('is erased by what was chosen alone, and again in an older backup', async () => {
    const { name } = await deleteRecord()
    const [first, second] = await find(name)
    if (!first || !second) throw new Error('nothing was found')
    const keys = await product.db.select().from(auditLogKeys).where(eq(auditLogKeys.entry, first.id))
    const { erased, kept } = await erase(name, [{ kind: 'journal', id: first.id }])
    expect(erased).toEqual({ journal: 1 })
    expect(kept).toEqual([{ kind: 'journal', id: second.id, reason: 'not chosen' }])
    expect((await find(name)).map(({ id }) => id)).toEqual([second.id])
    await product.db.delete(erasures)
    await product.db.insert(auditLogKeys).values(keys)
    expect(await applyErasures(product.db, product.dataDir, product.app.personalData)).toBe(1)
    expect((await find(name)).map(({ id }) => id)).toEqual([second.id])
  })

  test('ends with the period of the audit log', async () => {
    const { id, name } = await deleteRecord()
    const later = (months: number) => new Date(Date.now() + months * 31 * 86_400_000)
    await applyRetention(product.app, later(58))
    expect(await find(name)).toHaveLength(2)
    const { purged } = await applyRetention(product.app, later(61))
    expect(purged['journal']).toBeGreaterThanOrEqual(2)
    expect(await eventsOf(id)).toMatchObject([{ is_erased: true }, { is_erased: true }])
  })
})

test('an event of an earlier version, which was not encrypted, is read as before and kept with its reason', async () => {
  const email = 'former.version@example.com'
  await product.db.insert(auditLog).values({
    ...{ userName: 'Zoé', address: '', area: 'notes', action: 'create', entryId: '1', hash: '0'.repeat(64) },
    after: { note: `Écrire à ${email}` },
  })
  const [entry] = await readAuditLog(product.db, eq(auditLog.hash, '0'.repeat(64)))
  expect(entry).toMatchObject({ after: { note: `Écrire à ${email}` }, isErased: false })
  expect(await find(email)).toMatchObject([{ certain: true, fields: { 'after.note': `Écrire à ${email}` } }])
  expect(await erase(email)).toMatchObject({
    proof: null,
    kept: [{ kind: 'journal', id: String(entry?.id), reason: 'audit log' }],
  })
})

test('a key that is not its own leaves an event without values, and the others readable', async () => {
  const author = { userId: null, name: 'Zoé', address: '' }
  const record = (note: string) =>
    product.db.transaction((tx) =>
      recordChange(tx, author, { area: 'other keys', action: 'create', entryId: 1, after: { note } }),
    )
  await record('first')
  await record('second')
  const entries = () => readAuditLog(product.db, eq(auditLog.area, 'other keys'))
  const [first] = await entries()
  await product.db
    .update(auditLogKeys)
    .set({ key: Buffer.alloc(32).toString('base64') })
    .where(eq(auditLogKeys.entry, String(first?.id)))
  expect(await entries()).toMatchObject([
    { after: null, isErased: true },
    { after: { note: 'second' }, isErased: false },
  ])
})
