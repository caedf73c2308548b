import { hkdfSync } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** Raise a version where what the key is used for changes its form. */
const purposes = {
  encryption: 'guichet/encryption at rest/1',
  auditLog: 'guichet/journal/1',
  fingerprint: 'guichet/fingerprint/1',
} as const
type Purpose = keyof typeof purposes

type Keys = Record<Purpose, Buffer>

const keysOf = new WeakMap<object, Keys>()

/** Derives a key of 256 bits for each purpose from `SESSION_SECRET` (RFC 5869): none of them tells anything of another. */
export function deriveKeys(secret: string): Keys {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32))
  return {
    encryption: derive(purposes.encryption),
    auditLog: derive(purposes.auditLog),
    fingerprint: derive(purposes.fingerprint),
  }
}

/** Names a secret without telling it: the database keeps this to know another secret when it meets one. */
export function fingerprintOf({ fingerprint }: Keys) {
  return fingerprint.toString('hex').slice(0, 32)
}

/** From here on this open database, and each transaction in it, has the keys of this secret. */
export function bindKeys(db: Database, secret: string): Keys {
  const keys = deriveKeys(secret)
  keysOf.set(dialectOf(db), keys)
  return keys
}

export function keyFor(db: Database, purpose: Purpose): Buffer {
  const keys = keysOf.get(dialectOf(db))
  if (!keys) throw new Error('this database was opened without its secret')
  return keys[purpose]
}

/** The one object that an open Drizzle database shares with its transactions. */
function dialectOf(db: Database): object {
  return (db as unknown as { dialect: object }).dialect
}
