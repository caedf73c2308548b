import QRCode from 'qrcode'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import { company } from '#company/company.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Conflict, Invalid } from '#src/server/problems.ts'
import type { Place } from '#src/server/secrets/encryption.ts'
import { decrypt, encrypt, Undecipherable } from '#src/server/secrets/encryption.ts'
import type { App } from '#src/server/types.ts'
import { hashLike, hashTogether } from '../../sign-in/server/passwords.ts'
import { findUser } from '../../users/server/find-user.ts'
import { notifyAccountChange } from '../../users/server/notices.ts'
import { recoveryCodes, totpChances, users } from '../../server/table.ts'

/** Tolerance in seconds for the clock of a phone, in both directions. */
const clockTolerance = 30

export async function findTotpState(db: Database, userId: number) {
  const [user] = await db.select({ enabled: users.totpEnabled }).from(users).where(eq(users.id, userId))
  return { enabled: user?.enabled ?? false, recovery_codes_left: await countRecoveryCodes(db, userId) }
}

/** Starts the setup: a new secret, inactive until a code made from it is confirmed. */
export async function beginTotp(db: Database, user: { userId: number; username: string }) {
  const secret = generateSecret()
  const changed = await db
    .update(users)
    .set({ totpSecret: encrypt(db, placeOf(user.userId), secret) })
    .where(and(eq(users.id, user.userId), eq(users.totpEnabled, false)))
    .returning({ id: users.id })
  if (changed.length === 0) throw new Conflict('Two-factor authentication is already on.')
  const uri = generateURI({ issuer: company.name, label: user.username, secret })
  return { secret, uri, qr: await QRCode.toDataURL(uri, { margin: 1, width: 240 }) }
}

/** Finishes the setup; returns the recovery codes, which are never shown again. */
export async function confirmTotp(app: App, author: Author, userId: number, code: string) {
  const [user] = await app.db.select().from(users).where(eq(users.id, userId))
  if (!user?.totpSecret || user.totpEnabled) throw new Conflict('Start two-factor setup first.')
  const step = await stepOfCode(decrypt(app.db, placeOf(userId), user.totpSecret), code)
  if (step === null) throw new Invalid('Incorrect code.', [{ path: 'code', message: 'wrong code' }])
  const codes = await makeRecoveryCodes()
  await app.db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ totpEnabled: true, totpLastStep: step, totpChances })
      .where(and(eq(users.id, userId), eq(users.totpEnabled, false), eq(users.totpSecret, user.totpSecret ?? '')))
      .returning({ id: users.id })
    if (changed.length === 0) throw new Conflict('Start two-factor setup again.')
    await storeRecoveryCodes(tx, userId, codes)
    await recordChange(tx, author, { area: 'users', action: 'turn 2FA on', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'totpOn')
  })
  return codes.shown
}

export async function renewRecoveryCodes(app: App, author: Author, userId: number) {
  const codes = await makeRecoveryCodes()
  await app.db.transaction(async (tx) => {
    const [user] = await tx.select({ enabled: users.totpEnabled }).from(users).where(eq(users.id, userId)).for('update')
    if (!user?.enabled) throw new Conflict('Two-factor authentication is off.')
    await storeRecoveryCodes(tx, userId, codes)
    await recordChange(tx, author, { area: 'users', action: 'renew recovery codes', entryId: userId })
    await notifyAccountChange(app, tx, await findUser(tx, userId), 'codesRenewed')
  })
  return codes.shown
}

/** Turns two-factor off, inside the caller's transaction. */
export async function removeTotp(tx: Database, userId: number) {
  await tx.update(users).set({ totpEnabled: false, totpSecret: null, totpChances }).where(eq(users.id, userId))
  await removeRecoveryCodes(tx, userId)
}

/**
 * Checks a code or a recovery code. One statement takes the chance before the check, so that parallel requests cannot try more
 * than five codes; an accepted code cannot be used again.
 */
export async function checkCode(db: Database, userId: number, given: string): Promise<'right' | 'refused' | 'last chance spent'> {
  const [user] = await db
    .update(users)
    .set({ totpChances: sql`${users.totpChances} - 1` })
    .where(and(eq(users.id, userId), eq(users.totpEnabled, true), gt(users.totpChances, 0)))
    .returning()
  if (!user) return 'refused'
  const code = given.replaceAll(/[\s-]/g, '')
  const right = /^\d{6}$/.test(code)
    ? await spendCode(db, userId, readSecret(db, userId, user.totpSecret), code)
    : await spendRecoveryCode(db, userId, code)
  if (!right) return user.totpChances === 0 ? 'last chance spent' : 'refused'
  await db.update(users).set({ totpChances }).where(eq(users.id, userId))
  return 'right'
}

const placeOf = (userId: number): Place => ({ column: 'users.totp_secret', row: userId })

/** Null where the secret cannot be decrypted: recovery codes do not depend on it, so that the user can still sign in. */
function readSecret(db: Database, userId: number, stored: string | null) {
  try {
    return stored && decrypt(db, placeOf(userId), stored)
  } catch (error) {
    if (!(error instanceof Undecipherable)) throw error
    logger.error({ reason: error.message }, 'a second factor cannot be checked; only recovery codes open this account')
    return null
  }
}

async function spendCode(db: Database, userId: number, secret: string | null, code: string) {
  if (secret === null) return false
  const step = await stepOfCode(secret, code)
  if (step === null) return false
  const spent = await db
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return spent.length > 0
}

/** Time step of a correct code; null for a wrong one. */
async function stepOfCode(secret: string, given: string) {
  const token = given.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const result = await verify({ secret, token, epochTolerance: clockTolerance })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

const count = 10
const length = 10
/** Crockford's base 32, which has no letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

type RecoveryCodes = { shown: string[]; hashes: string[] }

/** Makes ten codes and their hashes; slow on purpose, so never inside a transaction. */
async function makeRecoveryCodes(): Promise<RecoveryCodes> {
  const codes = Array.from({ length: count }, makeCode)
  return { shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes: await hashTogether(codes) }
}

async function storeRecoveryCodes(tx: Database, userId: number, { hashes }: RecoveryCodes) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

async function removeRecoveryCodes(tx: Database, userId: number) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

async function countRecoveryCodes(db: Database, userId: number) {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
}

/** Uses up a code; returns true only once for each code, also for concurrent requests. */
async function spendRecoveryCode(db: Database, userId: number, given: string) {
  const code = given.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  if (!/^[\da-hjkmnp-tv-z]{10}$/.test(code)) return false
  const [any] = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).limit(1)
  if (!any) return false
  const codeHash = await hashLike(any.codeHash, code)
  const spent = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ id: recoveryCodes.id })
  return spent.length > 0
}

function makeCode() {
  // 256 is a multiple of 32, so all letters are equally likely.
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
