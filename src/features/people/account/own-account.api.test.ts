import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import type { OwnSession, Profile } from '../contract.ts'
import { hashSessionId, purgeSessions, sessionsPerUser } from '../sign-in/server/sessions.ts'
import { sessions } from '../server/table.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

const chosen = { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function again(username: string) {
  const client = await product.client()
  await client.post('/api/auth/login', { username, password: testPassword })
  return client
}

const signedInLongAgo = (userId: number) =>
  product.db
    .update(sessions)
    .set({ authenticatedAt: hoursAgo(1) })
    .where(eq(sessions.userId, userId))

describe('sessions', () => {
  test('are listed with address and time, and ended one by one or all at once', async () => {
    const here = await product.signIn({})
    const there = await again(here.user.username)
    const third = await again(here.user.username)
    const { body } = await here.get<OwnSession[]>('/api/auth/me/sessions')
    expect(body).toHaveLength(3)
    expect(body.filter((session) => session.current)).toHaveLength(1)
    const other = body.find((session) => !session.current)
    const ended = vi.fn<(hash: string) => void>()
    product.app.events.onSessionEnded(ended)
    expect((await here.delete(`/api/auth/me/sessions/${other?.id_session}`)).status).toBe(204)
    expect(ended).toHaveBeenCalledWith(other?.id_session)
    expect((await here.delete('/api/auth/me/sessions')).status).toBe(204)
    expect([(await there.get('/api/auth/me')).status, (await third.get('/api/auth/me')).status]).toEqual([401, 401])
    expect((await here.get('/api/auth/me')).status).toBe(200)
  })

  test('of another user cannot be ended', async () => {
    const [mine, theirs] = [await product.signIn({}), await product.signIn({})]
    const { body } = await theirs.get<OwnSession[]>('/api/auth/me/sessions')
    expect((await mine.delete(`/api/auth/me/sessions/${body[0]?.id_session}`)).status).toBe(404)
    expect((await theirs.get('/api/auth/me')).status).toBe(200)
  })

  test.each([
    ['idle for more than 8 hours', { lastSeenAt: hoursAgo(8.1) }],
    ['older than 24 hours', { createdAt: hoursAgo(24.1) }],
  ])('%s end, and their sockets are notified', async (_name, changes) => {
    const client = await product.signIn({})
    await product.db.update(sessions).set(changes).where(eq(sessions.userId, client.user.id))
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect(await purgeSessions(product.db)).toHaveLength(1)
  })

  test('end with the oldest beyond fifty per user', async () => {
    const client = await product.signIn({})
    const made = Array.from({ length: sessionsPerUser }, (_, index) => ({
      idHash: `${client.user.id}-${index}`,
      userId: client.user.id,
      lastSeenAt: hoursAgo(1),
    }))
    await product.db.insert(sessions).values(made)
    await again(client.user.username)
    expect(await product.db.$count(sessions, eq(sessions.userId, client.user.id))).toBe(sessionsPerUser)
  })

  test('reject another session’s XSRF token', async () => {
    const [mine, theirs] = [await product.signIn({}), await product.signIn({})]
    const stolen = theirs.cookies.get('XSRF-TOKEN') ?? ''
    mine.cookies.set('XSRF-TOKEN', stolen)
    expect((await mine.put('/api/auth/me', {})).status).toBe(403)
  })
})

describe('the profile', () => {
  const own = { display_name: 'Mireille', email: 'mireille@example.com' }

  test('is changed by its owner, with a color and a photo, without any right', async () => {
    const client = await product.signIn({})
    const { email } = client.user
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const changed = await client.put<Profile>('/api/auth/me', {
      ...own,
      email,
      color: '#18794E',
      new_photo: `data:image/png;base64,${pixel}`,
      new_photo_path: '../../x.png',
    })
    expect(changed.body).toMatchObject({ display_name: 'Mireille', color: '#18794E' })
    expect(changed.body.image_url).toMatch(/^\/media\/[\da-f]{32}-640\.jpeg$/)
    const removed = await client.put<Profile>('/api/auth/me', { ...own, email, remove_photo: true })
    expect(removed.body.image_url).toBeNull()
    expect((await client.put('/api/auth/me', { ...own, email, id_group: 1 })).status).toBe(400)
    expect((await client.put('/api/auth/me', { ...own, email, color: 'red;}' })).status).toBe(400)
  })

  test('requires the password for a new email address after an old sign-in, and renews the session', async () => {
    const client = await product.signIn({})
    await signedInLongAgo(client.user.id)
    const refused = await client.put<{ type: string }>('/api/auth/me', own)
    expect([refused.status, refused.body.type]).toEqual([401, recentSignInProblem])
    expect((await client.put('/api/auth/me', { ...own, email: client.user.email })).status).toBe(200)
    const wrong = await client.put<{ errors: unknown }>('/api/auth/me', { ...own, password: 'Autre-Chose-2026!' })
    expect([wrong.status, wrong.body.errors]).toEqual([400, [{ path: 'password', message: 'wrong password' }]])
    const before = client.cookies.get(sessionCookie) ?? ''
    const ended = vi.fn<(hash: string) => void>()
    product.app.events.onSessionEnded(ended)
    expect((await client.put('/api/auth/me', { ...own, password: testPassword })).status).toBe(200)
    expect(client.cookies.get(sessionCookie)).not.toBe(before)
    expect(ended).toHaveBeenCalledWith(hashSessionId(before))
    const thief = await product.client()
    thief.cookies.set(sessionCookie, before)
    expect((await thief.get('/api/auth/me')).status).toBe(401)
    // The password was verified moments ago, so it is not required again.
    expect((await client.post('/api/auth/me/totp')).status).toBe(200)
  })
})

describe('a change of the password', () => {
  test('requires the old one, ends every other session and renews this one', async () => {
    const client = await product.signIn({})
    const other = await again(client.user.username)
    const before = client.cookies.get(sessionCookie)
    expect((await client.put('/api/auth/me/password', { old_password: 'Autre-Chose-2026!', ...chosen })).status).toBe(400)
    expect((await client.put('/api/auth/me/password', { old_password: testPassword, ...chosen })).status).toBe(200)
    expect(client.cookies.get(sessionCookie)).not.toBe(before)
    expect((await client.get('/api/auth/me')).status).toBe(200)
    expect((await other.get('/api/auth/me')).status).toBe(401)
  })

  test('limits guesses of the old one', async () => {
    const client = await product.signIn({})
    const statuses = []
    for (let time = 0; time < 12; time += 1) {
      statuses.push((await client.put('/api/auth/me/password', { old_password: `Faux-${time}`, ...chosen })).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400))
    expect(statuses.slice(10)).toEqual([429, 429])
  })
})
