import { eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
import { networkOf } from '#src/server/http/addresses.ts'
import type { Limits } from '#src/server/http/limits.ts'
import { readPrivateCookie, setPrivateCookie } from '#src/server/http/private-cookies.ts'
import { isSigned, sign } from '#src/server/http/signatures.ts'
import { Limited } from '#src/server/problems.ts'
import { users } from '../../server/table.ts'

const seconds = 900
/** Failed attempts in 15 minutes (reasons: docs/security/authentication.md). */
const loginLimits = {
  place: { points: 30, seconds },
  accountAtPlace: { points: 5, seconds },
  knownBrowser: { points: 10, seconds },
  /** Limit of all known browsers of an account together: above it their marks are ignored. */
  knownBrowsers: { points: 20, seconds },
  /** Above this limit every failed attempt gets 429, from any address and browser. */
  accountNotice: 20,
  /** Above this limit only passwords from browsers known to the account are checked. */
  account: { points: 2_000, seconds },
}

type Try = { account: string; address: string; knownBrowser: string | null }
type Outcome = { right: () => Promise<void>; wrong: () => Promise<void> }

/**
 * Counts an attempt before its password is checked, so that parallel attempts cannot slip through; throws `Limited`. Call the
 * returned function with the outcome: a correct password is uncounted.
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

/** False once too many wrong passwords came with marks of this account: the marks are then ignored. */
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

export const browserCookie = 'guichet_browser'
const purpose = 'browser'
const lifeSeconds = 30 * 86_400

type User = typeof users.$inferSelect

/**
 * A signed mark identifies a browser that signed in to an account before. It grants nothing: it only exempts the owner from
 * delays caused by strangers' attempts. It expires after 30 days or when the credentials change.
 */
export async function markBrowser(request: FastifyRequest, reply: FastifyReply, username: string) {
  const user = await findByName(request, username)
  if (!user) return
  setPrivateCookie(request, reply, browserCookie, makeMark(request.server.config.secret, user), lifeSeconds)
}

export function makeMark(secret: string, user: User, now = Date.now()) {
  const [nonce, issued] = [randomBytes(16).toString('base64url'), String(Math.floor(now / 1000))]
  return `${nonce}.${issued}.${sign(secret, purpose, ...signedValues(user, nonce, issued))}`
}

/** Id of this browser where its mark is valid for the current account; null otherwise. */
export async function readMark(request: FastifyRequest, username: string) {
  const [nonce, issued, signature, ...rest] =
    readPrivateCookie(request.server.config, request.cookies, browserCookie)?.split('.') ?? []
  if (!nonce || !issued || !signature || rest.length > 0 || !/^\d{1,12}$/.test(issued)) return null
  const age = Date.now() / 1000 - Number(issued)
  const user = age < lifeSeconds ? await findByName(request, username) : undefined
  if (!user) return null
  return isSigned(signature, request.server.config.secret, purpose, ...signedValues(user, nonce, issued)) ? nonce : null
}

const signedValues = (user: User, nonce: string, issued: string) => [
  user.username.toLowerCase(),
  credentialVersion(user),
  nonce,
  issued,
]

/** Changes with the password and the second factor. */
function credentialVersion({ passwordHash, totpEnabled, totpSecret }: User) {
  return createHash('sha256')
    .update([passwordHash ?? '', totpEnabled ? (totpSecret ?? '') : ''].join('\n'))
    .digest('base64url')
}

async function findByName({ server }: FastifyRequest, username: string) {
  const [user] = await server.db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  return user
}
