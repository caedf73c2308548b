import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import type { Language } from '#src/lib/language/language.ts'
import { foldText } from '#src/lib/text/plain-text.ts'

/** Stop words of both languages, without accents. */
const stopWords = new Set(
  (
    'a ai ait alors apres as au aucun aussi autre aux avec avoir avons ayant bon ca car ce ceci cela ces cet cette chaque chez comment ' +
    'comme dans de depuis des deux devrait doit donc du elle elles en encore entre es est et etais etait etant ete etre eu fait faire ' +
    'faut il ils je la le les leur leurs lors lorsque lui ma mais me meme mes moi mon ne nos notre nous on ont ou par parce pas ' +
    'pendant peu peut peux pour pourquoi puis quand que quel quelle quelles quels qui quoi qu sa se sera ses si soit sommes sont sous ' +
    'sur ta te tes toi ton tous tout toute toutes tres trop tu un une veut veux voir vos votre vous y ' +
    'about after all am an and any are at be because been but by can cannot could did do does doing don for from get got had has have he ' +
    'her here him his how i if im in into is isn it its just like my need no not of off or our out over please she should so some ' +
    'that the their them then there these they this to too up us was we were what when where which while who why will with would you your'
  ).split(' '),
)

const stems: Record<Language, { of: (word: string) => string; known: Map<string, string> }> = {
  fr: { of: stemFrench, known: new Map() },
  en: { of: stemEnglish, known: new Map() },
}
const mostKnown = 50_000

/** The stem of a folded word. A word is stemmed once. */
export function stemOf(word: string, language: Language) {
  const { of, known } = stems[language]
  const found = known.get(word)
  if (found !== undefined) return found
  const stem = /\d/.test(word) ? word : of(word) || word
  if (known.size >= mostKnown) known.clear()
  known.set(word, stem)
  return stem
}

/** Folded text in which a word that is written several ways has one form. */
export const foldWords = (text: string) =>
  foldText(text)
    .replaceAll(/\bwi[-‑ ]fi\b/g, 'wifi')
    .replaceAll(/\be[-‑]mail/g, 'email')

/** The words of a text without case, accents and stop words. */
export const splitWords = (text: string) =>
  foldWords(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !stopWords.has(word))

/** The words of a text as they were written, with their places. */
export function* placesOf(text: string) {
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[-‑'’][\p{L}\p{M}\p{N}]+)*/gu)) {
    for (const word of splitWords(match[0])) yield { word, start: match.index, end: match.index + match[0].length }
  }
}
