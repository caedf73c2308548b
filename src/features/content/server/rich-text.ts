import sanitizeHtml from 'sanitize-html'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { limits } from '#src/lib/schemas.ts'
import { Invalid } from '#src/server/problems.ts'

/**
 * Sanitizes rich text on save, by the allow-list below (docs/api.md#rich-text); text without visible content becomes empty.
 * `field` names the invalid field. With `pictures`, those that were uploaded to the product stay.
 */
export function cleanRichText(html: string, field = '', { pictures = false } = {}) {
  const clean = allowOnly(html, pictures)
  if (isBlankHtml(clean) && !clean.includes('<img')) return ''
  // Escaping makes the text longer.
  if (clean.length > limits.richText) {
    throw new Invalid('This text is too long.', [{ path: field, message: 'too long' }])
  }
  return clean
}

function allowOnly(html: string, pictures: boolean) {
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'br',
      'strong',
      'em',
      'u',
      's',
      'ul',
      'ol',
      'li',
      'a',
      'h3',
      'h4',
      'blockquote',
      ...(pictures ? ['img'] : []),
    ],
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt', 'width', 'height'] },
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
      img: (_tag, { src = '', alt = '', width = '', height = '' }) => ({ tagName: 'img', attribs: { src, alt, width, height } }),
      a: (_tag, { href = '' }) => ({
        tagName: 'a',
        attribs: { href, ...(/^https?:/i.test(href) ? { rel: 'noopener noreferrer' } : {}) },
      }),
    },
  }).trim()
}
