import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/users/server/table.ts'
import { createRequest, findRequestsAbout } from '../../requests/server/service.ts'
import type { ChatContext, ChatRequestInput, LinkedRequest } from '../contract.ts'
import { mailTexts } from './mail-texts.ts'
import { isBlocked } from './blocks.ts'
import type { ChatRow } from './service.ts'
import { findVisitorMessages } from './service.ts'
import { chats } from './table.ts'

const otherChats = 5

/** Turns a chat into a request with its messages, once. */
export async function turnIntoRequest(app: App, author: Author, id: number, input: ChatRequestInput): Promise<LinkedRequest> {
  return app.db.transaction(async (tx) => {
    const [chat] = await tx.select().from(chats).where(eq(chats.id, id)).for('update')
    if (!chat) throw new NotFound('This conversation does not exist.')
    const current = (await findRequestsAbout(tx, { chatId: id, email: chat.clientEmail })).find((one) => one.is_from_chat)
    if (current) throw new Conflict('This conversation has already been converted to a request.', { current })
    const made = await createRequest(tx, app, {
      kind: 'chat',
      chatId: id,
      name: chat.clientName,
      email: chat.clientEmail,
      subject: input.subject.trim(),
      message: [input.summary.trim(), await writeConversation(tx, chat)].filter(Boolean).join('\n\n'),
      language: chat.language,
      page: chat.page,
    })
    await recordChange(tx, author, {
      area: 'chat',
      action: 'turn into request',
      entryId: id,
      after: { reference: made.reference },
    })
    return { id_request: made.id, reference: made.reference, status: 'new', is_from_chat: true }
  })
}

/** The visitor's requests, other chats and blocks. */
export async function findChatContext(db: Database, id: number): Promise<ChatContext> {
  const [chat] = await db.select().from(chats).where(eq(chats.id, id))
  if (!chat) throw new NotFound('This conversation does not exist.')
  const others = await db
    .select({ id: chats.id, created_at: chats.createdAt, user_name: users.displayName })
    .from(chats)
    .leftJoin(users, eq(users.id, chats.userId))
    .where(and(eq(sql`lower(${chats.clientEmail})`, chat.clientEmail.toLowerCase()), ne(chats.id, id)))
    .orderBy(desc(chats.id))
    .limit(otherChats)
  return {
    requests: await findRequestsAbout(db, { chatId: id, email: chat.clientEmail }),
    chats: others.map((other) => ({ ...other, created_at: other.created_at.toISOString() })),
    has_address: chat.clientAddress !== '',
    is_blocked: await isBlocked(db, { email: chat.clientEmail, address: chat.clientAddress }),
  }
}

async function writeConversation(tx: Database, chat: ChatRow) {
  const t = translator(mailTexts, chat.language)
  const momentOf = (at: string) => localTime(company.hours.timeZone, new Date(at)).replace('T', ' ')
  const messages = await findVisitorMessages(tx, chat)
  const lines = messages.map((one) => `[${momentOf(one.sent_at)}] ${one.user_name}\n${one.message}`)
  return lines.length === 0 ? '' : [t('conversation'), ...lines].join('\n\n')
}
