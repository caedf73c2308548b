/** Errors of a new password, as in. */
export const passwordRuleMessage =
  'The new password must contains at least 12 characters, at least one uppercase letter, one lowercase letter, one number and one special character'
export const passwordsDifferMessage = 'Password are not matching'

/** Colors of a user's chat messages: white text has a contrast of at least 4.5 to 1 on each. */
export const chatColors = ['#1746A2', '#18794E', '#8A3FA0', '#A14A00', '#B3261E', '#0B6B75', '#4A5670', '#7A4B2A'] as const

/** Session storage key of the signed-in user. */
export const profileStorageKey = 'user_profile'

/** Local storage key of the mark that somebody signed in: a new tab asks the server only where it is. */
export const signedInKey = 'signed_in'
