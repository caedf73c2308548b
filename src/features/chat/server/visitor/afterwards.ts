import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { findRequestsAbout, receiveRequest } from '../../../requests/server/service.ts'
import { translator } from '#src/lib/texts.ts'
import type { leftMessageInput, ratingInput } from '../../contract.ts'
import { mailTexts } from '../../mail-texts.ts'
import { findChatByKey } from '../service.ts'
import { chats } from '../table.ts'

/** What the visitor thought of a conversation; said again, the last word counts. */
export async function rateChat(db: Database, { id_chat: key, rating, comment }: z.infer<typeof ratingInput>) {
  const chat = await findChatByKey(db, key)
  await db.update(chats).set({ rating, ratingComment: comment.trim(), ratedAt: new Date() }).where(eq(chats.id, chat.id))
  return chat.id
}

/** A message left where nobody answers becomes a request; told with the conversation, unless that is one already. */
export async function leaveMessage(app: App, input: z.infer<typeof leftMessageInput>, address: string) {
  const chat = input.id_chat ? await findChatByKey(app.db, input.id_chat) : null
  const trap = input.honey === '' ? null : 'honey'
  const known = chat ? await findRequestsAbout(app.db, { chatId: chat.id, email: input.email }) : []
  // A conversation becomes one request, and a suspected one is none yet.
  const isFirst = chat !== null && trap === null && !known.some((one) => one.is_from_chat)
  const request = {
    kind: 'chat' as const,
    name: input.name.trim(),
    email: input.email,
    phone: input.phone.trim(),
    subject: translator(mailTexts, input.language)('leftSubject'),
    message: input.message.trim(),
    language: input.language,
    page: input.page,
    ...(isFirst ? { chatId: chat.id } : {}),
  }
  return { reference: await receiveRequest(app, request, { trap, address }) }
}
