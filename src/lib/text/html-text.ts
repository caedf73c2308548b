/** Plain text of rich text, one line for each paragraph. Only for HTML that the server sanitized. */
export function textOfHtml(html: string) {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|li|h3|h4|blockquote|t[dh])>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|nbsp|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim()
}

/** True for HTML without visible text, such as the empty paragraph of an editor. */
export function isBlankHtml(html: string) {
  return textOfHtml(html) === ''
}

/** Characters of a rich text, with its elements. */
export const richTextMax = 50_000

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&#39;': "'",
  '&amp;': '&',
}
