import { searchable } from '#src/lib/lists.ts'
import type { CannedReply } from './contract.ts'

/** How many replies and articles are suggested at most. */
export const mostSuggested = 2

/** Words that a reply and a question share without being about the same thing. */
const commonWords = new Set(
  [
    'aide aider avec avez avons bien bonjour bonsoir cela cette comme comment dans depuis donc elle encore entre est etes etre fait faire',
    'faut fois leur mais meme merci moins notre nous parce pas peut plus pour pouvez puis quand quel quelle quoi sans sera ses sont',
    'sous sur tout toute toutes tous tres une vers veuillez vos votre vous',
    'about after again also and any are been but can could does for from good have hello help here how into just like more need not',
    'now our please should some than thank thanks that the their them then there they this too very want was what when where',
    'which will with would you your',
  ]
    .join(' ')
    .split(' '),
)
const shortestWord = 3
/** Cut here, so that « imprimante » and « imprimer » are one word. */
const stemLength = 6

function stemsOf(text: string) {
  const words = searchable(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.filter((word) => word.length >= shortestWord && !commonWords.has(word)).map((word) => word.slice(0, stemLength)),
  )
}

/**
 * The saved replies about what is being written, or about what the visitor wrote last: those that share words with it,
 * first the words that few replies have. A reply that stands in the draft is not suggested again.
 */
export function suggestReplies(replies: readonly CannedReply[], { draft, asked }: { draft: string; asked: string }) {
  const written = stemsOf(draft)
  const wanted = new Set([...written, ...stemsOf(asked)])
  if (wanted.size === 0) return []
  const stems = replies.map((reply) => stemsOf(`${reply.shortcut} ${reply.reply} ${reply.reply_en}`))
  const worth = (stem: string) => Math.log(1 + replies.length / stems.filter((one) => one.has(stem)).length)
  return replies
    .map((reply, index) => {
      const shared = [...(stems[index] ?? [])].filter((stem) => wanted.has(stem))
      const score = shared.reduce((sum, stem) => sum + worth(stem) * (written.has(stem) ? 2 : 1), 0)
      return { reply, score }
    })
    .filter(({ reply, score }) => score > 0 && !isIn(draft, reply))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostSuggested)
    .map(({ reply }) => reply)
}

/** Its beginning is enough: the variables in it are filled by then. */
function isIn(draft: string, { reply, reply_en: english }: CannedReply) {
  const begins = (text: string) => text.split(/[{\n]/)[0]?.trim() ?? ''
  return [reply, english].some((text) => begins(text).length > stemLength && draft.includes(begins(text)))
}

/** A reply and an article where there are both; `mostSuggested` in all. */
export function mixSuggestions<Reply, Found>(replies: readonly Reply[], articles: readonly Found[]) {
  const mixed = [replies[0], articles[0], replies[1], articles[1]]
  return mixed.flatMap((one) => (one === undefined ? [] : [one])).slice(0, mostSuggested)
}
