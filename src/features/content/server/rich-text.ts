import sanitizeHtml from 'sanitize-html'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { limits } from '#src/lib/schemas.ts'
import { Invalid } from '#src/server/problems.ts'

/**
 * Sanitizes rich text on save, by the allow-list below (docs/api.md#rich-text); text without visible content becomes empty.
 * `field` names the invalid field.
 */
export function cleanRichText(html: string, field = '') {
  const clean = allowOnly(html)
  if (isBlankHtml(clean)) return ''
  // Escaping makes the text longer.
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
