import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { gt, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../backup/archive.ts'
import { restore } from '../backup/commands.ts'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import { prepareDatabase } from '../secrets/bind-secret.ts'
import { changeSecret } from '../secrets/change-secret.ts'
import { recordChange } from './audit-log.ts'
import { auditLog } from './audit-log-table.ts'
import { publishLastHash, readPublished } from './published.ts'
import { verifyByCommand } from './verify-command.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'guichet-verify-'))
const backup = join(dataDir, 'backups', 'today.tar.gz')
const encrypted = join(dataDir, 'backups', 'today.tar.gz.age')
const identityFile = join(dataDir, 'key.txt')
const later = join(dataDir, 'backups', 'later.tar.gz')
const former = 'the secret of the tests, long enough'
let config: Config
let hash: string

async function open<T>(work: (db: Database) => Promise<T>) {
  const database = await openDatabase(config)
  try {
    await prepareDatabase(database.db, config)
    return await work(database.db)
  } finally {
    await database.close()
  }
}

const record = (db: Database) =>
  db.transaction((tx) => recordChange(tx, { userId: null, name: 'Zoé', address: '' }, { area: 'notes', action: 'create' }))

beforeAll(async () => {
  config = readConfig({ DATA_DIR: dataDir, SESSION_SECRET: former })
  hash = await open(async (db) => {
    for (let count = 0; count < 3; count += 1) await record(db)
    await writeBackup(db, config, { file: backup, files: true })
    writeFileSync(identityFile, await generateIdentity())
    const backupRecipients = [await identityToRecipient(readFileSync(identityFile, 'utf8'))]
    await writeBackup(db, { ...config, backupRecipients }, { file: encrypted, files: true })
    const published = await publishLastHash(db, dataDir)
    await writeBackup(db, config, { file: later, files: true })
    await record(db)
    return published?.hash ?? ''
  })
}, 120_000)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('a restored backup contains the published hashes, and the command reports a wrong secret', async () => {
  const restored = readConfig({ DATA_DIR: join(dataDir, 'restored'), SESSION_SECRET: 'another secret of the tests, long too' })
  expect((await restore(restored, later)).text).toMatchObject({
    en: expect.stringMatching(/^Restored and verified[^]+\nIt was used with another SESSION_SECRET than this one/) as string,
    fr: expect.stringMatching(/^Restaurée et vérifiée[^]+\nElle a été utilisée avec un autre SESSION_SECRET/) as string,
  })
  expect(readPublished(restored.dataDir)).toMatchObject([{ line: 3, hash }])
  expect(await verifyByCommand({ ...restored, secret: former }, undefined)).toMatchObject({ isIntact: true })
}, 120_000)

test('the command compares the audit log with a hash, a backup and published hashes, also after a change of the secret', async () => {
  expect(await verifyByCommand(config, undefined)).toMatchObject({ isIntact: true })
  for (const given of [hash, hash.toUpperCase(), backup, encrypted]) {
    expect(await verifyByCommand(config, given, { identityFile })).toMatchObject({
      isIntact: true,
      message: {
        en: expect.stringMatching(
          /^Audit log verified: 4 events.+The hash given is that of event 3; 1 came after it\.$/,
        ) as string,
      },
    })
  }
  expect(await verifyByCommand(config, 'f'.repeat(64))).toMatchObject({ isIntact: false })
  await expect(verifyByCommand(config, 'nothing')).rejects.toThrow('neither a hash of 64 digits nor a file')
  await expect(verifyByCommand(config, encrypted)).rejects.toThrow('This backup is encrypted')
  const text = join(dataDir, 'text')
  writeFileSync(text, 'no archive')
  await expect(verifyByCommand(config, text)).rejects.toThrow('is not a Guichet backup')

  const other = { ...config, secret: 'another secret of the tests, long too' }
  await expect(verifyByCommand(other, undefined)).rejects.toThrow('SESSION_SECRET is not the secret')
  expect((await changeSecret(other, former)).en).toContain('The audit log was intact')
  config = other
  expect(await verifyByCommand(config, backup)).toMatchObject({ isIntact: true })

  // As the database owner, delete everything since the backup, including the entries after the new seal.
  await open(async (db) => {
    await db.execute(sql`alter table journal disable trigger user`)
    await db.execute(sql`alter table journal_seals disable trigger user`)
    await db.delete(auditLog).where(gt(auditLog.id, 4))
  })
  expect(await verifyByCommand(config, undefined)).toMatchObject({ isIntact: true })
  await open((db) => db.delete(auditLog).where(gt(auditLog.id, 2)))
  for (const given of [undefined, hash, backup]) {
    expect(await verifyByCommand(config, given)).toMatchObject({
      isIntact: false,
      message: { en: expect.stringMatching(/^Audit log altered/) as string },
    })
  }
}, 120_000)
