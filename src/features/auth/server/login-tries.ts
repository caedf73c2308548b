import { placeOfAddress } from '#src/server/http/addresses.ts'
import type { Limits } from '#src/server/http/limits.ts'
import { Limited } from '#src/server/problems.ts'

const seconds = 900
/** Wrong tries in a quarter of an hour (docs/security/authentication.md says why these figures). */
export const loginLimits = {
  place: { points: 30, seconds },
  accountAtPlace: { points: 5, seconds },
  knownBrowser: { points: 10, seconds },
  /** From here on strangers are told to wait, whether or not their own address tried before. */
  accountNotice: 50,
  /** From here on only browsers known to the account are heard. */
  account: { points: 2_000, seconds },
}

type Try = { account: string; address: string; knownBrowser: string | null }

/**
 * Counts a try before its password is checked, so that parallel tries cannot slip through; throws `Limited`.
 * What it answers is called with the outcome: a right password takes the count back.
 */
export async function countTry(limits: Limits, { account, address, knownBrowser }: Try) {
  if (knownBrowser) {
    await limits.take('login-browser', knownBrowser, loginLimits.knownBrowser)
    return {
      right: () => limits.forget('login-browser', knownBrowser, loginLimits.knownBrowser),
      wrong: async () => undefined,
    }
  }
  const place = placeOfAddress(address)
  const accountAtPlace = `${account}\n${place}`
  await limits.take('login-place', place, loginLimits.place)
  await limits.take('login-account-place', accountAtPlace, loginLimits.accountAtPlace)
  const tries = await limits.used('login-account', account, loginLimits.account)
  if (tries >= loginLimits.account.points) throw new Limited(seconds)
  return {
    right: async () => {
      await limits.giveBack('login-place', place, loginLimits.place)
      await limits.forget('login-account-place', accountAtPlace, loginLimits.accountAtPlace)
    },
    wrong: async () => {
      await limits.take('login-account', account, loginLimits.account)
      if (tries >= loginLimits.accountNotice) throw new Limited(seconds)
    },
  }
}
