import { hash, verify } from '@node-rs/argon2'
import { company } from '#company/company.ts'
import { Invalid } from '#src/server/problems.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string) {
  return hash(password, cost)
}

/** A hash of a random password, checked where no such user exists so that the response takes the same time. */
const decoy = hashPassword('nobody has this password')

export async function isPasswordRight(passwordHash: string | null | undefined, password: string) {
  const right = await verify(passwordHash ?? (await decoy), password)
  return right && Boolean(passwordHash)
}

/** Hashes a secret with the salt of a stored hash, so that the hashes can be compared. */
export async function hashLike(storedHash: string, secret: string) {
  const salt = storedHash.split('$')[4] ?? ''
  return hash(secret, { ...cost, salt: Buffer.from(salt, 'base64') })
}

/** Hashes the secrets of one user with one salt, so that one computation finds the matching one. */
export async function hashTogether(secrets: readonly string[]) {
  const [first, ...others] = secrets
  if (first === undefined) return []
  const firstHash = await hashPassword(first)
  return [firstHash, ...(await Promise.all(others.map((secret) => hashLike(firstHash, secret))))]
}

/**
 * Words of the product, its trade, and the place and season of its users, in both languages. docs/security/authentication.md
 * has the same list; a test compares them.
 */
export const contextWords = {
  product: 'guichet comptoir clavardage chat console counter desk helpdesk ticket',
  account:
    'administrateur administratrice administration administrator admin technicien technicienne technician employe employee ' +
    'utilisateur user username superviseur supervisor gestionnaire manager directeur director equipe team connexion login ' +
    'motdepasse passe password passphrase secret bonjour bienvenue hello welcome changeme changermoi temporaire temporary',
  trade:
    'informatique informaticien telecom telecommunication telecommunications telephonie telephone telephony phone infonuagique ' +
    'infonuage nuage cloud reseau reseaux network serveur server fibre fiber internet ordinateur computer logiciel software ' +
    'materiel hardware technologie technologies technology technique technical securite security cybersecurite cybersecurity ' +
    'soutien support service services client clients customer bureau office entreprise company compagnie business',
  place:
    'quebec montreal laval gatineau longueuil sherbrooke levis saguenay trois rivieres terrebonne beauport limoilou sainte foy ' +
    'ville city canada canadien canadiens canadian nordiques remparts tabarnak',
  time:
    'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre january february march april may june ' +
    'july august september october november december lundi mardi mercredi jeudi vendredi samedi dimanche monday tuesday ' +
    'wednesday thursday friday saturday sunday printemps ete automne hiver spring summer autumn fall winter noel christmas',
}

/** Characters commonly typed in place of a letter. */
const lookAlikes: Record<string, string> = {
  a: '4@',
  b: '8',
  c: '(<',
  e: '3€',
  g: '96',
  i: '1!|',
  l: '1!|7',
  o: '0',
  s: '5$',
  t: '7+',
  z: '2',
}

/** Characters that must remain in a password besides context words, years and sequences. */
const minimumUnpredictable = 8

const builtInWords = Object.values(contextWords).join(' ').split(' ')
let common: Promise<Set<string>> | undefined

type PasswordContext = {
  /** The user's own names: a password must not contain one. */
  names: readonly string[]
  /** Other words related to the user, such as the domain of their email. */
  words?: readonly string[]
}

/**
 * True for a password that meets the rules and is still easy to guess: it contains the user's name, or is one common word with
 * digits, punctuation and look-alikes, or has little besides context words.
 */
async function isCommonPassword(password: string, { names, words = [] }: PasswordContext) {
  const plain = plainCharacters(password)
  const own = names.map(lettersOf).filter((name) => name.length >= 3)
  if (cover(plain, own, 3).includes(true)) return true
  common ??= loadCommonWords()
  const known = await common
  if (isOneKnownWord(plain, known)) return true
  const context = [...builtInWords, ...companyWords(), ...words].map(lettersOf)
  const covered = cover(plain, context, 4)
  if (!covered.includes(true)) return false
  const rest = plain.filter((_, index) => !covered[index]).join('')
  return countUnpredictable(rest) < minimumUnpredictable || isOneKnownWord([...rest], known)
}

/** Marks the characters of a word; a word shorter than `free` counts only where it is separate. */
function cover(text: readonly string[], words: readonly string[], free: number) {
  const covered = text.map(() => false)
  for (const word of words) {
    if (word.length < 3) continue
    for (let start = 0; start < text.length; start += 1) {
      const end = endOfWord(text, start, word)
      const isAlone = !isLetter(text[start - 1]) && !isLetter(text[end])
      if (end > start && (word.length >= free || isAlone)) covered.fill(true, start, end)
    }
  }
  return covered
}

/** End of the word that starts here, through look-alikes, doubled letters and separators; `start` where there is none. */
function endOfWord(text: readonly string[], start: number, word: string) {
  let at = start
  for (let letter = 0; letter < word.length; at += 1) {
    const sign = text[at]
    if (sign === undefined) return start
    if (standsFor(sign, word[letter] ?? '')) letter += 1
    else if (at === start || (isLetterOrDigit(sign) && sign !== text[at - 1])) return start
  }
  return at
}

const standsFor = (sign: string, letter: string) => sign === letter || (lookAlikes[letter]?.includes(sign) ?? false)
const isLetter = (sign: string | undefined) => sign !== undefined && /[a-z]/.test(sign)
const isLetterOrDigit = (sign: string) => /[\p{L}\d]/u.test(sign)

function isOneKnownWord(text: readonly string[], known: Set<string>) {
  const readings = ['', 'i', 'l'].map((one) => text.map((sign) => readSign(sign, one)).join(''))
  return readings
    .map((reading) => reading.replaceAll(/[^a-z]/g, ''))
    .some((letters) => known.has(letters) || known.has(half(letters)) || new Set(letters).size <= 2)
}

/** The letter that a character replaces; `1`, `!` and `|` are read as given, and not at all where that is empty. */
function readSign(sign: string, one: string) {
  if (one === '') return sign
  if ('1!|'.includes(sign)) return one
  return Object.keys(lookAlikes).find((letter) => lookAlikes[letter]?.includes(sign)) ?? sign
}

/** A repeated word adds nothing. */
function half(text: string) {
  const middle = text.length / 2
  return text.slice(0, middle) === text.slice(middle) ? text.slice(0, middle) : text
}

/** Counts letters and digits that do not continue a sequence; years are not counted. */
function countUnpredictable(text: string) {
  const signs = [...text.replaceAll(/(?:19|20)\d\d/g, '').replaceAll(/[^\p{L}\d]/gu, '')]
  return signs.filter((sign, index) => {
    const step = index === 0 ? 2 : Math.abs((sign.codePointAt(0) ?? 0) - (signs[index - 1]?.codePointAt(0) ?? 0))
    return step > 1
  }).length
}

function companyWords() {
  const { name, legalName, address, emails, links } = company
  const hosts = [...Object.values(emails).map((email) => email.split('@', 2)[1] ?? ''), new URL(links.clientArea).hostname]
  return [name, legalName, address.city, address.street, ...hosts].flatMap((text) => text.split(/[^\p{L}\d]+/u))
}

const plainCharacters = (text: string) => [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()]
const lettersOf = (text: string) =>
  plainCharacters(text)
    .join('')
    .replaceAll(/[^a-z\d]/g, '')

async function loadCommonWords() {
  // Loaded on first use: 49,000 words.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const words = [...dictionary['passwords-common'], ...builtInWords, ...companyWords()]
  return new Set(words.map((word) => lettersOf(word).replaceAll(/\d/g, '')).filter((word) => word.length >= 3))
}

type Named = { username: string; firstName: string; lastName: string; displayName: string; email: string }

const partsOf = (text: string) => text.split(/[^\p{L}\d]+/u)

/** True for a password that meets the rules and is easy to guess for somebody who knows the user and their workplace. */
export function isEasyToGuess(password: string, user: Named) {
  const [mailbox = '', host = ''] = user.email.split('@', 2)
  const whole = [user.firstName, user.lastName, user.displayName, mailbox]
  // A short first name occurs by chance in many good passwords.
  const others = [...whole, ...whole.flatMap(partsOf)].filter((name) => name.length >= 4)
  return isCommonPassword(password, { names: [user.username, ...others], words: partsOf(host) })
}

/** Throws `Invalid` for a password that meets the rules and is too easy to guess. */
export async function refuseCommonPassword(password: string, user: Named) {
  if (await isEasyToGuess(password, user)) {
    throw new Invalid('This password is too easy to guess.', [{ path: 'new_password', message: 'too easy to guess' }])
  }
}
