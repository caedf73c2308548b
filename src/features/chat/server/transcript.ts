import { company } from '#company/company.ts'
import { locales } from '#src/lib/language.ts'
import { translator } from '#src/lib/texts.ts'
import type { App } from '#src/server/types.ts'
import { mailTexts } from '../mail-texts.ts'
import { findChatByKey, findVisitorMessages } from './service.ts'

/** Mails the conversation to the visitor's address, through the queue, in the visitor's language. */
export async function mailTranscript(app: App, key: string) {
  const chat = await findChatByKey(app.db, key)
  const messages = await findVisitorMessages(app.db, chat, 0)
  const t = translator(mailTexts, chat.language)
  const zone = { timeZone: company.hours.timeZone }
  const day = new Intl.DateTimeFormat(locales[chat.language], { ...zone, dateStyle: 'long' })
  const clock = new Intl.DateTimeFormat(locales[chat.language], { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const lines = messages.map((message) => `[${clock.format(new Date(message.sent_at))}] ${message.user_name}\n${message.message}`)
  const values = {
    company: company.name,
    name: chat.clientName,
    date: day.format(chat.createdAt),
    phone: company.phones.tollFree.display,
  }
  await app.mailer.enqueue(app.db, {
    to: chat.clientEmail,
    replyTo: company.emails.support,
    subject: t('transcriptSubject', values),
    body: `${t('transcriptIntro', values)}\n\n${lines.join('\n\n')}\n\n${t('transcriptEnd', values)}\n`,
  })
}
