import { and, asc, desc, eq, gt, inArray, isNull, like, ne, notLike, or } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isBlank } from '#src/lib/text/plain-text.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import { addFromChat, findMerged, followMerge } from '../../requests/server/reply.ts'
import { requestEntries, requestFiles, requests } from '../../requests/server/table.ts'
import type { ChatMessage } from '../protocol.ts'
import { chatMessageMax } from '../values.ts'
import { broadcastOf } from './broadcast.ts'
import { addFilesToRequest } from './files.ts'
import { mailTexts } from './mail-texts.ts'
import { appendFromRequest } from './messages.ts'
import { ChatRefusal } from './refusal.ts'
import type { ChatRow } from './service.ts'
import { closeChat, findPublicTechnician, selectMessages, toVisitorMessage } from './service.ts'
import { chatMessages, chats } from './table.ts'

const copiedPrefix = 'request-entry-'
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
  const ids = [requestId, ...(await findMerged(db, [requestId]))]
  return db
    .select({ chat: chats, reference: requests.reference })
    .from(chats)
    .innerJoin(requests, eq(requests.chatId, chats.id))
    .where(and(ne(chats.status, 'closed'), inArray(requests.id, ids)))
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
  const sent = { message: parts.filter(Boolean).join('\n'), client_message_id: copiedPrefix + entry.id }
  try {
    broadcastOf(app).message(await appendFromRequest(app.db, chat.key, await findAuthor(app, entry), sent))
  } catch (error) {
    if (!(error instanceof ChatRefusal)) throw error
    app.log.info({ err: error, chat: chat.id }, 'a closed chat did not take a copy of what its request received')
  }
}

/** What either side wrote in a conversation, as the text of its request. */
export function writeConversation({ language }: Pick<ChatRow, 'language'>, messages: ChatMessage[]) {
  const momentOf = (at: string) => localTime(company.hours.timeZone, new Date(at)).replace('T', ' ')
  const texts = messages.map((one) => `[${momentOf(one.sent_at)}] ${one.user_name}\n${one.message}`)
  return texts.length === 0 ? '' : [translator(mailTexts, language)('conversation'), ...texts].join('\n\n')
}

/** Client id of an entry that holds a conversation up to this message. */
export const markOf = ({ id }: Pick<ChatRow, 'id'>, seq?: number) => `chat-${id}-${seq ?? ''}`

/** Closes a conversation once; what was written in it since it became a request is then in that request too. */
export async function closeConversation(app: App, id: number, userId: number | null = null) {
  return app.db.transaction(async (tx) => {
    const chat = await closeChat(tx, id, userId)
    if (chat) await addRestToRequest(tx, app, chat)
    return chat
  })
}

/** The last word of a visitor opens the request again, as by any other way; the technician's leaves it as it is. */
export async function addRestToRequest(tx: Database, app: App, chat: ChatRow) {
  const [request] = await tx.select().from(requests).where(eq(requests.chatId, chat.id)).for('update')
  if (!request || request.status === 'suspected') return
  const { id: requestId } = await followMerge(tx, request)
  const [copied] = await tx
    .select({ clientId: requestEntries.clientId })
    .from(requestEntries)
    .where(and(inArray(requestEntries.requestId, [request.id, requestId]), like(requestEntries.clientId, `${markOf(chat)}%`)))
    .orderBy(desc(requestEntries.id))
    .limit(1)
  const rows = await selectMessages(tx)
    .where(
      and(
        eq(chatMessages.chatId, chat.id),
        eq(chatMessages.internal, false),
        // A request that is older than the mark.
        copied?.clientId
          ? gt(chatMessages.seq, Number(copied.clientId.slice(markOf(chat).length)))
          : gt(chatMessages.sentAt, request.createdAt),
        or(isNull(chatMessages.clientMessageId), notLike(chatMessages.clientMessageId, `${copiedPrefix}%`)),
      ),
    )
    .orderBy(asc(chatMessages.seq))
  const last = rows.at(-1)?.message
  if (!last) return
  const messages = rows.map(({ message, file }) => toVisitorMessage({ ...message, file }, chat.key))
  const { clientName: author, clientEmail: authorEmail } = chat
  const written = { author, authorEmail, text: writeConversation(chat, messages), clientId: markOf(chat, last.seq) }
  const entryId = await addFromChat(tx, app, request, written, last.fromStaff)
  await addFilesToRequest(tx, messages, entryId)
}

/** The technician as visitors see them; null for the visitor. */
async function findAuthor(app: App, { kind, userId, author }: typeof requestEntries.$inferSelect) {
  if (kind === 'customer') return null
  const [user] = userId === null ? [] : await app.db.select({ color: users.color }).from(users).where(eq(users.id, userId))
  if (userId === null || !user) return { userId: null, displayName: author, imageUrl: null, color: null }
  const { user_name: displayName, image_url: imageUrl } = await findPublicTechnician(app, userId)
  return { userId, displayName, imageUrl, color: user.color }
}
