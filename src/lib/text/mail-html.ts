import type { Language } from '../language/language.ts'
import { defaultLanguage } from '../language/language.ts'
import { escapeXml } from './escape.ts'
import { textOfHtml } from './html-text.ts'
import { cutAtLinks } from './plain-text.ts'

/** The HTML of a mail around its parts: it reads well from 320 pixels on, in the colors of its reader, and loads nothing. */
export function layOutMail(language: Language, title: string, parts: readonly string[]) {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${title && `<title>${escapeXml(title)}</title>`}</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"><div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
${parts.filter(Boolean).join('\n')}
</div></body></html>`
}

/** A paragraph of plain text. */
export const mailParagraph = (text: string, style = '') => `<p style="margin:0 0 16px${style}">${linkLines(text)}</p>`

export const mailButton = ({ label, address }: { label: string; address: string }) =>
  `<p style="margin:0 0 16px"><a href="${escapeXml(address)}" style="display:inline-block;padding:10px 18px;border-radius:999px;background:#1746A2;color:#fff;font-weight:bold;text-decoration:none">${escapeXml(label)}</a></p>`

/** Below a line, in smaller letters. */
export const mailFoot = (html: string) =>
  `<p style="margin:24px 0 0;padding-top:16px;border-top:1px dashed #8A8170;font-size:14px">${html}</p>`

/** Rich text that the server cleaned, as HTML of a mail: links to pages of the site get its origin. */
export const mailHtmlOf = (html: string, origin: string) =>
  withOrigin(html, origin)
    .replaceAll('<li><p>', '<li><p style="margin:0 0 4px">')
    .replaceAll(/<(p|ul|ol)>/g, '<$1 style="margin:0 0 16px">')
    .replaceAll('<blockquote>', '<blockquote style="margin:0 0 16px;padding-left:16px;border-left:2px solid #8A8170">')
    .replaceAll(/<(h[34])>/g, '<$1 style="margin:24px 0 8px;font-size:18px">')

/** The same as plain text: paragraphs with a line between them, points of lists, and the address of each link behind it. */
export function mailTextOf(html: string, origin: string) {
  const linked = withOrigin(html, origin).replaceAll(
    /<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g,
    (_all, address: string, words: string) =>
      textOfHtml(words) === textOfHtml(address).replace(/^(?:mailto|tel):/, '') ? words : `${words} (${address})`,
  )
  return linked
    .replaceAll(/<li>(?:<p>)?/g, '- ')
    .replaceAll(/<\/p><\/li>/g, '</li>')
    .split(/(?<=<\/(?:p|h3|h4|ul|ol|blockquote)>)/)
    .map(textOfHtml)
    .filter(Boolean)
    .join('\n\n')
}

const withOrigin = (html: string, origin: string) => html.replaceAll(/(<a\b[^>]*\bhref=")(\/(?!\/))/g, `$1${escapeXml(origin)}$2`)

function linkLines(text: string) {
  const { parts, rest } = cutAtLinks(text)
  const linked = parts.map(
    ({ before, address }) => `${escapeXml(before)}<a href="${escapeXml(address)}">${escapeXml(address)}</a>`,
  )
  return `${linked.join('')}${escapeXml(rest)}`.replaceAll('\n', '<br>')
}

/** Between the two languages of a mail to the staff, and above a signature. */
const otherLanguage = /\n+---\n+/
const signature = /^--\n/

/** The HTML of a mail that is written as text alone. In two languages it has both, French first. */
export function htmlOfText({ subject, body, language }: { subject: string; body: string; language: Language | undefined }) {
  const [french = '', english, ...more] = language ? [] : body.split(otherLanguage)
  if (english === undefined || more.length > 0) return layOutMail(language ?? defaultLanguage, subject, paragraphsOf(body))
  return layOutMail('fr', subject, [
    ...paragraphsOf(french),
    `<div lang="en" style="margin:24px 0 0;padding-top:24px;border-top:1px dashed #8A8170">`,
    ...paragraphsOf(english),
    '</div>',
  ])
}

const paragraphsOf = (text: string) =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((one) => (signature.test(one) ? mailFoot(linkLines(one.replace(signature, ''))) : mailParagraph(one)))
