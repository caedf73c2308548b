/** Spaces, controls and what is never drawn (zero-width, fillers, variation selectors), as well as the blank Braille cell. */
const invisible = /[\s\p{Cc}\p{DI}\u2800]/u
const allowedControls = '\0\t\n\r'

/** True for a text in which nothing would be seen. */
export function isBlank(value: string) {
  for (const character of value) if (!invisible.test(character)) return false
  return true
}

/** Composes accents, so that search finds them, and removes ESC, BEL and the like; NUL is left for the schema to refuse. */
export function tidyText(value: string) {
  return value.normalize('NFC').replaceAll(/\p{Cc}/gu, (control) => (allowedControls.includes(control) ? control : ''))
}

/** A text without what clings invisibly to its ends, such as a no-break space; `atEnd`: more that goes at its end. */
export function trimInvisible(value: string, atEnd = '') {
  // Loops: a regular expression anchored at the end is slow on 50,000 spaces in the middle.
  let [start, end] = [0, value.length]
  while (start < end && invisible.test(value.charAt(start))) start += 1
  while (end > start && (invisible.test(value.charAt(end - 1)) || atEnd.includes(value.charAt(end - 1)))) end -= 1
  return value.slice(start, end)
}

/** An address as it was pasted, without the full stop or comma of the sentence it stood in. */
export const tidyEmail = (value: string) => trimInvisible(tidyText(value), '.,;')

const openers = '\u202A\u202B\u202D\u202E'
const isolates = '\u2066\u2067\u2068'

/**
 * Keeps a text's direction marks (a right-to-left override in a name) from turning what stands after it, where no
 * `bdi` element can: those left open are closed, a close without its opening is dropped (UAX #9).
 */
export function isolateDirection(value: string) {
  if (!/[\u202A-\u202E\u2066-\u2069]/.test(value)) return value
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
