import { and, desc, eq } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { decryptEntries, recordChange } from '#src/server/audit-log/audit-log.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Upkeep } from '#src/server/database/upkeep.ts'
import type { App } from '#src/server/types.ts'
import { rewritingTexts } from '../texts.ts'

const entry = 'database'
const nightly = { userId: null, name: 'database', address: '' }
/** Three nights were missed. */
const lateMs = 3 * 86_400_000

/** Keeps what a night rewrote as an event of the audit log: it proves from when on nothing erased is in the files. */
export function recordRewriting(db: Database, { rewritten, failed, longestMs }: Upkeep) {
  const after = { tables: rewritten, longest_ms: longestMs, ...(failed.length > 0 && { failed }) }
  return db.transaction((tx) => recordChange(tx, nightly, { area: 'privacy', action: 'rewrite', entryId: entry, after }))
}

type Recorded = { tables: number; longest_ms: number; failed?: string[] }

/** What is left of erased rows in the files of the embedded database; null on PostgreSQL, whose files are the operator's. */
export async function findRewriting({ db, config }: Pick<App, 'db' | 'config'>, now = Date.now()) {
  if (config.databaseUrl !== undefined) return null
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.area, 'privacy'), eq(auditLog.entryId, entry)))
    .orderBy(desc(auditLog.id))
    .limit(1)
  const [last] = await decryptEntries(db, rows)
  const waits = translateAll(rewritingTexts, 'waits')
  if (!last?.after) return { status: 'OK' as const, lines: [waits] }
  const { tables, longest_ms: longestMs, failed = [] } = last.after as Recorded
  const lineOf = (key: 'done' | 'failed' | 'late', values: Record<string, string | number>) => {
    const textIn = (language: Language) => {
      const at = formatDateTime(last.at.toISOString(), language, { timeZone: company.hours.timeZone })
      const seconds = (Math.ceil(longestMs / 100) / 10).toLocaleString(locales[language])
      return translator(rewritingTexts, language)(key, { ...values, at, seconds })
    }
    return { fr: textIn('fr'), en: textIn('en') } satisfies LocalizedText
  }
  const isLate = now - last.at.getTime() > lateMs
  if (failed.length > 0) return { status: 'ERROR' as const, lines: [lineOf('failed', { tables: failed.join(', ') }), waits] }
  if (isLate) return { status: 'WARNING' as const, lines: [lineOf('late', {}), waits] }
  return { status: 'OK' as const, lines: [lineOf('done', { tables }), waits] }
}
