import { createHmac } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import type { Database } from '#src/server/database/database.ts'
import { networkOf } from '#src/server/http/addresses.ts'
import type { Trap } from '../values.ts'
import { suspectedDays } from '../values.ts'
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
