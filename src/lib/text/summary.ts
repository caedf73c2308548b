/** What search engines show of a description, at most. */
const longest = 160

/** The beginning of a plain text on one line, up to the end of a sentence, or of a word where the first sentence is long. */
export function summarize(text: string) {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= longest) return line
  const whole = /^.{60,159}[.!?](?=\s)/u.exec(line)?.[0]
  return whole ?? `${line.slice(0, longest - 3).replace(/\s+\S*$/, '')}…`
}
