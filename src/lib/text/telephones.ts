/** The `tel:` address of a number as somebody wrote it; its extension is dialled after a pause. */
export function callAddress(phone: string) {
  const [, number = phone, extension] =
    /^(.*?\d.*?)(?:[,;#]|(?<![a-z])(?:poste|p|extension|ext|x))[\s.:#]*(\d{1,6})\s*$/i.exec(phone) ?? []
  const digits = number.replaceAll(/[^\d+]/g, '')
  return `tel:${digits}${extension ? `,${extension}` : ''}`
}

/** North American numbers with their area code, others with their country's; an extension needs its word, as in "poste 204". */
const telephones =
  /(?<![\p{L}\p{N}_/+=-]|\d\.)(?:(?:\+?1[ \u00A0.-]?)?(?:\([2-9]\d\d\)[ \u00A0]?|[2-9]\d\d[ \u00A0.\u2010\u2011\u2013-]?)[2-9]\d\d[ \u00A0.\u2010\u2011\u2013-]?\d{4}|\+[2-9](?:[ \u00A0.-]?\d){7,13})(?:,?[ \u00A0]*(?:poste|extension|ext|p|x|#)[ \u00A0.:#]*\d{1,6})?(?![\p{L}\p{N}_@]|[-.]\d)/giu

/** The telephone numbers in a text, each with its `tel:` address and what is before it, and the rest. */
export function cutAtTelephones(text: string) {
  const parts: { before: string; number: string; address: string }[] = []
  let end = 0
  for (const { 0: number, index } of text.matchAll(telephones)) {
    parts.push({ before: text.slice(end, index), number, address: callAddress(number) })
    end = index + number.length
  }
  return { parts, rest: text.slice(end) }
}
