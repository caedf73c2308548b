import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWritersOnly } from '#src/app/testing/expect-writers-only.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { emergencyBanner } from './server/service.ts'

type Entry = Record<string, unknown> & { version: number }

const redBanner = {
  name: 'the red banner',
  path: '/api/home_messages/home_message',
  id: 'id_home_message',
  text: 'message',
  body: { message: '<p>Panne en cours.</p>', message_en: '<p>Outage.</p>', title: '', title_en: '' },
}
const kinds = [
  redBanner,
  {
    name: 'the information panel',
    path: '/api/home_informations/home_information',
    id: 'id_home_information',
    text: 'description',
    body: { title: 'Horaire', title_en: 'Hours', description: '<p>Fermé.</p>', description_en: '<p>Closed.</p>' },
  },
]

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe.each(kinds)('$name', ({ path, id, text, body }) => {
  test('is created, updated and deleted with write access, and is never duplicated', async () => {
    const staff = await product.signIn({ home: 'read_write' })
    const visitor = await product.client()
    expect((await visitor.get(path)).body).toEqual([])
    const created = await staff.post<Entry>(path, body)
    expect(created.status).toBe(201)
    const shown = { publie: true, opens_on: null, closes_on: null, state: 'open' }
    expect(created.body).toEqual({ ...body, ...shown, [id]: expect.any(Number), english_older: {}, version: 1 })
    expect((await visitor.get(path)).body).toEqual([created.body])

    const second = await staff.post<{ current: Entry }>(path, body)
    expect(second.status).toBe(409)
    expect(second.body.current).toEqual(created.body)

    const address = `${path}/${String(created.body[id])}`
    expect((await staff.put<Entry>(address, { ...body, [text]: '<p>Suite.</p>', version: 1 })).body).toMatchObject({ version: 2 })
    const late = await staff.put<{ current: Entry }>(address, { ...body, version: 1 })
    expect(late.status).toBe(409)
    expect(late.body.current[text]).toBe('<p>Suite.</p>')
    expect((await staff.delete(address)).status).toBe(204)
    expect((await visitor.get(path)).body).toEqual([])
  })

  test('two concurrent creations leave one', async () => {
    const staff = await product.signIn({ home: 'read_write' })
    const responses = await Promise.all([1, 2, 3].map(() => staff.post<Entry>(path, body)))
    expect(responses.map((response) => response.status).toSorted()).toEqual([201, 409, 409])
    const [only] = (await staff.get<Entry[]>(path)).body
    await staff.delete(`${path}/${String(only?.[id])}`)
  })

  test('is sanitized on save', async () => {
    const staff = await product.signIn({ home: 'read_write' })
    const created = await staff.post<Entry>(path, {
      ...body,
      [text]: '<p>a<img src=x onerror=alert(1)></p><script>alert(1)</script>',
    })
    expect(created.body[text]).toBe('<p>a</p>')
    await staff.delete(`${path}/${String(created.body[id])}`)
  })

  test('rejects invalid values', async () => {
    const staff = await product.signIn({ home: 'read_write' })
    for (const wrong of [
      { admin: 1 },
      { [text]: ['x'] },
      { [text]: '\0' },
      { [text]: '\ud800' },
      { title: 'a'.repeat(50_000) },
    ]) {
      expect((await staff.post(path, { ...body, ...wrong })).status).toBe(400)
    }
  })

  test('rejects writes without a session or with read access only', async () => {
    await expectWritersOnly(product, path, body, { home: 'read_only', notes: 'administrator' })
  })
})

test('the banner of an outage is shown over one whose opening lies before it, and what it replaced comes back', async () => {
  const { path, id, body } = redBanner
  const staff = await product.signIn({ home: 'read_write' })
  const visitor = await product.client()
  const messageShown = async () => (await visitor.get<Entry[]>(path)).body.map(({ message }) => message)
  const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000).toISOString()
  const former = await staff.post<Entry>(path, { ...body, message: '<p>Prévu</p>', opens_on: minutesAgo(60) })
  const context = { db: product.app.db, events: product.app.events }
  const author = { userId: staff.user.id, name: staff.user.displayName, address: '127.0.0.1' }
  const placed = await emergencyBanner.put(context, author, { title: 'Panne', title_en: '', text: 'Fibre', text_en: '' })
  const other = await staff.post<Entry>(path, { ...body, message: '<p>Autre</p>', opens_on: minutesAgo(30) })
  expect(await messageShown()).toEqual(['<p>Fibre</p>'])
  await staff.delete(`${path}/${String(other.body[id])}`)
  await emergencyBanner.takeBack(context, author, placed)
  expect(await messageShown()).toEqual(['<p>Prévu</p>'])
  await staff.delete(`${path}/${String(former.body[id])}`)
})
