import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { sessions } from '#src/features/people/server/table.ts'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { LongText } from '../../pages/contract.ts'
import type { ComparedVersion, Reused, StoredVersion } from './contract.ts'

const path = '/api/versions'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
  // What can be put in order.
  const staff = await product.signIn()
  for (const name of ['Un', 'Deux']) {
    await staff.post('/api/employees/employes', { ...employee, nom: name, description: name })
    await staff.post('/api/jobs/emplois', { titre: name })
  }
})
afterAll(() => product.stop())

type Fields = Record<string, unknown> & { version: number }
const employee = {
  nom: 'A',
  departement: 'VENTES',
  sousdepartement: 'VENTES',
  titre: 'T',
  titre_en: 'T',
  email: 'a@example.com',
  description_en: 'D',
}

/** Every kind of content: where it is, its name in the audit log, what it was, and what it became. */
const contents: [address: string, area: string, kind: string, first: object, second: object][] = [
  ['/api/jobs/emplois', 'jobs', '', { titre: 'Un', employment_type: 'FULL_TIME' }, { titre: 'Deux', employment_type: 'INTERN' }],
  ['/api/notes/notes', 'notes', '', { note_date: 'lundi', note: 'Un' }, { note_date: 'lundi', note: 'Deux' }],
  ['/api/employees/employes', 'employees', '', { ...employee, description: 'Un' }, { ...employee, description: 'Deux' }],
  ['/api/articles/articles', 'articles', '', { titre: 'Un', corps: '<p>Un</p>' }, { titre: 'Deux', corps: '<p>Deux</p>' }],
  ['/api/articles/glossary', 'articles', 'glossary', { terme: 'un', terme_en: 'one' }, { terme: 'deux', terme_en: 'two' }],
  ['/api/chat/canned_replies', 'chat', 'canned', { shortcut: 'un', reply: 'Un' }, { shortcut: 'un', reply: 'Deux' }],
  ['/api/home_messages/home_message', 'home', 'home_message', { message: '<p>Un</p>' }, { message: '<p>Deux</p>' }],
  ['/api/home_informations/home_information', 'home', 'home_information', { title: 'Un' }, { title: 'Deux' }],
]

const settings: [area: string, address: string, field: string, value: unknown][] = [
  ['company', '/api/company/settings', 'name', 'Fleuve TI'],
  ['chat', '/api/chat/settings', 'expected_wait', 'Une minute'],
  ['requests', '/api/requests/requests/settings', 'reopen_days', 77],
  ['recordings', '/api/recordings/settings', 'play', 'administrator'],
  ['employees', '/api/employees/employes/order', 'id_ordre', [2, 1]],
  ['jobs', '/api/jobs/emplois/order', 'id_ordre', [1, 2]],
]

test('the kinds of content below are all there are, but networks and long texts', () => {
  const named = contents.map(([, area, kind]) => `${area}/${kind}`)
  const defined = product.app.contents.map(({ area, kind }) => `${area}/${kind ?? ''}`)
  expect([...named, 'networks/', 'company/text'].toSorted()).toEqual(defined.toSorted())
})

describe('a former version', () => {
  test.each(contents)('of %s is taken over as one change, which can be undone', async (address, area, kind, first, second) => {
    const staff = await product.signIn()
    const created = await staff.post<Fields>(address, first)
    expect(created.status, created.text).toBe(201)
    const id = Number(Object.entries(created.body).find(([key]) => key.startsWith('id_'))?.[1])
    const { body: changed } = await staff.put<Fields>(`${address}/${id}`, { ...second, version: 1 })
    const entry = kind ? `${kind}/${id}` : String(id)
    const { body: versions } = await staff.get<StoredVersion[]>(`${path}?area=${area}&entry=${entry}`)
    expect(versions.map(({ action, name }) => [action, name])).toEqual([
      ['update', staff.user.displayName],
      ['create', staff.user.displayName],
    ])
    const former = versions[1]?.id_entry
    const { body: compared } = await staff.get<ComparedVersion>(`${path}/${former}`)
    expect(compared).toMatchObject({ current: { ...second }, former: { ...first }, version: 2 })

    expect((await staff.post(`${path}/${former}/reuse`, { version: 1 })).status).toBe(409)
    const reused = await staff.post<Reused>(`${path}/${former}/reuse`, { version: 2 })
    expect(reused.status, reused.text).toBe(200)
    expect(reused.body).toMatchObject({ version: 3, current: { ...first, version: 3 } })
    const [event] = (await staff.get<AuditEntry[]>(`/api/audit/entries?area=${area}&entry=${entry}&limit=1`)).body
    expect(event).toMatchObject({ action: 'reuse', before: { ...second }, after: { ...first }, reusable: false })

    const undone = await staff.post<Reused>(`${path}/${reused.body.id_entry}/reuse`, { version: 3, state: 'before' })
    const { updated_at: _at, ...fields } = changed
    expect(undone.body.current).toMatchObject({ ...fields, version: 4 })
    await staff.delete(`${address}/${id}`)
    expect((await staff.get(`${path}/${former}`)).status).toBe(404)
    const [gone] = (await staff.get<AuditEntry[]>(`/api/audit/entries?area=${area}&entry=${entry}&limit=1`)).body
    expect(gone?.reusable).toBe(false)
  })

  test('of a network brings back names and components, and leaves what works as it is', async () => {
    const staff = await product.signIn()
    const address = '/api/networks/reseau'
    const details = (list: object[]) => JSON.stringify(list)
    const fibre = { nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }
    const radio = { nom: 'Radio', nom_en: 'Radio', statut: 'OK' }
    const first = { nom: 'Avant', status: 'ONLINE', details: details([fibre, radio]) }
    const { body: made } = await staff.post<Fields>(address, first)
    const now = details([{ ...fibre, statut: 'ERROR' }])
    await staff.put(`${address}/${String(made.id_reseau)}`, { nom: 'Après', status: 'ONLINE', details: now, version: 1 })
    const { body: versions } = await staff.get<StoredVersion[]>(`${path}?area=networks&entry=${String(made.id_reseau)}`)
    const { body } = await staff.post<Reused>(`${path}/${versions.at(-1)?.id_entry}/reuse`, { version: 2 })
    expect(body.current).toMatchObject({ nom: 'Avant', details: details([{ ...fibre, statut: 'ERROR' }, radio]) })
    await staff.delete(`${address}/${String(made.id_reseau)}`)
  })

  async function changeNetwork(first: object, second: object) {
    const staff = await product.signIn()
    const address = '/api/networks/reseau'
    const { body: made } = await staff.post<Fields>(address, { nom: 'Réseau', ...first })
    const id = String(made.id_reseau)
    await staff.put(`${address}/${id}`, { nom: 'Réseau', ...second, version: 1 })
    const { body: versions } = await staff.get<StoredVersion[]>(`${path}?area=networks&entry=${id}`)
    return { staff, former: versions.at(-1)?.id_entry, remove: () => staff.delete(`${address}/${id}`) }
  }

  test('of a network announces no change of a status, which stays', async () => {
    const { staff, former, remove } = await changeNetwork({ status: 'ONLINE' }, { status: 'OFFLINE' })
    const { body } = await staff.get<ComparedVersion>(`${path}/${former}`)
    expect(body.former).toEqual(body.current)
    expect(body.current.status).toBe('OFFLINE')
    await remove()
  })

  test('of a network leaves a component that is down as it is under its former name', async () => {
    const named = (nom: string, statut: string) => ({ details: JSON.stringify([{ nom, nom_en: '', statut }]) })
    const { staff, former, remove } = await changeNetwork(named('Fibre', 'OK'), named('Fibre optique', 'ERROR'))
    const { body } = await staff.post<Reused>(`${path}/${former}/reuse`, { version: 2 })
    expect(body.current).toMatchObject(named('Fibre', 'ERROR'))
    await remove()
  })

  test('of a network, once it is undone, brings back what is down as it was', async () => {
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: '', statut: 'ERROR' }])
    const { staff, former, remove } = await changeNetwork({ details: '[]' }, { details })
    const { body } = await staff.post<Reused>(`${path}/${former}/reuse`, { version: 2 })
    expect(body.current.details).toBe('[]')
    const undone = await staff.post<Reused>(`${path}/${body.id_entry}/reuse`, { version: 3, state: 'before' })
    expect(undone.body.current.details).toBe(details)
    await remove()
  })

  test.each(settings)('of the settings of %s is taken over too', async (area, address, field, value) => {
    const staff = await product.signIn()
    const { body: before } = await staff.get<Fields>(address)
    expect((await staff.put(address, { ...before, [field]: value })).status).toBe(200)
    const { body: changed } = await staff.get<Fields>(address)
    const { body: versions } = await staff.get<StoredVersion[]>(`${path}?area=${area}&entry=settings`)
    const undo = await staff.post<Reused>(`${path}/${versions[0]?.id_entry}/reuse`, { version: changed.version, state: 'before' })
    expect(undo.status, undo.text).toBe(200)
    expect((await staff.get<Fields>(address)).body).toEqual({ ...before, version: undo.body.version })
    const first = versions.at(-1)
    expect(first).toMatchObject({ name: '', state: 'before' })
    const { body: compared } = await staff.get<ComparedVersion>(`${path}/${first?.id_entry}?state=before`)
    expect(compared.former[field]).toEqual(before[field])
    const again = await staff.post<Reused>(`${path}/${versions[0]?.id_entry}/reuse`, { version: undo.body.version })
    expect(again.body.current[field]).toEqual(value)
    const input = { version: again.body.version, state: 'before' }
    const back = await staff.post<Reused>(`${path}/${first?.id_entry}/reuse`, input)
    expect(back.body.current).toEqual({ ...before, version: back.body.version })
  })

  test('of settings needs a recent sign-in where saving them needs one', async () => {
    expect(product.app.storedSettings.map(({ area }) => area).toSorted()).toEqual(settings.map(([area]) => area).toSorted())
    for (const [area, address] of settings) {
      const staff = await product.signIn()
      const { body: before } = await staff.get<Fields>(address)
      expect((await staff.put(address, before)).status).toBe(200)
      const [{ id_entry: id }] = (await staff.get<StoredVersion[]>(`${path}?area=${area}&entry=settings`)).body as [StoredVersion]
      await product.db
        .update(sessions)
        .set({ authenticatedAt: new Date(Date.now() - 3_600_000) })
        .where(eq(sessions.userId, staff.user.id))
      const route = product.app.declaredRoutes.find(
        ({ method, url }) => [method].flat().includes('PUT') && url.replace(/\/$/, '') === address,
      )
      expect(route, address).toBeDefined()
      const refused = await staff.post<{ type?: string }>(`${path}/${id}/reuse`, { version: before.version + 1 })
      expect([area, refused.body.type], refused.text).toEqual([area, route?.config?.recentSignIn && recentSignInProblem])
    }
  })

  test('that was refused because a colleague saved meanwhile is kept once, and can be taken over', async () => {
    const [staff, colleague] = [await product.signIn(), await product.signIn()]
    const { body: made } = await staff.post<Fields>('/api/notes/notes', { note_date: 'lundi', note: 'Fermé.' })
    const address = `/api/notes/notes/${String(made.id_note)}`
    await colleague.put(address, { note_date: 'lundi', note: 'Fermé. Ouvert mardi.', version: 1 })
    const mine = { note_date: 'lundi', note: 'Fermé à midi.', version: 1 }
    for (const tries of [1, 2]) {
      const refused = await staff.put<{ changed: { name: string } }>(address, mine)
      expect([tries, refused.status, refused.body.changed.name]).toEqual([tries, 409, expect.stringMatching(/^Person /)])
    }
    expect((await staff.get<Fields>(address)).body).toMatchObject({ note: 'Fermé. Ouvert mardi.', version: 2 })
    const { body: versions } = await staff.get<StoredVersion[]>(`${path}?area=notes&entry=${String(made.id_note)}`)
    expect(versions.map(({ action }) => action)).toEqual(['refused', 'update', 'create'])
    const { body: entries } = await staff.get<AuditEntry[]>(`/api/audit/entries?area=notes&entry=${String(made.id_note)}&limit=1`)
    expect(entries[0]).toMatchObject({ action: 'refused', after: { note: 'Fermé à midi.' }, reusable: true })
    const reused = await staff.post<Reused>(`${path}/${versions[0]?.id_entry}/reuse`, { version: 2 })
    expect(reused.body.current, reused.text).toMatchObject({ note: 'Fermé à midi.', version: 3 })
    await staff.delete(address)
  })

  const newest = async (area: string, entry: string) => {
    const staff = await product.signIn()
    return (await staff.get<AuditEntry[]>(`/api/audit/entries?area=${area}&entry=${entry}&limit=1`)).body[0]
  }

  test.each(settings)(
    'of the settings of %s that was refused is kept, and can be taken over',
    async (area, address, field, value) => {
      const [staff, colleague] = [await product.signIn(), await product.signIn()]
      const { body: before } = await staff.get<Fields>(address)
      expect((await colleague.put(address, before)).status).toBe(200)
      const refused = await staff.put<{ current: Fields; changed: { name: string } }>(address, { ...before, [field]: value })
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({
        current: { version: before.version + 1 },
        changed: { name: colleague.user.displayName },
      })
      expect(await newest(area, 'settings')).toMatchObject({ action: 'refused', after: { [field]: value }, reusable: true })
      const [kept] = (await staff.get<StoredVersion[]>(`${path}?area=${area}&entry=settings`)).body
      const reused = await staff.post<Reused>(`${path}/${kept?.id_entry}/reuse`, { version: before.version + 1 })
      expect(reused.body.current[field], reused.text).toEqual(value)
      expect((await staff.put(address, { ...before, version: reused.body.version })).status).toBe(200)
    },
  )

  test('of a user, a group or a draft of an outage that was refused is kept in the audit log', async () => {
    const staff = await product.signIn()
    const outages = '/api/networks/incidents'
    const { body: network } = await staff.post<Fields>('/api/networks/reseau', { nom: 'Québec–Centre', status: 'ONLINE' })
    const elements = [{ id_reseau: network.id_reseau, nom: '' }]
    const outage = { severity: 'ERROR', elements, title: 'Panne', text: 'Tout.', draft: true }
    const { body: draft } = await staff.post<Fields>(outages, outage)
    const change = { severity: 'ERROR', elements, title: 'Autre titre', version: draft.version }
    expect((await staff.put(`${outages}/${String(draft.id_incident)}`, change)).status).toBe(200)
    expect((await staff.put(`${outages}/${String(draft.id_incident)}`, { ...change, title: 'Mon titre' })).status).toBe(409)
    const kept = { action: 'refused', after: { title: 'Mon titre' } }
    expect(await newest('networks', `incident/${String(draft.id_incident)}`)).toMatchObject(kept)

    const { body: group } = await staff.post<Fields>('/api/groups/groups', { name: 'Accueil', rights: { chat: 'read_only' } })
    const address = `/api/groups/groups/${String(group.id_group)}`
    const input = { name: 'Accueil', enabled: true, requires_totp: false, rights: { chat: 'read_write' }, version: 1 }
    expect((await staff.put(address, input)).status).toBe(200)
    expect((await staff.put(address, { ...input, name: 'Comptoir' })).status).toBe(409)
    expect(await newest('groups', String(group.id_group))).toMatchObject({
      action: 'refused',
      after: { name: 'Comptoir', version: 2 },
    })

    const person = { username: 'karim', display_name: 'Karim Haddad', email: 'karim@example.com', id_group: group.id_group }
    const { body: user } = await staff.post<Fields>('/api/users/users', person)
    const account = `/api/users/users/${String(user.id_user)}`
    expect((await staff.put(account, { ...person, first_name: 'Karim', version: 1 })).status).toBe(200)
    expect((await staff.put(account, { ...person, last_name: 'Haddad', version: 1 })).status).toBe(409)
    expect(await newest('users', String(user.id_user))).toMatchObject({ action: 'refused', after: { last_name: 'Haddad' } })
    await staff.delete(account)
    await staff.delete(address)
  })

  /** An event as a former version of the product recorded it. */
  async function recordOlder(area: string, entryId: string, after: object) {
    const author = { userId: null, name: '', address: '' }
    await product.db.transaction((tx) => recordChange(tx, author, { area, action: 'update', entryId, after }))
    const staff = await product.signIn()
    return (await staff.get<StoredVersion[]>(`${path}?area=${area}&entry=${entryId}`)).body[0]?.id_entry
  }

  test('leaves a field that it does not have as it is: a draft stays a draft', async () => {
    const staff = await product.signIn()
    const input = { titre: 'Un', description: '<p>Un</p>', publie: false, closes_on: '2099-01-31' }
    const { body: made } = await staff.post<Fields>('/api/jobs/emplois', input)
    const { publie: _published, closes_on: _closes, ...older } = made
    const event = await recordOlder('jobs', String(made.id_emploi), { ...older, titre: 'Avant' })
    const { body: compared } = await staff.get<ComparedVersion>(`${path}/${event}`)
    expect(compared.former).toEqual({ ...compared.current, titre: 'Avant' })
    const { body } = await staff.post<Reused>(`${path}/${event}/reuse`, { version: 1 })
    expect(body.current).toMatchObject({ ...input, titre: 'Avant' })
    await staff.delete(`/api/jobs/emplois/${String(made.id_emploi)}`)
  })

  test('of the company keeps the logo where it has none, or one that was deleted since', async () => {
    const staff = await product.signIn()
    const address = '/api/company/settings'
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#c00"/></svg>'
    const new_logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
    const { body: before } = await staff.get<Fields>(address)
    const { body: saved, text } = await staff.put<Fields>(address, { ...before, new_logo })
    expect(saved.logo, text).toMatch(/^\/media\//)
    const { logo: _logo, ...older } = saved
    let { version } = saved
    for (const state of [older, { ...older, logo: `/media/${'0'.repeat(32)}-120.png` }]) {
      const event = await recordOlder('company', 'settings', { ...state, city: 'Matane' })
      const reused = await staff.post<Reused>(`${path}/${event}/reuse`, { version })
      expect(reused.status, reused.text).toBe(200)
      expect(reused.body.current).toMatchObject({ city: 'Matane', logo: saved.logo })
      version = reused.body.version
    }
    await staff.delete(address)
  })

  test('of an article loses the pictures that were deleted since', async () => {
    const staff = await product.signIn()
    const image = `<img src="/media/${'0'.repeat(32)}-800.jpeg" alt="" width="800" height="600" />`
    const { body: made } = await staff.post<Fields>('/api/articles/articles', { titre: 'Un', corps: `<p>Un</p>${image}` })
    const address = `/api/articles/articles/${String(made.id_article)}`
    await staff.put(address, { titre: 'Un', corps: '<p>Deux</p>', version: 1 })
    const query = `${path}?area=articles&entry=${String(made.id_article)}`
    const former = (await staff.get<StoredVersion[]>(query)).body.at(-1)?.id_entry
    const { body } = await staff.post<Reused>(`${path}/${former}/reuse`, { version: 2 })
    expect(body.current.corps).toBe('<p>Un</p>')
    await staff.delete(address)
  })

  test('of a long text is shown again at once', async () => {
    const staff = await product.signIn()
    const address = '/api/site/long_texts'
    const [about] = (await staff.get<LongText[]>(address)).body
    const { body: saved } = await staff.put<LongText>(`${address}/${about?.id_text}`, { ...about, titre: 'Qui nous sommes' })
    const query = `${path}?area=company&entry=text/${about?.id_text}`
    const [event] = (await staff.get<StoredVersion[]>(query)).body
    await staff.post(`${path}/${event?.id_entry}/reuse`, { version: saved.version, state: 'before' })
    const visitor = await product.client()
    expect((await visitor.get<{ title: string }>('/api/site/texts/about')).body.title).toBe(about?.titre)
    expect((await staff.get<LongText>(`${address}/${about?.id_text}`)).body.is_default).toBe(true)
  })

  test('is for those who may change the entry', async () => {
    const staff = await product.signIn({ notes: 'read_write' })
    const { body: note } = await staff.post<{ id_note: number }>('/api/notes/notes', { note_date: 'x', note: 'Un' })
    await staff.put(`/api/notes/notes/${note.id_note}`, { note_date: 'x', note: 'Deux' })
    const query = `${path}?area=notes&entry=${note.id_note}`
    const former = (await staff.get<StoredVersion[]>(query)).body.at(-1)?.id_entry
    for (const [who, status] of [
      [await product.client(), 401],
      [await product.signIn({ notes: 'read_only', audit: 'administrator' }), 403],
    ] as const) {
      expect((await who.get(query)).status).toBe(status)
      expect((await who.get(`${path}/${former}`)).status).toBe(status)
      expect((await who.post(`${path}/${former}/reuse`, { version: 2 })).status).toBe(status)
    }
    expect((await staff.get(`${path}?area=users&entry=1`)).status).toBe(404)
    expect((await staff.post(`${path}/999999/reuse`, { version: 2 })).status).toBe(404)
    expect((await staff.post(`${path}/${former}/reuse`, { version: 2 })).status).toBe(200)
  })
})

test('the audit log names an entry where an event does not say its name', async () => {
  const staff = await product.signIn()
  const banner = '/api/home_messages/home_message'
  const { body: made } = await staff.post<{ id_home_message: number }>(banner, { message: '<p>Le réseau est en panne.</p>' })
  await staff.delete(`${banner}/${made.id_home_message}`)
  const entry = `home_message/${made.id_home_message}`
  const { body: entries } = await staff.get<AuditEntry[]>(`/api/audit/entries?area=home&entry=${entry}`)
  expect(entries.map(({ name }) => name)).toEqual(['Le réseau est en panne.', 'Le réseau est en panne.'])
  const { body: group } = await staff.post<{ id_group: number }>('/api/groups/groups', { name: 'G', enabled: true, rights: {} })
  expect((await staff.get<AuditEntry[]>(`/api/audit/entries?area=groups&entry=${group.id_group}`)).body[0]?.name).toBe('G')
  const [signIn] = (await staff.get<AuditEntry[]>('/api/audit/entries?area=users&action=sign%20in&limit=1')).body
  expect(signIn?.name).toBe(signIn?.user_name)
})
