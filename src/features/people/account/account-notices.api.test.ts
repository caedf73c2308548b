import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { createChatSockets, next } from '#src/features/chat/testing.ts'
import { recoveryCodes, users } from '../server/table.ts'
import { hashSessionId } from '../sign-in/server/sessions.ts'
import { turnTotpOn } from '../sign-in/testing.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

let lastAddress = 0
const elsewhere = () => {
  lastAddress += 1
  return { headers: { 'x-forwarded-for': `198.51.103.${lastAddress}` } }
}

const chosen = { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }
const own = { display_name: 'Mireille' }
const mailsTo = async (address: string) =>
  (await product.db.select().from(mails).where(eq(mails.recipient, address))).map(({ body }) => body)

describe('a change of an account', () => {
  const holding = (text: string) => expect.stringContaining(text) as string

  test('email: notifies the old and the new address', async () => {
    const client = await product.signIn()
    const { email: old } = client.user
    await client.put('/api/auth/me', { ...own, email: `new-${old}` })
    expect(await mailsTo(old)).toEqual([holding('l’ancienne adresse')])
    expect(await mailsTo(`new-${old}`)).toEqual([holding('Cette adresse est maintenant')])
    expect((await mailsTo(`new-${old}`))[0]).toContain('This address now belongs')
  })

  test('email: a first address notifies the new address', async () => {
    const client = await product.signIn()
    const first = `first-${client.user.email}`
    await product.db.update(users).set({ email: '' }).where(eq(users.id, client.user.id))
    expect((await client.put('/api/auth/me', { ...own, email: first })).status).toBe(200)
    expect(await mailsTo(first)).toEqual([holding('Cette adresse est maintenant')])
  })

  test('email and username: notify the user when an administrator changes them', async () => {
    const administrator = await product.signIn()
    const user = await product.createUser({})
    const email = `moved-${user.email}`
    const input = { username: `renamed${user.id}`, display_name: user.displayName, email, id_group: user.groupId }
    expect((await administrator.put(`/api/users/users/${user.id}`, input)).status).toBe(200)
    expect(await mailsTo(user.email)).toEqual([holding('l’ancienne adresse')])
    expect(await mailsTo(email)).toEqual([holding('Cette adresse est maintenant'), holding(`maintenant renamed${user.id}`)])
  })

  test.each([
    ['password', 'PUT', '/password', chosen, 'Le mot de passe'],
    ['second factor', 'DELETE', '/totp', undefined, 'deux facteurs'],
  ])('%s: a reset by an administrator notifies the user and ends the sessions', async (_name, method, path, body, words) => {
    const administrator = await product.signIn()
    const person = await product.signIn()
    expect((await administrator.send(method, `/api/users/users/${person.user.id}${path}`, body)).status).toBeLessThan(300)
    expect(await mailsTo(person.user.email)).toEqual([holding(words)])
    expect((await person.get('/api/auth/me')).status).toBe(401)
  })

  test.each([
    ['a new password', 'PUT', '/password', { old_password: testPassword, ...chosen }, 'Le mot de passe'],
    ['renewed recovery codes', 'POST', '/totp/recovery_codes', undefined, 'codes de secours'],
    ['a second factor turned off', 'DELETE', '/totp', undefined, 'retirée'],
  ])(
    '%s: notifies the user, ends the other sessions and their sockets, and renews this one',
    async (_name, method, path, body, words) => {
      const client = await product.signIn()
      const { codes } = await turnTotpOn(client)
      const other = await product.client()
      await other.post('/api/auth/login', { username: client.user.username, password: testPassword }, elsewhere())
      expect((await other.post('/api/auth/totp', { code: codes[0] }, elsewhere())).status).toBe(200)
      const [mine, theirs] = [client.cookies.get(sessionCookie) ?? '', other.cookies.get(sessionCookie) ?? '']
      const ended = vi.fn<(hash: string) => void>()
      product.app.events.onSessionEnded(ended)
      expect((await client.send(method, `/api/auth/me${path}`, body)).status).toBeLessThan(300)
      expect((await mailsTo(client.user.email)).at(-1)).toContain(words)
      expect(ended).toHaveBeenCalledWith(hashSessionId(theirs))
      expect(ended).toHaveBeenCalledWith(hashSessionId(mine))
      expect((await other.get('/api/auth/me')).status).toBe(401)
      expect((await client.get('/api/auth/me')).status).toBe(200)
      expect(client.cookies.get(sessionCookie)).not.toBe(mine)
      const left = await product.db.$count(recoveryCodes, eq(recoveryCodes.userId, client.user.id))
      expect(left).toBe(path === '/totp' ? 0 : path === '/password' ? 9 : 10)
    },
  )
})

describe('a staff socket', () => {
  type Change = (own: TestClient, administrator: TestClient, id: number) => Promise<{ status: number }>
  const changes: [string, Change][] = [
    ['log-off', (client) => client.post('/api/auth/logoff')],
    ['a proof of a recent sign-in', (client) => client.post('/api/auth/me/proof', { password: testPassword })],
    ['a new password', (client) => client.put('/api/auth/me/password', { old_password: testPassword, ...chosen })],
    ['a second factor', async (client) => turnTotpOn(client).then(() => ({ status: 200 }))],
    ['a lock', (_own, administrator, id) => administrator.put(`/api/users/users/${id}/lock`)],
    ['a reset password', (_own, administrator, id) => administrator.put(`/api/users/users/${id}/password`, chosen)],
    ['a reset second factor', (_own, administrator, id) => administrator.delete(`/api/users/users/${id}/totp`)],
    ['the end of its session', (_own, administrator, id) => administrator.delete(`/api/users/users/${id}/sessions`)],
  ]

  test.each(changes)('is closed by %s', async (_name, change) => {
    const sockets = createChatSockets(product)
    const administrator = await product.signIn()
    const technician = await sockets.openTechnician(false)
    const closed = next(technician, 'disconnect')
    expect((await change(technician.client, administrator, technician.client.user.id)).status).toBeLessThan(300)
    expect(await closed).toBe('io server disconnect')
    sockets.close()
  })
})
