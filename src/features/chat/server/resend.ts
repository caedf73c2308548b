import { desc, gt, inArray, or, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { findContinuation } from './messages.ts'
import type { StaffNamespace, VisitorNamespace } from './namespaces.ts'
import { chatOfRoom, chatRoom, isVisitorOnline } from './namespaces.ts'
import { selectMessages, toStaffMessage, toVisitorMessage } from './service.ts'
import { findStaffChatsById } from './staff-chats.ts'
import { chatMessages, chats } from './table.ts'
import { canMailTranscript } from './transcript.ts'

const mostResent = 5_000

/**
 * Emits what was stored in the last `ms` to the sockets of this instance, after another one died that may not have broadcast it:
 * messages, ends and the state of each chat. Clients drop the messages that they have.
 */
export async function resendRecent(db: Database, visitors: VisitorNamespace, staff: StaffNamespace, ms: number) {
  if (visitors.sockets.size === 0 && staff.sockets.size === 0) return
  const since = sql`now() - make_interval(secs => ${ms / 1_000})`
  const { id, sentAt } = chatMessages
  const latest = db.select({ id, sentAt }).from(chatMessages).orderBy(desc(id)).limit(mostResent).as('latest')
  const recent = db.select({ id: latest.id }).from(latest).where(gt(latest.sentAt, since))
  const found = await selectMessages(db).where(inArray(id, recent)).orderBy(id)
  const written = new Set(found.map(({ message }) => message.chatId))
  const changed = await db
    .select({ id: chats.id, key: chats.key })
    .from(chats)
    .where(or(inArray(chats.id, [...written]), gt(chats.updatedAt, since)))
    .orderBy(desc(chats.updatedAt))
    .limit(mostResent)
  const keys = new Map(changed.map((chat) => [chat.id, chat.key]))
  for (const { message, file } of found) {
    staff.local.emit('staff:new-message', toStaffMessage({ ...message, file }))
    const key = keys.get(message.chatId)
    if (key === undefined || message.internal) continue
    visitors.local.in(chatRoom(message.chatId)).emit('chat:new-message', toVisitorMessage({ ...message, file }, key))
  }
  if (staff.sockets.size > 0) {
    const current = await findStaffChatsById(db, [...keys.keys()], (chat) => isVisitorOnline(visitors, chat))
    for (const chat of current) staff.local.emit('staff:chat', chat)
  }
  await resendStates(db, visitors)
}

/** By what its visitors have open, so that it depends on no clock of the instance that died. */
async function resendStates(db: Database, visitors: VisitorNamespace) {
  const shown = [...visitors.adapter.rooms.keys()].flatMap((room) => chatOfRoom(room) ?? [])
  for (const chat of await db.select().from(chats).where(inArray(chats.id, shown))) {
    const room = visitors.local.in(chatRoom(chat.id))
    if (chat.status !== 'closed') {
      room.emit('chat:reopened', { id_chat: chat.key })
      continue
    }
    const next = await findContinuation(db, chat.id)
    const more = next ? { continued_in: next.key } : { transcript: await canMailTranscript(db, chat) }
    room.emit('chat:closed', { id_chat: chat.key, ...more })
  }
}
