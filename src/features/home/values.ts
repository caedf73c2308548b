import type { Pair } from '#src/lib/language/english-older.ts'

export const messagePairs = [
  ['title', 'title_en'],
  ['message', 'message_en'],
] as const satisfies readonly Pair[]

export const informationPairs = [
  ['title', 'title_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]
