export type Piece = { kind: 'same' | 'removed' | 'added'; text: string }

/** Above this no common words are searched: the search costs the product of the two lengths. */
const maxCells = 1_000_000

/** The difference between two texts, word by word. */
export function diffWords(before: string, after: string): Piece[] {
  const one = wordsOf(before)
  const other = wordsOf(after)
  if (one.length * other.length > maxCells) {
    return joined([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ])
  }
  const common = commonLengths(one, other)
  const pieces: Piece[] = []
  let from = 0
  let to = 0
  while (from < one.length || to < other.length) {
    if (from < one.length && to < other.length && one[from] === other[to]) {
      pieces.push({ kind: 'same', text: one[from] ?? '' })
      from += 1
      to += 1
    } else if (to >= other.length || (from < one.length && lengthAt(common, from + 1, to) >= lengthAt(common, from, to + 1))) {
      pieces.push({ kind: 'removed', text: one[from] ?? '' })
      from += 1
    } else {
      pieces.push({ kind: 'added', text: other[to] ?? '' })
      to += 1
    }
  }
  return joined(pieces)
}

function wordsOf(text: string) {
  return text.match(/\s+|[^\s]+/gu) ?? []
}

/** For each pair of starts, how many words the rests have in common. */
function commonLengths(one: string[], other: string[]) {
  const table = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  for (let from = one.length - 1; from >= 0; from -= 1) {
    for (let to = other.length - 1; to >= 0; to -= 1) {
      const row = table[from]
      if (!row) continue
      row[to] =
        one[from] === other[to]
          ? lengthAt(table, from + 1, to + 1) + 1
          : Math.max(lengthAt(table, from + 1, to), lengthAt(table, from, to + 1))
    }
  }
  return table
}

function lengthAt(table: Uint16Array[], from: number, to: number) {
  return table[from]?.[to] ?? 0
}

/** Neighbours of one kind as one piece; nothing at all is no piece. */
function joined(pieces: Piece[]) {
  const whole: Piece[] = []
  for (const { kind, text } of pieces) {
    const last = whole.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text) whole.push({ kind, text })
  }
  return whole
}
