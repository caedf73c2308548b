const gramLength = 3

/** Lower case without accents. */
function fold(text: string) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const isNumber = (word: string) => /^[\d()+.\-#*]+$/.test(word) && /\d/.test(word)
const digitsOf = (word: string) => word.replaceAll(/\D/g, '')

/** The searchable text of a row: its words, and its numbers as digits only. */
export function searchedText(fields: readonly string[]) {
  const words = fields.flatMap((field) => {
    const folded = fold(field).trim()
    const digits = digitsOf(folded)
    return isNumber(folded.replaceAll(' ', '')) ? [digits] : [folded, ...(digits.length > 2 ? [digits] : [])]
  })
  return words.filter(Boolean).join('|')
}

/** The words of a search; a row must contain each of them. */
export function searchedWords(search: string) {
  const words = fold(search).split(/[\s|]+/)
  return words.map((word) => (isNumber(word) ? digitsOf(word) : word)).filter(Boolean)
}

/** Every run of one, two and three characters: what the index knows. */
export function gramsOf(text: string) {
  const grams = new Set<string>()
  for (const part of text.split(/[\s|]+/)) {
    for (let length = 1; length <= gramLength; length++) {
      for (let at = 0; at + length <= part.length; at++) grams.add(part.slice(at, at + length))
    }
  }
  return [...grams]
}

/** The longest runs of a word: enough to find it by. */
export function gramsOfWord(word: string) {
  if (word.length <= gramLength) return [word]
  return [...new Set(Array.from({ length: word.length - gramLength + 1 }, (_, at) => word.slice(at, at + gramLength)))]
}
