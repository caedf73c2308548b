import type { SQL } from 'drizzle-orm'
import { and, desc, eq, gt, gte, isNull, lt, min, not, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { EntryState } from '#src/lib/schemas.ts'
import { endOfDays } from '#src/lib/schemas.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import { placeIn } from '#src/features/content/order/server/order.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { earliest } from '#src/features/content/server/schedule.ts'
import { NotFound } from '#src/server/problems.ts'
import type { ImportWriter, WebPage } from '#src/features/content/server/importing.ts'
import { checkBy, cleanPage, cut } from '#src/features/content/server/importing.ts'
import { limits } from '#src/lib/schemas.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import type { Job, JobInput } from '../contract.ts'
import { jobInput, reasonForDraft } from '../contract.ts'
import { jobs as feature } from '../feature.ts'
import { jobPairs, jobsPageSize } from '../values.ts'
import { jobs } from './table.ts'

type Row = typeof jobs.$inferSelect

/** A new posting comes before those that staff put in order. */
const order = [placeIn('jobs', jobs.id, 'first'), desc(jobs.createdAt), desc(jobs.id)]

export const jobContent = defineContent<typeof jobs, Job, JobInput>({
  entry: feature.entries[0],
  input: jobInput,
  idKey: 'id_emploi',
  nameOf: (job) => job.titre,
  reviewOf: (job) => (job.state === 'closed' ? null : { pairs: jobPairs, fields: job }),
  table: jobs,
  orderBy: order,
  pairs: jobPairs,
  toEntity: (row) => ({
    id_emploi: row.id,
    titre: row.title,
    titre_en: row.titleEn,
    description: row.description,
    description_en: row.descriptionEn,
    publie: row.isPublished,
    opens_on: row.opensOn,
    closes_on: row.closesOn,
    employment_type: row.employmentType,
    state: stateOf(row),
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.titre,
    titleEn: input.titre_en,
    description: cleanRichText(input.description, 'description'),
    descriptionEn: cleanRichText(input.description_en, 'description_en'),
    isPublished: input.publie && reasonForDraft(input) === null,
    opensOn: input.opens_on,
    closesOn: input.closes_on,
    employmentType: input.employment_type,
  }),
})

const { timeZone } = company.hours
const today = () => dayIn(timeZone, new Date())
const newest = [desc(jobs.createdAt), desc(jobs.id)] as const

/** Postings visible to visitors: the published ones whose days include today. */
export function readOpenJobs({ content, db }: Reader) {
  return content.read('jobs', 'open', async () => {
    const rows = await db
      .select()
      .from(jobs)
      .where(or(isNull(jobs.closesOn), gte(jobs.closesOn, today())))
      .orderBy(...order)
    return rows.map(jobContent.toEntity).filter((job) => job.state === 'open')
  })
}

/** What somebody changed lately stays in sight. */
const isOlder = () =>
  sql`(${jobs.closesOn} < ${today()}::date - interval '3 months' and ${jobs.updatedAt} < now() - interval '3 months')`

/** For staff: drafts, and the postings that are planned, open, or closed within three months. */
export async function findCurrentJobs(db: Database): Promise<Job[]> {
  const rows = await db
    .select()
    .from(jobs)
    .where(or(isNull(jobs.closesOn), not(isOlder())))
    .orderBy(...order)
  return rows.map(jobContent.toEntity)
}

/** A page of the postings that closed before, and their number. */
export async function findOlderJobs(db: Database, page: number) {
  const [total, rows] = await Promise.all([
    db.$count(jobs, isOlder()),
    db
      .select()
      .from(jobs)
      .where(isOlder())
      .orderBy(...newest)
      .limit(jobsPageSize)
      .offset((page - 1) * jobsPageSize),
  ])
  return { jobs: rows.map(jobContent.toEntity), total }
}

/** One posting for visitors, open or closed; a draft or planned one is not found. */
export async function readPublicJob({ content, db }: Reader, id: number) {
  const job = await content.read('jobs', `one ${id}`, () => jobContent.find(db, id))
  if (!isPublic(job.state)) throw new NotFound('This entry does not exist.')
  return job
}

/** A closed posting has a page that says so. */
export const isPublic = (state: EntryState) => state === 'open' || state === 'closed'

function stateOf({ isPublished, opensOn, closesOn }: Row): EntryState {
  if (!isPublished) return 'draft'
  const day = today()
  if (opensOn && day < opensOn) return 'planned'
  return closesOn && day > closesOn ? 'closed' : 'open'
}

/** The next midnight at which a posting opens or closes. */
export async function findNextChange(db: Database) {
  const nextOf = async (column: typeof jobs.opensOn | typeof jobs.closesOn, isNext: SQL) => {
    const [row] = await db
      .select({ day: min(column) })
      .from(jobs)
      .where(and(eq(jobs.isPublished, true), isNext, lt(column, endOfDays)))
    return row?.day ?? null
  }
  const [opens, closes] = await Promise.all([
    nextOf(jobs.opensOn, gt(jobs.opensOn, today())),
    nextOf(jobs.closesOn, gte(jobs.closesOn, today())),
  ])
  return earliest([
    opens === null ? null : daySpan(timeZone, opens).starts,
    closes === null ? null : daySpan(timeZone, closes).ends,
  ])
}

/** Pages of another site, as drafts. */
export const jobPages: ImportWriter = {
  ...jobContent.importer,
  label: { fr: 'emplois', en: 'jobs' },
  async check(values) {
    const { title, title_en, html, html_en } = values as WebPage
    const titles = { titre: cut(title, limits.title), titre_en: cut(title_en, limits.title) }
    return checkBy(jobInput, { ...titles, description: cleanPage(html), description_en: cleanPage(html_en), publie: false })
  },
  findPages: async (_db, ids) => new Map(ids.map((id) => [id, { fr: `/emploi/voir/${id}`, en: `/emploi/voir/${id}?lang=en` }])),
}
