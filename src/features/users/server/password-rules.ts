import { Invalid } from '#src/server/problems.ts'
import { isRefusedPassword } from '../contract.ts'

/** Throws `Invalid` for a password that meets the rules and is too easy to guess all the same. */
export function refuseCommonPassword(password: string, username: string) {
  if (isRefusedPassword(password, username)) {
    throw new Invalid('This password is too easy to guess.', [{ path: 'new_password', message: 'too easy to guess' }])
  }
}
