import { eq } from 'drizzle-orm'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { recoveryCodes, users } from '../server/table.ts'
import type { TotpSetUp, TotpState } from '../contract.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

let lastAddress = 0
const elsewhere = () => {
  lastAddress += 1
  return { headers: { 'x-forwarded-for': `198.51.101.${lastAddress}` } }
}

/** The code of the next time step: within the tolerance now, and still valid if this step ends during the test. */
const codeOf = (secret: string, stepsLater = 1) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * stepsLater })

/** A user with 2FA on, whose last code was that of the current time step. */
async function userWithTotp() {
  const client = await product.signIn()
  const { body } = await client.post<TotpSetUp>('/api/auth/me/totp')
  const spent = await codeOf(body.secret, 0)
  const confirmed = await client.post<string[]>('/api/auth/me/totp/confirm', { code: spent })
  expect(confirmed.status).toBe(200)
  return { client, user: client.user, secret: body.secret, spent, codes: confirmed.body }
}

async function passwordStep(username: string) {
  const client = await product.client()
  const response = await client.post('/api/auth/login', { username, password: testPassword }, elsewhere())
  expect(response.body).toEqual({ status: 'totp_required' })
  return client
}

const submitCode = (client: TestClient, code: string) => client.post<{ status: string }>('/api/auth/totp', { code }, elsewhere())

describe('the setup', () => {
  test('starts with a secret, its URI and its QR code, and is active once a code is confirmed', async () => {
    const client = await product.signIn()
    const begun = await client.post<TotpSetUp>('/api/auth/me/totp')
    expect(begun.status).toBe(200)
    expect(begun.body.uri).toMatch(/^otpauth:\/\/totp\//)
    expect(begun.body.qr).toMatch(/^data:image\/png;base64,/)
    expect((await client.get<TotpState>('/api/auth/me/totp')).body).toEqual({ enabled: false, recovery_codes_left: 0 })
    expect((await client.post('/api/auth/me/totp/confirm', { code: '000000' })).status).toBe(400)
    const before = client.cookies.get(sessionCookie)
    const confirmed = await client.post<string[]>('/api/auth/me/totp/confirm', { code: await codeOf(begun.body.secret) })
    expect(confirmed.body).toHaveLength(10)
    expect(new Set(confirmed.body).size).toBe(10)
    for (const code of confirmed.body) expect(code).toMatch(/^[\da-hjkmnp-tv-z]{5}-[\da-hjkmnp-tv-z]{5}$/)
    expect((await client.get<TotpState>('/api/auth/me/totp')).body).toEqual({ enabled: true, recovery_codes_left: 10 })
    expect(client.cookies.get(sessionCookie)).not.toBe(before)
    expect((await client.post('/api/auth/me/totp')).status).toBe(409)
  })

  test('stores the recovery codes as slow hashes only', async () => {
    const { user, codes } = await userWithTotp()
    const stored = await product.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
    expect(stored).toHaveLength(10)
    for (const { codeHash } of stored) {
      expect(codeHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(codes.map((code) => code.replace('-', ''))).not.toContain(codeHash)
    }
  })

  test('ends the other sessions, and so does the removal, which requires the password', async () => {
    const { client, user, secret } = await userWithTotp()
    const other = await passwordStep(user.username)
    expect((await submitCode(other, await codeOf(secret))).status).toBe(200)
    expect((await client.delete('/api/auth/me/totp', { password: 'Autre-Chose-2026!' })).status).toBe(400)
    expect((await client.delete('/api/auth/me/totp', { password: testPassword })).status).toBe(204)
    expect((await other.get('/api/auth/me')).status).toBe(401)
    expect((await client.get<TotpState>('/api/auth/me/totp')).body).toEqual({ enabled: false, recovery_codes_left: 0 })
  })
})

describe('the second step', () => {
  test('a correct password alone gives no access', async () => {
    const { user } = await userWithTotp()
    const client = await passwordStep(user.username)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await client.get('/api/auth/me/is_connected')).body).toBe(false)
    expect((await client.get('/api/users/users')).status).toBe(401)
  })

  test('a correct code opens a new session, and works once', async () => {
    const { user, secret } = await userWithTotp()
    const code = await codeOf(secret)
    const first = await passwordStep(user.username)
    const pending = first.cookies.get(sessionCookie)
    expect((await submitCode(first, code)).body.status).toBe('connected')
    expect(first.cookies.get(sessionCookie)).not.toBe(pending)
    const second = await passwordStep(user.username)
    expect((await submitCode(second, code)).status).toBe(401)
  })

  test('the code of the setup cannot be used again', async () => {
    const { user, spent } = await userWithTotp()
    expect((await submitCode(await passwordStep(user.username), spent)).status).toBe(401)
  })

  test('one code in twenty concurrent sign-ins opens one session', async () => {
    const { user, secret } = await userWithTotp()
    const clients = await Promise.all(Array.from({ length: 4 }, () => passwordStep(user.username)))
    const code = await codeOf(secret)
    const responses = await Promise.all(clients.map((client) => submitCode(client, code)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
  })

  test('a recovery code works once, in any spelling', async () => {
    const { user, codes } = await userWithTotp()
    const typed = ` ${(codes[0] ?? '').toUpperCase().replace('-', ' ').replaceAll('0', 'O')} `
    expect((await submitCode(await passwordStep(user.username), typed)).status).toBe(200)
    expect((await submitCode(await passwordStep(user.username), codes[0] ?? '')).status).toBe(401)
    const left = await product.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))
    expect(left).toBe(9)
  })

  test('renewed recovery codes replace the old ones', async () => {
    const { client, user, codes } = await userWithTotp()
    expect((await client.post('/api/auth/me/totp/recovery_codes', { password: 'Autre-Chose-2026!' })).status).toBe(400)
    const renewed = await client.post<string[]>('/api/auth/me/totp/recovery_codes', { password: testPassword })
    expect(renewed.body).toHaveLength(10)
    expect((await submitCode(await passwordStep(user.username), codes[1] ?? '')).status).toBe(401)
    expect((await submitCode(await passwordStep(user.username), renewed.body[1] ?? '')).status).toBe(200)
  })

  test('rejects a code without a pending sign-in', async () => {
    const { secret } = await userWithTotp()
    const stranger = await product.client()
    expect((await submitCode(stranger, await codeOf(secret))).status).toBe(401)
  })
})

describe('chances', () => {
  test('count five of a thousand parallel wrong codes, then reject the correct one', { timeout: 120_000 }, async () => {
    const { user, secret } = await userWithTotp()
    const client = await passwordStep(user.username)
    const place = Array.from({ length: 20 }, () => elsewhere())
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        client.post('/api/auth/totp', { code: String(index).padStart(6, '0') }, place[index % 20]),
      ),
    )
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([401]))
    const [after] = await product.db.select().from(users).where(eq(users.id, user.id))
    expect(after?.totpChances).toBe(0)
    expect((await submitCode(client, await codeOf(secret))).status).toBe(401)

    const administrator = await product.signIn()
    expect((await administrator.post(`/api/users/users/${user.id}/totp_chances`)).status).toBe(200)
    expect((await submitCode(client, await codeOf(secret))).status).toBe(200)
  })

  test('are reset by a correct code', async () => {
    const { user, secret } = await userWithTotp()
    const client = await passwordStep(user.username)
    for (let wrong = 0; wrong < 4; wrong += 1) await submitCode(client, '000000')
    expect((await submitCode(client, await codeOf(secret))).status).toBe(200)
    const [after] = await product.db.select().from(users).where(eq(users.id, user.id))
    expect(after?.totpChances).toBe(5)
  })

  test('notify the user by email and record an audit event at the fifth wrong code', async () => {
    const { user } = await userWithTotp()
    const client = await passwordStep(user.username)
    for (let wrong = 0; wrong < 6; wrong += 1) await submitCode(client, '000000')
    const administrator = await product.signIn()
    const journal = await administrator.get<{ action: string; entry_id: string }[]>('/api/audit/entries')
    const recorded = journal.body.filter((entry) => entry.action === 'use up 2FA chances' && entry.entry_id === String(user.id))
    expect(recorded).toHaveLength(1)
  })
})
