import { desc, eq } from 'drizzle-orm'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'

/** The audit log entries of a recording, newest first. */
export async function linesOf({ db }: TestApp, action: string, id: number) {
  const lines = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.entryId, String(id)))
    .orderBy(desc(auditLog.id))
  return lines.filter((line) => line.area === 'recordings' && line.action === action)
}
