import { and, asc, eq, ne, or } from 'drizzle-orm'
import { translator } from '#src/lib/language/texts.ts'
import { isBlank } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import { requestEntries, requestFiles, requests } from '../../requests/server/table.ts'
import { chatMessageMax } from '../values.ts'
import { broadcastOf } from './broadcast.ts'
import { mailTexts } from './mail-texts.ts'
import { appendFromRequest } from './messages.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { findPublicTechnician } from './service.ts'
import { chats } from './table.ts'

const perTick = 20
/** Characters of the heading and of the note that a cut text ends with. */
const framing = 200

/**
 * Copies what was written by mail, or on the customer's page, into the conversation that the request was made from, as long
 * as it is open: both sides find the whole thread there. A repeated copy stores nothing.
 */
export async function copyRequestReplies(app: App) {
  const { db } = app
  const due = await db
    .select()
    .from(requestEntries)
    .where(eq(requestEntries.chatDue, true))
    .orderBy(asc(requestEntries.id))
    .limit(perTick)
  for (const entry of due) {
    for (const { chat, reference } of await findOpenChats(db, entry.requestId)) await copyEntry(app, chat, reference, entry)
    await db.update(requestEntries).set({ chatDue: false }).where(eq(requestEntries.id, entry.id))
  }
}

/** The open conversations of a request, and of those that were merged into it. */
async function findOpenChats(db: Database, requestId: number) {
  return db
    .select({ chat: chats, reference: requests.reference })
    .from(chats)
    .innerJoin(requests, eq(requests.chatId, chats.id))
    .where(and(ne(chats.status, 'closed'), or(eq(requests.id, requestId), eq(requests.mergedIntoId, requestId))))
}

async function copyEntry(app: App, chat: ChatRow, reference: string, entry: typeof requestEntries.$inferSelect) {
  const files = await app.db
    .select({ name: requestFiles.name })
    .from(requestFiles)
    .where(eq(requestFiles.entryId, entry.id))
    .orderBy(asc(requestFiles.id))
  const t = translator(mailTexts, chat.language)
  const text = entry.text.trim()
  const room = chatMessageMax - framing
  const parts = [
    t(entry.channel === 'mail' ? 'copiedMail' : 'copiedPage'),
    isBlank(text) ? '' : text.slice(0, room).toWellFormed(),
    text.length > room ? t('copiedRest', { reference }) : '',
    files.length > 0 ? t('copiedFiles', { count: files.length, reference }) : '',
  ]
  const sent = { message: parts.filter(Boolean).join('\n'), client_message_id: `request-entry-${entry.id}` }
  try {
    broadcastOf(app).message(await appendFromRequest(app.db, chat.key, await findAuthor(app, entry), sent))
  } catch (error) {
    if (!(error instanceof ChatRefusal)) throw error
    app.log.info({ err: error, chat: chat.id }, 'a closed chat did not take a copy of what its request received')
  }
}

/** The technician as visitors see them; null for the visitor. */
async function findAuthor(app: App, { kind, userId, author }: typeof requestEntries.$inferSelect) {
  if (kind === 'customer') return null
  const [user] = userId === null ? [] : await app.db.select({ color: users.color }).from(users).where(eq(users.id, userId))
  if (userId === null || !user) return { userId: null, displayName: author, imageUrl: null, color: null }
  const { user_name: displayName, image_url: imageUrl } = await findPublicTechnician(app, userId)
  return { userId, displayName, imageUrl, color: user.color }
}
