import { and, desc, lt } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import type { RequestFilter } from '../contract.ts'
import { exportTexts } from '../server-texts.ts'
import { matching, selectJoined } from './lookup.ts'
import { pickSearched } from './search-requests.ts'
import { requests } from './table.ts'

const batch = 200

/** The requests that match as a CSV file, newest first, line by line: their number does not matter. */
export async function* exportRequests(
  db: Database,
  filter: RequestFilter,
  me: number | null,
  language: Language,
  timeZone: string,
) {
  const t = translator(exportTexts, language)
  // The list separator of each language's spreadsheets; the mark in front makes them read UTF-8.
  const separator = language === 'fr' ? ';' : ','
  const head = [
    'reference',
    'created',
    'kind',
    'status',
    'name',
    'email',
    'phone',
    'subject',
    'message',
    'language',
    'assignee',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'referrer',
  ] as const
  yield `\uFEFF${csvLine(
    head.map((key) => t(key)),
    separator,
  )}`

  const picked = await pickSearched(db, filter.search)
  for (let last: number | undefined; ;) {
    const rows = await selectJoined(db)
      .where(and(matching(filter, me, picked), last === undefined ? undefined : lt(requests.id, last)))
      .orderBy(desc(requests.id))
      .limit(batch)
    for (const { requests: one, users: assignee } of rows) {
      yield csvLine(
        [
          one.reference,
          localTime(timeZone, one.createdAt).replace('T', ' '),
          t(one.kind),
          t(one.status),
          one.name,
          one.email,
          one.phone,
          one.subject,
          one.message,
          t(one.language),
          assignee?.displayName ?? '',
          one.source?.utm_source ?? '',
          one.source?.utm_medium ?? '',
          one.source?.utm_campaign ?? '',
          one.source?.referrer ?? '',
        ],
        separator,
      )
    }
    last = rows.at(-1)?.requests.id
    if (rows.length < batch) return
  }
}
