import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Recording, RecordingDetail, RecordingSettings } from './contract.ts'
import { recordings } from './server/table.ts'
import { makeTone } from './server/sound.ts'
import { entriesOf, path, someCall, upload } from './testing/calls.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

async function keyOf(id: number) {
  const [row] = await product.db.select().from(recordings).where(eq(recordings.id, id))
  return row ? join(product.dataDir, 'recordings', row.storageKey) : ''
}

describe('a recording', () => {
  test('is uploaded and found, with caller, callee, time and duration', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const call = someCall({ seconds: 2 })
    const created = await upload(staff, call)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id_recording: expect.any(Number),
      // 14:30 in the company's time zone.
      date: '2026-11-20T19:30:00.000Z',
      direction: 'in',
      caller: call.caller,
      callee: '101',
      agent: '101',
      duration: 2,
      file: call.name,
      size: call.content.length,
      on_hold: false,
    })
    const { id_recording: id } = created.body
    const { body } = await staff.get<RecordingDetail>(`${path}/${id}`)
    expect(body).toEqual({ ...created.body, peaks: expect.any(String) })
    expect(Buffer.from(body.peaks, 'base64').length).toBeGreaterThan(100)
    const list = await staff.get<Recording[]>(`${path}?search=${call.caller}`)
    expect(list.headers.get('x-total-count')).toBe('1')
    expect(list.body).toEqual([created.body])
    expect(await entriesOf(product, 'import', id)).toHaveLength(1)
    expect(JSON.stringify(await entriesOf(product, 'import', id))).not.toContain(call.caller)
  })

  test('is not duplicated on a second upload, and is another one with other audio', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const call = someCall()
    const first = await upload(staff, call)
    const again = await upload(staff, call)
    expect(again.status).toBe(200)
    expect(again.body.id_recording).toBe(first.body.id_recording)
    const other = await upload(staff, { ...call, content: makeTone({ seconds: 3 }) })
    expect(other.status).toBe(201)
    expect(other.body.id_recording).not.toBe(first.body.id_recording)
  })

  test('takes its facts from the sidecar when its name has none', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const content = makeTone({ seconds: 1, hertz: 777 })
    const note = { date: '2026-03-08T03:30:00-04:00', direction: 'out', caller: '104', callee: '418 555-0188', agent: 'Zoé Roy' }
    const made = await upload(staff, { name: 'réunion.wav', content }, { name: 'réunion.json', content: JSON.stringify(note) })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...note, date: '2026-03-08T07:30:00.000Z', file: 'réunion.wav' })
    const table = 'file;date;direction;caller;callee;agent\nb.wav;2026-03-09T10:00:00;in;5145550101;104;Zoé\n'
    const byTable = await upload(staff, { name: 'x.csv', content: table }, { name: 'b.wav', content })
    expect(byTable.body).toMatchObject({ date: '2026-03-09T14:00:00.000Z', agent: 'Zoé' })
    expect((await staff.get<Recording[]>(`${path}?search=zoe%20555-0188`)).body).toHaveLength(1)
  })

  test.each([
    ['a text named WAV', { name: someCall().name, content: 'hello, hello' }, 415],
    ['a WAV cut short', { name: someCall().name, content: makeTone({ seconds: 1 }).subarray(0, 44) }, 422],
    ['no name to read', { name: 'call.wav', content: makeTone({ seconds: 1 }) }, 422],
    ['an empty file', { name: someCall().name, content: '' }, 415],
  ])('rejects %s, and leaves nothing behind', async (_what, part, status) => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const before = (await staff.get(path)).headers.get('x-total-count')
    expect((await upload(staff, part)).status).toBe(status)
    expect((await staff.get(path)).headers.get('x-total-count')).toBe(before)
    expect(readdirSync(join(product.dataDir, 'recordings', 'incoming'))).toEqual([])
  })

  test('has a generated name on the disk', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const call = someCall()
    const { body, status } = await upload(staff, { ...call, name: `../../../${call.name}` })
    expect(status).toBe(201)
    expect(body.file).toBe(call.name)
    expect(await keyOf(body.id_recording)).toMatch(/\/recordings\/2026\/11\/[\da-f-]{36}\.wav$/)
    expect(existsSync(await keyOf(body.id_recording))).toBe(true)
  })

  test.each([
    ['no file', []],
    ['two sounds', [someCall(), someCall()]],
  ])('rejects %s in one request', async (_what, parts) => {
    const staff = await product.signIn({ recordings: 'read_write' })
    expect((await upload(staff, ...parts)).status).toBe(400)
  })

  test('rejects a body of another type', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    expect((await staff.post(path, { file: 'x' })).status).toBe(415)
    const send = (type: string, raw: string) => staff.post(path, undefined, { headers: { 'content-type': type }, raw })
    expect((await send('multipart/form-data', 'x')).status).toBe(415)
    expect((await send('audio/wav', 'x')).status).toBe(415)
    for (const raw of ['x', '--b\r\n\r\n', '--b\r\nContent-Disposition: form-data; name="f"; filename="a.wav"\r\n\r\nRIFF']) {
      expect((await send('multipart/form-data; boundary=b', raw)).status).toBe(400)
    }
  })
})

describe('the list', () => {
  test('filters by days in the company’s time zone, both included', async () => {
    const staff = await product.signIn({ recordings: 'read_write' })
    const note = (date: string) => ({ name: 'n.json', content: JSON.stringify({ date, caller: '8195550111', callee: '101' }) })
    const at = (hertz: number) => ({ name: 'n.wav', content: makeTone({ seconds: 1, hertz }) })
    // One minute before midnight and at midnight, on a day of 25 hours.
    await upload(staff, at(901), note('2026-10-31T23:59:00'))
    await upload(staff, at(902), note('2026-11-01T00:00:00'))
    await upload(staff, at(903), note('2026-11-01T23:59:00'))
    await upload(staff, at(904), note('2026-11-02T00:00:00'))
    const found = await staff.get<Recording[]>(`${path}?from=2026-11-01&to=2026-11-01&search=8195550111`)
    expect(found.body.map(({ date }) => date)).toEqual(['2026-11-02T04:59:00.000Z', '2026-11-01T04:00:00.000Z'])
    expect((await staff.get<Recording[]>(`${path}?from=2026-11-02&search=819-555-0111`)).body).toHaveLength(1)
    expect((await staff.get<Recording[]>(`${path}?to=2026-10-31&search=(819)`)).body).toHaveLength(1)
  })

  test.each([
    'from=yesterday',
    'from=2026-02-30',
    'from=2026-11-02&to=2026-11-01',
    'page=0',
    'page=99999',
    'page=1&page=2',
    'search=%00',
    `search=${'a'.repeat(201)}`,
    'sort=name',
  ])('returns 400 for %s', async (query) => {
    const staff = await product.signIn({ recordings: 'read_only' })
    expect((await staff.get(`${path}?${query}`)).status).toBe(400)
  })

  test('treats any search as text', async () => {
    const staff = await product.signIn({ recordings: 'read_only' })
    for (const search of ["' OR 1=1--", '%', '_____', '\\', '{"a"}', '日本']) {
      const found = await staff.get<Recording[]>(`${path}?search=${encodeURIComponent(search)}`)
      expect(found.status).toBe(200)
      expect(found.body).toEqual([])
    }
  })
})

describe('rights', () => {
  test('list, play, download and delete have their own access levels', async () => {
    const owner = await product.signIn({ recordings: 'administrator' })
    const { body } = await upload(owner, someCall())
    const address = `${path}/${body.id_recording}`
    const visitor = await product.client()
    for (const where of [path, address, `${address}/audio`, `${address}/download`, '/api/recordings/settings']) {
      expect((await visitor.get(where)).status).toBe(401)
      expect((await (await product.signIn({ requests: 'administrator' })).get(where)).status).toBe(403)
    }
    const listener = await product.signIn({ recordings: 'read_only' })
    const statuses = async (client: typeof listener) => [
      (await client.get(address)).status,
      (await client.get(`${address}/audio`)).status,
      (await client.get(`${address}/download`)).status,
      (await client.delete(address)).status,
    ]
    expect(await statuses(listener)).toEqual([200, 200, 403, 403])
    expect((await upload(listener, someCall())).status).toBe(403)
    expect((await listener.put(`${address}/hold`, { on_hold: true })).status).toBe(403)

    const { body: settings } = await owner.get<RecordingSettings>('/api/recordings/settings')
    const changed = { ...settings, play: 'read_write', download: 'administrator' }
    expect((await listener.put('/api/recordings/settings', changed)).status).toBe(403)
    expect((await owner.put('/api/recordings/settings', changed)).status).toBe(200)
    expect(await statuses(listener)).toEqual([200, 403, 403, 403])
    const worker = await product.signIn({ recordings: 'read_write' })
    expect(await statuses(worker)).toEqual([200, 200, 403, 403])
    expect(await statuses(owner)).toEqual([200, 200, 200, 204])
    expect((await owner.put('/api/recordings/settings', { ...settings, version: 0 })).status).toBe(409)
    await owner.put('/api/recordings/settings', { ...settings, version: settings.version + 1 })
  })

  test.each([{ retention_days: 90 }, { play: 'none' }, { delete: 'everybody' }, { list: 'read_only' }])(
    'reject the settings %j',
    async (wrong) => {
      const owner = await product.signIn({ recordings: 'administrator' })
      const { body } = await owner.get<RecordingSettings>('/api/recordings/settings')
      expect((await owner.put('/api/recordings/settings', { ...body, ...wrong })).status).toBe(400)
    },
  )

  test('a legal hold prevents deletion, and only users who may delete can lift it', async () => {
    const owner = await product.signIn({ recordings: 'administrator' })
    const worker = await product.signIn({ recordings: 'read_write' })
    const { body } = await upload(owner, someCall())
    const address = `${path}/${body.id_recording}`
    expect((await worker.put<Recording>(`${address}/hold`, { on_hold: true })).body.on_hold).toBe(true)
    expect((await owner.delete(address)).status).toBe(409)
    expect((await worker.put(`${address}/hold`, { on_hold: false })).status).toBe(403)
    expect((await owner.put(`${address}/hold`, { on_hold: 'no' })).status).toBe(400)
    expect((await owner.put(`${address}/hold`, { on_hold: false })).status).toBe(200)
    const file = await keyOf(body.id_recording)
    expect(existsSync(file)).toBe(true)
    expect((await owner.delete(address)).status).toBe(204)
    expect(existsSync(file)).toBe(false)
    expect((await owner.get(address)).status).toBe(404)
    expect((await owner.delete(address)).status).toBe(404)
    for (const action of ['hold', 'release', 'delete'])
      expect(await entriesOf(product, action, body.id_recording)).toHaveLength(1)
  })
})
