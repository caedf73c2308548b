import { and, arrayContains, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Finding } from '../personal-data.ts'
import { readPersonal } from './audit-log.ts'
import { auditLog, auditLogKeys } from './audit-log-table.ts'

type Entry = typeof auditLog.$inferSelect

/** The entries of an area that still have an address as the former or the corrected one of somebody's contact. */
export async function findCorrections(db: Database, area: string, email: string): Promise<Entry[]> {
  const found = await db
    .select({ entry: auditLog })
    .from(auditLogKeys)
    .innerJoin(auditLog, eq(auditLog.id, auditLogKeys.auditId))
    .where(and(arrayContains(auditLogKeys.addresses, [email]), eq(auditLog.area, area)))
    .orderBy(asc(auditLog.id))
  return found.map(({ entry }) => entry)
}

/** What these entries keep of a person: the former values, the corrected ones, and the reason. */
export async function describeCorrections(db: Database, entries: readonly Entry[]): Promise<Pick<Finding, 'at' | 'fields'>[]> {
  const textOf = (values: unknown) =>
    Object.values(values as Record<string, unknown>)
      .filter((value) => typeof value === 'string' && value)
      .join(', ')
  return (await readPersonal(db, entries)).map(({ at, before, after }) => {
    const { reference: _reference, corrected: _corrected, reason, ...values } = after as Record<string, string>
    return { at: at.toISOString(), fields: { before: textOf(before), after: textOf(values), reason: reason ?? '' } }
  })
}

/** Destroys the keys of these entries: nobody can read their values any more. */
export async function eraseCorrections(tx: Database, entries: readonly Entry[]) {
  const ids = entries.map(({ id }) => id)
  if (ids.length > 0) await tx.delete(auditLogKeys).where(inArray(auditLogKeys.auditId, ids))
}
