import { useMemo } from 'react'
import { locales } from '#src/lib/language/language.ts'
import { Disclosure } from '#src/ui/components/card.tsx'
import { PeriodLinks } from '#src/ui/components/period-links.tsx'
import type { PlotSeries } from '#src/ui/components/plot.tsx'
import { Plot } from '#src/ui/components/plot.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { MonitorHistory as History } from '../contract.ts'
import { monitorTexts } from '../texts.ts'
import type { MonitorPeriod } from '../values.ts'
import { monitorPeriods } from '../values.ts'

const mostRows = 100

/** The response times as a plot and a table, and the changes of result. */
export function MonitorHistory({ history, period }: { history: History; period: MonitorPeriod }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const { points, events, step_s: step } = history
  // Memoized: the plot redraws whenever its props change identity.
  const drawn = useMemo(() => drawPoints(points, step, [t('average'), t('longest')]), [points, step, t])
  const number = new Intl.NumberFormat(locales[language])
  const show = (value: number | null) => (value === null ? '–' : number.format(value))
  return (
    <section className="mt-10 grid gap-6" aria-label={t('history')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 className="text-xl">{t('history')}</h2>
        <PeriodLinks label={t('period')} periods={monitorPeriods} current={period} nameOf={t} parameter="period" />
      </div>
      {points.length === 0 ? (
        <p className="text-ink-2">{t('noFigures')}</p>
      ) : (
        <>
          {/* A line needs two points. */}
          {points.length > 1 && (
            <Plot
              title={t('plot')}
              description={t('plotOf')}
              unit={period === 'day' ? 'moment' : 'day'}
              unitLabel={t('moment')}
              points={drawn.points}
              series={drawn.series}
            />
          )}
          <Disclosure title={t('figures')}>
            <Table
              caption={t('figures')}
              rows={points.toReversed().slice(0, mostRows)}
              rowKey={({ at }) => at}
              columns={[
                { header: t('moment'), isRowHeader: true, cell: ({ at }) => <Moment at={at} /> },
                { header: t('checks'), cell: ({ checks }) => show(checks) },
                { header: t('failed'), cell: ({ down, degraded }) => show(down + degraded) },
                { header: t('average'), cell: ({ ms }) => show(ms) },
                { header: t('longest'), cell: ({ ms_max: most }) => show(most) },
              ]}
            />
          </Disclosure>
        </>
      )}
      <h3 className="text-lg">{t('events')}</h3>
      {events.length === 0 ? (
        <p className="text-ink-2">{t('noEvents')}</p>
      ) : (
        <Table
          caption={t('events')}
          rows={events.slice(0, mostRows).map((event, index) => ({ ...event, index }))}
          rowKey={({ index }) => index}
          columns={[
            { header: t('moment'), isRowHeader: true, cell: ({ at }) => <Moment at={at} /> },
            { header: t('state'), cell: ({ state }) => t(state) },
            {
              header: t('result'),
              cell: ({ reason, detail, ms }) => (
                <span className="wrap-anywhere">
                  {reason ? t(`reason ${reason}`, { detail }) : ms === null ? '–' : t('responseTime', { ms })}
                </span>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}

/** A gap in the measurements is a gap in the line. */
function drawPoints(points: History['points'], step: number, [average = '', longest = '']: string[]) {
  const times: number[] = []
  const values: { ms: number | null; most: number | null }[] = []
  for (const { at, ms, ms_max: most } of points) {
    const time = Date.parse(at) / 1_000
    const last = times.at(-1)
    if (last !== undefined && time - last > 2 * step) {
      times.push(last + step)
      values.push({ ms: null, most: null })
    }
    times.push(time)
    values.push({ ms, most })
  }
  const series: PlotSeries[] = [
    { label: average, tone: 'brand', values: values.map(({ ms }) => ms) },
    { label: longest, tone: 'err', isDashed: true, values: values.map(({ most }) => most) },
  ]
  return { points: times, series }
}
