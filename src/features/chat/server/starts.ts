import { createHmac, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import type { VisitSource } from '#src/lib/visit-source.ts'
import type { Database } from '#src/server/database/database.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import type { ReadPage } from '../protocol.ts'
import { hashAddress } from './addresses.ts'
import type { ChatRow } from './service.ts'
import { chats } from './table.ts'

type Visitor = {
  client_name: string
  client_email: string
  client_business: string
  language: Language
  page: string
  time_zone: string
  read: ReadPage[]
  source?: VisitSource | null | undefined
  client_id?: string | undefined
  address: string
}
type Start = Pick<Visitor, 'client_id' | 'client_name' | 'client_email' | 'client_business'>

const keyBytes = 24
export const newKey = () => randomBytes(keyBytes).toString('base64url')

/** Closed conversations of one start that are counted; the next one gets a random key. */
const mostOfOneStart = 20

/**
 * The key of a conversation that a start with an id begins: the same at each repeat, on every instance, and of nobody else.
 * `number` counts those that were closed before. Under corrected details it is another one.
 */
function keyOfStart(
  db: Database,
  { client_id: id, client_name: name, client_email: email, client_business: business }: Start,
  number: number,
) {
  const start = JSON.stringify([id, name.trim(), email, business.trim(), ...(number === 0 ? [] : [number])])
  return createHmac('sha256', keyFor(db, 'conversations')).update(start).digest().subarray(0, keyBytes).toString('base64url')
}

/** The conversation that the same start began, while it is open; else the key of the one that it begins. */
async function findPlace(db: Database, start: Start): Promise<{ open: ChatRow } | { open: null; key: string }> {
  for (let number = 0; start.client_id && number < mostOfOneStart; number += 1) {
    const key = keyOfStart(db, start, number)
    const [row] = await db.select().from(chats).where(eq(chats.key, key))
    if (!row) return { open: null, key }
    if (row.status !== 'closed') return { open: row }
  }
  return { open: null, key: newKey() }
}

/** The conversation that the same start began, while it is open: its answer was lost. */
export const findStarted = async (db: Database, start: Start): Promise<ChatRow | null> => (await findPlace(db, start)).open

/** Begins a conversation; `isNew` is false where the same start began it before. */
export async function startChat(db: Database, visitor: Visitor): Promise<{ chat: ChatRow; isNew: boolean }> {
  // Another instance may insert the same key first.
  for (let attempt = 0; attempt < mostOfOneStart; attempt += 1) {
    const place = await findPlace(db, visitor)
    if (place.open) return { chat: place.open, isNew: false }
    const row = await insertChat(db, visitor, place.key)
    if (row) return { chat: row, isNew: true }
  }
  throw new Error('the chat was not stored')
}

/** Null where the key is taken. */
async function insertChat(db: Database, visitor: Visitor, key: string): Promise<ChatRow | null> {
  const [row] = await db
    .insert(chats)
    .values({
      key,
      clientName: visitor.client_name.trim(),
      clientEmail: visitor.client_email,
      clientBusiness: visitor.client_business.trim(),
      language: visitor.language,
      page: visitor.page,
      source: visitor.source,
      timeZone: visitor.time_zone,
      readPages: visitor.read,
      clientAddress: hashAddress(db, visitor.address),
    })
    .onConflictDoNothing({ target: chats.key })
    .returning()
  return row ?? null
}
