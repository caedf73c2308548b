import sanitizeHtml from 'sanitize-html'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { unwrapLink } from '#src/lib/text/redirects.ts'
import { limits } from '#src/lib/schemas.ts'
import { Invalid } from '#src/server/problems.ts'

/**
 * Sanitizes rich text on save, by the allow-list below (docs/api.md#rich-text); text without visible content becomes empty.
 * `field` names the invalid field. With `pictures`, those that were uploaded to the product stay; without `tables`, as in mails
 * that are laid out by them, only their text stays.
 */
export function cleanRichText(html: string, field = '', { pictures = false, tables = true } = {}) {
  const clean = allowOnly(html, [...(pictures ? ['img'] : []), ...(tables ? tableTags : [])])
  if (isBlankHtml(clean) && !clean.includes('<img')) return ''
  // Escaping makes the text longer.
  if (clean.length > limits.richText) {
    throw new Invalid('This text is too long.', [{ path: field, message: `too long: ${clean.length} of ${limits.richText}` }])
  }
  return clean
}

const tableTags = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

function allowOnly(html: string, more: readonly string[]) {
  return sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'strong', 'em', 'u', 's', 'sub', 'sup', 'ul', 'ol', 'li', 'a', 'h3', 'h4', 'blockquote', ...more],
    allowedAttributes: { a: ['href', 'rel'], th: ['scope'], img: ['src', 'alt', 'width', 'height'] },
    exclusiveFilter: ({ tag, attribs: { src = '', width = '', height = '' } }) =>
      tag === 'img' && !(isArticlePicture(src) && /^\d{1,4}$/.test(width) && /^\d{1,4}$/.test(height)),
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nestingLimit: 30,
    transformTags: {
      b: 'strong',
      i: 'em',
      h1: 'h3',
      h2: 'h3',
      th: (_tag, { scope = '' }) => {
        const attribs: sanitizeHtml.Attributes = /^(?:col|row)$/.test(scope) ? { scope } : {}
        return { tagName: 'th', attribs }
      },
      img: (_tag, { src = '', alt = '', width = '', height = '' }) => ({ tagName: 'img', attribs: { src, alt, width, height } }),
      a: (_tag, { href: given = '' }) => {
        const href = unwrapLink(given)
        return { tagName: 'a', attribs: { href, ...(/^https?:/i.test(href) ? { rel: 'noopener noreferrer' } : {}) } }
      },
    },
  }).trim()
}
