import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language.ts'
import { locales } from '#src/lib/language.ts'
import { translator } from '#src/lib/texts.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { mailTexts } from '../../mail-texts.ts'
import { escapeHtml, fillListElement } from './list-element.ts'
import { findChatByKey, findVisitorMessages } from '../service.ts'

/** Mails the conversation to the visitor's address, through the queue, in the visitor's language. */
export async function mailTranscript(app: App, key: string, language?: Language) {
  const { chat, t, values, messages } = await readTranscript(app.db, key, language)
  const lines = messages.map(({ time, name, text }) => `[${time}] ${name}\n${text}`)
  await app.mailer.enqueue(app.db, {
    to: chat.clientEmail,
    replyTo: company.emails.support,
    subject: t('transcriptSubject', values),
    body: `${t('transcriptIntro', values)}\n\n${lines.join('\n\n')}\n\n${t('transcriptEnd', values)}\n`,
  })
}

/** The same as a page to keep: one file, with nothing to load. */
export async function writeTranscriptPage(db: Database, key: string, asked?: Language) {
  const { chat, language, t, values, messages } = await readTranscript(db, key, asked)
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

async function readTranscript(db: Database, key: string, asked?: Language) {
  const chat = await findChatByKey(db, key)
  const language = asked ?? chat.language
  const t = translator(mailTexts, language)
  const zone = { timeZone: company.hours.timeZone }
  const day = new Intl.DateTimeFormat(locales[language], { ...zone, dateStyle: 'long' })
  const clock = new Intl.DateTimeFormat(locales[language], { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const messages = (await findVisitorMessages(db, chat, 0)).map((message) => ({
    side: message.bz_staff ? ('staff' as const) : ('visitor' as const),
    name: message.user_name,
    text: message.file ? t('transcriptAttached', { name: message.message }) : message.message,
    sent_at: message.sent_at,
    time: clock.format(new Date(message.sent_at)),
  }))
  const values = {
    company: company.name,
    name: chat.clientName,
    date: day.format(chat.createdAt),
    phone: company.phones.tollFree.display,
  }
  return { chat, language, t, values, messages }
}
