import { setImmediate } from 'node:timers/promises'
import { ne, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { messagesPerConversation } from '../values.ts'
import type { MessageRow } from './service.ts'
import { chatMessages, chats } from './table.ts'

/** `userName` is null for the visitor, whose name is in the chat. */
export type Author = Pick<MessageRow, 'fromStaff' | 'internal' | 'userId' | 'imageUrl' | 'color'> & { userName: string | null }
export type ToStore = Author & { key: string; message: string; clientMessageId: string | null }
export type Stored = { chat: { id: number; key: string }; message: MessageRow }

type Row = { place: number; id: number; chat_id: number; seq: number; user_name: string }

/**
 * One statement takes the next numbers of the chats and stores the messages under them, in their order: the rows of the
 * chats are locked until it commits, so that numbers have neither gaps nor doubles. Null where the chat is closed,
 * full, unknown, or has the message. The same `clientMessageId` may not be twice among them.
 */
export async function store(db: Database, all: ToStore[]): Promise<(Stored | null)[]> {
  const sentAt = new Date()
  const sent = JSON.stringify(all.map((one, place) => ({ place, ...one })))
  const keys = [...new Set(all.map((one) => one.key))]
  const { rows } = (await db.execute(sql`
    with sent as (
      select * from jsonb_to_recordset(${sent}::jsonb) as sent (place int, key text, message text, internal boolean,
        "fromStaff" boolean, "userId" int, "userName" text, "imageUrl" text, color text, "clientMessageId" text)
    ), locked as (
      select id as chat_id, key, client_name, last_seq from ${chats}
      where key = any(${sql.param(keys)}::text[]) and ${ne(chats.status, 'closed')} order by id for update
    ), numbered as (
      select sent.*, chat_id, coalesce("userName", client_name) as user_name,
        nextval('chat_messages_id_seq')::int as id,
        last_seq + (count(*) filter (where not internal) over (partition by chat_id order by place))::int as seq
      from sent join locked using (key)
      -- Row by row, by the index: as a join, PostgreSQL may read the whole table for it.
      where (
        select true from ${chatMessages}
        where ${chatMessages.chatId} = locked.chat_id and ${chatMessages.clientMessageId} = "clientMessageId" limit 1) is null
    ), fresh as (
      select * from numbered where internal or seq <= ${messagesPerConversation}
    ), raised as (
      update ${chats} set last_seq = newest, updated_at = ${sentAt.toISOString()}::timestamptz
      from (select chat_id, max(seq) as newest from fresh group by chat_id) as numbered
      where ${chats.id} = numbered.chat_id
    ), inserted as (
      insert into ${chatMessages}
        (id, chat_id, seq, internal, message, from_staff, user_id, user_name, image_url, color, client_message_id, sent_at)
      select id, chat_id, seq, internal, message, "fromStaff", "userId", user_name, "imageUrl", color, "clientMessageId",
        ${sentAt.toISOString()}::timestamptz
      from fresh
    )
    select place, id, chat_id, seq, user_name from fresh`)) as { rows: Row[] }
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return all.map((one, place) => {
    const row = byPlace.get(place)
    return row ? { chat: { id: row.chat_id, key: one.key }, message: toMessage(one, row, sentAt) } : null
  })
}

function toMessage(sent: ToStore, row: Row, sentAt: Date): MessageRow {
  const { message, clientMessageId, fromStaff, internal, userId, imageUrl, color } = sent
  const { id, chat_id: chatId, seq, user_name: userName } = row
  return { id, chatId, seq, internal, message, fromStaff, userId, userName, imageUrl, color, clientMessageId, sentAt, file: null }
}

const most = 500

type Waiting = { sent: ToStore; resolve: (stored: Stored | null) => void; reject: (error: unknown) => void }

/**
 * Messages that arrive during a commit are stored together in the next one: one disk flush for
 * all of them. Each is acknowledged after its commit, and those of one chat keep their order.
 */
function createGathering(db: Database) {
  let waiting: Waiting[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    while (waiting.length > 0) {
      // The embedded database returns before other sockets are read: without this each message would be a commit.
      await setImmediate()
      const together = take()
      try {
        const stored = await store(
          db,
          together.map((one) => one.sent),
        )
        for (const [place, one] of together.entries()) one.resolve(stored[place] ?? null)
      } catch (error) {
        if (together.length > 1 && isOfOne(error)) await storeEach(together, error)
        else for (const one of together) one.reject(error)
      }
    }
    isRunning = false
  }

  /** The next batch; a repeated message waits for the first one. */
  function take() {
    const taken = new Map<string, Waiting>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const name = `${one.sent.key} ${one.sent.clientMessageId ?? crypto.randomUUID()}`
      if (taken.size < most && !taken.has(name)) taken.set(name, one)
      else left.push(one)
    }
    waiting = left
    return [...taken.values()]
  }

  async function storeEach(together: Waiting[], because: unknown) {
    logger.info({ err: because, messages: together.length }, 'messages are stored one by one')
    for (const one of together) {
      await store(db, [one.sent]).then(([stored]) => one.resolve(stored ?? null), one.reject)
    }
  }

  return (sent: ToStore) =>
    new Promise<Stored | null>((resolve, reject) => {
      waiting.push({ sent, resolve, reject })
      if (!isRunning) void run()
    })
}

/** An error that one message may have caused (data, constraint, lock): the others are stored alone. */
function isOfOne(error: unknown) {
  return /^(?:22|23|40)/.test(String((error as { cause?: { code?: string } }).cause?.code))
}

const gatherings = new WeakMap<Database, ReturnType<typeof createGathering>>()

export function storeTogether(db: Database, sent: ToStore) {
  const gathering = gatherings.get(db) ?? createGathering(db)
  gatherings.set(db, gathering)
  return gathering(sent)
}
