import { networkOf } from '#src/server/http/addresses.ts'
import type { Limits } from '#src/server/http/limits.ts'
import { Limited } from '#src/server/problems.ts'

const seconds = 900
/** Failed attempts in 15 minutes (reasons: docs/security/authentication.md). */
export const loginLimits = {
  place: { points: 30, seconds },
  accountAtPlace: { points: 5, seconds },
  knownBrowser: { points: 10, seconds },
  /** All known browsers of an account together: from here on their marks count for nothing. */
  knownBrowsers: { points: 20, seconds },
  /** From here on every failed attempt gets 429, from any address and browser. */
  accountNotice: 20,
  /** From here on only browsers known to the account are checked. */
  account: { points: 2_000, seconds },
}

type Try = { account: string; address: string; knownBrowser: string | null }
type Outcome = { right: () => Promise<void>; wrong: () => Promise<void> }

/**
 * Counts a try before its password is checked, so that parallel tries cannot slip through; throws `Limited`.
 * What it returns is called with the outcome: a right password takes the count back.
 */
export async function countAttempt(limits: Limits, { account, address, knownBrowser }: Try): Promise<Outcome> {
  const tries = await limits.used('login-account', account, loginLimits.account)
  const wrong = async () => {
    await limits.take('login-account', account, loginLimits.account)
    if (tries >= loginLimits.accountNotice) throw new Limited(seconds)
  }
  if (knownBrowser && (await takeAsKnown(limits, account, knownBrowser))) {
    return {
      right: async () => {
        await limits.forget('login-browser', knownBrowser, loginLimits.knownBrowser)
        await limits.refund('login-browsers', account, loginLimits.knownBrowsers)
      },
      wrong,
    }
  }
  const place = networkOf(address)
  const accountAtPlace = `${account}\n${place}`
  await limits.take('login-place', place, loginLimits.place)
  await limits.take('login-account-place', accountAtPlace, loginLimits.accountAtPlace)
  if (tries >= loginLimits.account.points) throw new Limited(seconds)
  return {
    right: async () => {
      await limits.refund('login-place', place, loginLimits.place)
      await limits.forget('login-account-place', accountAtPlace, loginLimits.accountAtPlace)
    },
    wrong,
  }
}

/** False where so many wrong passwords came with marks of this account that one more means nothing. */
async function takeAsKnown(limits: Limits, account: string, knownBrowser: string) {
  await limits.take('login-browser', knownBrowser, loginLimits.knownBrowser)
  try {
    await limits.take('login-browsers', account, loginLimits.knownBrowsers)
    return true
  } catch (refused) {
    if (refused instanceof Limited) return false
    throw refused
  }
}
