import { hkdfSync } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** Raise the version of a purpose when the format of its data changes. */
const purposes = {
  encryption: 'guichet/encryption at rest/1',
  auditLog: 'guichet/journal/1',
  fingerprint: 'guichet/fingerprint/1',
  links: 'guichet/links/1',
  addresses: 'guichet/addresses/1',
  erasures: 'guichet/erasures/1',
  conversations: 'guichet/conversations/1',
} as const
type Purpose = keyof typeof purposes

type Keys = Record<Purpose, Buffer>

const keysOf = new WeakMap<object, Keys>()

/** Derives a 256-bit key for each purpose from `SESSION_SECRET` (HKDF, RFC 5869), so that no key reveals another. */
export function deriveKeys(secret: string): Keys {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32))
  return {
    encryption: derive(purposes.encryption),
    auditLog: derive(purposes.auditLog),
    fingerprint: derive(purposes.fingerprint),
    links: derive(purposes.links),
    addresses: derive(purposes.addresses),
    erasures: derive(purposes.erasures),
    conversations: derive(purposes.conversations),
  }
}

/** Identifies a secret without revealing it; stored in the database to detect another secret. */
export function fingerprintOf({ fingerprint }: Keys) {
  return fingerprint.toString('hex').slice(0, 32)
}

/** Binds the keys of this secret to an open database and its transactions. */
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

/** The object that an open Drizzle database shares with its transactions. */
function dialectOf(db: Database): object {
  return (db as unknown as { dialect: object }).dialect
}
