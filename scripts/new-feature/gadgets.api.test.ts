import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Gadget } from './contract.ts'

const path = '/api/gadgets'
const entry = { name: 'Première', name_en: 'First', description: 'Le texte.', description_en: 'The text.' }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('gadgets', () => {
  test('are created, read, updated and deleted with write access', async () => {
    const staff = await product.signIn({ gadgets: 'read_write' })
    const created = await staff.post<Gadget>(path, entry)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...entry, version: 1 })
    const address = `${path}/${created.body.id_gadget}`
    const visitor = await product.client()
    expect((await visitor.get<Gadget[]>(path)).body).toEqual([created.body])
    const changed = await staff.put<Gadget>(address, { ...entry, name: 'Autre', version: 1 })
    expect(changed.body).toMatchObject({ name: 'Autre', version: 2, english_older: { name: expect.any(String) } })
    expect((await staff.put(address, { ...entry, version: 1 })).status).toBe(409)
    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(address)).status).toBe(404)
  })

  test.each([
    ['no name', { ...entry, name: ' ' }],
    ['an unknown field', { ...entry, admin: true }],
    ['50,000 letters', { ...entry, description: 'a'.repeat(50_000) }],
  ])('reject %s', async (_name, body) => {
    const staff = await product.signIn({ gadgets: 'read_write' })
    expect((await staff.post(path, body)).status).toBe(400)
  })

  test('reject writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, entry, { gadgets: 'read_only', jobs: 'administrator' })
  })
})
