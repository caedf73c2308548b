import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TotpSetUp, InvitedUser } from '#src/features/people/contract.ts'
import { users } from '#src/features/people/server/table.ts'
import { mails } from '../background/mail-table.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { recordChange } from '../audit-log/audit-log.ts'
import { verifyAuditLog } from '../audit-log/verify.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp, testPassword } from '#src/app/testing/test-app.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { startTestSmtp } from '../testing/test-smtp.ts'
import { bindSecret } from './bind-secret.ts'
import { changeSecretOf } from './change-secret.ts'
import { decrypt, encrypt, Undecipherable } from './encryption.ts'

const secret = 'the secret of the tests, long enough'
const other = 'another secret of the tests, long too'
const codeOf = (key: string, stepsLater = 0) => generate({ secret: key, epoch: Math.floor(Date.now() / 1000) + 30 * stepsLater })
const soon = { timeout: 15_000, interval: 50 }

/** Every row of every table as text, including the queue. */
async function readWholeDatabase(db: Database) {
  const { rows } = (await db.execute(
    sql`select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )) as { rows: { schemaname: string; tablename: string }[] }
  const texts = []
  for (const { schemaname, tablename } of rows) {
    const table = sql`${sql.identifier(schemaname)}.${sql.identifier(tablename)}`
    const found = (await db.execute(sql`select to_jsonb(t)::text as line from ${table} t`)) as { rows: { line: string }[] }
    texts.push(...found.rows.map(({ line }) => line))
  }
  return texts.join('\n')
}

/** Every file of the data folder except the secret, which decrypts the rest. */
function readWholeFolder(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'session-secret' && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

describe('secrets of an account', () => {
  let product: TestApp
  let smtp: Awaited<ReturnType<typeof startTestSmtp>>
  beforeAll(async () => {
    smtp = await startTestSmtp()
    product = await startTestApp({ queue: true, environment: { SMTP_URL: smtp.url } })
  })
  afterAll(async () => {
    await product.stop()
    await smtp.stop()
  })
  const tokenMailedTo = (address: string) =>
    vi.waitFor(() => {
      const mail = smtp.received.find(({ envelope }) => envelope.to.includes(address))
      const [, token] = /\/admin\/password#([\w-]{32})/.exec(mail?.text ?? '') ?? []
      if (!token) throw new Error('no link yet')
      return token
    }, soon)

  test('are not stored in clear in the database, the queue or the data folder', async () => {
    const staff = await product.signIn()
    const { body: setUp } = await staff.post<TotpSetUp>('/api/auth/me/totp')
    const inUse = await product.signIn()
    const { body: confirmed } = await inUse.post<TotpSetUp>('/api/auth/me/totp')
    const { body: codes } = await inUse.post<string[]>('/api/auth/me/totp/confirm', { code: await codeOf(confirmed.secret) })
    const invited = { username: 'invited', display_name: 'Invitée', email: 'invited@example.com', id_group: staff.user.groupId }
    expect((await staff.post<InvitedUser>('/api/users/users', invited)).status).toBe(201)
    const forgetful = await product.createUser()
    const visitor = await product.client()
    expect((await visitor.post('/api/auth/forgotten', { email: forgetful.email })).status).toBeLessThan(300)
    const tokens = [await tokenMailedTo(invited.email), await tokenMailedTo(forgetful.email)]
    // An undelivered mail keeps its secret.
    smtp.setMood(451)
    const late = { ...invited, username: 'late', email: 'late@example.com' }
    expect((await staff.post<InvitedUser>('/api/users/users', late)).status).toBe(201)
    const waiting = await vi.waitFor(async () => {
      const [mail] = await product.db.select().from(mails).where(eq(mails.recipient, late.email))
      if (!mail?.lastError) throw new Error('not tried yet')
      return mail
    }, soon)
    expect(waiting.body).toContain('/admin/password#[secret]')
    const lateToken = decrypt(product.db, { column: 'mails.secret', row: waiting.messageId }, waiting.secret ?? '')
    smtp.setMood('accept')

    const found = (await readWholeDatabase(product.db)) + readWholeFolder(product.dataDir)
    const sessions = [staff, inUse].flatMap(({ cookies }) => [...cookies.values()].filter((value) => value.length > 30))
    const opening = [
      setUp.secret,
      confirmed.secret,
      ...codes,
      ...codes.map((code) => code.replace('-', '')),
      ...tokens,
      lateToken,
    ]
    expect(opening).toHaveLength(25)
    for (const one of [...opening, ...sessions, testPassword]) expect(found.includes(one), one).toBe(false)
  })

  test('are removed from a mail once it is sent', async () => {
    const forgetful = await product.createUser()
    const visitor = await product.client()
    await visitor.post('/api/auth/forgotten', { email: forgetful.email })
    await tokenMailedTo(forgetful.email)
    await vi.waitFor(async () => {
      const sent = await product.db.select().from(mails).where(eq(mails.recipient, forgetful.email))
      expect(sent).toMatchObject([{ state: 'sent', secret: null }])
    }, soon)
  })

  test('cannot be copied to another user or set by the database owner', async () => {
    const [mine, theirs] = [await product.signIn(), await product.createUser()]
    const { body: setUp } = await mine.post<TotpSetUp>('/api/auth/me/totp')
    await mine.post('/api/auth/me/totp/confirm', { code: await codeOf(setUp.secret) })
    const [row] = await product.db.select().from(users).where(eq(users.id, mine.user.id))
    for (const totpSecret of [row?.totpSecret, setUp.secret]) {
      await product.db.update(users).set({ totpSecret, totpEnabled: true, totpChances: 5 }).where(eq(users.id, theirs.id))
      const client = await product.client()
      await client.post('/api/auth/login', { username: theirs.username, password: testPassword })
      expect((await client.post('/api/auth/totp', { code: await codeOf(setUp.secret, 1) })).status).toBe(401)
    }
  })
})

describe('an encrypted value', () => {
  test('can be decrypted unchanged, in its own place and with its own secret only', async () => {
    const database = await openTestDatabase()
    await bindSecret(database.db, secret)
    const place = { column: 'users.totp_secret', row: 7 } as const
    const stored = encrypt(database.db, place, 'JBSWY3DPEHPK3PXP')
    expect(decrypt(database.db, place, stored)).toBe('JBSWY3DPEHPK3PXP')
    expect(encrypt(database.db, place, 'JBSWY3DPEHPK3PXP')).not.toBe(stored)
    const end = stored.slice(-6)
    const changed = stored.slice(0, -6) + (end[0] === 'A' ? 'B' : 'A') + end.slice(1)
    for (const [elsewhere, value] of [
      [{ ...place, row: 8 }, stored],
      [{ column: 'mails.secret', row: 7 } as const, stored],
      [place, changed],
      [place, stored.slice(0, 20)],
      [place, 'v1.'],
      [place, 'JBSWY3DPEHPK3PXP'],
    ] as const) {
      expect(() => decrypt(database.db, elsewhere, value)).toThrow(Undecipherable)
    }
    await database.close()
  })
})

/** A database of the previous version: not bound to a secret, with plain values. */
async function openOldDatabase() {
  const database = await openTestDatabase()
  const { db } = database
  await db.execute(sql`insert into groups (id, name, rights) values (1, 'All', '{}')`)
  await db.execute(sql`insert into users (id, username, display_name, group_id, totp_secret, totp_enabled)
    values (1, 'zoe', 'Zoé', 1, 'JBSWY3DPEHPK3PXP', true), (2, 'luc', 'Luc', 1, null, false)`)
  await db.execute(sql`insert into mails (message_id, recipient, subject, body, state) values
    ('<1@x>', 'zoe@example.com', 's', ${`Bonjour\nhttps://x.example/admin/password#${'a'.repeat(32)}\nou`}, 'sent'),
    ('<2@x>', 'luc@example.com', 's', ${`https://x.example/admin/password#${'b'.repeat(32)}\n---\nhttps://x.example/admin/password#${'b'.repeat(32)}\n`}, 'waiting')`)
  return database
}

const secretOf = async (db: Database, id: number) =>
  (await db.select().from(users).where(eq(users.id, id)))[0]?.totpSecret ?? null

describe('a database of the version before', () => {
  test('is encrypted at the first start, and queued mails keep their text', async () => {
    const database = await openOldDatabase()
    const { db } = database
    expect(await readWholeDatabase(db)).toMatch(/JBSWY3DPEHPK3PXP.*/)
    await bindSecret(db, secret)
    const whole = await readWholeDatabase(db)
    for (const clear of ['JBSWY3DPEHPK3PXP', 'a'.repeat(32), 'b'.repeat(32)]) expect(whole).not.toContain(clear)
    const stored = await secretOf(db, 1)
    expect(decrypt(db, { column: 'users.totp_secret', row: 1 }, stored ?? '')).toBe('JBSWY3DPEHPK3PXP')
    expect(await secretOf(db, 2)).toBeNull()
    const [sent, waiting] = await db.select().from(mails).orderBy(mails.id)
    expect(sent).toMatchObject({ body: 'Bonjour\nhttps://x.example/admin/password#[secret]\nou', secret: null })
    expect(decrypt(db, { column: 'mails.secret', row: '<2@x>' }, waiting?.secret ?? '')).toBe('b'.repeat(32))

    // Later starts change nothing and do not accept plain values.
    await db.update(users).set({ totpSecret: 'PLANTEDPLANTED22' }).where(eq(users.id, 2))
    await bindSecret(db, secret)
    expect(await secretOf(db, 1)).toBe(stored)
    expect(await secretOf(db, 2)).toBe('PLANTEDPLANTED22')
    await database.close()
  })

  test('is encrypted once by concurrently starting instances', async () => {
    const database = await openOldDatabase()
    await Promise.all([1, 2, 3].map(() => bindSecret(database.db, secret)))
    expect(decrypt(database.db, { column: 'users.totp_secret', row: 1 }, (await secretOf(database.db, 1)) ?? '')).toBe(
      'JBSWY3DPEHPK3PXP',
    )
    expect(await database.db.execute(sql`select count(*)::int as n from journal_seals`)).toMatchObject({ rows: [{ n: 1 }] })
    await database.close()
  })
})

describe('another secret', () => {
  const author = { userId: null, name: 'Zoé', address: '' }
  const record = (db: Database) => db.transaction((tx) => recordChange(tx, author, { area: 'notes', action: 'create' }))

  async function openUsed() {
    const database = await openOldDatabase()
    await bindSecret(database.db, secret)
    await record(database.db)
    return database
  }

  test('stops the start with instructions', async () => {
    const database = await openUsed()
    const started = bindSecret(database.db, other)
    await expect(started).rejects.toThrow(ConfigError)
    await expect(started).rejects.toThrow(/^SESSION_SECRET.+give that one back.+npm run secret:change/)
    await database.close()
  })

  test('replaces the former one and keeps encrypted values and the audit chain', async () => {
    const database = await openUsed()
    const { db } = database
    expect((await changeSecretOf(db, other, secret)).en).toMatch(/^2 stored secrets .+The audit log was intact/)
    await bindSecret(db, other)
    await record(db)
    expect(decrypt(db, { column: 'users.totp_secret', row: 1 }, (await secretOf(db, 1)) ?? '')).toBe('JBSWY3DPEHPK3PXP')
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 3, brokenAt: null })
    await db.execute(sql`alter table journal disable trigger user`)
    await db.execute(sql`update journal set user_name = 'x' where id = 1`)
    expect(await verifyAuditLog(db)).toMatchObject({ reason: 'sealed' })
    await database.close()
  })

  test('is rejected with a wrong former secret, and nothing changes', async () => {
    const database = await openUsed()
    await expect(changeSecretOf(database.db, other, 'no secret of this database at all')).rejects.toThrow(
      'FORMER_SESSION_SECRET is not the secret',
    )
    await bindSecret(database.db, secret)
    expect(decrypt(database.db, { column: 'users.totp_secret', row: 1 }, (await secretOf(database.db, 1)) ?? '')).toBe(
      'JBSWY3DPEHPK3PXP',
    )
    expect((await changeSecretOf(database.db, secret, other)).en).toContain('nothing was changed')
    await database.close()
  })

  test('keeps 2FA on where the former is lost, and accepts recovery codes', async () => {
    const product = await startTestApp()
    const staff = await product.signIn()
    const { body: setUp } = await staff.post<TotpSetUp>('/api/auth/me/totp')
    const { body: codes } = await staff.post<string[]>('/api/auth/me/totp/confirm', { code: await codeOf(setUp.secret) })
    expect((await changeSecretOf(product.db, other, null)).en).toContain('recovery code')
    await bindSecret(product.db, other)
    const client = await product.client()
    const signIn = await client.post('/api/auth/login', { username: staff.user.username, password: testPassword })
    expect(signIn.body).toMatchObject({ status: 'totp_required' })
    expect((await client.post('/api/auth/totp', { code: await codeOf(setUp.secret, 1) })).status).toBe(401)
    expect((await client.post('/api/auth/totp', { code: codes[0] })).status).toBe(200)
    expect((await verifyAuditLog(product.db)).brokenAt).toBeNull()
    await product.stop()
  })
})
