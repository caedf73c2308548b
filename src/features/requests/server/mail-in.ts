import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import type { Language } from '#src/lib/language/language.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { tidyText } from '#src/lib/text/plain-text.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'

export type IncomingMail = {
  digest: string
  messageId: string | null
  fromAddress: string
  fromName: string
  subject: string
  /** `In-Reply-To` and `References`. */
  references: string
  text: string
  quoted: string
  html: string | null
  files: { name: string; type: string; bytes: Uint8Array }[]
  /** Sent by a machine or a list: never answered. */
  isAutomatic: boolean
  isList: boolean
  language: Language
  bounce: Bounce | null
}
/** Delivery status notification (RFC 3464): ids of the mails it is about, and why they came back. */
export type Bounce = { messageIds: string[]; isFinal: boolean; reason: string }

const textMax = 100_000
const htmlMax = 300_000
const subjectMax = 200

/** Reads a mail as it came; what is broken in it is read as far as it goes. */
export async function readMail(source: Uint8Array): Promise<IncomingMail> {
  const mail = await PostalMime.parse(shortenHead(source), {
    forceRfc822Attachments: true,
    maxNestingDepth: 100,
    maxHeadersSize: 1_000_000,
  })
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  const from = mail.from?.address ? mail.from : mail.sender
  const rich = mail.html && mail.html.length <= htmlMax ? cleanHtml(mail.html) : ''
  const plain = tidy(mail.text && mail.text.trim() !== '' ? mail.text : rich ? textOfHtml(rich) : '')
  const subject = tidy(mail.subject ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const { text, quoted } = foldHistory(plain, subject)
  const files = mail.attachments.map((one, index) => ({
    name: tidy(one.filename ?? '') || nameOf(one.mimeType, index),
    type: one.mimeType,
    bytes: typeof one.content === 'string' ? Buffer.from(one.content) : new Uint8Array(one.content),
  }))
  // What is too long for the page stays whole beside it.
  if (plain.length > textMax) files.push({ name: 'message.txt', type: 'text/plain', bytes: Buffer.from(plain) })
  const isList = mail.headers.some(({ key }) => key.startsWith('list-')) || /bulk|list|junk/i.test(header('precedence'))
  const automatic = header('auto-submitted')
  const bounce = readBounce(mail.headers, source, header)
  return {
    digest: digestOf(mail.messageId ?? '', header('from'), header('date'), source),
    messageId: mail.messageId ?? null,
    fromAddress: (from?.address ?? '').trim(),
    fromName: tidy(from?.name ?? '')
      .replaceAll(/[\r\n]+/g, ' ')
      .trim()
      .slice(0, subjectMax),
    subject: subject.slice(0, subjectMax),
    references: `${mail.inReplyTo ?? ''} ${mail.references ?? ''}`,
    text: text.slice(0, textMax),
    quoted: quoted.slice(0, textMax),
    html: quoted || !rich ? null : rich,
    files,
    isAutomatic:
      isList ||
      (automatic !== '' && !/^no\b/i.test(automatic.trim())) ||
      mail.headers.some(({ key }) => key === 'x-autoreply' || key === 'x-autorespond') ||
      (mail.headers.some(({ key }) => key === 'return-path') && /^\s*<\s*>\s*$/.test(header('return-path'))),
    isList,
    language: languageOf(`${subject}\n${text}`, header('content-language')),
    bounce,
  }
}

/** Longer than any of a real mail; the parser of addresses takes minutes for a sender of 200,000 brackets. */
const fieldMax = { sender: 2_000, other: 100_000 }

/** Unfolds and shortens the header, and leaves out the recipients, who are not read. */
function shortenHead(source: Uint8Array) {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0)
  const end = Math.min(...ends, bytes.length)
  const head = bytes.subarray(0, end).toString('latin1')
  const fields = head.split(/\r?\n(?![ \t])/).filter((field) => !/^(?:to|cc|bcc|reply-to|delivered-to)\s*:/i.test(field))
  const short = fields.map((field) =>
    field.replaceAll(/\r?\n/g, '').slice(0, /^(?:from|sender|return-path)\s*:/i.test(field) ? fieldMax.sender : fieldMax.other),
  )
  return Buffer.concat([Buffer.from(short.join('\n'), 'latin1'), bytes.subarray(end)])
}

const tidy = (text: string) => tidyText(text.replaceAll('\r\n', '\n')).replaceAll('\0', '').toWellFormed()

function cleanHtml(html: string) {
  try {
    // Cleaning drops what only the layout separated: the words on both sides would become one.
    return cleanRichText(html.replaceAll(/<hr\b[^>]{0,500}>|<\/(?:div|tr|table|h[1-6])>/gi, '$&<br>'), '', { tables: false })
      .replaceAll('\0', '')
      .toWellFormed()
  } catch {
    // Over the length of rich text: the plain text and the source are there.
    return ''
  }
}

const endings: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/html': 'html',
  'text/plain': 'txt',
}

const nameOf = (type: string, index: number) => `fichier-${index + 1}.${endings[type.toLowerCase()] ?? 'bin'}`

/** The same mail, wherever it lies and by whatever way it came: its first headers and its body. */
function digestOf(messageId: string, from: string, date: string, source: Uint8Array) {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const end = Math.max(bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n'))
  return createHash('sha256')
    .update([messageId, from, date].join('\n'))
    .update(bytes.subarray(Math.max(0, end)))
    .digest('base64url')
}

const forwards = /^(?:fwd?|tr|wg|rv)\s*:/i
/** Lines with which Gmail, Apple Mail, Outlook and others begin the history, in French and English. */
const historyStarts = [
  /^[ \t]*(?:le|on)\b[^\n]{5,300}\n?[^\n]{0,300}(?:a écrit|wrote)[ \t\u00a0]?:[ \t]*$/im,
  /^[ \t]*-{3,}[ \t]*(?:original message|message original|message d[’']origine)[ \t]*-{3,}[ \t]*$/im,
  /^[ \t]*(?:_{20,}[ \t]*\n[ \t]*)?\*?(?:from|de)[ \t\u00a0]?:\*?[^\n]{1,300}\n[ \t]*\*?(?:sent|envoyé|date)[ \t\u00a0]?:/im,
  /^[ \t]*>/m,
]

/** A line of the writer's own below one that is quoted: they answer between the lines. */
const answersBetween = /^[ \t]*>[^\n]*\n\s*[^>\s]/m

/** Separates what was written from the history below it; a forwarded mail has none. */
export function foldHistory(text: string, subject: string) {
  const trimmed = text.trim()
  if (forwards.test(subject)) return { text: trimmed, quoted: '' }
  // On megabytes of quoted lines the expressions overflow their stack; what is past the limit is not shown anyway.
  const searched = trimmed.slice(0, 2 * textMax)
  const starts = historyStarts.flatMap((pattern) => pattern.exec(searched)?.index ?? [])
  const at = starts.length > 0 ? Math.min(...starts) : -1
  const written = at > 0 ? trimmed.slice(0, at).trim() : ''
  if (written === '' || answersBetween.test(searched.slice(at))) return { text: trimmed, quoted: '' }
  return { text: written, quoted: trimmed.slice(at).trim() }
}

const french = /\b(?:bonjour|merci|nous|vous|avec|pour|depuis|est|les|des|une|pas|je|svp)\b|[àâçéèêëîïôùûœ]/gi
const english = /\b(?:hello|hi|thanks|thank|please|the|and|with|for|since|is|are|not|we|you|my)\b/gi

/** French unless the text looks English. */
function languageOf(text: string, declared: string): Language {
  if (/^\s*en\b/i.test(declared)) return 'en'
  if (/^\s*fr\b/i.test(declared)) return 'fr'
  const start = text.slice(0, 5_000)
  return (start.match(english)?.length ?? 0) > (start.match(french)?.length ?? 0) ? 'en' : 'fr'
}

const bounceReadBytes = 200_000

function readBounce(headers: { key: string }[], source: Uint8Array, header: (name: string) => string): Bounce | null {
  const type = header('content-type')
  const isReport = /multipart\/report/i.test(type) && /delivery-status/i.test(type)
  const isDaemon =
    /mailer-daemon|postmaster/i.test(header('from')) &&
    headers.some(({ key }) => key === 'return-path') &&
    /<\s*>/.test(header('return-path'))
  if (!isReport && !isDaemon) return null
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).subarray(0, bounceReadBytes).toString('latin1')
  const field = (pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll(/\s+/g, ' ')
  const action = field(/^Action:[ \t]*([^\r\n]+)/im)
  return {
    messageIds: [...new Set(text.match(/<[^<>\s]{3,250}@[^<>\s]{1,250}>/g))],
    isFinal: action ? /failed/i.test(action) : true,
    reason: (
      field(/^Diagnostic-Code:[ \t]*([^\r\n]+(?:\r?\n[ \t]+[^\r\n]+)*)/im) ??
      field(/^Status:[ \t]*([^\r\n]+)/im) ??
      header('subject')
    ).slice(0, 300),
  }
}
