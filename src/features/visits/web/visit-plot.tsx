import type { KeyboardEvent, PointerEvent } from 'react'
import { useId, useState } from 'react'
import { company } from '#company/company.ts'
import { locales } from '#src/lib/language/language.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { Disclosure } from '#src/ui/components/card.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { VisitFigures } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import type { Outage } from './admin-visits-page.tsx'
import { useNumbers } from './numbers.ts'

type Props = { days: VisitFigures[]; before: VisitFigures[] | null; current: VisitFigures | null; outages: Outage[] }

/** Bars of days up to here, else of weeks. */
const mostBars = 92
const onPhone = 14
const height = 200

type Bar = { first: string; last: string; visits: number; before: number | null; outages: Outage[]; isToday: boolean }

/** A bar a day, narrow at weekends; the period before as an outline, outages as triangles, the day in progress dashed. */
export function VisitPlot({ days, before, current, outages }: Props) {
  const t = useTexts(visitTexts)
  const language = useLanguage()
  const { number } = useNumbers()
  const id = useId()
  const [at, setAt] = useState<number | null>(null)
  const all = barsOf({ days, before, current, outages })
  const bars = matchMedia('(max-width: 40rem)').matches ? all.slice(-onPhone) : all
  const most = niceTop(Math.max(1, ...bars.flatMap((bar) => [bar.visits, bar.before ?? 0])))
  const yOf = (value: number) => height - (height * value) / most
  const format = new Intl.DateTimeFormat(locales[language], { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const short = new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const nameOf = ({ first, last }: Bar) =>
    first === last ? format.format(new Date(first)) : format.formatRange(new Date(first), new Date(last))
  const textOf = (bar: Bar) => {
    const values = { day: nameOf(bar), visits: number(bar.visits), count: bar.visits, before: number(bar.before ?? 0) }
    const told = bar.before === null ? t('plotValueAlone', values) : t('plotValue', values)
    const titles = bar.outages.map((one) => t('outageOf', { title: language === 'en' ? one.title_en || one.title : one.title }))
    return [told, ...(bar.isToday ? [t('today')] : []), ...titles].join(', ')
  }
  const outline = bars
    .flatMap(({ before: then }, index) => (then === null ? [] : [`${index},${yOf(then)}`, `${index + 1},${yOf(then)}`]))
    .join(' ')
  const shown = bars[at ?? bars.length - 1]
  const handleKey = (event: KeyboardEvent) => {
    const last = bars.length - 1
    const from = at ?? last
    const to = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: 0, End: last }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    setAt(Math.min(last, Math.max(0, to)))
  }
  const handlePointer = ({ currentTarget, clientX }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    setAt(Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * bars.length))))
  }
  const every = Math.max(1, Math.ceil(bars.length / 6))
  return (
    <section className="card grid min-w-0 gap-3 p-5" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {t('plotTitle')}
      </h2>
      <ul className="visit-legend">
        <li className="is-day">{t('workday')}</li>
        <li className="is-weekend">{t('weekend')}</li>
        {before && <li className="is-before">{t('periodBefore', { days: days.length })}</li>}
        {bars.some(({ isToday }) => isToday) && <li className="is-today">{t('today')}</li>}
        {bars.some((bar) => bar.outages.length > 0) && <li className="is-outage">{t('outage')}</li>}
      </ul>
      <p className="visit-tip">{shown && textOf(shown)}</p>
      <div className="visit-plot">
        <div className="visit-scale" aria-hidden="true">
          {[1, 0.5, 0].map((part) => (
            <span key={part}>{number(Math.round(most * part))}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${t('plotTitle')}. ${t('plotHelp')}`}
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={(at ?? bars.length - 1) + 1}
          aria-valuetext={shown ? textOf(shown) : ''}
          className="visit-bars"
          onKeyDown={handleKey}
          onPointerMove={handlePointer}
          onPointerDown={handlePointer}
        >
          <svg viewBox={`0 0 ${bars.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {[0, height / 2, height].map((y) => (
              <line key={y} x1={0} x2={bars.length} y1={y} y2={y} className="visit-line" />
            ))}
            {bars.map((bar, index) => {
              const width = isWeekend(bar) ? 0.3 : 0.68
              return (
                <rect
                  key={bar.first}
                  x={index + (1 - width) / 2}
                  width={width}
                  y={yOf(bar.visits)}
                  height={height - yOf(bar.visits)}
                  className={bar.isToday ? 'visit-today' : index === at ? 'visit-day is-at' : 'visit-day'}
                />
              )
            })}
            {outline && <polyline points={outline} className="visit-before" />}
          </svg>
          {bars.map((bar, index) =>
            bar.outages.length > 0 ? (
              <span
                key={bar.first}
                className="visit-outage"
                aria-hidden="true"
                style={{ left: `${(100 * (index + 0.5)) / bars.length}%`, bottom: `${(100 * bar.visits) / most}%` }}
              />
            ) : null,
          )}
        </div>
        <div className="visit-days" aria-hidden="true">
          {bars.map((bar, index) =>
            index % every === 0 ? (
              <span key={bar.first} style={{ left: `${(100 * index) / bars.length}%` }}>
                {short.format(new Date(bar.first))}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <Disclosure title={t('asTable')}>
        <Table
          caption={t('plotTitle')}
          rows={all.toReversed()}
          rowKey={({ first }) => first}
          columns={[
            { header: t('day'), isRowHeader: true, cell: (bar) => <time dateTime={bar.first}>{nameOf(bar)}</time> },
            { header: t('visits'), cell: (bar) => <span className="tabular">{number(bar.visits)}</span> },
            ...(before
              ? [
                  {
                    header: t('periodBefore', { days: days.length }),
                    cell: (bar: Bar) => <span className="tabular">{bar.before === null ? t('none') : number(bar.before)}</span>,
                  },
                ]
              : []),
          ]}
        />
      </Disclosure>
    </section>
  )
}

const isWeekend = ({ first, last }: Bar) => first === last && [0, 6].includes(new Date(first).getUTCDay())

function barsOf({ days, before, current, outages }: Props): Bar[] {
  const size = days.length > mostBars ? 7 : 1
  const bars: Bar[] = []
  for (let from = 0; from < days.length; from += size) {
    const own = days.slice(from, from + size)
    const then = before?.slice(from, from + size) ?? null
    const [first = '', last = ''] = [own[0]?.key, own.at(-1)?.key]
    const isHere = ({ started_at: at }: Outage) => {
      const day = dayIn(company.hours.timeZone, new Date(at))
      return day >= first && day <= last
    }
    bars.push({ first, last, visits: total(own), before: then && total(then), outages: outages.filter(isHere), isToday: false })
  }
  const last = days.at(-1)?.key ?? ''
  // Only where it follows the period: in no sum, and compared with nothing.
  if (current && size === 1 && Date.parse(current.key) - Date.parse(last) === 86_400_000)
    bars.push({ first: current.key, last: current.key, visits: current.visits, before: null, outages: [], isToday: true })
  return bars
}

const total = (rows: readonly VisitFigures[]) => rows.reduce((sum, { visits }) => sum + visits, 0)

/** The next round number, for the top of the scale. */
function niceTop(value: number) {
  const ten = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 6, 8, 10].map((step) => step * ten).find((top) => top >= value && top % 2 === 0) ?? Math.max(2, 10 * ten)
}
