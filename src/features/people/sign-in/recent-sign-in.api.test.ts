import { eq } from 'drizzle-orm'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { everyRight, startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { Network } from '#src/features/networks/contract.ts'
import { monitorStatus, networkMonitors } from '#src/features/networks/monitors/server/table.ts'
import type { CompanySettings } from '#src/features/company/contract.ts'
import type { ChatSettings } from '#src/features/chat/contract.ts'
import type { RecordingSettings } from '#src/features/recordings/contract.ts'
import { users, sessions } from '../server/table.ts'
import { hashSessionId } from './server/sessions.ts'
import { turnTotpOn } from './testing.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
})
afterAll(() => product.stop())

let lastAddress = 0
const elsewhere = () => {
  lastAddress += 1
  return { headers: { 'x-forwarded-for': `198.51.102.${lastAddress}` } }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const signedIn = (userId: number, authenticatedAt: Date) =>
  product.db.update(sessions).set({ authenticatedAt }).where(eq(sessions.userId, userId))

/** A browser whose user signed in 15 minutes ago, such as one left unattended. */
async function borrowed() {
  const client = await product.signIn()
  await signedIn(client.user.id, minutesAgo(15))
  return client
}

const chosen = { new_password: 'Fanal-Tranquille-88!', confirmation: 'Fanal-Tranquille-88!' }
const own = { display_name: 'Mireille', email: 'mireille@example.com' }
const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
const mailsTo = async (address: string) =>
  (await product.db.select().from(mails).where(eq(mails.recipient, address))).map(({ body }) => body)

/**
 * Kinds of routes that require a recent sign-in, by address. Each such route declares it, or is listed below with the reason
 * why not.
 */
const kinds = [
  /^(POST|PUT|DELETE) \/api\/auth\/me/,
  /^(POST|PUT|DELETE) \/api\/users\//,
  /^(POST|PUT|DELETE) \/api\/groups\//,
  /^(POST|PUT|DELETE) .*\/(settings|inbox|monitors|mail_settings|embed_origins)(\/|$)/,
  /^(GET|POST|PUT|DELETE) .*\/(export|exports|erase)(\.|\/|$)/,
]
const exempt: Record<string, string> = {
  'POST /api/auth/me/proof': 'is the proof itself',
  'PUT /api/users/users/:id/lock': 'closes an account, and must not wait',
  'DELETE /api/users/users/:id': 'closes an account',
  'DELETE /api/users/users/:id/sessions': 'closes sessions, and must not wait',
  'DELETE /api/groups/groups/:id': 'an empty group, which gives nobody anything',
  'PUT /api/requests/requests/settings': 'goals and delays, which give nobody access',
  'POST /api/requests/requests/inbox/:id/accept': 'makes a request of a mail, which gives nobody access',
  'POST /api/requests/requests/inbox/:id/dismiss': 'leaves a mail where it is',
  'GET /api/exports/exports': 'says how far archives are, nothing of what is in them',
  'GET /api/exports/exports/:id': 'says how far an archive is',
  'POST /api/exports/exports/:id/stop': 'stops the making of an archive',
  'GET /api/exports/exports/:id/file': 'gives an archive once, within a day, to the user who asked for it with a recent sign-in',
  'POST /api/exports/command': 'is signed by a command on the server, which has no session',
  'GET /api/chat/figures/export.csv': 'counts only, nothing about a person',
  'GET /api/visits/export.csv': 'counts only, nothing about a person',
  'DELETE /api/networks/monitors/:id': 'calls nothing any more',
  'POST /api/networks/monitors/:id/check': 'calls a target that was entered with a recent sign-in',
}

const routes = () =>
  product.app.declaredRoutes.flatMap(({ method, url, config }) =>
    [method]
      .flat()
      .filter((one) => one !== 'HEAD')
      .map((one) => ({ route: `${one} ${url.replace(/(?<=.)\/$/, '')}`, rule: config?.recentSignIn })),
  )

type Call = (client: TestClient) => Promise<[method: string, path: string, body?: unknown]>

/** A call of each declaring route that changes protected data; a route without one fails the test. */
const calls: Record<string, Call> = {
  'PUT /api/auth/me': async () => ['PUT', '/api/auth/me', own],
  // The old password is the proof; without it the body is rejected first.
  'PUT /api/auth/me/password': async () => ['PUT', '/api/auth/me/password', { old_password: 'Autre-Chose-2026!', ...chosen }],
  'POST /api/auth/me/totp': async () => ['POST', '/api/auth/me/totp'],
  'POST /api/auth/me/totp/confirm': async () => ['POST', '/api/auth/me/totp/confirm', { code: '000000' }],
  'POST /api/auth/me/totp/recovery_codes': async () => ['POST', '/api/auth/me/totp/recovery_codes'],
  'DELETE /api/auth/me/totp': async () => ['DELETE', '/api/auth/me/totp'],
  'DELETE /api/auth/me/sessions': async () => ['DELETE', '/api/auth/me/sessions'],
  'DELETE /api/auth/me/sessions/:id_session': async () => ['DELETE', `/api/auth/me/sessions/${'0'.repeat(64)}`],
  'POST /api/users/users': async () => {
    const { groupId } = await product.createUser()
    return ['POST', '/api/users/users', { username: 'back.door', ...own, id_group: groupId }]
  },
  'PUT /api/users/users/:id': async () => {
    const { id, username, groupId } = await product.createUser()
    return ['PUT', `/api/users/users/${id}`, { username, ...own, id_group: groupId }]
  },
  'POST /api/users/users/:id/invitation': async () => ['POST', `/api/users/users/${await someUser()}/invitation`],
  'PUT /api/users/users/:id/unlock': async () => ['PUT', `/api/users/users/${await someUser()}/unlock`],
  'PUT /api/users/users/:id/password': async () => ['PUT', `/api/users/users/${await someUser()}/password`, chosen],
  'DELETE /api/users/users/:id/totp': async () => ['DELETE', `/api/users/users/${await someUser()}/totp`],
  'POST /api/users/users/:id/totp_chances': async () => ['POST', `/api/users/users/${await someUser()}/totp_chances`],
  'POST /api/groups/groups': async () => ['POST', '/api/groups/groups', { name: 'Back door', rights: everyRight }],
  'PUT /api/groups/groups/:id': async () => {
    const { groupId } = await product.createUser({})
    return ['PUT', `/api/groups/groups/${groupId}`, { name: `Raised ${groupId}`, rights: everyRight }]
  },
  'POST /api/privacy/export': async () => ['POST', '/api/privacy/export', { email: own.email, format: 'json' }],
  'POST /api/privacy/erase': async () => ['POST', '/api/privacy/erase', { email: own.email }],
  'GET /api/applications/applications/export.csv': async () => ['GET', '/api/applications/applications/export.csv?language=fr'],
  'GET /api/requests/requests/export.csv': async () => ['GET', '/api/requests/requests/export.csv?language=fr'],
  'PUT /api/chat/settings': async (client) => {
    const { body } = await client.get<ChatSettings>('/api/chat/settings')
    return ['PUT', '/api/chat/settings', { ...body, embed_origins: ['https://elsewhere.example.com'] }]
  },
  'POST /api/exports/exports': async () => ['POST', '/api/exports/exports'],
  'POST /api/versions/:id/reuse': async (client) => {
    const colleague = await product.signIn()
    const { body } = await colleague.get<ChatSettings>('/api/chat/settings')
    await colleague.put('/api/chat/settings', { ...body, release_minutes: body.release_minutes + 1 })
    const versions = await client.get<{ id_entry: number }[]>('/api/versions?area=chat&entry=settings')
    return ['POST', `/api/versions/${versions.body[0]?.id_entry}/reuse`, { version: 0 }]
  },
  'PUT /api/company/settings': async (client) => [
    'PUT',
    '/api/company/settings',
    (await client.get<CompanySettings>('/api/company/settings')).body,
  ],
  'DELETE /api/company/settings': async () => ['DELETE', '/api/company/settings'],
  'DELETE /api/company/sample': async () => ['DELETE', '/api/company/sample'],
  'PUT /api/recordings/settings': async (client) => {
    const { body } = await client.get<RecordingSettings>('/api/recordings/settings')
    return ['PUT', '/api/recordings/settings', { ...body, download: 'administrator' }]
  },
  'POST /api/networks/monitors': async (client) => {
    const { network } = await someMonitor(client)
    return ['POST', '/api/networks/monitors', { ...monitored, id_reseau: network }]
  },
  'PUT /api/networks/monitors/:id': async (client) => {
    const { id, network } = await someMonitor(client)
    return ['PUT', `/api/networks/monitors/${id}`, { ...monitored, id_reseau: network, target: 'elsewhere.example.com:443' }]
  },
  'POST /api/networks/monitors/:id/address': async (client) => {
    const { id } = await someMonitor(client)
    return ['POST', `/api/networks/monitors/${id}/address`]
  },
  'POST /api/networks/monitors/test': async () => ['POST', '/api/networks/monitors/test', monitored],
  'POST /api/networks/monitors/import': async () => ['POST', '/api/networks/monitors/import', { csv: 'network,kind' }],
}

const monitored = { id_reseau: 1, kind: 'tcp', target: '127.0.0.1:9' }
async function someMonitor(client: TestClient) {
  const { body } = await client.post<Network>('/api/networks/reseau', { nom: 'Réseau' })
  const [row] = await product.db
    .insert(networkMonitors)
    .values({
      networkId: body.id_reseau,
      element: '',
      kind: 'tcp',
      target: '127.0.0.1:9',
      intervalS: 60,
      timeoutMs: 100,
      failuresBefore: 1,
      expect: {},
      action: 'propose',
      enabled: false,
    })
    .returning()
  await product.db.insert(monitorStatus).values({ monitorId: row?.id ?? 0, nextAt: new Date() })
  return { id: row?.id ?? 0, network: body.id_reseau }
}

const someUser = async () => (await product.createUser()).id

describe('a recent sign-in', () => {
  test('is declared by every route of a kind that needs it', () => {
    const missing = routes().filter(
      ({ route, rule }) => !rule && !(route in exempt) && kinds.some((kind) => kind.test(route)) && !route.endsWith('*'),
    )
    expect(missing.map(({ route }) => route)).toEqual([])
    const known = new Set(routes().map(({ route }) => route))
    expect(Object.keys(exempt).filter((route) => !known.has(route))).toEqual([])
  })

  test('is required by every route that declares it, until the password was verified', async () => {
    const declared = routes().flatMap(({ route, rule }) => (rule ? [route] : []))
    expect(declared.toSorted()).toEqual(Object.keys(calls).toSorted())
    const wrong: string[] = []
    for (const route of declared) {
      const client = await borrowed()
      const [method, path, body] = (await calls[route]?.(client)) ?? ['', '']
      const refused = await client.send<{ type: string }>(method, path, body)
      // The old password in the body is checked instead of the sign-in.
      const isRefused = route === 'PUT /api/auth/me/password' ? refused.status === 400 : refused.body.type === recentSignInProblem
      if (!isRefused || (refused.status !== 401 && refused.status !== 400)) wrong.push(`${route}: ${refused.status} before`)
      if (refused.status === 401 && !refused.headers.get('content-type')?.startsWith('application/problem+json'))
        wrong.push(route)
      expect((await client.post('/api/auth/me/proof', { password: testPassword })).status).toBe(204)
      const again = await client.send<{ type?: string }>(method, path, body)
      if (again.status === 401) wrong.push(`${route}: 401 after`)
    }
    expect(wrong).toEqual([])
  })

  test.each([
    [9, 200],
    [11, 401],
  ])('of %s minutes ago: %s', async (minutes, status) => {
    const client = await product.signIn({})
    await signedIn(client.user.id, minutesAgo(minutes))
    expect((await client.put('/api/auth/me', own)).status).toBe(status)
  })

  test('is not required where no protected data changes', async () => {
    const client = await borrowed()
    const { id, username, displayName, email, groupId } = await product.createUser({})
    const same = { username, display_name: `${displayName} again`, email, id_group: groupId }
    expect((await client.put(`/api/users/users/${id}`, same)).status).toBe(200)
    expect((await client.put(`/api/groups/groups/${groupId}`, { name: `Renamed ${groupId}`, rights: {} })).status).toBe(200)
    expect((await client.put('/api/auth/me', { ...own, email: client.user.email })).status).toBe(200)
    const { body } = await client.get<ChatSettings>('/api/chat/settings')
    expect((await client.put('/api/chat/settings', { ...body, no_answer_minutes: 4 })).status).toBe(200)
  })

  test('prevents a 15-minute-old session from setting a first email address and requesting a password there', async () => {
    const client = await borrowed()
    await product.db.update(users).set({ email: '' }).where(eq(users.id, client.user.id))
    expect((await client.put('/api/auth/me', own)).status).toBe(401)
    const [stored] = await product.db.select().from(users).where(eq(users.id, client.user.id))
    expect(stored?.email).toBe('')
  })

  test('stops the start on a route without users', async () => {
    const { buildApp } = await import('#src/app/app.ts')
    const { openTestDatabase } = await import('#src/server/testing/test-database.ts')
    const database = await openTestDatabase()
    const app = await buildApp({ ...product.app.config }, database, 'none')
    app.get('/anybody', { config: { access: 'public', recentSignIn: true } }, () => 'OK')
    await expect(app.ready()).rejects.toThrow('/anybody')
    await app.close()
    await database.close()
  })
})

describe('the proof', () => {
  test('by password replaces the session, and closes its sockets', async () => {
    const client = await borrowed()
    const before = client.cookies.get(sessionCookie) ?? ''
    const ended = vi.fn<(hash: string) => void>()
    product.app.events.onSessionEnded(ended)
    expect((await client.post('/api/auth/me/proof', { password: testPassword })).status).toBe(204)
    expect(client.cookies.get(sessionCookie)).not.toBe(before)
    expect(ended).toHaveBeenCalledWith(hashSessionId(before))
    expect((await client.put('/api/auth/me', own)).status).toBe(200)
  })

  test('by code or recovery code works once for each', async () => {
    const client = await product.signIn()
    const { secret, codes } = await turnTotpOn(client)
    const code = await codeOf(secret)
    expect((await client.post('/api/auth/me/proof', { code })).status).toBe(204)
    expect((await client.post('/api/auth/me/proof', { code })).status).toBe(401)
    expect((await client.post('/api/auth/me/proof', { code: codes[0] })).status).toBe(204)
    expect((await client.post('/api/auth/me/proof', { code: codes[0] })).status).toBe(401)
    await signedIn(client.user.id, minutesAgo(15))
    expect((await client.put('/api/auth/me', own)).status).toBe(401)
    expect((await client.post('/api/auth/me/proof', { code: codes[1] })).status).toBe(204)
    expect((await client.put('/api/auth/me', own)).status).toBe(200)
  })

  test('that is wrong returns a 401 that names the field, and changes nothing', async () => {
    const client = await borrowed()
    const wrong = await client.post<{ type: string; errors: unknown }>('/api/auth/me/proof', { password: 'Autre-Chose-2026!' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ type: 'about:blank', errors: [{ path: 'password', message: 'wrong password' }] })
    expect((await client.post('/api/auth/me/proof', { code: '000000' })).status).toBe(401)
    expect((await client.put('/api/auth/me', own)).status).toBe(401)
    for (const body of [{}, { password: testPassword, code: '000000' }, { password: ['a'] }]) {
      expect((await client.post('/api/auth/me/proof', body)).status).toBe(400)
    }
    expect((await (await product.client()).post('/api/auth/me/proof', { password: testPassword })).status).toBe(401)
  })

  test('shares its limit with the sign-in', async () => {
    const client = await product.signIn()
    const statuses = []
    const tryProof = async () => (await client.post('/api/auth/me/proof', { password: 'Autre-Chose-2026!' })).status
    for (let round = 0; round < 12; round += 1) statuses.push(await tryProof())
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    // The browser's own attempts are used up for the sign-in as well.
    const login = { username: client.user.username, password: testPassword }
    expect((await client.post('/api/auth/login', login)).status).toBe(429)
    const other = await product.client()
    expect((await other.post('/api/auth/login', login, elsewhere())).status).toBe(200)
  })

  test('by wrong codes uses up the 2FA chances, and notifies the user by email', async () => {
    const client = await product.signIn()
    const { secret } = await turnTotpOn(client)
    for (let round = 0; round < 5; round += 1) await client.post('/api/auth/me/proof', { code: '000000' })
    expect((await client.post('/api/auth/me/proof', { code: await codeOf(secret) })).status).toBe(401)
    expect((await mailsTo(client.user.email)).some((body) => body.includes(client.user.username))).toBe(true)
    // The password still counts as proof of identity.
    expect((await client.post('/api/auth/me/proof', { password: testPassword })).status).toBe(204)
  })
})
