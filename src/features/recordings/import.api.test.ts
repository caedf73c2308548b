import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signCommand } from '#src/server/http/command-key.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { applyRetention } from '#src/features/privacy/server/retention.ts'
import type { ImportOutcome, Recording } from './contract.ts'
import { importCommand, runImport, createIncomingFolder } from './server/import-folder.ts'
import { incomingFolder, openStorage, registerPendingFile, removeOrphanFiles } from './server/storage.ts'
import { recordings, strayFiles } from './server/table.ts'
import { makeTone } from './server/sound.ts'
import { path, someCall, upload } from './testing/calls.ts'

let product: TestApp
let folder: string
let context: Parameters<typeof createIncomingFolder>[0]
beforeAll(async () => {
  product = await startTestApp()
  folder = mkdtempSync(join(tmpdir(), 'guichet-calls-'))
  const { config } = product.app
  const author = { userId: null, name: 'test', address: '' }
  context = { db: product.db, storage: openStorage(config), workFolder: incomingFolder(config), author }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await product.stop()
})

const address = '/api/recordings/import'
const keyFor = (where: string, secret = product.app.config.secret, command = importCommand, now = Date.now()) =>
  signCommand(secret, command, { method: 'POST', path: address, body: JSON.stringify({ folder: where }) }, now)

async function importByCommand(where: string, authorization = keyFor(where)) {
  const response = await fetch(product.origin + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ folder: where }),
  })
  const lines = (await response.text()).split('\n').filter(Boolean)
  return { status: response.status, outcomes: lines.map((line) => JSON.parse(line) as ImportOutcome) }
}

test('a missing folder gets a readable message', async () => {
  const firstOutcome = runImport(product.app.config, join(folder, 'nowhere')).next()
  await expect(firstOutcome).rejects.toThrow('nowhere is no folder that can be read.')
})

test('a folder is imported by the command of the same server, and once only', async () => {
  const day = join(folder, 'monitor', '2026', '11')
  mkdirSync(day, { recursive: true })
  const call = someCall()
  writeFileSync(join(day, call.name), call.content)
  writeFileSync(join(day, 'a.wav'), makeTone({ seconds: 1, hertz: 610 }))
  writeFileSync(join(day, 'a.json'), JSON.stringify({ date: '2026-11-20T09:00:00', caller: '101', callee: '102', agent: 'Zoé' }))
  writeFileSync(join(day, 'b.wav'), makeTone({ seconds: 1, hertz: 620 }))
  writeFileSync(join(day, 'c.wav'), 'no sound')
  writeFileSync(join(day, 'd.wav'), makeTone({ seconds: 1, hertz: 630 }))
  writeFileSync(
    join(day, 'calls.csv'),
    'file,date,direction,caller,callee\nb.wav,2026-11-20T10:00:00,out,101,4505550144\nc.wav,2026-11-20T10:00:00,out,1,2\n',
  )
  const first = await importByCommand(join(folder, 'monitor'))
  expect(first.status).toBe(200)
  const reasons = Object.fromEntries(
    first.outcomes.map(({ file, outcome, reason }) => [file.split('/').at(-1), reason ?? outcome]),
  )
  expect(reasons).toEqual({
    'a.wav': 'imported',
    'b.wav': 'imported',
    'c.wav': 'notAudio',
    'd.wav': 'noFacts',
    [call.name]: 'imported',
  })
  const again = await importByCommand(join(folder, 'monitor'))
  expect(again.outcomes.filter(({ outcome }) => outcome === 'known')).toHaveLength(3)
  expect(existsSync(join(day, call.name))).toBe(true)
  const staff = await product.signIn({ recordings: 'read_only' })
  expect((await staff.get<Recording[]>(`${path}?search=450555`)).body).toMatchObject([{ direction: 'out', file: 'b.wav' }])
})

test('the command route rejects callers without its key', async () => {
  const { secret } = product.app.config
  const old = keyFor(folder, secret, importCommand, Date.now() - 120_000)
  for (const key of ['', 'Bearer x', old, keyFor(folder, 'another secret'), keyFor(folder, secret, 'announce-update')]) {
    expect((await importByCommand(folder, key)).status).toBe(401)
  }
  const staff = await product.signIn()
  expect((await staff.post('/api/recordings/import', { folder })).status).toBe(401)
  expect((await importByCommand(join(folder, 'nowhere'))).status).toBe(400)
})

test('a watched folder imports complete files and moves unreadable ones aside', async () => {
  const watched = join(folder, 'watched')
  mkdirSync(join(watched, 'in'), { recursive: true })
  const call = someCall({ seconds: 2 })
  const file = join(watched, 'in', call.name)
  const watch = createIncomingFolder(context, watched)
  writeFileSync(file, call.content.subarray(0, 9_000))
  writeFileSync(join(watched, 'note.txt'), 'not for us')
  await watch.scan()
  writeFileSync(file, call.content)
  writeFileSync(join(watched, 'bad.wav'), 'no sound')
  await watch.scan()
  expect(existsSync(file)).toBe(true)
  await watch.scan()
  expect(existsSync(file)).toBe(false)
  expect(existsSync(join(watched, 'note.txt'))).toBe(true)
  expect(readFileSync(join(watched, 'failed', 'bad.wav.reason.txt'), 'utf8')).toBe('noFacts\n')
  await watch.scan()
  await watch.scan()
  expect(existsSync(join(watched, 'failed', 'bad.wav'))).toBe(true)
  const [row] = await product.db.select().from(recordings).where(eq(recordings.fileName, call.name))
  expect(row?.durationMs).toBe(2_000)
})

test('deletes expired recordings with their files, except those on hold', async () => {
  const staff = await product.signIn({ recordings: 'read_write' })
  const made = []
  for (const day of ['20200101', '20200102']) made.push((await upload(staff, someCall({ day }))).body)
  const [deleted, onHoldCall] = made
  await staff.put(`${path}/${onHoldCall?.id_recording}/hold`, { on_hold: true })
  const files = (await product.db.select().from(recordings)).map(({ storageKey }) =>
    join(product.dataDir, 'recordings', storageKey),
  )
  expect(files.every((one) => existsSync(one))).toBe(true)
  const { body: periods } = await (await product.signIn()).get('/api/privacy/retention')
  expect(periods).toContainEqual({ kind: 'recordings', count: 6, unit: 'months' })
  expect(await applyRetention(product.app, new Date('2026-11-21T00:00:00Z'))).toMatchObject({ purged: { recordings: 1 } })
  await removeOrphanFiles(context)
  expect((await staff.get(`${path}/${deleted?.id_recording}`)).status).toBe(404)
  expect((await staff.get(`${path}/${onHoldCall?.id_recording}/audio`)).status).toBe(200)
  expect(files.filter((one) => !existsSync(one))).toHaveLength(1)
})

test('sweeps a file without a row, or one that could not be deleted', async () => {
  const key = '2026/11/left-behind.wav'
  const file = join(product.dataDir, 'recordings', key)
  const source = join(folder, 'left.wav')
  writeFileSync(source, makeTone({ seconds: 1 }))
  await registerPendingFile(product.db, key)
  await context.storage.put(key, { path: source, type: 'wav', bytes: 1 })
  await removeOrphanFiles(context)
  expect(existsSync(file)).toBe(true)
  await product.db.update(strayFiles).set({ removeAfter: new Date(0) })
  const refuses = { ...context.storage, remove: () => Promise.reject(new Error('the store is away')) }
  expect(await removeOrphanFiles({ ...context, storage: refuses })).toBe(0)
  expect(await removeOrphanFiles(context)).toBe(1)
  expect(existsSync(file)).toBe(false)
  expect(await product.db.select().from(strayFiles)).toEqual([])
})

test('finds, exports and erases the calls of a person’s numbers with their requests', async () => {
  const officer = await product.signIn()
  const person = await product.client()
  const number = '5815550177'
  const sent = await person.post('/api/mailer/contact', {
    name: 'Zoé',
    email: 'zoe@client.example.com',
    phone: '+1 (581) 555-0177 poste 12',
    message: 'Rappelez-moi',
  })
  expect(sent.status).toBe(200)
  const tail = '20261119-143000-1.1.wav'
  const mine = await upload(officer, { name: `external-101-${number}-${tail}`, content: makeTone({ seconds: 1, hertz: 640 }) })
  const onHold = await upload(officer, { name: `out-${number}-101-${tail}`, content: makeTone({ seconds: 1, hertz: 650 }) })
  const other = await upload(officer, { name: `out-5815550178-101-${tail}`, content: makeTone({ seconds: 1, hertz: 660 }) })
  await officer.put(`${path}/${onHold.body.id_recording}/hold`, { on_hold: true })
  const found = await officer.post<{ kind: string; findings: { id: string; certain: boolean }[] }[]>('/api/privacy/search', {
    email: 'ZOE@client.example.com',
  })
  const calls = found.body.find(({ kind }) => kind === 'recordings')?.findings.map(({ id }) => Number(id))
  expect(calls).toEqual([mine.body.id_recording, onHold.body.id_recording])
  // Whoever erases listens to a call before: its number is one that somebody typed.
  const findings = found.body.flatMap(({ kind, findings: all }) => all.map(({ id }) => ({ kind, id })))
  const erased = await officer.post<{ erased: Record<string, number> }>('/api/privacy/erase', {
    email: 'zoe@client.example.com',
    findings,
  })
  expect(erased.body.erased).toMatchObject({ recordings: 1, requests: 1 })
  expect((await officer.get(`${path}/${mine.body.id_recording}`)).status).toBe(404)
  expect((await officer.get(`${path}/${other.body.id_recording}`)).status).toBe(200)
  expect(await removeOrphanFiles(context)).toBe(1)
})
