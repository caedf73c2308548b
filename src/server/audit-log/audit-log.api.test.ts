import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { publishAuditLogHash } from '#src/features/audit/server/service.ts'
import type { Verification as Answer } from '#src/features/audit/contract.ts'
import { mails } from '../background/mail-table.ts'
import type { Database, OpenDatabase } from '../database/database.ts'
import { bindSecret } from '../secrets/bind-secret.ts'
import { bindKeys } from '../secrets/keys.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { chainStart, contentOf, hashOf } from './chain.ts'
import { recordChange } from './audit-log.ts'
import { auditLog, auditLogSeals } from './audit-log-table.ts'
import { publishedName, readPublished } from './published.ts'
import { findVerifiedEntry, storeVerifiedEntry, verifyAuditLog } from './verify.ts'

const secret = 'the secret of the tests, long enough'
const author = { userId: null, name: 'Zoé', address: '198.51.100.7' }

const record = (db: Database, note: string) =>
  db.transaction((tx) => recordChange(tx, author, { area: 'notes', action: 'create', entryId: 1, after: { note } }))

const lastHashOf = async (db: Database) => (await verifyAuditLog(db)).lastHash

/** What a database owner can do: triggers do not stop them. */
async function asOwner(db: Database, change: (tx: Database) => Promise<unknown>) {
  await db.transaction(async (tx) => {
    for (const table of ['journal', 'journal_seals']) await tx.execute(sql.raw(`alter table ${table} disable trigger user`))
    await change(tx)
    for (const table of ['journal', 'journal_seals']) await tx.execute(sql.raw(`alter table ${table} enable trigger user`))
  })
}

/** Recomputes every hash as versions without a key did. */
async function chainPlainly(tx: Database) {
  let previous = chainStart
  for (const row of await tx.select().from(auditLog).orderBy(asc(auditLog.id))) {
    previous = hashOf(null, previous, contentOf(row))
    await tx.update(auditLog).set({ hash: previous }).where(eq(auditLog.id, row.id))
  }
}

const rewrite = (tx: Database, id: number) => tx.update(auditLog).set({ userName: 'Somebody else' }).where(eq(auditLog.id, id))

describe('the database owner', () => {
  let database: OpenDatabase
  let db: Database
  beforeEach(async () => {
    database = await openTestDatabase()
    db = database.db
    await bindSecret(db, secret)
    for (const note of ['one', 'two', 'three', 'four']) await record(db, note)
  })
  afterEach(() => database.close())

  test('cannot rewrite an event and recompute all hashes', async () => {
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 4, brokenAt: null, reason: null })
    await asOwner(db, async (tx) => {
      await rewrite(tx, 2)
      await chainPlainly(tx)
    })
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 0, brokenAt: 1, reason: 'changed' })
  })

  test('cannot truncate the log after a published hash', async () => {
    const known = { hash: await lastHashOf(db), line: 4, at: '2026-11-22T07:20:00.000Z' }
    await asOwner(db, (tx) => tx.delete(auditLog).where(gt(auditLog.id, 2)))
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 2, brokenAt: null })
    expect(await verifyAuditLog(db, [known])).toMatchObject({ brokenAt: 4, reason: 'missing', missing: known })
  })

  test('cannot present the log as never sealed', async () => {
    const known = { hash: await lastHashOf(db), line: 4 }
    await asOwner(db, async (tx) => {
      await rewrite(tx, 2)
      await chainPlainly(tx)
      await tx.delete(auditLogSeals)
    })
    expect(await verifyAuditLog(db)).toMatchObject({ reason: 'unsealed', brokenAt: 0 })
    await bindSecret(db, secret)
    expect(await verifyAuditLog(db)).toMatchObject({ reason: null })
    expect(await verifyAuditLog(db, [known])).toMatchObject({ brokenAt: 4, reason: 'missing' })
  })

  test.each([
    ['where it begins', { fromId: 5, lines: 4 }],
    ['what came before', { digest: 'f'.repeat(64) }],
  ])('cannot change %s of a seal', async (_what, change) => {
    await asOwner(db, (tx) => tx.update(auditLogSeals).set(change))
    expect(await verifyAuditLog(db)).toMatchObject({ reason: 'unsealed' })
  })

  test('gets the event of an existing hash, and the number of events up to it', async () => {
    const hash = await lastHashOf(db)
    await record(db, 'five')
    const found = await verifyAuditLog(db, [{ hash }])
    expect(found).toMatchObject({ lines: 5, brokenAt: null })
    expect(found.met.get(hash)).toEqual({ line: 4, lines: 4 })
  })

  test('cannot hide a change behind an earlier verification', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-verified-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'journal-verified.json')
    const known = { hash: await lastHashOf(db), line: 4 }
    await storeVerifiedEntry(db, folder, await verifyAuditLog(db))
    await record(db, 'five')
    const from = await findVerifiedEntry(db, folder)
    expect(from).toEqual({ id: 4, hash: known.hash, lines: 4 })
    expect(await verifyAuditLog(db, [known], undefined, { from })).toMatchObject({ lines: 5, brokenAt: null })
    const unknown = { hash: 'f'.repeat(64), line: 3 }
    expect(await verifyAuditLog(db, [unknown], undefined, { from })).toMatchObject({ reason: 'missing', brokenAt: 3 })

    // Without the key, nobody can claim that more was verified.
    const stored = readFileSync(file, 'utf8')
    writeFileSync(file, stored.replace('"lines":4', '"lines":5'))
    expect(await findVerifiedEntry(db, folder)).toBeNull()
    writeFileSync(file, stored)
    await asOwner(db, (tx) => rewrite(tx, 5))
    expect(await verifyAuditLog(db, [], undefined, { from })).toMatchObject({ lines: 4, brokenAt: 5, reason: 'changed' })
    await asOwner(db, (tx) => tx.delete(auditLog).where(gt(auditLog.id, 3)))
    expect(await findVerifiedEntry(db, folder)).toBeNull()
  })

  test('cannot change or remove a seal through the product', async () => {
    await expect(db.update(auditLogSeals).set({ lines: 9 })).rejects.toThrow()
    await expect(db.delete(auditLogSeals)).rejects.toThrow()
  })
})

describe('the audit log of a version without a key', () => {
  let database: OpenDatabase
  let db: Database
  beforeEach(async () => {
    database = await openTestDatabase()
    db = database.db
    bindKeys(db, secret)
    for (const note of ['one', 'two', 'three']) await record(db, note)
    await asOwner(db, chainPlainly)
    await bindSecret(db, secret)
  })
  afterEach(() => database.close())

  test('is sealed unchanged, continues with the key, and reports a changed event', async () => {
    await record(db, 'four')
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 4, brokenAt: null })
    expect(await db.select().from(auditLogSeals)).toMatchObject([{ fromId: 4, lines: 3 }])
    await asOwner(db, (tx) => rewrite(tx, 2))
    expect(await verifyAuditLog(db)).toMatchObject({ lines: 1, brokenAt: 2, reason: 'changed' })
  })

  test.each([
    ['rewritten and chained anew', (tx: Database) => rewrite(tx, 2)],
    ['cut at its end', (tx: Database) => tx.delete(auditLog).where(eq(auditLog.id, 3))],
  ])('cannot be %s', async (_what, change) => {
    await asOwner(db, async (tx) => {
      await change(tx)
      await chainPlainly(tx)
    })
    expect(await verifyAuditLog(db)).toMatchObject({ reason: 'sealed' })
  })

  test('is sealed and stays broken if it was broken before', async () => {
    const other = await openTestDatabase()
    bindKeys(other.db, secret)
    for (const note of ['one', 'two', 'three']) await record(other.db, note)
    await asOwner(other.db, async (tx) => {
      await chainPlainly(tx)
      await rewrite(tx, 2)
    })
    await bindSecret(other.db, secret)
    expect(await verifyAuditLog(other.db)).toMatchObject({ lines: 1, brokenAt: 2, reason: 'changed' })
    await other.close()
  })
})

describe('the last hash of a day', () => {
  let product: TestApp
  beforeEach(async () => {
    product = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  })
  afterEach(() => product.stop())

  test('is published to the log, the data folder and each administrator by mail', async () => {
    const administrator = await product.createUser()
    await product.createUser({ audit: 'administrator' })
    await record(product.db, 'one')
    const log = vi.spyOn(product.app.log, 'info')
    await publishAuditLogHash(product.app)
    const hash = await lastHashOf(product.db)
    expect(readPublished(product.dataDir)).toEqual([{ at: expect.any(String), line: 1, hash }])
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ line: 1, hash }), 'last hash of the audit log')
    const sent = await product.db.select().from(mails)
    expect(sent.map(({ recipient }) => recipient)).toEqual([administrator.email])
    expect(sent[0]?.body).toContain(hash)

    await publishAuditLogHash(product.app)
    expect(readPublished(product.dataDir)).toHaveLength(1)
    expect(await product.db.$count(mails)).toBe(1)
  })

  test('reveals a truncated log on its page', async () => {
    const reader = await product.signIn({ audit: 'read_only' })
    for (const note of ['one', 'two']) await record(product.db, note)
    await publishAuditLogHash(product.app)
    const verify = async () => (await reader.get<Answer>('/api/audit/verification')).body
    const { lines } = await verify()
    await asOwner(product.db, (tx) => tx.delete(auditLog).where(eq(auditLog.id, lines)))
    expect(await verify()).toMatchObject({ lines: lines - 1, broken_at: lines, reason: 'missing' })
  })

  test('is not read from a line truncated by a crash', async () => {
    await record(product.db, 'one')
    await publishAuditLogHash(product.app)
    appendFileSync(join(product.dataDir, publishedName), '{"at":"2026-')
    expect(readPublished(product.dataDir)).toHaveLength(1)
  })
})
