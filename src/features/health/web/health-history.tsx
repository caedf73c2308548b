import { useMemo } from 'react'
import type { Sample } from '#src/lib/samples.ts'
import { downsample } from '#src/lib/samples.ts'
import { formatTime } from '#src/lib/time/date-time.ts'
import { locales } from '#src/lib/language/language.ts'
import { Disclosure } from '#src/ui/components/disclosure.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { PlotSeries } from '#src/ui/components/plot.tsx'
import { Plot } from '#src/ui/components/plot.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { texts } from '../texts.ts'
import type { Range } from './use-health.ts'

type Key = keyof (typeof texts)['fr']
type Line = { field: Exclude<keyof Sample, 'at'>; label: Key; tone: PlotSeries['tone'] }

/** Each plot shows series of one unit; error series are dashed. */
const plots: { title: Key; lines: Line[] }[] = [
  { title: 'load', lines: [{ field: 'requests', label: 'requests', tone: 'brand' }] },
  {
    title: 'times',
    lines: [
      { field: 'request_p95', label: 'requestTime', tone: 'brand' },
      { field: 'message_p95', label: 'messageTime', tone: 'ok' },
      { field: 'loop_p99', label: 'loop', tone: 'err' },
    ],
  },
  {
    title: 'people',
    lines: [
      { field: 'sockets', label: 'sockets', tone: 'brand' },
      { field: 'chats_waiting', label: 'chats', tone: 'err' },
    ],
  },
  {
    title: 'work',
    lines: [
      { field: 'queue_depth', label: 'queueJobs', tone: 'brand' },
      { field: 'mails_waiting', label: 'mailsWaiting', tone: 'ok' },
      { field: 'mail_failures', label: 'mailFailures', tone: 'err' },
    ],
  },
  { title: 'memoryMb', lines: [{ field: 'memory_mb', label: 'memoryMb', tone: 'brand' }] },
]
const allLines = plots.flatMap(({ lines }) => lines)
const rowMs: Record<Range, number> = { hour: 300_000, day: 3_600_000 }

/** The samples as plots, and as a table whose rows stand for five minutes or an hour each. */
export function HealthHistory({ samples, range }: { samples: Sample[]; range: Range }) {
  const t = useTexts(texts)
  const language = useLanguage()
  // Memoized: the plot redraws whenever its props change identity.
  const drawn = useMemo(() => {
    const seriesOf = ({ field, label, tone }: Line): PlotSeries => ({
      label: t(label),
      tone,
      isDashed: tone === 'err',
      values: samples.map((sample) => sample[field]),
    })
    return {
      points: samples.map(({ at }) => at / 1_000),
      plots: plots.map(({ title, lines }) => ({ title, series: lines.map(seriesOf) })),
    }
  }, [samples, t])
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  return (
    <div className="grid gap-6">
      <div className="grid gap-6 xl:grid-cols-2">
        {drawn.plots.map(({ title, series }) => (
          <Plot
            key={title}
            title={t(title)}
            description={t('plotOf', { name: t(title) })}
            unit="moment"
            unitLabel={t('moment')}
            points={drawn.points}
            series={series}
          />
        ))}
      </div>
      <Disclosure title={t('table')}>
        <Table
          caption={t('table')}
          rows={downsample(samples, rowMs[range]).toReversed()}
          rowKey={(row) => row.at}
          columns={[
            { header: t('moment'), isRowHeader: true, cell: (row) => formatTime(row.at, language) },
            ...allLines.map(({ field, label }) => ({
              header: t(label),
              cell: (row: Sample) => <Value value={row[field]} format={format} />,
            })),
          ]}
        />
      </Disclosure>
    </div>
  )
}

function Value({ value, format }: { value: number | null; format: Intl.NumberFormat }) {
  const t = useTexts(texts)
  if (value !== null) return <span className="tabular">{format.format(value)}</span>
  return (
    <>
      <span aria-hidden="true">{t('none')}</span>
      <span className="sr-only">{t('noMeasure')}</span>
    </>
  )
}
