import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '#src/features/audit/contract.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { EntryOrder } from './contract.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

type Fields = Record<string, unknown>

const personOf = (nom: string) => ({
  nom,
  departement: 'VENTES',
  sousdepartement: 'VENTES',
  titre: 'Conseil',
  titre_en: 'Advice',
  email: 'team@example.com',
  description: 'Oui.',
  description_en: 'Yes.',
})
const team = { list: '/api/employees/employes', id: 'id_employe', name: 'nom', inputOf: personOf }
const jobs = { list: '/api/jobs/emplois', id: 'id_emploi', name: 'titre', inputOf: (titre: string) => ({ titre }) }

/** Three entries, and what visitors read of their list. */
async function fill({ list, id, name, inputOf }: typeof team | typeof jobs) {
  const staff = await product.signIn()
  const visitor = await product.client()
  const add = async (title: string) => Number((await staff.post<Fields>(list, inputOf(title))).body[id])
  const ids = [await add('Bo'), await add('Ana'), await add('Cy')] as const
  return {
    staff,
    ids,
    add,
    order: `${list}/order`,
    readNames: async () => (await visitor.get<Fields[]>(list)).body.map((one) => one[name]),
  }
}

describe('the order of a list of the site', () => {
  test('of the team is by name until staff put it in order; a new person comes last', async () => {
    const { staff, ids, add, order, readNames } = await fill(team)
    const [bo, ana, cy] = ids
    expect(await readNames()).toEqual(['Ana', 'Bo', 'Cy'])
    expect((await staff.get<EntryOrder>(order)).body).toEqual({ version: 0, id_ordre: [], ordre: [] })
    const saved = await staff.put<EntryOrder>(order, { version: 0, id_ordre: [cy, ana, bo] })
    expect(saved.body, saved.text).toEqual({ version: 1, id_ordre: [cy, ana, bo], ordre: ['Cy', 'Ana', 'Bo'] })
    expect(await readNames()).toEqual(['Cy', 'Ana', 'Bo'])
    await add('Abe')
    expect(await readNames()).toEqual(['Cy', 'Ana', 'Bo', 'Abe'])
    await staff.delete(`${team.list}/${ana}`)
    expect(await readNames()).toEqual(['Cy', 'Bo', 'Abe'])
    await staff.post(`${team.list}/${ana}/undo`)
    expect(await readNames()).toEqual(['Cy', 'Ana', 'Bo', 'Abe'])
    expect((await staff.put(order, { version: 1, id_ordre: [] })).status).toBe(200)
    expect(await readNames()).toEqual(['Abe', 'Ana', 'Bo', 'Cy'])
  })

  test('of the jobs is the newest first; a new posting comes before the others', async () => {
    const { staff, ids, add, order, readNames } = await fill(jobs)
    const [bo, ana, cy] = ids
    expect(await readNames()).toEqual(['Cy', 'Ana', 'Bo'])
    await staff.put(order, { version: 0, id_ordre: [ana, bo, cy] })
    await add('Di')
    expect(await readNames()).toEqual(['Di', 'Ana', 'Bo', 'Cy'])
  })

  test('is one change of the audit log in names, which is taken back from there', async () => {
    const staff = await product.signIn()
    const { body } = await staff.get<AuditEntry[]>('/api/audit/entries?area=jobs&entry=settings')
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({ action: 'update', before: { ordre: [] }, after: { ordre: ['Ana', 'Bo', 'Cy'] } })
    const reused = await staff.post(`/api/versions/${body[0]?.id_entry}/reuse`, { version: 1, state: 'before' })
    expect(reused.status, reused.text).toBe(200)
    const visitor = await product.client()
    const { body: shown } = await visitor.get<Fields[]>(jobs.list)
    expect(shown.map(({ titre }) => titre)).toEqual(['Di', 'Cy', 'Ana', 'Bo'])
  })

  test('needs write access, names each entry once, and is never saved over that of somebody else', async () => {
    const reader = await product.signIn({ jobs: 'read_only' })
    expect((await reader.get(`${jobs.list}/order`)).status).toBe(403)
    const staff = await product.signIn({ jobs: 'read_write' })
    const { version, id_ordre } = (await staff.get<EntryOrder>(`${jobs.list}/order`)).body
    expect((await staff.put(`${jobs.list}/order`, { version, id_ordre: [1, 1] })).status).toBe(400)
    const late = await staff.put<{ current: EntryOrder }>(`${jobs.list}/order`, { version: version - 1, id_ordre: [1] })
    expect(late.status).toBe(409)
    expect(late.body.current).toMatchObject({ version, id_ordre })
  })
})
