import sanitizeHtml from 'sanitize-html'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { limits } from '#src/lib/schemas.ts'
import { Invalid } from '#src/server/problems.ts'

/** Rich text is cleaned when it is written, by the allow-list below (docs/api.md#rich-text); what shows nothing becomes empty. `field`: whose text it is. */
export function cleanRichText(html: string, field = '') {
  const clean = allowOnly(html)
  if (isBlankHtml(clean)) return ''
  // Signs that had to be escaped take more room than they came with.
  if (clean.length > limits.richText) {
    throw new Invalid('This text is too long.', [{ path: field, message: 'too long' }])
  }
  return clean
}

function allowOnly(html: string) {
  return sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'strong', 'em', 'u', 's', 'ul', 'ol', 'li', 'a', 'h3', 'h4', 'blockquote'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nestingLimit: 30,
    transformTags: {
      b: 'strong',
      i: 'em',
      h1: 'h3',
      h2: 'h3',
      a: (_tag, { href = '' }) => ({
        tagName: 'a',
        attribs: { href, ...(/^https?:/i.test(href) ? { rel: 'noopener noreferrer' } : {}) },
      }),
    },
  }).trim()
}
