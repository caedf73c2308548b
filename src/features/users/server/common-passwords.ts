import { company } from '#company/company.ts'

/** Words of this product and of its people's surroundings (docs/security/authentication.md). */
const contextWords =
  'guichet comptoir motdepasse administrateur administratrice administration technicien technicienne clavardage informatique ' +
  'telecom telephonie bonjour bienvenue quebec montreal canada canadiens nordiques tabarnak printemps automne hiver janvier fevrier mars ' +
  'avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche january ' +
  'february march april june july august september october november december winter spring summer autumn welcome changeme'

const substitutes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

let words: Promise<Set<string>> | undefined

/**
 * True for a password that meets the rules and is easy to guess all the same: it holds the person's own name,
 * or is one common word (or the same one twice) dressed up with digits, signs and look-alikes.
 */
export async function isCommonPassword(password: string, ownNames: readonly string[]) {
  const plain = plainLetters(password)
  if (ownNames.map(plainLetters).some((name) => name.length >= 3 && plain.includes(name))) return true
  words ??= loadWords()
  const known = await words
  const candidates = [plain, unmask(plain)].map((text) => text.replaceAll(/[^a-z]/g, ''))
  return candidates.some((text) => known.has(text) || known.has(half(text)) || new Set(text).size <= 2)
}

/** A second time the same word adds nothing. */
function half(text: string) {
  const middle = text.length / 2
  return text.slice(0, middle) === text.slice(middle) ? text.slice(0, middle) : text
}

const unmask = (text: string) => text.replaceAll(/[01!|34@5$7]/g, (sign) => substitutes[sign] ?? sign)

const plainLetters = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

async function loadWords() {
  // Loaded when it is first needed: 49,000 words that most starts never look at.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const all = [...dictionary['passwords-common'], ...contextWords.split(' '), ...company.name.split(/\s+/).map(plainLetters)]
  return new Set(all.map((word) => word.replaceAll(/[^a-z]/g, '')).filter((word) => word.length >= 3))
}
