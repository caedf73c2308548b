import { isSame } from '#src/lib/merge.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'

export type Side = 'theirs' | 'mine'

/** Which version of a field a conflict ends with where nobody chooses: the one that was changed; null where both were. */
export function sideOf(base: unknown, mine: unknown, theirs: unknown): Side | null {
  if (isSame(mine, base)) return 'theirs'
  return isSame(theirs, base) ? 'mine' : null
}

const isHtml = (value: string) => /^<(?:p|ul|ol|h3|h4|blockquote|table)\b/.test(value)

/** Two texts to compare word by word; null where their words are the same, or they are no texts. */
export function comparedTexts(mine: unknown, theirs: unknown): { mine: string; theirs: string } | null {
  if (typeof mine !== 'string' || typeof theirs !== 'string' || !/\s/.test(mine + theirs)) return null
  const plain = (value: string) => (isHtml(value) ? textOfHtml(value) : value)
  const words = { mine: plain(mine), theirs: plain(theirs) }
  return words.mine === words.theirs || !words.mine || !words.theirs ? null : words
}
