import type { SearchResult } from '#src/lib/schemas.ts'

/** Of an element whose marked words matched. */
export const marksClass = '[&_mark]:rounded-sm [&_mark]:bg-warn-soft [&_mark]:font-bold [&_mark]:text-ink'

/** The words of a title and what is between them, each with whether it matched. */
function partsOf({ title, matched }: SearchResult) {
  const words = new Set(matched.map((word) => word.toLowerCase()))
  const parts = title.split(/([\p{L}\p{M}\p{N}]+(?:[-‑'’][\p{L}\p{M}\p{N}]+)*)/u)
  return parts.map((text) => ({ text, isMatch: words.has(text.toLowerCase()) }))
}

/** The title of a result, with the words that matched marked. */
export function MarkedTitle({ result }: { result: SearchResult }) {
  return (
    <span className={marksClass}>
      {partsOf(result).map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}
    </span>
  )
}

/** The words that a result was found by, where neither its title nor its excerpt shows them. */
export function unshownWords(result: SearchResult) {
  const isShown = result.excerpt.includes('<mark>') || partsOf(result).some(({ isMatch }) => isMatch)
  return isShown ? '' : result.matched.join(', ')
}
