import { Invalid } from '#src/server/problems.ts'
import { isCommonPassword } from './common-passwords.ts'

type Named = { username: string; firstName: string; lastName: string; displayName: string; email: string }

const partsOf = (text: string) => text.split(/[^\p{L}\d]+/u)

/** Whether a password that meets the rules is easy to guess for somebody who knows the user and where they work. */
export function isEasyToGuess(password: string, user: Named) {
  const [mailbox = '', host = ''] = user.email.split('@', 2)
  const whole = [user.firstName, user.lastName, user.displayName, mailbox]
  // A short first name is found by chance in many good passwords.
  const others = [...whole, ...whole.flatMap(partsOf)].filter((name) => name.length >= 4)
  return isCommonPassword(password, { names: [user.username, ...others], words: partsOf(host) })
}

/** Throws `Invalid` for a password that meets the rules and is too easy to guess all the same. */
export async function refuseCommonPassword(password: string, user: Named) {
  if (await isEasyToGuess(password, user)) {
    throw new Invalid('This password is too easy to guess.', [{ path: 'new_password', message: 'too easy to guess' }])
  }
}
