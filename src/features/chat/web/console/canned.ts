import type { Language } from '#src/lib/language.ts'
import { searchable } from '#src/lib/rows.ts'
import type { CannedReply } from '../../console-contract.ts'

/** A shortcut being typed: where its slash stands, and what follows it up to the caret. */
export type Token = { from: number; word: string }

const mostOffered = 8

export function findToken(text: string, caret: number): Token | null {
  const found = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret))
  const word = found?.[1]
  return word === undefined ? null : { from: caret - word.length - 1, word }
}

/** Replies whose shortcut begins with the word, then those that speak of it. */
export function matchReplies(replies: readonly CannedReply[], word: string) {
  const wanted = searchable(word)
  const begins = (one: CannedReply) => searchable(one.shortcut).startsWith(wanted)
  const speaks = (one: CannedReply) => searchable(`${one.shortcut} ${one.reply} ${one.reply_en}`).includes(wanted)
  return [...replies.filter(begins), ...replies.filter((one) => !begins(one) && speaks(one))].slice(0, mostOffered)
}

export function insertReply(text: string, { from, word }: Token, reply: string) {
  const caret = from + reply.length
  return { text: text.slice(0, from) + reply + text.slice(from + 1 + word.length), caret }
}

/** The reply as the visitor reads it: French stands in where nobody wrote the English. */
export function textFor(visitor: Language, { reply, reply_en: english }: CannedReply): { text: string; language: Language } {
  return visitor === 'en' && english.trim() ? { text: english, language: 'en' } : { text: reply, language: 'fr' }
}
