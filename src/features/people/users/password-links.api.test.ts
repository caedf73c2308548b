import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { areas, startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { startTestSmtp } from '#src/server/testing/test-smtp.ts'
import type { InvitedUser, Invitation, User } from '../contract.ts'
import { CommandError, runAdminCommand, createFirstAdministrator } from './server/administrator.ts'
import { passwordLinks, users } from '../server/table.ts'

const chosen = { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }

let product: TestApp
let smtp: Awaited<ReturnType<typeof startTestSmtp>>
beforeAll(async () => {
  smtp = await startTestSmtp()
  product = await startTestApp({ queue: true, environment: { SMTP_URL: smtp.url, TRUST_PROXY: '1' } })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})

let lastAddress = 0
const elsewhere = () => {
  lastAddress += 1
  return { headers: { 'x-forwarded-for': `203.0.113.${lastAddress}` } }
}

async function mailTo(address: string, count = 1) {
  return vi.waitFor(
    () => {
      const mails = smtp.received.filter((mail) => mail.envelope.to.includes(address))
      const last = mails[count - 1]
      if (!last) throw new Error('no mail yet')
      return last
    },
    { timeout: 15_000 },
  )
}

const tokenIn = (text: string | undefined) => /\/admin\/password#([\w-]{32})/.exec(text ?? '')?.[1] ?? ''

async function choose(token: string, input = chosen) {
  const client = await product.client()
  return client.post('/api/auth/password', { token, ...input }, elsewhere())
}

async function logInStatus(username: string, password: string) {
  const client = await product.client()
  return (await client.post('/api/auth/login', { username, password }, elsewhere())).status
}

async function requestPasswordLink(email: string, headers: Record<string, string> = {}) {
  const client = await product.client()
  return client.post('/api/auth/forgotten', { email }, { headers: { ...elsewhere().headers, ...headers } })
}

describe('an invitation', () => {
  test('arrives in both languages with a link that works once', async () => {
    const administrator = await product.signIn()
    const input = {
      username: 'invitee',
      display_name: 'Invitée',
      email: 'invitee@example.com',
      id_group: administrator.user.groupId,
    }
    const { body: user } = await administrator.post<User>('/api/users/users', input)
    const mail = await mailTo('invitee@example.com')
    expect(mail.text).toContain('Choisissez votre mot de passe')
    expect(mail.text).toContain('Choose your password')
    const token = tokenIn(mail.text)
    expect((await choose(token, { new_password: 'court', confirmation: 'court' })).status).toBe(400)
    expect((await choose(token)).status).toBe(204)
    expect(await logInStatus(user.username, chosen.new_password)).toBe(200)
    expect((await choose(token)).status).toBe(400)
  })

  test('sent again has a new link, which is not returned where mail can be sent', async () => {
    const administrator = await product.signIn()
    const input = {
      username: 'twice',
      display_name: 'Deux fois',
      email: 'twice@example.com',
      id_group: administrator.user.groupId,
    }
    const { body: user } = await administrator.post<User>('/api/users/users', input)
    await mailTo('twice@example.com')
    const again = await administrator.post<Invitation>(`/api/users/users/${user.id_user}/invitation`)
    expect(again.body).toEqual({ mailed: true, link: null })
    const second = await mailTo('twice@example.com', 2)
    expect((await choose(tokenIn(second.text))).status).toBe(204)
  })

  test('returns the link where no mail can be sent, for users without a password only', async () => {
    const mute = await startTestApp()
    try {
      const administrator = await mute.signIn()
      const input = {
        username: 'mute',
        display_name: 'Sans courriel',
        email: 'mute@example.com',
        id_group: administrator.user.groupId,
      }
      const { body: user } = await administrator.post<InvitedUser>('/api/users/users', input)
      expect(tokenIn(user.invitation.link ?? '')).not.toBe('')
      const response = await administrator.post<Invitation>(`/api/users/users/${user.id_user}/invitation`)
      expect(response.body.mailed).toBe(false)
      expect(tokenIn(response.body.link ?? '')).not.toBe('')
      const own = await administrator.post<Invitation>(`/api/users/users/${administrator.user.id}/invitation`)
      expect(own.body.link).toBeNull()
    } finally {
      await mute.stop()
    }
  })
})

describe('a forgotten password', () => {
  test('returns the same for a known and an unknown address, and mails the known one', async () => {
    const user = await product.createUser({})
    const [known, unknown] = [await requestPasswordLink(user.email), await requestPasswordLink('nobody@example.com')]
    expect([known.status, known.text]).toEqual([204, ''])
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    const token = tokenIn((await mailTo(user.email)).text)
    const session = await product.client()
    await session.post('/api/auth/login', { username: user.username, password: testPassword }, elsewhere())
    expect((await choose(token)).status).toBe(204)
    expect((await session.get('/api/auth/me')).status).toBe(401)
    expect(await logInStatus(user.username, testPassword)).toBe(401)
    expect(await logInStatus(user.username, chosen.new_password)).toBe(200)
    expect(smtp.received.some((mail) => mail.envelope.to.includes('nobody@example.com'))).toBe(false)
  })

  test('links to the product, whatever host the request names', async () => {
    const user = await product.createUser({})
    const requested = await requestPasswordLink(user.email, { 'x-forwarded-host': 'evil.example' })
    expect(requested.status).toBe(204)
    const mail = await mailTo(user.email)
    expect(mail.text).toContain(`${product.origin}/admin/password#`)
    expect(mail.text).not.toContain('evil')
  })

  test('accepts one of twenty parallel uses of a link', async () => {
    const user = await product.createUser({})
    await requestPasswordLink(user.email)
    const token = tokenIn((await mailTo(user.email)).text)
    const responses = await Promise.all(Array.from({ length: 20 }, () => choose(token)))
    expect(responses.filter((response) => response.status === 204)).toHaveLength(1)
  })

  test('rejects an expired or invalid link, and that of a locked user', async () => {
    const [late, locked] = [await product.createUser({}), await product.createUser({})]
    await requestPasswordLink(late.email)
    await requestPasswordLink(locked.email)
    const tokens = [tokenIn((await mailTo(late.email)).text), tokenIn((await mailTo(locked.email)).text)]
    await product.db
      .update(passwordLinks)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(passwordLinks.userId, late.id))
    await product.db.update(users).set({ locked: true }).where(eq(users.id, locked.id))
    for (const token of [...tokens, 'x'.repeat(32)]) expect((await choose(token)).status).toBe(400)
  })

  test('limits the emails of ten requests', async () => {
    const user = await product.createUser({})
    for (let time = 0; time < 10; time += 1) await requestPasswordLink(user.email)
    await mailTo(user.email, 3)
    const made = await product.db.$count(passwordLinks, eq(passwordLinks.userId, user.id))
    expect(made).toBe(3)
  })
})

describe('the command on the server', () => {
  test('creates an administrator, resets a password, unlocks', async () => {
    const origin = product.origin
    const { en: output } = await runAdminCommand(product.app, { command: 'create', name: 'rescue', origin })
    expect((await choose(tokenIn(output))).status).toBe(204)
    expect(await logInStatus('rescue', chosen.new_password)).toBe(200)
    await product.db.update(users).set({ locked: true, totpChances: 0 }).where(eq(users.username, 'rescue'))
    await runAdminCommand(product.app, { command: 'unlock', name: 'RESCUE', origin })
    expect(await logInStatus('rescue', chosen.new_password)).toBe(200)
    await runAdminCommand(product.app, { command: 'reset-password', name: 'rescue', origin, password: 'Phare-Du-Large-19!' })
    expect(await logInStatus('rescue', chosen.new_password)).toBe(401)
    expect(await logInStatus('rescue', 'Phare-Du-Large-19!')).toBe(200)
    await expect(runAdminCommand(product.app, { command: 'unlock', name: 'nobody', origin })).rejects.toThrow(
      'no user named nobody',
    )
  })

  test('mails the user what it changed', async () => {
    const { origin, app } = product
    const user = await product.createUser()
    await runAdminCommand(app, { command: 'reset-2fa', name: user.username, origin })
    expect((await mailTo(user.email)).text).toContain('deux facteurs')
    await runAdminCommand(app, { command: 'reset-password', name: user.username, origin, password: 'Phare-Du-Large-19!' })
    expect((await mailTo(user.email, 2)).text).toContain('Le mot de passe')
  })

  test('and the first start reject a weak or easily guessed password', async () => {
    const { origin, app } = product
    await runAdminCommand(app, { command: 'create', name: 'weak', origin })
    for (const password of ['Quebec-Montreal-1', 'Guichet-Informatique-1', 'Xx-Weak-8-trqz!', 'no rule at all met']) {
      await expect(runAdminCommand(app, { command: 'reset-password', name: 'weak', origin, password })).rejects.toThrow(
        CommandError,
      )
      const fresh = await openTestDatabase()
      const first = { adminUsername: 'weak', adminPassword: password }
      await expect(createFirstAdministrator(fresh.db, areas, first)).rejects.toThrow(/^ADMIN_PASSWORD/)
      expect(await fresh.db.$count(users)).toBe(0)
      await fresh.close()
    }
  })
})
