/** The rules for a new password (spec.md 5), each with the key of its text. */
export const passwordRules = [
  { key: 'length', isMet: (password: string) => [...password].length >= 12 },
  { key: 'uppercase', isMet: (password: string) => /\p{Lu}/u.test(password) },
  { key: 'lowercase', isMet: (password: string) => /\p{Ll}/u.test(password) },
  { key: 'digit', isMet: (password: string) => /\d/.test(password) },
  { key: 'special', isMet: (password: string) => /[^\p{L}\d\s]/u.test(password) },
] as const

export const passwordMaxLength = 128

/** Words people build their passwords on; what is left of a password without its digits and signs must be more. */
const commonWords = new Set(
  (
    'password motdepasse passw bonjour azerty qwerty qwertyuiop azertyuiop administrator administrateur admin welcome bienvenue ' +
    'letmein changeme iloveyou jetaime soleil sunshine dragon football hockey canadiens montreal quebec guichet welcometo ' +
    'master monkey princess princesse superman batman starwars trustno secret secretsecret passwordpassword summer winter ' +
    'spring autumn ete hiver printemps automne january february march april june july august september october november december ' +
    'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre abcdefghijkl abcdef chocolat doudou ' +
    'loulou nicolas camille tabarnak michel jordan liverpool arsenal computer ordinateur internet'
  ).split(' '),
)

/** True for a password that is too easy to guess although it meets the rules, or that holds the user's name. */
export function isCommonPassword(password: string, username: string) {
  const plain = password.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const name = username.toLowerCase()
  if (name.length >= 3 && plain.includes(name)) return true
  const unmasked = plain.replaceAll('0', 'o').replaceAll(/[1!|]/g, 'i').replaceAll('3', 'e').replaceAll(/[4@]/g, 'a').replaceAll(/[5$]/g, 's')
  const candidates = [plain, unmasked].map((text) => text.replaceAll(/[^a-z]/g, ''))
  return candidates.some((text) => commonWords.has(text) || new Set(text).size <= 2)
}
