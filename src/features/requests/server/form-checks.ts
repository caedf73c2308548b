import { suspectedDays } from '#src/lib/suspected.ts'
import { createHmac } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Database } from '#src/server/database/database.ts'
import { networkOf } from '#src/server/http/addresses.ts'
import { isSigned, sign } from '#src/server/http/signatures.ts'
import type { Trap } from '../values.ts'
import { minimumFillMs } from '../values.ts'
import { trapCounts } from './table.ts'

/** What is caught from one address in a day beyond this is counted, not stored. */
const mostStored = 100

/**
 * Which trap a form fell into. Browsers and extensions fill a field named `username` by themselves: alone, it means
 * nothing where the form otherwise came as the site's own do (`isVouchedFor`).
 */
export function findTrap(input: { honey: string; username?: string }, isVouchedFor: boolean): Trap | null {
  const hasUsername = (input.username ?? '') !== ''
  if (input.honey !== '') return hasUsername ? 'both' : 'honey'
  return hasUsername && !isVouchedFor ? 'username' : null
}

/** Counts a caught form of an address; false where there were too many today to store another. */
export async function countTrappedForm(db: Database, secret: string, address: string, now = new Date()) {
  const day = dayIn(company.hours.timeZone, now)
  // The key changes daily, so a visitor cannot be tracked from one day to the next.
  const addressHash = createHmac('sha256', secret)
    .update(`trap\n${day}\n${networkOf(address)}`)
    .digest('base64url')
  const [counted] = await db
    .insert(trapCounts)
    .values({ day, addressHash, count: 1 })
    .onConflictDoUpdate({ target: [trapCounts.day, trapCounts.addressHash], set: { count: sql`${trapCounts.count} + 1` } })
    .returning({ count: trapCounts.count })
  return (counted?.count ?? 0) <= mostStored
}

/** How many were only counted, by day, the latest first. */
export async function findNotStored(db: Database) {
  const rows = await db
    .select({ day: trapCounts.day, count: sql<number>`sum(${trapCounts.count} - ${mostStored})::int` })
    .from(trapCounts)
    .where(sql`${trapCounts.count} > ${mostStored}`)
    .groupBy(trapCounts.day)
    .orderBy(sql`${trapCounts.day} desc`)
  return rows
}

export async function eraseOldCounts(db: Database, now = new Date()) {
  await db
    .delete(trapCounts)
    .where(lt(trapCounts.day, dayIn(company.hours.timeZone, new Date(now.getTime() - suspectedDays * 86_400_000))))
}

const purpose = 'form shown'

/** The server's word for when a form was shown, for pages without JavaScript: `<time>.<signature>`. */
export function signShownAt(secret: string, at: number) {
  const time = at.toString(36)
  return `${time}.${sign(secret, purpose, time)}`
}

/** Reads the time back; null where this server did not sign it. */
export function readShownAt(secret: string, token: string) {
  const [time = '', signature = '', ...rest] = token.split('.')
  const isOurs = rest.length === 0 && isSigned(signature, secret, purpose, time)
  return isOurs ? Number.parseInt(time, 36) : null
}

type Times = { elapsed_ms?: number | undefined; shown_at?: string | undefined }

/** Milliseconds to wait before storing a form that was sent very early; it is delayed, not refused, because a visitor who re-sends is as fast. */
export function waitBeforeTaking(secret: string, { elapsed_ms: elapsed, shown_at: token }: Times, now = Date.now()) {
  const shownAt = token === undefined ? null : readShownAt(secret, token)
  const waits = [elapsed, shownAt === null ? undefined : now - shownAt].map((time) => minimumFillMs - (time ?? minimumFillMs))
  return Math.min(minimumFillMs, Math.max(0, ...waits))
}

const idLife = 60 * 60_000

/**
 * The id of a page's form until a script makes one: the same within an hour, so that Back and Send again, where the
 * browser asks for the page anew, are one request. Visitors may share it: only the same content is the same request.
 */
export function pageFormId(secret: string, kind: string, now = Date.now()) {
  const hex = createHmac('sha256', secret)
    .update(`form id\n${kind}\n${Math.floor(now / idLife)}`)
    .digest('hex')
  // Version 8 is for ids made in one's own way (RFC 9562).
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
