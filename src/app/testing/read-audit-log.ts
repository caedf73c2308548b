import type { SQL } from 'drizzle-orm'
import { asc } from 'drizzle-orm'
import { decryptEntries } from '#src/server/audit-log/audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Database } from '#src/server/database/database.ts'

/** Entries of the audit log with the values that their keys give, oldest first. */
export const readAuditLog = async (db: Database, where: SQL) =>
  decryptEntries(db, await db.select().from(auditLog).where(where).orderBy(asc(auditLog.id)))
