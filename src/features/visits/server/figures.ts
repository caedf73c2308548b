import { sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { csvFile } from '#src/lib/text/escape.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import type { App } from '#src/server/types.ts'
import type { VisitFigures, VisitsThisWeek } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import type { visitGroups, VisitKind } from '../values.ts'
import { mostKeys, otherKey, visitFields, visitKinds } from '../values.ts'

type Counted = Omit<VisitFigures, 'title'>
export type VisitRange = { from: string; to: string }
type Asked = { from?: string | undefined; to?: string | undefined }

const usualDays = 28

/** The days asked for; by default the last 28 that are over. */
export function rangeOf({ from, to }: Asked): VisitRange {
  const last = to ?? (from === undefined ? addDays(dayIn(company.hours.timeZone, new Date()), -1) : addDays(from, usualDays - 1))
  return { from: from ?? addDays(last, 1 - usualDays), to: last }
}

/** Of what was sent without having been begun as far as known, such as without JavaScript, all was begun. */
const sums = sql`sum(views)::int as views, sum(visits)::int as visits, sum(forms)::int as forms,
  sum(greatest(forms, forms_begun))::int as forms_begun, sum(chats)::int as chats,
  sum(greatest(chats, chats_begun))::int as chats_begun`

export async function findVisits(app: App, by: (typeof visitGroups)[number], { from, to }: VisitRange): Promise<VisitFigures[]> {
  const rows = by === 'day' ? await findDays(app, from, to) : await findKeys(app, by, from, to)
  const titles = by === 'page' ? new Map((await app.findEntryAddresses()).map(({ path, title }) => [path, title])) : null
  return rows.map((row) => {
    const title = titles?.get(row.key)
    return { ...row, title: title?.fr ? title : null }
  })
}

/** Each view has one language, so these rows are all there are of a day. */
async function findDays({ db }: Pick<App, 'db'>, from: string, to: string): Promise<Counted[]> {
  const { rows } = (await db.execute(sql`select to_char(day, 'YYYY-MM-DD') as key, ${sums}
    from visit_counts where kind = 'language' and day between ${from}::date and ${to}::date group by day`)) as { rows: Counted[] }
  const known = new Map(rows.map((row) => [row.key, row]))
  const days: Counted[] = []
  for (let day = from; day <= to; day = addDays(day, 1))
    days.push(known.get(day) ?? { key: day, views: 0, visits: 0, forms: 0, forms_begun: 0, chats: 0, chats_begun: 0 })
  return days
}

async function findKeys({ db }: Pick<App, 'db'>, kind: VisitKind, from: string, to: string): Promise<Counted[]> {
  const { rows } = (await db.execute(sql`with ranked as (
      select *, sum(case when key in ('', ${otherKey}) then 0 else 1 end) over (partition by day order by
        key in ('', ${otherKey}) desc, views + visits + forms + chats desc, key rows unbounded preceding) as place
      from visit_counts where kind = ${kind} and day between ${from}::date and ${to}::date
    ), shown as (
      select *, case when place > ${mostKeys}::int then ${otherKey} else key end as shown_key from ranked
    ) select shown_key as key, ${sums} from shown group by shown_key
    order by shown_key = ${otherKey}, sum(visits) desc, sum(views) desc, sum(forms) desc, shown_key`)) as { rows: Counted[] }
  return rows
}

/** Every figure of a period beside those of as many days before, as one file. */
export async function exportVisits(app: App, range: VisitRange, language: Language) {
  const t = translator(visitTexts, language)
  const before = periodBefore(range)
  const names = visitFields.map((field) => t(field))
  const head = [t('by'), t('value'), ...names, ...names.map((name) => t('columnBefore', { name }))]
  const rows: (string | number)[][] = [head]
  for (const by of ['day', ...visitKinds] as const) {
    const [now, then] = await Promise.all([findVisits(app, by, range), findVisits(app, by, before)])
    const known = new Map(then.map((row, index) => [by === 'day' ? (now[index]?.key ?? '') : row.key, row]))
    for (const row of now) {
      const former = known.get(row.key)
      const cells = [
        t(by),
        row.key,
        ...visitFields.map((field) => row[field]),
        ...visitFields.map((field) => former?.[field] ?? 0),
      ]
      rows.push(cells)
    }
  }
  return csvFile(rows, language)
}

export function periodBefore({ from, to }: VisitRange): VisitRange {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/** Visits of the last seven days that are over, and of the seven before. */
export async function findWeek({ db }: Pick<App, 'db'>) {
  const today = dayIn(company.hours.timeZone, new Date())
  const { rows } = (await db.execute(sql`select
    coalesce(sum(visits) filter (where day >= ${addDays(today, -7)}::date), 0)::int as visits,
    coalesce(sum(visits) filter (where day < ${addDays(today, -7)}::date), 0)::int as before,
    exists (select 1 from visit_counts where day <= ${addDays(today, -14)}::date) as has_before
    from visit_counts where kind = 'language' and day between ${addDays(today, -14)}::date and ${addDays(today, -1)}::date`)) as {
    rows: VisitsThisWeek[]
  }
  return rows[0] ?? { visits: 0, before: 0, has_before: false }
}
