import { Invalid } from '#src/server/problems.ts'
import { isCommonPassword } from './common-passwords.ts'

type Named = { username: string; firstName: string; lastName: string; email: string }

/** Throws `Invalid` for a password that meets the rules and is too easy to guess all the same. */
export async function refuseCommonPassword(password: string, user: Named) {
  // A short first name is found by chance in many good passwords.
  const others = [user.firstName, user.lastName, user.email.split('@', 1)[0] ?? ''].filter((name) => name.length >= 4)
  if (await isCommonPassword(password, [user.username, ...others])) {
    throw new Invalid('This password is too easy to guess.', [{ path: 'new_password', message: 'too easy to guess' }])
  }
}
