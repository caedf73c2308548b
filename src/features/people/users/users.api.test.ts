import { globSync, readFileSync } from 'node:fs'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { everyRight, startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { chatMessages, chats } from '../../chat/server/table.ts'
import { employees } from '../../employees/server/table.ts'
import { requests } from '../../requests/server/table.ts'
import { groups, users } from '../server/table.ts'
import type { Rights } from '#src/lib/rights.ts'
import type { Profile, User } from '../contract.ts'
import { clearFormerUsers } from './server/former-users.ts'

const path = '/api/users/users'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

let counter = 0
function newUser(id_group: number) {
  counter += 1
  return { username: `new.user${counter}`, display_name: `Nouvelle ${counter}`, email: `new${counter}@example.com`, id_group }
}

async function logIn(username: string, password = testPassword) {
  const client = await product.client()
  return { client, status: (await client.post('/api/auth/login', { username, password })).status }
}

test('the migration chooses the team record that visitors saw so far, the one with the same e-mail', async () => {
  const [person, other] = [await product.signIn({}), await product.signIn({})]
  const [row] = await product.db
    .insert(employees)
    .values({
      ...{ name: 'Zoé', department: 'TECHNICIENS', subDepartment: 'TECHNICIENS', title: 't', titleEn: 't' },
      ...{ description: 'd', descriptionEn: 'd', email: ` ${person.user.username}@EXAMPLE.com` },
    })
    .returning({ id: employees.id })
  const of = ({ user }: typeof person) => eq(users.id, user.id)
  await product.db
    .update(users)
    .set({ email: `${person.user.username}@example.com` })
    .where(of(person))
  await product.db
    .update(users)
    .set({ email: `${person.user.username}@example.com`, employeeId: 999_999 })
    .where(of(other))
  const [file = ''] = globSync('migrations/*_team_record_of_equal_email.sql')
  await product.db.execute(sql.raw(readFileSync(file, 'utf8')))
  const chosen = async (who: typeof person) =>
    (await product.db.select({ id: users.employeeId }).from(users).where(of(who)))[0]?.id
  expect([await chosen(person), await chosen(other)]).toEqual([row?.id, 999_999])
})

test('a deleted user is gone at once, and their number leaves the past in parts without new search texts (R-322)', async () => {
  const administrator = await product.signIn()
  const [leaving, staying] = [await product.signIn({}), await product.signIn({})]
  const [one, other] = [leaving.user.id, staying.user.id]
  const [chat] = await product.db
    .insert(chats)
    .values({ key: 'past', clientName: 'Ana', clientEmail: 'ana@example.com', status: 'closed', userId: one, lastSeq: 300 })
    .returning({ id: chats.id })
  const past = { fromStaff: true, userName: 'Zoé', message: 'Bonjour' }
  const chatId = chat?.id ?? 0
  await product.db
    .insert(chatMessages)
    .values(Array.from({ length: 300 }, (_, at) => ({ ...past, chatId, seq: at + 1, userId: at === 9 ? other : one })))
  const readText = async () => {
    const found = await product.db.execute(sql`select xmin, text from chat_texts where chat_id = ${chatId}`)
    return (found as { rows: object[] }).rows
  }
  const text = await readText()
  expect(text).toHaveLength(1)

  expect((await administrator.delete(`${path}/${one}`)).status).toBe(204)
  expect((await administrator.get(`${path}/${one}`)).status).toBe(404)
  await clearFormerUsers(product.app)
  const { id, userId } = chatMessages
  const left = await product.db.selectDistinct({ userId }).from(chatMessages).where(isNotNull(userId))
  expect(left).toEqual([{ userId: other }])
  expect(await readText()).toEqual(text)
  const [first] = await product.db.select({ id }).from(chatMessages).where(eq(chatMessages.chatId, chatId)).limit(1)
  await product.db
    .update(chatMessages)
    .set({ message: 'Fibre' })
    .where(eq(id, first?.id ?? 0))
  expect(await readText()).toEqual([expect.objectContaining({ text: expect.stringContaining('fibre') as string })])
})

test('closed conversations of a deleted user lose the number in parts; an open one never names a user who is not there', async () => {
  const administrator = await product.signIn()
  const { body: user } = await administrator.post<User>(path, newUser(administrator.user.groupId))
  const someone = { clientName: 'Luc', clientEmail: 'luc@example.com', userId: user.id_user }
  const closed = Array.from({ length: 450 }, (_, at) => ({ ...someone, key: `closed-${at}`, status: 'closed' as const }))
  await product.db.insert(chats).values([...closed, { ...someone, key: 'open', status: 'waiting' }])
  const owners = () =>
    product.db.selectDistinct({ key: chats.key, userId: chats.userId }).from(chats).where(eq(chats.clientName, 'Luc'))
  expect((await administrator.delete(`${path}/${user.id_user}`)).status).toBe(204)
  expect((await owners()).find(({ key }) => key === 'open')).toEqual({ key: 'open', userId: null })
  await clearFormerUsers(product.app)
  expect((await owners()).filter(({ userId }) => userId !== null)).toEqual([])
  const claim = product.db.update(chats).set({ status: 'claimed', userId: user.id_user }).where(eq(chats.key, 'open'))
  await expect(claim).rejects.toMatchObject({ cause: { code: '23503' } })
  expect((await owners()).filter(({ userId }) => userId !== null)).toEqual([])
})

test('requests of a deleted user that are done lose the number in parts; others are nobody’s at once, and when they are reopened', async () => {
  const administrator = await product.signIn()
  const { body: user } = await administrator.post<User>(path, newUser(administrator.user.groupId))
  const request = { kind: 'support' as const, name: 'Luc', email: 'luc@example.com', message: '', language: 'fr' as const }
  const rowOf = (number: number, status: 'done' | 'open') => ({
    ...{ ...request, reference: `former-${number}`, status, assignedTo: user.id_user },
  })
  await product.db.insert(requests).values([rowOf(0, 'open'), ...Array.from({ length: 450 }, (_, at) => rowOf(at + 1, 'done'))])
  const assigned = async () => {
    const isNamed = eq(requests.assignedTo, user.id_user)
    return (await product.db.select({ reference: requests.reference }).from(requests).where(isNamed)).map(
      ({ reference }) => reference,
    )
  }
  expect((await administrator.delete(`${path}/${user.id_user}`)).status).toBe(204)
  expect(await assigned()).not.toContain('former-0')
  await product.db.update(requests).set({ status: 'open', assignedTo: user.id_user }).where(eq(requests.reference, 'former-1'))
  expect(await assigned()).not.toContain('former-1')
  await clearFormerUsers(product.app)
  expect(await assigned()).toEqual([])
})

describe('users', () => {
  test('are created without a password, read, changed and deleted', async () => {
    const administrator = await product.signIn()
    const created = await administrator.post<User>(path, newUser(administrator.user.groupId))
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ invited: true, locked: false, totp_enabled: false, totp_chances: 5 })
    expect(created.text).not.toMatch(/hash|secret/)
    const specified = { first_name: '', last_name: '', created_date: expect.any(String), updated_date: expect.any(String) }
    expect(created.body).toMatchObject({ ...specified, id_group: administrator.user.groupId, group: expect.any(String) })
    const { id_user, username, display_name, email, id_group } = created.body
    const input = { username, display_name: 'Autre nom', email, id_group }
    const changed = await administrator.put<User>(`${path}/${id_user}`, { ...input, version: 1 })
    expect(changed.body).toMatchObject({ display_name: 'Autre nom', version: 2 })
    expect(changed.body.id_employe).toBeNull()
    const linked = await administrator.put<User>(`${path}/${id_user}`, { ...input, id_employe: 7, version: 2 })
    expect(linked.body.id_employe).toBe(7)
    // Left out, it stays.
    expect((await administrator.put<User>(`${path}/${id_user}`, { ...input, version: 3 })).body.id_employe).toBe(7)
    const late = await administrator.put<{ current: User }>(`${path}/${id_user}`, { ...input, display_name, version: 1 })
    expect(late.status).toBe(409)
    expect(late.body.current.display_name).toBe('Autre nom')
    expect((await administrator.get<User[]>(path)).body.map((user) => user.id_user)).toContain(id_user)
    expect((await administrator.delete(`${path}/${id_user}`)).status).toBe(204)
    expect((await administrator.get(`${path}/${id_user}`)).status).toBe(404)
  })

  test('have the languages they serve visitors in: both until somebody says otherwise, one at least', async () => {
    const administrator = await product.signIn()
    const created = await administrator.post<User>(path, newUser(administrator.user.groupId))
    expect(created.body.languages).toEqual(['fr', 'en'])
    const { id_user, username, display_name, email, id_group } = created.body
    const save = (languages?: unknown) =>
      administrator.put<User>(`${path}/${id_user}`, { username, display_name, email, id_group, languages })
    expect((await save(['en', 'en'])).body.languages).toEqual(['en'])
    expect((await save()).body.languages).toEqual(['en'])
    expect((await save(['en', 'fr'])).body.languages).toEqual(['fr', 'en'])
    for (const wrong of [[], ['de'], 'fr', null, Array.from({ length: 3 }, () => 'fr')]) {
      const refused = await save(wrong)
      expect([wrong, refused.status]).toEqual([wrong, 400])
    }
    const own = await product.signIn({})
    const { first_name, last_name, ...rest } = (await own.get<Profile>('/api/auth/me')).body
    const profile = { first_name, last_name, display_name: rest.display_name, email: rest.email }
    const saved = await own.put<Profile>('/api/auth/me', { ...profile, languages: ['fr'] })
    expect([rest.languages, saved.body.languages]).toEqual([['fr', 'en'], ['fr']])
  })

  test('reject a duplicate username, in any case, also concurrently', async () => {
    const administrator = await product.signIn()
    const input = newUser(administrator.user.groupId)
    const responses = await Promise.all([
      administrator.post(path, input),
      administrator.post(path, { ...input, username: input.username.toUpperCase() }),
    ])
    expect(responses.map((response) => response.status).toSorted()).toEqual([201, 409])
  })
})

describe('rights', () => {
  test('reading is not writing, and writing is not administering', async () => {
    const victim = await product.createUser({})
    const reader = await product.signIn({ users: 'read_only' })
    const writer = await product.signIn({ users: 'read_write' })
    expect((await reader.get(`${path}/${victim.id}`)).status).toBe(200)
    expect((await reader.post(path, newUser(victim.groupId))).status).toBe(403)
    expect((await writer.post(path, newUser(victim.groupId))).status).toBe(201)
    const harm: [string, string, unknown][] = [
      ['PUT', 'lock', undefined],
      ['DELETE', 'totp', undefined],
      ['POST', 'totp_chances', undefined],
      ['DELETE', 'sessions', undefined],
      ['PUT', 'password', { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }],
    ]
    for (const [method, verb, body] of harm)
      expect((await writer.send(method, `${path}/${victim.id}/${verb}`, body)).status).toBe(403)
    // A new address could receive a link to a new password.
    const { username, displayName, groupId } = victim
    const moved = { username, display_name: displayName, email: 'elsewhere@example.com', id_group: groupId }
    expect((await writer.put(`${path}/${victim.id}`, moved)).status).toBe(403)
    // The first address as well.
    await product.db.update(users).set({ email: '' }).where(eq(users.id, victim.id))
    expect((await writer.put(`${path}/${victim.id}`, moved)).status).toBe(403)
  })

  test('prevent raising one’s own rights, granting more than one holds, and changing users with more rights', async () => {
    const boss = await product.createUser()
    const own: Partial<Rights> = { users: 'administrator', groups: 'administrator' }
    const climber = await product.signIn(own)
    const { id, username, displayName, email, groupId } = climber.user
    const me = { username, display_name: displayName, email, id_group: boss.groupId }
    expect((await climber.put(`${path}/${id}`, me)).status).toBe(403)
    expect((await climber.post(path, newUser(boss.groupId))).status).toBe(403)
    const raised = { name: `Raised ${groupId}`, rights: { ...own, audit: 'read_only' } }
    expect((await climber.put(`/api/groups/groups/${groupId}`, raised)).status).toBe(403)
    expect((await climber.post('/api/groups/groups', raised)).status).toBe(403)
    expect((await climber.put(`/api/groups/groups/${boss.groupId}`, { name: 'Taken over', rights: own })).status).toBe(403)
    for (const verb of ['lock', 'unlock']) expect((await climber.put(`${path}/${boss.id}/${verb}`)).status).toBe(403)
    expect((await climber.delete(`${path}/${boss.id}`)).status).toBe(403)
    expect((await climber.delete(`${path}/${boss.id}/totp`)).status).toBe(403)
    expect((await climber.post(`${path}/${boss.id}/invitation`)).status).toBe(403)
  })

  test('change at the next request when the group changes or is disabled', async () => {
    const administrator = await product.signIn()
    const technician = await product.signIn({ users: 'read_only' })
    expect((await technician.get(path)).status).toBe(200)
    const group = `/api/groups/groups/${technician.user.groupId}`
    expect((await administrator.put(group, { name: `Now ${counter}`, rights: { groups: 'read_only' } })).status).toBe(200)
    expect((await technician.get(path)).status).toBe(403)
    expect((await technician.get('/api/groups/groups')).status).toBe(200)
    await administrator.put(group, { name: `Now ${counter}`, enabled: false, rights: { groups: 'read_only' } })
    expect((await technician.get('/api/groups/groups')).status).toBe(403)
  })

  test('are limited to the profile until a required 2FA is set up', async () => {
    const technician = await product.signIn({ users: 'read_only' })
    await product.db.update(groups).set({ requiresTotp: true }).where(eq(groups.id, technician.user.groupId))
    expect((await technician.get(path)).status).toBe(403)
    expect((await technician.get<{ totp_required: boolean }>('/api/auth/me')).body.totp_required).toBe(true)
    expect((await technician.post('/api/auth/me/totp')).status).toBe(200)
  })
})

describe('an account', () => {
  test.each([
    ['lock', 'PUT', undefined],
    ['password', 'PUT', { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }],
    ['totp', 'DELETE', undefined],
    ['sessions', 'DELETE', undefined],
  ])('%s ends its sessions and notifies their sockets at once', async (verb, method, body) => {
    const administrator = await product.signIn()
    const person = await product.signIn({})
    const ended = vi.fn<(hash: string) => void>()
    product.app.events.onSessionEnded(ended)
    const response = await administrator.send(method, `${path}/${person.user.id}/${verb}`, body)
    expect(response.status).toBeLessThan(300)
    expect(ended).toHaveBeenCalledTimes(1)
    expect((await person.get('/api/auth/me')).status).toBe(401)
  })

  test('rejects the password while locked', async () => {
    const administrator = await product.signIn()
    const person = await product.createUser({})
    await administrator.put(`${path}/${person.id}/lock`)
    expect((await logIn(person.username)).status).toBe(401)
    await administrator.put(`${path}/${person.id}/unlock`)
    expect((await logIn(person.username)).status).toBe(200)
  })

  test('a new password must meet the rules, be confirmed and not be easy to guess', async () => {
    const administrator = await product.signIn()
    const person = await product.createUser({})
    const give = (new_password: string, confirmation = new_password) =>
      administrator.put<{ errors: { message: string }[] }>(`${path}/${person.id}/password`, { new_password, confirmation })
    const short = await give('Court-1!')
    expect(short.status).toBe(400)
    expect(short.body.errors[0]?.message).toMatch(/at least 12 characters/)
    expect((await give('Fanal-Tranquille-88!', 'Autre')).body.errors[0]?.message).toBe('Password are not matching')
    for (const easy of ['Password1234!', 'Motdepasse-2026!', 'Dragon!!12345', `Xx-${person.username.toUpperCase()}-88!!`]) {
      expect((await give(easy)).status).toBe(400)
    }
    expect((await give('Fanal-Tranquille-88!')).status).toBe(200)
    expect((await logIn(person.username, 'Fanal-Tranquille-88!')).status).toBe(200)
  })
})

describe('a password that an administrator set', () => {
  const given = { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }
  const own = { new_password: 'Quai-Paisible-41?', confirmation: 'Quai-Paisible-41?' }
  type Answer = { profile: Profile }
  const signIn = async (username: string, password: string) => {
    const client = await product.client()
    const { body } = await client.post<Answer>('/api/auth/login', { username, password })
    return { client, isAsked: body.profile.password_set_by_admin }
  }

  test('is asked to be changed until its user chose one, and refuses nothing', async () => {
    const administrator = await product.signIn()
    const person = await product.createUser({ notes: 'read_only' })
    expect((await signIn(person.username, testPassword)).isAsked).toBe(false)
    await administrator.put(`${path}/${person.id}/password`, given)
    const { client, isAsked } = await signIn(person.username, given.new_password)
    expect(isAsked).toBe(true)
    expect((await client.get('/api/notes/notes')).status).toBe(200)
    const changed = await client.put<Profile>('/api/auth/me/password', { old_password: given.new_password, ...own })
    expect([changed.status, changed.body.password_set_by_admin]).toEqual([200, false])
    expect((await signIn(person.username, own.new_password)).isAsked).toBe(false)
  })

  test('is not asked for where it is the administrator’s own', async () => {
    const administrator = await product.signIn()
    await administrator.put(`${path}/${administrator.user.id}/password`, given)
    expect((await signIn(administrator.user.username, given.new_password)).isAsked).toBe(false)
  })
})

describe('the last administrator', () => {
  test('cannot be locked, deleted or lose the rights; one of two parallel locks is rejected', async () => {
    const alone = await startTestApp()
    try {
      const first = await alone.signIn()
      const { id, groupId, username, displayName, email } = first.user
      const other = await alone.createUser({})
      const refused = await first.put<{ reason: string }>(`${path}/${id}/lock`)
      expect([refused.status, refused.body.reason]).toEqual([409, 'last administrator'])
      expect((await first.delete(`${path}/${id}`)).status).toBe(409)
      const moved = { username, display_name: displayName, email, id_group: other.groupId }
      expect((await first.put(`${path}/${id}`, moved)).status).toBe(409)
      const group = { name: 'Administrateurs', rights: everyRight }
      expect((await first.put(`/api/groups/groups/${groupId}`, { ...group, enabled: false })).status).toBe(409)
      expect((await first.put(`/api/groups/groups/${groupId}`, { ...group, rights: { users: 'administrator' } })).status).toBe(
        409,
      )

      // A pending invitation does not count as an administrator.
      await first.post(path, { username: 'invited', display_name: 'Invitée', email: 'invited@example.com', id_group: groupId })
      expect((await first.put(`${path}/${id}/lock`)).status).toBe(409)

      const second = await alone.signIn()
      const responses = await Promise.all([first.put(`${path}/${second.user.id}/lock`), second.put(`${path}/${id}/lock`)])
      const left = await alone.db.$count(users, eq(users.locked, false))
      expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
      expect(left).toBeGreaterThan(0)
    } finally {
      await alone.stop()
    }
  })
})
