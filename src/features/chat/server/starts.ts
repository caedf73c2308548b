import { createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import type { VisitSource } from '#src/lib/visit-source.ts'
import type { Database } from '#src/server/database/database.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import type { ReadPage } from '../protocol.ts'
import { hashAddress } from './addresses.ts'
import type { ChatRow } from './service.ts'
import { chats, isOpenChat } from './table.ts'

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

/**
 * The key of the conversation that a start with an id begins: the same at each repeat, on every instance, and of nobody
 * else. Under corrected details it is another one. Null without an id.
 */
function keyOfStart(db: Database, { client_id: id, client_name: name, client_email: email, client_business: business }: Start) {
  if (!id) return null
  const start = JSON.stringify([id, name.trim(), email, business.trim()])
  return createHmac('sha256', keyFor(db, 'conversations')).update(start).digest().subarray(0, keyBytes).toString('base64url')
}

/** The conversation that the same start began, while it is open: its answer was lost. */
export async function findStarted(db: Database, start: Start): Promise<ChatRow | null> {
  const key = keyOfStart(db, start)
  if (!key) return null
  const [row] = await db
    .select()
    .from(chats)
    .where(and(eq(chats.key, key), isOpenChat))
  return row ?? null
}

/** Begins a conversation; `isNew` is false where the same start began it before. */
export async function startChat(db: Database, visitor: Visitor): Promise<{ chat: ChatRow; isNew: boolean }> {
  const row = await insertChat(db, visitor, keyOfStart(db, visitor) ?? newKey())
  if (row) return { chat: row, isNew: true }
  const started = await findStarted(db, visitor)
  if (started) return { chat: started, isNew: false }
  // The former one is closed already.
  const next = await insertChat(db, visitor, newKey())
  if (!next) throw new Error('the chat was not stored')
  return { chat: next, isNew: true }
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
