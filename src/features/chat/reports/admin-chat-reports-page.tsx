import { Form, useNavigation } from 'react-router'
import { useMemo } from 'react'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import type { PlotSeries } from '#src/ui/components/plot.tsx'
import { Plot } from '#src/ui/components/plot.tsx'
import { formatDay, addDays, dayIn } from '#src/lib/time/dates.ts'
import { locales } from '#src/lib/language/language.ts'
import type { Column } from '#src/ui/components/table.tsx'
import { Table } from '#src/ui/components/table.tsx'
import type { ChatFigures, ChatCounts } from '../contract.ts'
import { figuresTexts } from './reports-texts.ts'
import type { Route } from './+types/admin-chat-reports-page.ts'
import { company } from '#company/company.ts'

const path = '/api/chat/figures'
const shortcuts = [7, 30, 90, 365]
const best = 5

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = new URL(request.url).searchParams
  const range = readRange(query)
  const figures = range && (await getJson<ChatFigures>(`${path}?${queryOf(range)}`))
  return { asked: { from: query.get('from'), to: query.get('to') }, range, figures }
}

/** Volumes and times by day and by technician, with a CSV export. */
export default function AdminChatFiguresPage({ loaderData: { asked, range, figures } }: Route.ComponentProps) {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const { state } = useNavigation()
  return (
    <>
      <AdminHead
        title={t('title')}
        subtitle={t('section')}
        backTo="/admin/chat"
        actions={
          range && (
            <ButtonAnchor
              variant="secondary"
              href={apiAddress(`${path}/export.csv?${queryOf(range)}&language=${language}`)}
              download
            >
              <DownloadIcon />
              <span>{t('export')}</span>
            </ButtonAnchor>
          )
        }
      />
      <p className="mb-6 max-w-prose text-ink-2">{t('intro')}</p>
      <Form
        key={`${range?.from} ${range?.to}`}
        role="search"
        aria-label={t('range')}
        className="mb-8 flex flex-wrap items-end gap-4"
      >
        <TextField label={t('from')} type="date" name="from" defaultValue={range?.from ?? asked.from ?? ''} />
        <TextField label={t('to')} type="date" name="to" defaultValue={range?.to ?? asked.to ?? ''} />
        <Button type="submit">{t('show')}</Button>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {shortcuts.map((count) => (
            <li key={count}>
              <Link to={`?${queryOf(lastDays(count))}`} className="inline-block py-2 text-brand underline underline-offset-2">
                {t('lastDays', { count })}
              </Link>
            </li>
          ))}
        </ul>
      </Form>
      <LoadingOverlay busy={state === 'loading'}>
        {figures === null ? (
          <p role="alert" className="rounded-card bg-err-soft px-5 py-4 font-bold text-err">
            {t('wrongRange')}
          </p>
        ) : figures.total.chats === 0 ? (
          <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
        ) : (
          <div className="grid min-w-0 gap-8">
            <KeyFigures total={figures.total} before={figures.before} />
            <Plots days={figures.days} hasRatings={figures.total.ratings > 0} />
            <FiguresTables figures={figures} />
          </div>
        )}
      </LoadingOverlay>
    </>
  )
}

const keyFigures = [
  { key: 'chats', label: 'chats', isMinutes: false },
  { key: 'answer_median', label: 'answerMedian', isMinutes: true },
  { key: 'wait_median', label: 'waitMedian', isMinutes: true },
  { key: 'silence_median', label: 'silenceMedian', isMinutes: true },
  { key: 'taken_over', label: 'takenOver', isMinutes: false },
  { key: 'given_up', label: 'givenUp', isMinutes: false },
] as const

/** The figures of the period, each with its change since as many days before. */
export function KeyFigures({ total, before }: { total: ChatCounts; before: ChatCounts }) {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  const show = (value: number, isMinutes: boolean) =>
    isMinutes ? t('minutes', { value: format.format(value) }) : format.format(value)
  const trendOf = (now: number | null, then: number | null, isMinutes: boolean) => {
    if (before.chats === 0 || then === null || now === null) return t('noBefore')
    const change = Math.round((now - then) * 10) / 10
    if (change === 0) return t('same')
    const values = { value: show(Math.abs(change), isMinutes), before: show(then, isMinutes) }
    return change > 0 ? t('more', values) : t('less', values)
  }
  return (
    <dl aria-label={t('keyFigures')} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {keyFigures.map(({ key, label, isMinutes }) => (
        <div key={key} className="card grid content-start gap-1 p-5">
          <dt className="font-bold">{t(label)}</dt>
          <dd className="tabular text-4xl font-extrabold">{total[key] === null ? t('none') : show(total[key], isMinutes)}</dd>
          <dd className="text-sm text-ink-2">{trendOf(total[key], before[key], isMinutes)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Plots({ days, hasRatings }: { days: ChatFigures['days']; hasRatings: boolean }) {
  const t = useTexts(figuresTexts)
  // Stable references: a plot redraws on each change.
  const plots = useMemo(() => {
    const values = (
      field: 'chats' | 'missed' | 'answer_median' | 'answer_p90' | 'resolution_median' | 'resolution_p90' | 'rating',
    ) => days.map((day) => day[field])
    const pair = (median: 'answer_median' | 'resolution_median', p90: 'answer_p90' | 'resolution_p90'): PlotSeries[] => [
      { label: t('median'), tone: 'brand', values: values(median) },
      { label: t('p90'), tone: 'err', isDashed: true, values: values(p90) },
    ]
    return {
      points: days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
      volume: [
        { label: t('chats'), tone: 'brand', isBar: true, values: values('chats') },
        { label: t('missed'), tone: 'err', isBar: true, values: values('missed') },
      ] satisfies PlotSeries[],
      answer: pair('answer_median', 'answer_p90'),
      resolution: pair('resolution_median', 'resolution_p90'),
      rating: [{ label: t('rating'), tone: 'ok', values: values('rating') }] satisfies PlotSeries[],
    }
  }, [days, t])
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <DayPlot title={t('volume')} points={plots.points} series={plots.volume} />
      <DayPlot title={t('answer')} points={plots.points} series={plots.answer} />
      <DayPlot title={t('resolution')} points={plots.points} series={plots.resolution} />
      {hasRatings && <DayPlot title={t('ratingMean')} points={plots.points} series={plots.rating} max={best} />}
    </div>
  )
}

function DayPlot(props: { title: string; points: number[]; series: PlotSeries[]; max?: number }) {
  const t = useTexts(figuresTexts)
  return <Plot {...props} unit="day" unitLabel={t('day')} description={t('plotOf', { name: props.title })} />
}

const queryOf = ({ from, to }: FiguresRange) => new URLSearchParams({ from, to }).toString()

/** Tables: total and technicians, then days, newest first. */
export function FiguresTables({ figures: { total, days, technicians } }: { figures: ChatFigures }) {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const columns = useColumns()
  const people = [{ name: t('total'), ...total }, ...technicians.map((one) => ({ name: one.user_name, ...one }))]
  return (
    <>
      <Disclosure title={t('byTechnician')}>
        <Table
          isWide
          caption={t('byTechnician')}
          rows={people}
          rowKey={(row) => ('id_user' in row ? row.id_user : 'total')}
          columns={[{ header: t('technician'), isRowHeader: true, cell: (row) => row.name }, ...columns]}
        />
        {technicians.length === 0 && <p className="text-ink-2">{t('noTechnician')}</p>}
      </Disclosure>
      <Disclosure title={t('byDay')}>
        <Table
          isWide
          caption={t('byDay')}
          rows={days.filter(({ chats }) => chats > 0).toReversed()}
          rowKey={(row) => row.day}
          columns={[
            {
              header: t('day'),
              isRowHeader: true,
              cell: (row) => (
                <time dateTime={row.day} className="whitespace-nowrap">
                  {formatDay(row.day, language)}
                </time>
              ),
            },
            ...columns,
          ]}
        />
      </Disclosure>
    </>
  )
}

function useColumns(): Column<ChatCounts>[] {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  const number = (value: number | null) => {
    if (value !== null) return <span className="tabular">{format.format(value)}</span>
    return (
      <>
        <span aria-hidden="true">{t('none')}</span>
        <span className="sr-only">{t('noMeasure')}</span>
      </>
    )
  }
  // One column for both, so that the table fits its page.
  const both = (name: string) => `${name}, ${t('median')} / ${t('p90')}`
  const pair = (median: number | null, p90: number | null) =>
    median === null || p90 === null ? (
      number(null)
    ) : (
      <span className="tabular whitespace-nowrap">{`${format.format(median)} / ${format.format(p90)}`}</span>
    )
  return [
    { header: t('chats'), cell: (row) => number(row.chats) },
    { header: t('missed'), cell: (row) => number(row.missed) },
    { header: both(t('answer')), cell: (row) => pair(row.answer_median, row.answer_p90) },
    { header: t('waitMedian'), cell: (row) => number(row.wait_median) },
    { header: t('silenceMedian'), cell: (row) => number(row.silence_median) },
    { header: t('takenOver'), cell: (row) => number(row.taken_over) },
    { header: t('givenUp'), cell: (row) => number(row.given_up) },
    { header: both(t('resolution')), cell: (row) => pair(row.resolution_median, row.resolution_p90) },
    {
      header: t('rating'),
      cell: (row) =>
        row.rating === null ? number(null) : t('ratingOf', { rating: format.format(row.rating), count: row.ratings }),
    },
  ]
}

export type FiguresRange = { from: string; to: string }

const usualDays = 30
/** Five years, with two leap days. */
const longest = 5 * 365 + 1

/** The last days up to today, in the company's time zone. */
export function lastDays(count: number, now = new Date()): FiguresRange {
  const to = dayIn(company.hours.timeZone, now)
  return { from: addDays(to, 1 - count), to }
}

/** The range of the query string, or the default one; null where it is invalid. */
export function readRange(query: URLSearchParams, now = new Date()): FiguresRange | null {
  const usual = lastDays(usualDays, now)
  const from = query.get('from') || usual.from
  const to = query.get('to') || usual.to
  if (!isDay(from) || !isDay(to) || from > to || addDays(from, longest) < to) return null
  return { from, to }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
