import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { HomeMessage } from '#src/features/home/contract.ts'
import type { Note } from '#src/features/notes/contract.ts'
import { readAuditLog } from '#src/app/testing/read-audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Network, StaffIncident, UndoableStep } from './contract.ts'
import { elementChanges, incidentUpdates, networkIncidents } from './server/table.ts'
import { readDetails } from './values.ts'

type Refusal = { current: StaffIncident; changed: { name: string } }

const path = '/api/networks/incidents'
const banners = '/api/home_messages/home_message'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let network: number
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
})
afterAll(() => product.stop())
beforeEach(async () => {
  await product.db.delete(networkIncidents)
  const elements = ['Téléphonie', 'Fibre'].map((nom) => ({ nom, nom_en: `${nom} (en)`, statut: 'OK' }))
  const created = await staff.post<Network>('/api/networks/reseau', {
    nom: 'Québec',
    status: 'ONLINE',
    details: JSON.stringify(elements),
  })
  network = created.body.id_reseau
  return async () => {
    await staff.delete(`/api/networks/reseau/${network}`)
    for (const { id_home_message } of (await staff.get<HomeMessage[]>(banners)).body)
      await staff.delete(`${banners}/${id_home_message}`)
  }
})

const inputOf = (more: object = {}) => ({
  title: 'Coupures brèves',
  title_en: 'Short drops',
  severity: 'WARNING',
  elements: [{ id_reseau: network, nom: 'Téléphonie' }],
  text: 'Des appels coupent <b>parfois</b>.',
  text_en: 'Calls drop.',
  ...more,
})
const declare = async (more: object = {}) => {
  const answer = await staff.post<StaffIncident>(path, inputOf(more))
  expect(answer.status).toBe(201)
  return answer.body
}
const statuses = async () => {
  const { body } = await staff.get<Network>(`/api/networks/reseau/${network}`)
  return { status: body.status, ...Object.fromEntries(readDetails(body.details).map(({ nom, statut }) => [nom, statut])) }
}
const update = (incident: StaffIncident, input: object) =>
  staff.post<StaffIncident>(`${path}/${incident.id_incident}/updates`, input)
const undo = (incident: StaffIncident) => staff.post<StaffIncident>(`${path}/${incident.id_incident}/undo`, {})

describe('a declared outage', () => {
  test('sets statuses, banner and note in one action, and visitors see it', async () => {
    const incident = await declare({ banner: true, note: true, mails: true, next_update_at: '2056-11-20T15:00:00.000Z' })
    expect(incident).toMatchObject({
      draft: false,
      phase: 'investigating',
      number: expect.stringMatching(/^\d{4}-001$/) as string,
      source: 'staff',
    })
    expect(await statuses()).toEqual({ status: 'ONLINE', Téléphonie: 'WARNING', Fibre: 'OK' })
    const visitor = await product.client()
    expect((await visitor.get('/api/networks/reseau/status')).body).toBe('WARNING')
    const [banner] = (await visitor.get<HomeMessage[]>(banners)).body
    expect(banner).toMatchObject({ title: 'Coupures brèves', message: expect.not.stringContaining('<b>') as string })
    const [note] = (await visitor.get<Note[]>('/api/notes/notes')).body
    expect(note).toMatchObject({
      note: 'Coupures brèves\nDes appels coupent <b>parfois</b>.',
      note_en: 'Short drops\nCalls drop.',
    })
    const [received] = (await visitor.get<StaffIncident[]>(path)).body
    expect(received).toMatchObject({
      id_incident: incident.id_incident,
      updates: [{ phase: 'investigating', text_en: 'Calls drop.' }],
    })
    expect(received).not.toHaveProperty('undo_until')
    const [mails] = await product.db.select().from(incidentUpdates).where(eq(incidentUpdates.incidentId, incident.id_incident))
    expect(Number(mails?.mailsAt) - Number(mails?.at)).toBe(60_000)
    const [entry] = await product.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.entryId, `incident/${incident.id_incident}`))
      .orderBy(desc(auditLog.id))
    expect(entry).toMatchObject({ action: 'update', userId: staff.user.id })
    const [change] = await product.db.select().from(elementChanges).orderBy(desc(elementChanges.id)).limit(1)
    expect(change).toMatchObject({ element: 'Téléphonie', from: 'OK', to: 'WARNING', incidentId: incident.id_incident })
  })

  test('is undone within a minute: all is as it was, the text stays as a draft, and no mail leaves', async () => {
    await staff.post(banners, { message: '<p>Avant</p>' })
    const notes = (await staff.get<Note[]>('/api/notes/notes')).body.length
    const rows = (await product.db.select().from(elementChanges)).length
    const incident = await declare({ banner: true, note: true, mails: true })
    expect(incident.undo_until).not.toBeNull()
    const undone = await undo(incident)
    expect(undone.body).toMatchObject({ draft: true, number: '', undo_until: null, updates: [{ text_en: 'Calls drop.' }] })
    expect(await statuses()).toEqual({ status: 'ONLINE', Téléphonie: 'OK', Fibre: 'OK' })
    expect((await staff.get<HomeMessage[]>(banners)).body).toMatchObject([{ message: '<p>Avant</p>' }])
    expect((await staff.get<Note[]>('/api/notes/notes')).body).toHaveLength(notes)
    expect(await product.db.select().from(elementChanges)).toHaveLength(rows)
    const updates = await product.db.select().from(incidentUpdates).where(eq(incidentUpdates.incidentId, incident.id_incident))
    expect(updates.map(({ mailsAt }) => mailsAt)).toEqual([null])
    const visitor = await product.client()
    expect((await visitor.get<object[]>(path)).body).toEqual([])
    expect((await visitor.get(`${path}/${incident.id_incident}`)).status).toBe(404)
    expect((await undo(incident)).status).toBe(409)
  })

  test('can be undone from any screen by its author and by an administrator of networks, while it can be at all', async () => {
    const author = await product.signIn({ networks: 'read_write' })
    const colleague = await product.signIn({ networks: 'read_write' })
    const { body: incident } = await author.post<StaffIncident>(path, inputOf({ mails: true }))
    const stepsOf = async (person: typeof staff) => (await person.get<UndoableStep[]>(`${path}/undoable`)).body
    const step = { id_incident: incident.id_incident, undo_until: incident.undo_until, title_en: 'Short drops', mails: 0 }
    expect(await stepsOf(author)).toMatchObject([step])
    expect(await stepsOf(staff)).toMatchObject([step])
    expect(await stepsOf(colleague)).toEqual([])
    expect((await (await product.signIn({ networks: 'read_only' })).get(`${path}/undoable`)).status).toBe(403)
    await author.post(`${path}/${incident.id_incident}/undo`, {})
    expect(await stepsOf(author)).toEqual([])
    const entries = await readAuditLog(product.db, eq(auditLog.entryId, `incident/${incident.id_incident}`))
    expect(entries.at(-1)).toMatchObject({ action: 'update', userId: author.user.id, after: { draft: true } })
  })

  test('that somebody else published meanwhile is a conflict, with what is stored now', async () => {
    const draft = await declare({ draft: true })
    const { version, id_incident } = draft
    const change = inputOf({ version })
    expect((await staff.post(`${path}/${id_incident}/publish`, {})).status).toBe(200)
    const late = await staff.put<Refusal>(`${path}/${id_incident}`, change)
    expect(late.status).toBe(409)
    expect(late.body.current).toMatchObject({ id_incident, draft: false, version: version + 1 })
    const second = await staff.post<Refusal>(`${path}/${id_incident}/publish`, {})
    expect(second.status).toBe(409)
    expect(second.body.current).toMatchObject({ id_incident, draft: false })
    expect(second.body.changed).toHaveProperty('name')
  })

  test('saved by somebody else meanwhile is neither published nor updated by a form that does not show it', async () => {
    const draft = await declare({ draft: true })
    await staff.put(`${path}/${draft.id_incident}`, inputOf({ title: 'Autre titre', version: draft.version }))
    const late = await staff.post<Refusal>(`${path}/${draft.id_incident}/publish`, { version: draft.version })
    expect(late.status).toBe(409)
    expect(late.body.current).toMatchObject({ draft: true, title: 'Autre titre' })
    const { body: published } = await staff.post<StaffIncident>(`${path}/${draft.id_incident}/publish`, {})
    const step = { phase: 'identified', text: 'Commutateur', mails: false, version: published.version }
    expect((await update(published, step)).status).toBe(201)
    const again = await staff.post<Refusal>(`${path}/${draft.id_incident}/updates`, step)
    expect(again.status).toBe(409)
    expect(again.body.current.updates).toHaveLength(2)
  })

  test('requested twice by the same form is declared once', async () => {
    const client_id = randomUUID()
    const [one, other] = await Promise.all([declare({ client_id, draft: true }), declare({ client_id, draft: true })])
    expect(one.id_incident).toBe(other.id_incident)
    expect(await product.db.select().from(networkIncidents)).toHaveLength(1)
  })

  test('remembers which English is older than its French, until it is changed or reviewed', async () => {
    const draft = await declare({ draft: true })
    const change = async (more: object) =>
      (await staff.put<StaffIncident>(`${path}/${draft.id_incident}`, inputOf(more))).body.english_older
    expect(await change({ title: 'Coupures longues', text: 'Tous les appels coupent.' })).toEqual({
      title: expect.any(String) as string,
      text: expect.any(String) as string,
    })
    const title = { title: 'Coupures longues', title_en: 'Long drops' }
    expect(Object.keys(await change({ ...title, text: 'Tous les appels coupent.' }))).toEqual(['text'])
    expect(await change({ ...title, text: 'Tous les appels coupent.', english_reviewed: ['text'] })).toEqual({})
    await change({ ...title, text: 'Autre texte.' })
    const { body } = await staff.post<StaffIncident>(`${path}/${draft.id_incident}/publish`, {})
    expect(body.english_older).toEqual({})
    expect((await (await product.client()).get(`${path}/${draft.id_incident}`)).body).not.toHaveProperty('english_older')
  })

  test('whose mails are sent at once can no longer be undone', async () => {
    const incident = await declare({ mails: true })
    const send = () => staff.post<StaffIncident>(`${path}/${incident.id_incident}/send`, {})
    const reader = await product.signIn({ networks: 'read_only' })
    expect((await reader.post(`${path}/${incident.id_incident}/send`, {})).status).toBe(403)
    expect((await send()).body).toMatchObject({ draft: false, undo_until: null })
    const [first] = await product.db.select().from(incidentUpdates).where(eq(incidentUpdates.incidentId, incident.id_incident))
    expect(first?.mailsAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await undo(incident)).status).toBe(409)
    expect((await send()).status).toBe(409)
  })

  test('cannot be undone after its minute', async () => {
    const incident = await declare()
    const until = JSON.stringify(new Date(Date.now() - 1))
    await product.db.update(networkIncidents).set({ undo: sql`jsonb_set(${networkIncidents.undo}, '{until}', ${until}::jsonb)` })
    expect((await undo(incident)).status).toBe(409)
    expect(await statuses()).toMatchObject({ Téléphonie: 'WARNING' })
  })

  test('goes through its phases; resolved, what it had set is set back with the banner', async () => {
    const incident = await declare({ banner: true, severity: 'ERROR' })
    const next = await update(incident, {
      phase: 'identified',
      text: 'Commutateur',
      text_en: 'Switch',
      next_update_at: '2056-11-20T15:00:00Z',
    })
    expect(next.status).toBe(201)
    expect(next.body).toMatchObject({
      phase: 'identified',
      next_update_at: '2056-11-20T15:00:00.000Z',
      updates: [{}, { text: 'Commutateur' }],
    })
    const done = await update(incident, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(done.body).toMatchObject({ phase: 'resolved', next_update_at: null, resolved_at: expect.any(String) as string })
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
    expect((await staff.get<HomeMessage[]>(banners)).body).toEqual([])
    expect((await update(incident, { phase: 'monitoring', text: 'Encore', mails: false })).status).toBe(409)
    const again = await undo(incident)
    expect(again.body).toMatchObject({ phase: 'identified', resolved_at: null, next_update_at: '2056-11-20T15:00:00.000Z' })
    expect(again.body.updates).toHaveLength(2)
    expect(await statuses()).toMatchObject({ Téléphonie: 'ERROR' })
    expect((await staff.get<HomeMessage[]>(banners)).body).toHaveLength(1)
    await update(incident, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
  })

  test('leaves alone what somebody changed since: a status, and the banner', async () => {
    const incident = await declare({ banner: true })
    const [banner] = (await staff.get<HomeMessage[]>(banners)).body
    await staff.put(`${banners}/${banner?.id_home_message}`, { message: '<p>Autre chose</p>' })
    const details = JSON.stringify([
      { nom: 'Téléphonie', nom_en: '', statut: 'ERROR' },
      { nom: 'Fibre', nom_en: '', statut: 'OK' },
    ])
    await staff.put(`/api/networks/reseau/${network}`, { nom: 'Québec', status: 'ONLINE', details })
    await update(incident, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(await statuses()).toMatchObject({ Téléphonie: 'ERROR' })
    expect((await staff.get<HomeMessage[]>(banners)).body).toMatchObject([{ message: '<p>Autre chose</p>' }])
  })

  test('of two on one component, the second keeps its status', async () => {
    const first = await declare({ severity: 'ERROR' })
    const second = await declare({ severity: 'WARNING' })
    expect(second.number.slice(-3)).toBe('002')
    await update(first, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(await statuses()).toMatchObject({ Téléphonie: 'WARNING' })
  })

  test('changes its components: what left is set back, what came is set', async () => {
    const incident = await declare()
    const { phase: _, text: __, text_en: ___, ...fields } = { phase: '', ...inputOf() }
    const moved = { ...fields, severity: 'ERROR', elements: [{ id_reseau: network, nom: 'Fibre' }], version: incident.version }
    const changed = await staff.put<StaffIncident>(`${path}/${incident.id_incident}`, moved)
    expect(changed.status).toBe(200)
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK', Fibre: 'ERROR' })
    expect((await staff.put(`${path}/${incident.id_incident}`, moved)).status).toBe(409)
    await update(incident, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK', Fibre: 'OK' })
  })

  test('of a whole network puts it offline, and online again', async () => {
    const incident = await declare({ severity: 'ERROR', elements: [{ id_reseau: network, nom: '' }] })
    expect(await statuses()).toMatchObject({ status: 'OFFLINE', Fibre: 'OK' })
    await update(incident, { phase: 'resolved', text: 'Résolu', text_en: 'Resolved' })
    expect(await statuses()).toMatchObject({ status: 'ONLINE' })
  })
})

describe('a draft', () => {
  test('is shown to staff alone, changed, published or deleted', async () => {
    const draft = await declare({ draft: true })
    expect(draft).toMatchObject({ draft: true, number: '' })
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
    const reader = await product.signIn({ networks: 'read_only' })
    expect((await reader.get<object[]>(path)).body).toHaveLength(1)
    expect((await (await product.client()).get<object[]>(path)).body).toEqual([])
    const changed = await staff.put<StaffIncident>(
      `${path}/${draft.id_incident}`,
      inputOf({ title: 'Autre', text: 'Texte', phase: 'identified' }),
    )
    expect(changed.body).toMatchObject({ phase: 'identified' })
    const places = { banner: false, note: false, mails: false }
    const published = await staff.post<StaffIncident>(`${path}/${draft.id_incident}/publish`, places)
    expect(published.body).toMatchObject({
      draft: false,
      title: 'Autre',
      phase: 'identified',
      updates: [{ text: 'Texte', phase: 'identified' }],
    })
    expect((await staff.post(`${path}/${draft.id_incident}/publish`, places)).status).toBe(409)
    expect((await staff.delete(`${path}/${draft.id_incident}`)).status).toBe(409)
    const other = await declare({ draft: true })
    expect((await staff.delete(`${path}/${other.id_incident}`)).status).toBe(204)
  })

  test('is what becomes of one without its French, which cannot be published', async () => {
    const draft = await declare({ title: '' })
    expect(draft.draft).toBe(true)
    const answer = await staff.post<{ errors: { path: string }[] }>(`${path}/${draft.id_incident}/publish`, {})
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error) => error.path)).toEqual(['title'])
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
  })
})

describe('what is refused', () => {
  test('changes nothing: mails without English, an unknown component, no component, a resolved start', async () => {
    const before = (await staff.get<object[]>(path)).body.length
    for (const more of [
      { mails: true, text_en: '' },
      { elements: [{ id_reseau: network, nom: 'Inconnu' }] },
      { elements: [] },
      { phase: 'resolved' },
      { severity: 'OK' },
      { source: 'monitor' },
    ]) {
      expect((await staff.post(path, inputOf(more))).status).toBe(400)
    }
    expect((await staff.get<object[]>(path)).body).toHaveLength(before)
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
  })

  test('is every change without the right', async () => {
    const incident = await declare()
    const reader = await product.signIn({ networks: 'read_only' })
    const address = `${path}/${incident.id_incident}`
    expect((await reader.post(path, inputOf())).status).toBe(403)
    expect((await reader.post(`${address}/undo`, {})).status).toBe(403)
    expect((await reader.post(`${address}/publish`, {})).status).toBe(403)
    expect((await reader.post(`${address}/updates`, { phase: 'resolved', text: 'x' })).status).toBe(403)
    expect((await reader.delete(address)).status).toBe(403)
  })

  test('a banner that cannot be put up leaves nothing half done', async () => {
    const notice = product.app.emergencyNotice
    if (!notice) throw new Error('no feature has a notice')
    const { put } = notice
    notice.put = async () => {
      throw new Error('no banner')
    }
    expect((await staff.post(path, inputOf({ banner: true }))).status).toBe(500)
    notice.put = put
    expect((await staff.get<object[]>(path)).body).toEqual([])
    expect(await statuses()).toMatchObject({ Téléphonie: 'OK' })
  })
})

test('an outage has a picture to be shared in each language, drawn again once it changes; a draft has none', async () => {
  const incident = await declare({ title: `${'Coupures très longues de la téléphonie '.repeat(4)}<script>`, title_en: 'Short' })
  const ask = async (language: string, id = incident.id_incident) => {
    const response = await fetch(`${product.origin}/partage/incident/${id}.${language}.png`)
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const [french, english, again] = [await ask('fr'), await ask('en'), await ask('fr')]
  expect(french.response.headers.get('content-type')).toBe('image/png')
  expect(await sharp(french.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(french.bytes.length).toBeLessThan(100_000)
  expect(english.bytes.equals(french.bytes)).toBe(false)
  expect(again.response.headers.get('etag')).toBe(french.response.headers.get('etag'))
  await update(incident, { phase: 'resolved', text: 'Réglé', text_en: 'Fixed' })
  expect((await ask('fr')).bytes.equals(french.bytes)).toBe(false)
  const draft = await declare({ draft: true })
  expect((await ask('fr', draft.id_incident)).response.status).toBe(404)
})

test('each update is an entry of the feeds, and a draft has neither page nor feed', async () => {
  const incident = await declare({ text: 'Premier <texte>' })
  await update(incident, { phase: 'identified', text: 'Second', text_en: 'Second text' })
  const own = await (await product.client()).get(`/reseau/incident/${incident.id_incident}/feed.en.xml`)
  expect(own.headers.get('content-type')).toMatch(/atom\+xml/)
  expect(own.text.match(/<entry>/g)).toHaveLength(2)
  expect(own.text.indexOf('Second text')).toBeLessThan(own.text.indexOf('Calls drop.'))
  const all = await (await product.client()).get('/reseau/feed.fr.xml')
  expect(all.text).toContain('Coupures brèves\u00a0: Cause trouvée')
  expect(all.text).toContain('Premier &lt;texte&gt;')
  const page = await (
    await product.client()
  ).get<{ title: string; html: string }>(`/api/networks/incidents/${incident.id_incident}/page?lang=en`)
  expect(page.body.title).toBe('Short drops')
  const draft = await declare({ draft: true })
  for (const address of ['feed.fr.xml', 'feed.en.xml'])
    expect((await (await product.client()).get(`/reseau/incident/${draft.id_incident}/${address}`)).status).toBe(404)
  expect((await (await product.client()).get(`/api/networks/incidents/${draft.id_incident}/page`)).status).toBe(404)
})
