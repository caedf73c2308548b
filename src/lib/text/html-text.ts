/** The words of rich text, one line for each paragraph. For HTML that the server cleaned: nothing else has only these tags. */
export function textOfHtml(html: string) {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|li|h3|h4|blockquote)>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|nbsp|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim()
}

/** True where nothing would be seen, such as the empty paragraph an editor leaves. */
export function isBlankHtml(html: string) {
  return textOfHtml(html) === ''
}

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&#39;': "'",
  '&amp;': '&',
}
