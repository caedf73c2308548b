import { ne, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { messagesPerConversation } from '../../values.ts'
import type { MessageRow } from '../service.ts'
import { chatMessages, chats } from '../table.ts'

/** `userName` is null for the visitor, whose name the chat knows. */
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
