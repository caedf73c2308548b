/** Spaces, control characters, invisible characters (zero-width, fillers, variation selectors) and the blank Braille cell. */
const invisible = /[\s\p{Cc}\p{DI}\u2800]/u
const allowedControls = '\0\t\n\r'

/** True for a text without visible characters. */
export function isBlank(value: string) {
  for (const character of value) if (!invisible.test(character)) return false
  return true
}

/** Composes accents (NFC), so that search finds them, and removes control characters. NUL stays, for the schema to reject. */
export function tidyText(value: string) {
  return value.normalize('NFC').replaceAll(/\p{Cc}/gu, (control) => (allowedControls.includes(control) ? control : ''))
}

/** Trims invisible characters, such as a no-break space, from both ends; `atEnd` lists more characters to trim at the end. */
export function trimInvisible(value: string, atEnd = '') {
  // A loop: a regular expression anchored at the end is slow on 50,000 spaces in the middle.
  let [start, end] = [0, value.length]
  while (start < end && invisible.test(value.charAt(start))) start += 1
  while (end > start && (invisible.test(value.charAt(end - 1)) || atEnd.includes(value.charAt(end - 1)))) end -= 1
  return value.slice(start, end)
}

/** A pasted e-mail address, without a trailing full stop or comma. */
export const tidyEmail = (value: string) => trimInvisible(tidyText(value), '.,;')

const openers = '\u202A\u202B\u202D\u202E'
const isolates = '\u2066\u2067\u2068'

/**
 * Closes the direction marks left open in a text (such as a right-to-left override in a name) and drops unmatched closing marks
 * (UAX #9), so that they do not affect the text after it; the same for a name written from right to left. For places where a `bdi` element is impossible.
 */
export function isolateDirection(value: string) {
  if (!/[\u202A-\u202E\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}]/u.test(value)) return value
  const open: string[] = []
  let result = ''
  for (const character of value) {
    if (openers.includes(character)) open.push('\u202C')
    else if (isolates.includes(character)) open.push('\u2069')
    else if (character === '\u202C' || character === '\u2069') {
      if (open.at(-1) !== character) continue
      open.pop()
    }
    result += character
  }
  return `\u2068${result}${open.toReversed().join('')}\u2069`
}

/** For a search: without case, accents or ligatures. */
export function foldText(value: string) {
  return value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae')
}

const typedTelephone = /[+(]*\d[\d\s().-]{5,}\d/g

/**
 * The `like` patterns of each search term; a text folded by `foldText` must match one of each term. Apostrophes match each other,
 * hyphens too, and a phone number matches in any notation.
 */
export function likePatterns(search: string) {
  const folded = foldText(search)
  const telephones = folded.match(typedTelephone) ?? []
  const words = folded.replaceAll(typedTelephone, ' ').split(/\s+/).filter(Boolean)
  return [...telephones.map(telephoneWritings), ...words.map((word) => [likePattern(word)])].map((all) =>
    all.map((one) => `%${one}%`),
  )
}

/** A folded text as a pattern of `like`, in which any apostrophe and any hyphen match each other. */
export const likePattern = (word: string) => word.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll(/[-‐-―'‘’ʼ´`]/g, '_')

function telephoneWritings(typed: string) {
  const digits = typed.replaceAll(/\D/g, '')
  const [, area, exchange = '', line = ''] = /^1?(\d{3})?(\d{3})(\d{4})$/.exec(digits) ?? []
  // As it was typed, which may be the number of a request.
  const writings = [digits, typed.replaceAll(/\D/g, '_')]
  if (!line) return writings
  if (!area) return [...writings, `${exchange}_${line}`]
  return [...writings, `${area}${exchange}${line}`, `${area}_${exchange}_${line}`, `${area}__${exchange}_${line}`]
}

/** Up to the space, the bracket or the punctuation that ends a sentence. */
const links = /(?:https?:\/\/|mailto:|tel:)[^\s<>"'`«»“”]*[^\s<>"'`«»“”.,;:!?…)\]}’]/gi

/** The addresses in a text (http, https, mailto, tel), each with what is before it, and the rest. */
export function cutAtLinks(text: string) {
  const parts: { before: string; address: string }[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(links)) {
    const address = closeParenthesis(text, index, found)
    if (!URL.canParse(address)) continue
    parts.push({ before: text.slice(end, index), address })
    end = index + address.length
  }
  return { parts, rest: text.slice(end) }
}

/** `https://example.com/a_(b)` ends with its parenthesis, `(https://example.com)` before it. */
function closeParenthesis(text: string, index: number, found: string) {
  const isOpen = found.split('(').length > found.split(')').length
  return isOpen && text[index + found.length] === ')' ? `${found})` : found
}
