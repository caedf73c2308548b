import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { keyFor } from './keys.ts'

/**
 * Columns encrypted at rest, with the column that identifies their rows. Plain values of an earlier version are encrypted at
 * the first start, and all values again when the secret changes.
 */
export const encryptedColumns = [
  { table: 'users', column: 'totp_secret', row: 'id' },
  { table: 'mails', column: 'secret', row: 'message_id' },
  { table: 'push_keys', column: 'private_key', row: 'id' },
  { table: 'push_devices', column: 'auth', row: 'endpoint' },
] as const

type Column = (typeof encryptedColumns)[number]
/** `row` is the value of the identifying column: a ciphertext copied to another row or column cannot be decrypted. */
export type Place = { column: `${Column['table']}.${Column['column']}` | 'journal.after'; row: string | number }

const form = 'v1.'
const [nonceLength, tagLength] = [12, 16]

/** Thrown where a value was changed, copied from another row, or encrypted with another secret. */
export class Undecipherable extends Error {
  constructor({ column, row }: Place) {
    super(`${column} of ${row} cannot be decrypted: it was changed, or encrypted with another SESSION_SECRET`)
  }
}

/** Encrypts a value for its place in the database: AES-256-GCM with a random nonce and the place as additional data. */
export function encrypt(db: Database, place: Place, clear: string) {
  return encryptWith(keyFor(db, 'encryption'), place, clear)
}

export function decrypt(db: Database, place: Place, stored: string) {
  return decryptWith(keyFor(db, 'encryption'), place, stored)
}

export function encryptWith(key: Buffer, place: Place, clear: string) {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additional(place))
  const bytes = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()])
  return form + Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')
}

export function decryptWith(key: Buffer, place: Place, stored: string) {
  if (!isEncrypted(stored)) throw new Undecipherable(place)
  const all = Buffer.from(stored.slice(form.length), 'base64url')
  const [nonce, tag] = [all.subarray(0, nonceLength), all.subarray(nonceLength, nonceLength + tagLength)]
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    decipher.setAAD(additional(place)).setAuthTag(tag)
    return Buffer.concat([decipher.update(all.subarray(nonceLength + tagLength)), decipher.final()]).toString('utf8')
  } catch {
    throw new Undecipherable(place)
  }
}

export function isEncrypted(stored: string) {
  return stored.startsWith(form)
}

/** Replaces each stored value by the result of `change`; returns the number of changed values. */
export async function replaceStored(tx: Database, change: (place: Place, stored: string) => string): Promise<number> {
  let changed = 0
  for (const { table, column, row } of encryptedColumns) {
    const names = { table: sql.identifier(table), column: sql.identifier(column), row: sql.identifier(row) }
    const { rows } = (await tx.execute(
      sql`select ${names.row} as "row", ${names.column} as "value" from ${names.table} where ${names.column} is not null`,
    )) as { rows: { row: string | number; value: string }[] }
    for (const { row: found, value } of rows) {
      const next = change({ column: `${table}.${column}`, row: found }, value)
      if (next === value) continue
      await tx.execute(sql`update ${names.table} set ${names.column} = ${next} where ${names.row} = ${found}`)
      changed += 1
    }
  }
  return changed
}

function additional({ column, row }: Place) {
  return Buffer.from(`${column}\n${row}`)
}
