import { and, count, eq, gt, sql } from 'drizzle-orm'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { mailTexts } from './mail-texts.ts'
import type { ChatRow } from './service.ts'
import { findChatByKey, findVisitorMessages } from './service.ts'
import { chatMessages, chats, chatTranscripts } from './table.ts'
import { MessageElement } from '../message-element.ts'

/** Names the mails of one conversation. */
export const chatThread = (id: number) => `chat/${id}`

const mailsPerChat = 3
const mailsPerAddress = 5
const dayMs = 86_400_000

/** Why a transcript is not mailed, or null. Without limits it could be used to mail strangers. */
async function findMailRefusal(db: Database, chat: ChatRow) {
  const [answer] = await db
    .select({ id: chatMessages.id })
    .from(chatMessages)
    .where(and(eq(chatMessages.chatId, chat.id), eq(chatMessages.fromStaff, true), eq(chatMessages.internal, false)))
    .limit(1)
  if (!answer) return 'No technician answered in this conversation: its transcript is not mailed. It can be downloaded.'
  if ((await db.$count(chatTranscripts, eq(chatTranscripts.chatId, chat.id))) >= mailsPerChat)
    return `This transcript was mailed ${mailsPerChat} times already. It can be downloaded.`
  const [sent] = await db
    .select({ count: count() })
    .from(chatTranscripts)
    .innerJoin(chats, eq(chats.id, chatTranscripts.chatId))
    .where(
      and(
        eq(sql`lower(${chats.clientEmail})`, chat.clientEmail.toLowerCase()),
        gt(chatTranscripts.mailedAt, new Date(Date.now() - dayMs)),
      ),
    )
  if (sent && sent.count >= mailsPerAddress)
    return `This address received ${mailsPerAddress} transcripts today already. This one can be downloaded.`
  return null
}

/** Whether the panel may offer to mail the transcript. */
export const canMailTranscript = async (db: Database, chat: ChatRow) => (await findMailRefusal(db, chat)) === null

/** Mails the conversation to the visitor's address, through the queue, in the visitor's language. */
export async function mailTranscript(app: App, key: string, wanted?: Language) {
  await app.db.transaction(async (tx) => {
    const { clientEmail } = await findChatByKey(tx, key)
    // Serialized on all instances: concurrent requests would each find the limit unreached.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`transcript ${clientEmail.toLowerCase()}`}))`)
    await sendTranscript(app, tx, key, wanted)
  })
}

async function sendTranscript(app: App, tx: Database, key: string, wanted?: Language) {
  const { chat, language, t, values, messages } = await readTranscript(tx, key, wanted)
  const refusal = await findMailRefusal(tx, chat)
  if (refusal) throw new Conflict(refusal)
  await tx.insert(chatTranscripts).values({ chatId: chat.id })
  const lines = messages.map(({ time, name, text }) => `[${time}] ${name}\n${text}`)
  await app.mailer.enqueue(tx, {
    to: chat.clientEmail,
    replyTo: company.emails.support,
    subject: t('transcriptSubject', values),
    headers: { language },
    thread: chatThread(chat.id),
    body: `${t('transcriptIntro', values)}\n\n${lines.join('\n\n')}\n\n${t('transcriptEnd', values)}\n`,
  })
}

/** The transcript as one self-contained HTML file. */
export async function writeTranscriptPage(db: Database, key: string, wanted?: Language) {
  const { chat, language, t, values, messages } = await readTranscript(db, key, wanted)
  const title = escapeHtml(t('transcriptSubject', values))
  const items = messages.map(fillListElement).join('\n')
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: company.hours.timeZone }).format(chat.createdAt)
  return {
    name: `${t('transcriptFile')}-${day}.html`,
    html: `<!doctype html>
<html lang="${locales[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p>${escapeHtml(t('transcriptIntro', values)).replaceAll('\n\n', '</p>\n<p>')}</p>
<ol>
${items}
</ol>
<p>${escapeHtml(t('transcriptEnd', values))}</p>
</body>
</html>
`,
  }
}

const style = `:root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}body{max-width:42rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}ol{display:flex;flex-direction:column;gap:.75rem;padding:0;list-style:none}
.message{max-width:82%;padding:.5rem .875rem;border:1px solid #8888;border-radius:1rem;overflow-wrap:anywhere}
.visitor{align-self:flex-end;background:#1746a222}.message p{margin:0}.name,.time{font-size:.85rem}.name{font-weight:700}.text{white-space:pre-wrap}`

async function readTranscript(db: Database, key: string, wanted?: Language) {
  const chat = await findChatByKey(db, key)
  const language = wanted ?? chat.language
  const t = translator(mailTexts, language)
  const zone = { timeZone: company.hours.timeZone }
  const day = new Intl.DateTimeFormat(locales[language], { ...zone, dateStyle: 'long' })
  const clock = new Intl.DateTimeFormat(locales[language], { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const messages = (await findVisitorMessages(db, chat)).map((message) => ({
    side: message.bz_staff ? ('staff' as const) : ('visitor' as const),
    name: isolateDirection(message.user_name),
    text: message.file ? t('transcriptAttached', { name: message.message }) : message.message,
    sent_at: message.sent_at,
    time: clock.format(new Date(message.sent_at)),
  }))
  const values = {
    company: company.name,
    name: isolateDirection(chat.clientName),
    date: day.format(chat.createdAt),
    phone: company.phones.tollFree.display,
  }
  return { chat, language, t, values, messages }
}

const places = { side: '{side}', name: '{name}', text: '{text}', sentAt: '{sent_at}', time: '{time}' }

/** The markup of one message with placeholders. */
export const listElement = renderToStaticMarkup(createElement(MessageElement, places))

type ListElementValues = { side: 'staff' | 'visitor'; name: string; text: string; sent_at: string; time: string }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)

function fillListElement(values: ListElementValues) {
  return listElement.replaceAll(/\{(\w+)\}/g, (_whole, name: keyof ListElementValues) => escapeHtml(values[name]))
}
