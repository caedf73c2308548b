import { inflateSync } from 'node:zlib'

/** What makes a document do something, or carry something else, when it is opened. */
const acting =
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData|GoTo[ER]|Rendition|Movie|Sound|Encrypt)\b/
const inflatedMax = 32 * 1024 * 1024

/**
 * Whether bytes are a PDF that only shows pages: it begins and ends as one, so nothing rides before or behind it, and
 * none of its objects, plain or packed together, holds a script, a program, a form that sends or another file. One
 * that cannot be looked into (encrypted, packed in a rare way, or too large inside) is not safe.
 */
export function isSafePdf(bytes: Buffer) {
  const text = bytes.toString('latin1')
  if (!/^%PDF-[12]\.\d/.test(text)) return false
  if (!/%%EOF\s*$/.test(text.slice(-64))) return false
  const parts = split(text)
  if (!parts) return false
  let left = inflatedMax
  for (const { plain, stream } of parts) {
    const names = unescapeNames(plain)
    if (acting.test(names)) return false
    if (!stream) continue
    // An object that hides where pictures and fonts are not looked into.
    if (/\d\s+\d+\s+obj\b/.test(text.slice(stream.start, stream.end))) return false
    const dictionary = names.slice(names.lastIndexOf('obj'))
    if (!/\/ObjStm\b/.test(dictionary)) continue
    const packed = unpack(bytes.subarray(stream.start, stream.end), dictionary, left)
    if (packed === null || acting.test(unescapeNames(packed))) return false
    left -= packed.length
  }
  return true
}

type Part = { plain: string; stream: { start: number; end: number } | null }

/** The text of the objects, each with the stream that follows it; null where a stream has no end. */
function split(text: string): Part[] | null {
  const parts: Part[] = []
  const marks = /\bstream\r?\n/g
  let from = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const start = mark.index + mark[0].length
    const end = text.indexOf('endstream', start)
    if (end < 0) return null
    parts.push({ plain: text.slice(from, mark.index), stream: { start, end } })
    from = end
    marks.lastIndex = end + 'endstream'.length
  }
  return [...parts, { plain: text.slice(from), stream: null }]
}

/** Objects that are packed together; null where they are packed in a way that is not read here, or too many. */
function unpack(bytes: Buffer, dictionary: string, most: number) {
  const filters = /\/Filter\b/.test(dictionary)
  if (!filters) return bytes.toString('latin1')
  if (!/\/Filter\s*\[?\s*\/FlateDecode\s*[\]/>]/.test(dictionary) || /\/Predictor\b/.test(dictionary)) return null
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) }).toString('latin1')
  } catch {
    return null
  }
}

/** `/J#61vaScript` is `/JavaScript`. */
function unescapeNames(text: string) {
  return text.replaceAll(/#([\da-fA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
