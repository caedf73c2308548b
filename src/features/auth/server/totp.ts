import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { generateSecret, generateURI, verify } from 'otplib'
import QRCode from 'qrcode'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database.ts'
import { Conflict, Invalid } from '#src/server/problems.ts'
import { recoveryCodes, totpChances, users } from '../../users/server/table.ts'

const recoveryCodeCount = 10
/** Seconds a telephone's clock may be off, either way. */
const clockTolerance = 30

/** Begins the set-up: a new secret that counts only once a code made from it was given back. */
export async function beginTotp(db: Database, user: { userId: number; username: string }) {
  const secret = generateSecret()
  const changed = await db
    .update(users)
    .set({ totpSecret: secret })
    .where(and(eq(users.id, user.userId), eq(users.totpEnabled, false)))
    .returning({ id: users.id })
  if (changed.length === 0) throw new Conflict('Two-factor authentication is on already.')
  const uri = generateURI({ issuer: company.name, label: user.username, secret })
  return { secret, uri, qr: await QRCode.toDataURL(uri, { margin: 1, width: 240 }) }
}

/** Ends the set-up; answers the recovery codes, which are never shown again. */
export async function confirmTotp(db: Database, userId: number, code: string) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user?.totpSecret || user.totpEnabled) throw new Conflict('Begin the set-up first.')
  const result = await check(user.totpSecret, code, 0)
  if (result === null) throw new Invalid('The code is wrong.', [{ path: 'code', message: 'wrong code' }])
  const codes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode)
  await db.transaction(async (tx) => {
    await tx
      .update(users)
      .set({ totpEnabled: true, totpLastStep: result, totpChances })
      .where(eq(users.id, userId))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await tx.insert(recoveryCodes).values(codes.map((one) => ({ userId, codeHash: hashCode(one) })))
  })
  return codes
}

export async function removeTotp(db: Database, userId: number) {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ totpEnabled: false, totpSecret: null, totpChances }).where(eq(users.id, userId))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  })
}

/**
 * Checks a code or a recovery code. The chance is taken before the check, in one statement, so that a
 * parallel burst cannot try more than five; a code that was right once is refused after (contract.md 4).
 */
export async function isCodeRight(db: Database, userId: number, given: string) {
  const [user] = await db
    .update(users)
    .set({ totpChances: sql`${users.totpChances} - 1` })
    .where(and(eq(users.id, userId), eq(users.totpEnabled, true), gt(users.totpChances, 0)))
    .returning()
  if (!user?.totpSecret) return false
  const code = given.replaceAll(/[\s-]/g, '')
  const right = /^\d{6}$/.test(code) ? await spendCode(db, userId, user.totpSecret, code) : await spendRecoveryCode(db, userId, code)
  if (right) await db.update(users).set({ totpChances }).where(eq(users.id, userId))
  return right
}

async function spendCode(db: Database, userId: number, secret: string, code: string) {
  const step = await check(secret, code, 0)
  if (step === null) return false
  const spent = await db
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return spent.length > 0
}

async function spendRecoveryCode(db: Database, userId: number, code: string) {
  const spent = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashCode(code))))
    .returning({ id: recoveryCodes.id })
  return spent.length > 0
}

/** Answers the time step of a right code, null for a wrong one. */
async function check(secret: string, token: string, afterTimeStep: number) {
  if (!/^\d{6}$/.test(token)) return null
  const result = await verify({ secret, token, epochTolerance: clockTolerance, afterTimeStep })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

function makeRecoveryCode() {
  const letters = randomBytes(8).toString('hex')
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8, 12)}-${letters.slice(12)}`
}

// 64 random bits need no slow hash.
function hashCode(code: string) {
  return createHash('sha256').update(code.replaceAll('-', '').toLowerCase()).digest('hex')
}
