import sanitizeHtml from 'sanitize-html'

/** Rich text is cleaned when it is written, by the allow-list of contract.md 3. */
export function cleanRichText(html: string) {
  return sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'strong', 'em', 'u', 's', 'ul', 'ol', 'li', 'a', 'h3', 'h4', 'blockquote'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
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
