import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { recoveryCodes } from '../../users/server/table.ts'
import { hashLike, hashTogether } from '../../sign-in/server/passwords.ts'

const count = 10
const length = 10
/** Crockford's base 32: no letter that reads like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export type RecoveryCodes = { shown: string[]; hashes: string[] }

/** Makes ten codes and their hashes; slow on purpose, so never inside a transaction. */
export async function makeRecoveryCodes(): Promise<RecoveryCodes> {
  const codes = Array.from({ length: count }, makeCode)
  return { shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes: await hashTogether(codes) }
}

export async function storeRecoveryCodes(tx: Database, userId: number, { hashes }: RecoveryCodes) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

export async function removeRecoveryCodes(tx: Database, userId: number) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

export async function countRecoveryCodes(db: Database, userId: number) {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
}

/** Spends a code: true once for each, however many ask at the same time. */
export async function spendRecoveryCode(db: Database, userId: number, given: string) {
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
  // 256 is a multiple of 32: each letter is as likely as any other.
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
