import type { SQL } from 'drizzle-orm'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, or, sql, lt } from 'drizzle-orm'
import { mostCounted } from '#src/lib/lists.ts'
import type { Database } from '#src/server/database/database.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { SearchedWord } from '#src/server/search/stored-texts.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { hasRight } from '#src/lib/rights.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import type { Assignee, RequestDetail, RequestFilter, RequestQuery, RequestSummary, RequestViewCounts } from '../contract.ts'
import type { Delivery, RequestSort, RequestView } from '../values.ts'
import { requestsPerPage } from '../values.ts'
import { isDecided } from './service.ts'
import { deliveryOf, findEntries, selectEntryMails } from './entries.ts'
import { findRelated } from './incidents.ts'
import { areSurelyMany, hasWords, pickSearched } from './search-requests.ts'
import { findPageAddress } from './signed-ids.ts'
import { requestEntries, requests } from './table.ts'

type Joined = {
  requests: typeof requests.$inferSelect
  users: typeof users.$inferSelect | null
  mails: typeof mails.$inferSelect | null
}

const foldedName = sql`search_text(${requests.name})`
const due = sql`case when ${requests.firstReplyAt} is null then least(${requests.respondBy}, ${requests.resolveBy}) else ${requests.resolveBy} end`
/** Nothing is due of what is done or waits for the customer. */
const isLateLast = sql`case when ${requests.status} in ('new', 'open') and ${due} is not null then 0 else 1 end`

const dueOrder = [asc(isLateLast), asc(sql`case when ${isLateLast} = 0 then ${due} end`), desc(requests.id)]

const orders: Record<RequestSort, SQL> = {
  due: sql`${due} asc`,
  '-created_at': desc(requests.createdAt),
  created_at: asc(requests.createdAt),
  name: asc(foldedName),
  '-name': desc(foldedName),
  status: asc(progress()),
  '-status': desc(progress()),
}

/** Orders in which an index has the requests. */
const inIndexOrder: ReadonlySet<RequestSort> = new Set(['-created_at', 'created_at', 'name', '-name'])
/** A page of the requests that match, and how many match in all. */
export async function findRequests(
  db: Database,
  query: RequestQuery,
  me: number | null,
): Promise<{ rows: RequestSummary[]; total: number }> {
  const picked = await pickSearched(db, query.search)
  const where = matching(query, me, picked)
  const order = query.sort === 'due' ? dueOrder : [orders[query.sort], desc(requests.id)]
  const { total, matches } = await countMatches(db, query, me, where)
  if (total === 0) return { rows: [], total }
  const isFrequent = total === mostCounted
  const offset = (query.page - 1) * requestsPerPage
  const rest = isFrequent && inIndexOrder.has(query.sort) ? matching(query, me, 'frequent') : where
  const listed = matches ? sql`${requests.id} = any(${sql.param(matches)}::int[])` : rest
  // The page first, so that only its rows are joined.
  const ids = query.sort === 'due' && isFrequent ? await findDueFirst(db, query, me) : await findIds(db, listed, order, offset)
  const joined = selectJoined(db).where(inArray(requests.id, ids))
  const rows = ids.length === 0 ? [] : await joined.orderBy(...order)
  const summaries = rows.map(toSummary)
  const isReview = query.status === 'suspected'
  const all = isReview ? await addSuspicions(db, rows, summaries) : await addDeliveries(db, summaries)
  return { rows: all, total }
}

/** How many match, up to `mostCounted`; of a search also which, if they are fewer. */
async function countMatches(db: Database, query: RequestQuery, me: number | null, where: SQL | undefined) {
  const isSearch = query.search !== undefined
  if (isSearch && (await areSurelyMany(db, matching(query, me, 'frequent')))) return { total: mostCounted, matches: null }
  const counted = db.select({ id: requests.id }).from(requests).where(where).limit(mostCounted).as('counted')
  // A search may read all texts, so that it runs once: its few results are sorted by themselves.
  const [found] = await db
    .select({
      total: count(),
      matches: sql<number[] | null>`case when ${isSearch} and count(*) < ${mostCounted} then array_agg(${counted.id}) end`,
    })
    .from(counted)
  return found ?? { total: 0, matches: null }
}

async function findIds(db: Database, where: SQL | undefined, order: SQL[], offset: number, limit = requestsPerPage) {
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  return rows.map(({ id }) => id)
}

/** The few that are due are sorted; the others have the order of an index, so that only those of the page are read. */
export async function findDueFirst(db: Database, query: RequestQuery, me: number | null) {
  const offset = (query.page - 1) * requestsPerPage
  const where = matching(query, me, 'frequent')
  const isDue = and(where, inArray(requests.status, ['new', 'open']), isNotNull(due))
  const found = await findIds(db, isDue, dueOrder, offset)
  if (found.length === requestsPerPage) return found
  const before = offset === 0 ? found.length : await db.$count(requests, isDue)
  const others = and(where, eq(isLateLast, 1))
  const rest = await findIds(db, others, [desc(requests.id)], Math.max(0, offset - before), requestsPerPage - found.length)
  return [...found, ...rest]
}

/** What became of the mails to the customer. */
async function addDeliveries(db: Database, summaries: RequestSummary[]) {
  if (summaries.length === 0) return summaries
  const ids = summaries.map(({ id_request }) => id_request)
  const sent = await selectEntryMails(db).where(inArray(requestEntries.requestId, ids))
  const states = Map.groupBy(sent, ({ requestId }) => requestId)
  return summaries.map((summary) => {
    const all = states.get(summary.id_request) ?? []
    return { ...summary, delivery: worstDelivery(all.map(({ state, bouncedAt }) => deliveryOf(state, bouncedAt))) }
  })
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

export async function findRequest(
  { db, mailer, config }: Pick<App, 'db' | 'mailer' | 'config'>,
  id: number,
): Promise<RequestDetail> {
  const [row] = await selectJoined(db).where(and(eq(requests.id, id), isNull(requests.removedAt)))
  if (!row) throw new NotFound('This request does not exist.')
  const entries = await findEntries(db, id)
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
    comments: entries
      .filter(({ kind }) => kind === 'internal')
      .map((entry) => ({
        id_comment: entry.id_entry,
        id_user: entry.id_user,
        user_name: entry.author,
        body: entry.text,
        created_at: entry.at,
      })),
    entries,
    delivery: worstDelivery(entries.flatMap(({ delivery }) => delivery ?? [])),
    first_reply_at: request.firstReplyAt?.toISOString() ?? null,
    customer_page: request.status === 'suspected' ? null : await findPageAddress(db, config, request),
    ...(await findRelated(db, request)),
    is_spam: request.spamAt !== null,
    on_hold: request.onHold,
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
export function selectJoined(db: Database) {
  return db
    .select()
    .from(requests)
    .leftJoin(users, eq(users.id, requests.assignedTo))
    .leftJoin(mails, eq(mails.id, requests.mailId))
    .$dynamic()
}

/**
 * Every word must be somewhere in the request. Where most requests have them (`frequent`), the texts are read one by one in the
 * order of the list, until its page is full; otherwise the index finds the few that have the picked words.
 */
export function matching(
  { status, kind, assigned_to: assignedTo, search, view }: RequestFilter,
  me: number | null,
  picked: readonly SearchedWord[] | 'frequent',
) {
  return and(
    isNull(requests.removedAt),
    status ? eq(requests.status, status) : ne(requests.status, 'suspected'),
    kind && eq(requests.kind, kind),
    assignedTo === undefined ? undefined : isAssignedTo(assignedTo),
    view === 'spam' ? isNotNull(requests.spamAt) : isNull(requests.spamAt),
    isNull(requests.mergedIntoId),
    view && inView(view, me),
    search === undefined ? undefined : hasWords(search, picked),
  )
}

const isOpen = inArray(requests.status, ['new', 'open'])
export const isLate = and(
  isOpen,
  or(and(isNull(requests.firstReplyAt), lt(requests.respondBy, sql`now()`)), lt(requests.resolveBy, sql`now()`)),
)

function inView(view: RequestView, me: number | null) {
  if (view === 'mine') return and(ne(requests.status, 'done'), me === null ? sql`false` : eq(requests.assignedTo, me))
  if (view === 'unassigned') return and(isOpen, isNull(requests.assignedTo))
  if (view === 'late') return isLate
  return view === 'spam' ? undefined : eq(requests.status, view)
}

export async function countViews(db: Database, me: number | null): Promise<RequestViewCounts> {
  const shown = and(isNull(requests.removedAt), ne(requests.status, 'suspected'), isNull(requests.mergedIntoId))
  const countOf = (view: RequestView) => {
    const isSpam = view === 'spam' ? isNotNull(requests.spamAt) : isNull(requests.spamAt)
    return sql<number>`(count(*) filter (where ${and(isSpam, inView(view, me))}))::int`
  }
  const [row] = await db
    .select({
      mine: countOf('mine'),
      unassigned: countOf('unassigned'),
      late: countOf('late'),
      waiting: countOf('waiting'),
      done: countOf('done'),
      spam: countOf('spam'),
    })
    .from(requests)
    .where(shown)
  return row ?? { mine: 0, unassigned: 0, late: 0, waiting: 0, done: 0, spam: 0 }
}

function isAssignedTo(assignee: number | 'none') {
  return assignee === 'none' ? isNull(requests.assignedTo) : eq(requests.assignedTo, assignee)
}

/** From new to done. */
function progress() {
  return sql`array_position(array['new', 'open', 'waiting', 'done'], ${requests.status})`
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
    delivery: null,
    priority: request.priority,
    respond_by: request.respondBy?.toISOString() ?? null,
    resolve_by: request.resolveBy?.toISOString() ?? null,
    is_late: isRequestLate(request),
    created_at: request.createdAt.toISOString(),
    source: request.source,
  }
}

function isRequestLate({ status, respondBy, resolveBy, firstReplyAt }: typeof requests.$inferSelect, now = new Date()) {
  if (status !== 'new' && status !== 'open') return false
  return (firstReplyAt === null && respondBy !== null && respondBy < now) || (resolveBy !== null && resolveBy < now)
}

const badFirst: readonly Delivery[] = ['failed', 'bounced', 'queued', 'sent']

function worstDelivery(all: Delivery[]) {
  return badFirst.find((one) => all.includes(one)) ?? null
}

const mostShown = 4

/** What waits to be taken: late ones first, then the oldest. */
export async function findCounterRequests(db: Database, { count, known }: { count: number; known: number }) {
  const isShown = and(isNull(requests.removedAt), isNull(requests.mergedIntoId), isNull(requests.spamAt))
  const countOf = (where: SQL | undefined) =>
    db.$count(db.select({ id: requests.id }).from(requests).where(and(where, isShown)).limit(mostCounted).as('counted'))
  const isNew = eq(requests.status, 'new')
  const rows = await db
    .select()
    .from(requests)
    .where(and(or(isNew, isLate), isShown))
    .orderBy(sql`case when ${isLate} then 0 else 1 end`, asc(requests.createdAt), asc(requests.id))
    .limit(mostShown)
  return {
    new: await countOf(isNew),
    late: await countOf(isLate),
    suspected: Math.min(count, mostCounted),
    suspected_known: Math.min(known, mostCounted),
    rows: rows.map((row) => ({
      id_request: row.id,
      reference: row.reference,
      subject: row.subject,
      name: row.name,
      is_late: isRequestLate(row),
      created_at: row.createdAt.toISOString(),
    })),
  }
}
