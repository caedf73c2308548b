import type { SQL } from 'drizzle-orm'
import { and, asc, count, desc, eq, inArray, isNull, like, ne, or, sql, lt } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { withoutAccents } from '#src/lib/lists.ts'
import type { Database } from '#src/server/database/database.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { hasRight } from '#src/lib/rights.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'
import type { Assignee, RequestDetail, RequestFilter, RequestQuery, RequestSummary } from '../contract.ts'
import type { RequestSort } from '../values.ts'
import { requestsPerPage } from '../values.ts'
import { exportTexts } from '../server-texts.ts'
import { isDecided } from './service.ts'
import { requestComments, requests } from './table.ts'

type Joined = {
  requests: typeof requests.$inferSelect
  users: typeof users.$inferSelect | null
  mails: typeof mails.$inferSelect | null
}

const accented = 'àáâäãåçèéêëìíîïñòóôöõùúûüýÿ'
const plain = 'aaaaaaceeeeiiiinooooouuuuyy'

const orders: Record<RequestSort, SQL> = {
  '-created_at': desc(requests.createdAt),
  created_at: asc(requests.createdAt),
  name: asc(folded(requests.name)),
  '-name': desc(folded(requests.name)),
  status: asc(progress()),
  '-status': desc(progress()),
}

/** A page of the requests that match, and how many match in all. */
export async function findRequests(db: Database, query: RequestQuery): Promise<{ rows: RequestSummary[]; total: number }> {
  const where = matching(query)
  const rows = await selectJoined(db)
    .where(where)
    .orderBy(orders[query.sort], desc(requests.id))
    .limit(requestsPerPage)
    .offset((query.page - 1) * requestsPerPage)
  const [counted] = await db.select({ total: count() }).from(requests).where(where)
  const summaries = rows.map(toSummary)
  const isReview = query.status === 'suspected'
  return { rows: isReview ? await addSuspicions(db, rows, summaries) : summaries, total: counted?.total ?? 0 }
}

/** What helps to decide about each of a page of suspected ones. */
async function addSuspicions(db: Database, rows: Joined[], summaries: RequestSummary[]): Promise<RequestSummary[]> {
  const stored = rows.map((row) => row.requests)
  if (stored.length === 0) return summaries
  const email = sql<string>`lower(${requests.email})`
  const known = await db
    .select({ email, count: count() })
    .from(requests)
    .where(
      and(
        isDecided,
        inArray(
          email,
          stored.map((one) => one.email.toLowerCase()),
        ),
      ),
    )
    .groupBy(email)
  const same = await db
    .select({ message: requests.message, count: count() })
    .from(requests)
    .where(
      and(
        eq(requests.status, 'suspected'),
        isNull(requests.removedAt),
        inArray(
          requests.message,
          stored.map((one) => one.message),
        ),
      ),
    )
    .groupBy(requests.message)
  const knownOf = new Map(known.map((one) => [one.email, one.count]))
  const sameAs = new Map(same.map((one) => [one.message, one.count]))
  return summaries.map((summary, index) => {
    const { message, trap, email: from } = stored[index] ?? { message: '', trap: null, email: '' }
    return {
      ...summary,
      suspicion: {
        message,
        trap: trap ?? 'honey',
        known_requests: knownOf.get(from.toLowerCase()) ?? 0,
        links: message.match(/https?:\/\/|www\./gi)?.length ?? 0,
        copies: (sameAs.get(message) ?? 1) - 1,
      },
    }
  })
}

export async function findRequest({ db, mailer }: Pick<App, 'db' | 'mailer'>, id: number): Promise<RequestDetail> {
  const [row] = await selectJoined(db).where(and(eq(requests.id, id), isNull(requests.removedAt)))
  if (!row) throw new NotFound('This request does not exist.')
  const comments = await db
    .select()
    .from(requestComments)
    .where(eq(requestComments.requestId, id))
    .orderBy(asc(requestComments.id))
  const { requests: request, mails: mail } = row
  return {
    ...toSummary(row),
    firstname: request.firstName,
    lastname: request.lastName,
    message: request.message,
    page: request.page,
    id_chat: request.chatId,
    done_at: request.doneAt?.toISOString() ?? null,
    mail: mail && {
      state: mail.state,
      recipient: mail.recipient,
      attempts: mail.attempts,
      last_error: mail.lastError,
      sent_at: mail.sentAt?.toISOString() ?? null,
      can_send: mailer.canSend,
    },
    comments: comments.map((comment) => ({
      id_comment: comment.id,
      id_user: comment.userId,
      user_name: comment.userName,
      body: comment.body,
      created_at: comment.createdAt.toISOString(),
    })),
    version: request.version,
  }
}

/** Users a request can be assigned to: those with write access. */
export async function findAssignees(db: Database): Promise<Assignee[]> {
  const rows = await db
    .select({ id_user: users.id, display_name: users.displayName, rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(and(eq(users.locked, false), eq(groups.enabled, true)))
    .orderBy(asc(users.displayName), asc(users.id))
  return rows
    .filter(({ rights }) => hasRight(rights, 'requests', 'read_write'))
    .map(({ id_user, display_name }) => ({ id_user, display_name }))
}

/** Requests with their assignee and their mail; the caller adds conditions, order and length. */
function selectJoined(db: Database) {
  return db
    .select()
    .from(requests)
    .leftJoin(users, eq(users.id, requests.assignedTo))
    .leftJoin(mails, eq(mails.id, requests.mailId))
    .$dynamic()
}

/** Every word must be somewhere in the request. */
function matching({ status, kind, assigned_to: assignedTo, search }: RequestFilter) {
  const words = withoutAccents(search ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const columns = [requests.reference, requests.name, requests.email, requests.phone, requests.subject, requests.message]
  return and(
    isNull(requests.removedAt),
    status ? eq(requests.status, status) : ne(requests.status, 'suspected'),
    kind && eq(requests.kind, kind),
    assignedTo === undefined ? undefined : isAssignedTo(assignedTo),
    ...words.map((word) => or(...columns.map((column) => like(folded(column), `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)))),
  )
}

function isAssignedTo(assignee: number | 'none') {
  return assignee === 'none' ? isNull(requests.assignedTo) : eq(requests.assignedTo, assignee)
}

/** A text as people search and sort it, whatever the database's own rules are: without capitals or accents. */
function folded(column: PgColumn) {
  const from = sql.raw(`'${accented}${accented.toUpperCase()}'`)
  return sql<string>`lower(translate(${column}, ${from}, ${sql.raw(`'${plain}${plain}'`)}))`
}

/** From new to done. */
function progress() {
  return sql`array_position(array['new', 'open', 'done'], ${requests.status})`
}

function toSummary({ requests: request, users: assignee, mails: mail }: Joined): RequestSummary {
  return {
    id_request: request.id,
    reference: request.reference,
    kind: request.kind,
    status: request.status,
    name: request.name,
    email: request.email,
    phone: request.phone,
    subject: request.subject,
    language: request.language,
    assigned_to: assignee && { id_user: assignee.id, display_name: assignee.displayName },
    mail_state: mail?.state ?? null,
    created_at: request.createdAt.toISOString(),
  }
}

const batch = 200

/** The requests that match as a CSV file, newest first, line by line: their number does not matter. */
export async function* exportRequests(db: Database, filter: RequestFilter, language: Language, timeZone: string) {
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
  ] as const
  yield `\uFEFF${csvLine(
    head.map((key) => t(key)),
    separator,
  )}`

  for (let last: number | undefined; ;) {
    const rows = await selectJoined(db)
      .where(and(matching(filter), last === undefined ? undefined : lt(requests.id, last)))
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
        ],
        separator,
      )
    }
    last = rows.at(-1)?.requests.id
    if (rows.length < batch) return
  }
}
