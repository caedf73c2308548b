import { Form, useNavigation } from 'react-router'
import { company } from '#company/company.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { addDays, dayIn, formatDay } from '#src/lib/time/dates.ts'
import { getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { VisitFigures } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import type { VisitKind } from '../values.ts'
import { visitKinds } from '../values.ts'
import { useNumbers } from './numbers.ts'
import { VisitPlot } from './visit-plot.tsx'
import { VisitTables } from './visit-tables.tsx'
import { VisitTotals } from './visit-totals.tsx'
import type { Route } from './+types/admin-visits-page.ts'
import './visits.css'

const path = '/api/visits'
/** A year of whole weeks: each day is compared with its own weekday. */
const year = 364
const shortcuts = [7, 28, year] as const
const longest = 800

type Range = { from: string; to: string }
export type Figures = Record<VisitKind, VisitFigures[]>
export type Outage = { started_at: string; title: string; title_en: string }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = new URL(request.url).searchParams
  const today = dayIn(company.hours.timeZone, new Date())
  const asked = { from: query.get('from'), to: query.get('to') }
  const range = readRange(query, today)
  if (!range) return { asked, range, today, figures: null }
  const before = periodBefore(range)
  const [days, daysBefore, now, former, current, outages] = await Promise.all([
    readDays(range),
    readDays(before),
    readKinds(range),
    readKinds(before),
    readDays({ from: today, to: today }),
    // A plot without the outages is better than none.
    getJson<Outage[]>(`/api/networks/incidents?${new URLSearchParams(range)}`).catch((error: unknown) => {
      console.warn(error)
      return []
    }),
  ])
  return { asked, range, today, figures: { days, daysBefore, now, former, current: current[0] ?? null, outages } }
}

const readDays = (range: Range) => getJson<VisitFigures[]>(`${path}?${new URLSearchParams({ ...range, by: 'day' })}`)

async function readKinds(range: Range) {
  const found = await Promise.all(
    visitKinds.map(
      async (by) => [by, await getJson<VisitFigures[]>(`${path}?${new URLSearchParams({ ...range, by })}`)] as const,
    ),
  )
  return Object.fromEntries(found) as Figures
}

/** `/admin/frequentation`: what visitors saw and sent, beside the period before. */
export default function AdminVisitsPage({ loaderData: { asked, range, today, figures } }: Route.ComponentProps) {
  useRight(['company'], 'read_only')
  const t = useTexts(visitTexts)
  const language = useLanguage()
  const { state } = useNavigation()
  const count = range ? daysOf(range) : 0
  return (
    <>
      <AdminHead
        title={t('title')}
        actions={
          range && (
            <ButtonAnchor
              variant="secondary"
              href={apiAddress(`${path}/export.csv?${new URLSearchParams({ ...range, language })}`)}
              download
            >
              <DownloadIcon />
              <span>{t('export')}</span>
            </ButtonAnchor>
          )
        }
      />
      <div className="mb-6 flex flex-wrap items-end gap-4">
        <ul aria-label={t('periods')} className="visit-periods">
          {shortcuts.map((days) => (
            <li key={days}>
              <Link
                to={`?days=${days}`}
                aria-current={count === days && range?.to === addDays(today, -1) ? 'true' : undefined}
                preventScrollReset
              >
                {days === year ? t('months') : t('days', { count: days })}
              </Link>
            </li>
          ))}
        </ul>
        <details className="visit-dates" open={range === null || undefined}>
          <summary>{t('chooseDates')}</summary>
          <Form key={`${range?.from} ${range?.to}`} className="mt-2 flex flex-wrap items-end gap-3">
            <TextField label={t('from')} type="date" name="from" defaultValue={range?.from ?? asked.from ?? ''} />
            <TextField label={t('to')} type="date" name="to" defaultValue={range?.to ?? asked.to ?? ''} />
            <Button type="submit">{t('show')}</Button>
          </Form>
        </details>
      </div>
      <LoadingOverlay busy={state === 'loading'}>
        {range === null || figures === null ? (
          <p role="alert" className="rounded-card bg-err-soft px-5 py-4 font-bold text-err">
            {t('wrongRange')}
          </p>
        ) : (
          <Shown range={range} figures={figures} />
        )}
      </LoadingOverlay>
      <p className="mt-8 max-w-prose text-sm text-ink-2">
        <strong className="text-ink">{t('notCounted')}</strong> <span>{t('notCountedText')}</span>
      </p>
    </>
  )
}

type Loaded = NonNullable<Awaited<ReturnType<typeof clientLoader>>['figures']>

function Shown({ range, figures }: { range: Range; figures: Loaded }) {
  const t = useTexts(visitTexts)
  const language = useLanguage()
  const { days, daysBefore, now, former, current, outages } = figures
  const hasAny = [...days, ...(current ? [current] : [])].some(({ views, forms, chats }) => views + forms + chats > 0)
  if (!hasAny) {
    return (
      <EmptyState
        title={t('emptyTitle')}
        action={
          <ButtonAnchor variant="secondary" href="/">
            {t('openSite')}
          </ButtonAnchor>
        }
      >
        {t('emptyText')}
      </EmptyState>
    )
  }
  const hasBefore = daysBefore.slice(0, Math.ceil(daysBefore.length / 7)).some(({ views }) => views > 0)
  return (
    <div className="grid min-w-0 gap-6">
      <header>
        <Headline days={days} before={hasBefore ? daysBefore : null} />
        <p className="text-ink-2">
          <span>{t('range', { from: formatDay(range.from, language), to: formatDay(range.to, language) })}</span>{' '}
          <Cause campaigns={now.campaign} days={days} />
        </p>
      </header>
      <VisitTotals days={days} before={hasBefore ? daysBefore : null} />
      <VisitPlot days={days} before={hasBefore ? daysBefore : null} current={current} outages={outages} />
      <VisitTables now={now} former={hasBefore ? former : null} />
    </div>
  )
}

const sum = (rows: readonly VisitFigures[]) => rows.reduce((total, { visits }) => total + visits, 0)

/** How many, against what; a fall as plainly as a rise. */
function Headline({ days, before }: { days: VisitFigures[]; before: VisitFigures[] | null }) {
  const t = useTexts(visitTexts)
  const { number, change } = useNumbers()
  const visits = sum(days)
  const told = t('headline', { visits: number(visits), count: visits, days: days.length, dayCount: days.length })
  if (!before) return <h2 className="text-2xl">{told}</h2>
  const then = sum(before)
  const difference = change(visits, then)
  const values = { days: days.length, before: number(then), percent: difference?.replace(/^[+\u2212]\s*/, '') ?? '' }
  const end =
    difference === null ? t('muchMore', values) : visits === then ? t('same', values) : t(visits > then ? 'more' : 'less', values)
  return (
    <h2 className="text-2xl">
      <span>{told}</span>
      <span>{`, ${end}`}</span>
    </h2>
  )
}

/** The campaign that brought most, where it brought a tenth of all or more. */
function Cause({ campaigns, days }: { campaigns: VisitFigures[]; days: VisitFigures[] }) {
  const t = useTexts(visitTexts)
  const first = campaigns.filter(({ key }) => key !== '' && key !== 'other').toSorted((a, b) => b.visits - a.visits)[0]
  return first && first.visits >= sum(days) / 10 ? <span>{t('cause', { name: first.key, count: first.visits })}</span> : null
}

const daysOf = ({ from, to }: Range) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1

function periodBefore(range: Range): Range {
  return { from: addDays(range.from, -daysOf(range)), to: addDays(range.from, -1) }
}

/** The days in the address, or those that are over; null where they are no range. */
function readRange(query: URLSearchParams, today: string): Range | null {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from !== null || to !== null) {
    const isDay = (day: string | null): day is string =>
      /^\d{4}-\d\d-\d\d$/.test(day ?? '') && !Number.isNaN(Date.parse(day ?? ''))
    return isDay(from) && isDay(to) && from <= to && daysOf({ from, to }) <= longest ? { from, to } : null
  }
  const asked = Number(query.get('days'))
  const count = shortcuts.find((days) => days === asked) ?? 28
  return { from: addDays(today, -count), to: addDays(today, -1) }
}
