/** The rules for a new password, each with the key of its text. */
export const passwordRules = [
  { key: 'length', isMet: (password: string) => Array.from(password).length >= 12 },
  { key: 'uppercase', isMet: (password: string) => /\p{Lu}/u.test(password) },
  { key: 'lowercase', isMet: (password: string) => /\p{Ll}/u.test(password) },
  { key: 'digit', isMet: (password: string) => /\d/.test(password) },
  { key: 'special', isMet: (password: string) => /[^\p{L}\p{M}\d\s]/u.test(password) },
] as const

/** In Unicode characters, not UTF-16 units. */
export const passwordMaxLength = 128
