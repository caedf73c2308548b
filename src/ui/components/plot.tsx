import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { locales } from '#src/lib/language/language.ts'
import { withoutZero } from '#src/lib/time/date-time.ts'
import { useLanguage } from '../language.tsx'
import 'uplot/dist/uPlot.min.css'
import './plot.css'

export type PlotSeries = {
  label: string
  values: (number | null)[]
  tone: 'brand' | 'err' | 'ok'
  isDashed?: boolean
  isBar?: boolean
}
type PlotProps = {
  /** Where links lead to it. */
  id?: string
  title: string
  /** Alternative text; a table beside the plot has the same data. */
  description: string
  /** X axis: calendar days, or times in the reader's time zone. */
  unit: 'day' | 'moment'
  unitLabel: string
  /** Epoch seconds; a day is its midnight in UTC. */
  points: number[]
  series: PlotSeries[]
  max?: number
}

const height = 220
/** Half the width of the longest label (“12:48 PM”), for the last tick. */
const rightEdge = 36
/** Steps of the y axis: whole numbers, as counts are. */
const steps = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten])

/** Line chart over time; a table has the same data for screen readers. */
export function Plot({ id, title, description, unit, unitLabel, points, series, max }: PlotProps) {
  const language = useLanguage()
  const holder = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = holder.current
    if (!element) return
    let plot: uPlot | undefined
    let isGone = false
    const follow = new ResizeObserver(([entry]) => plot?.setSize({ width: Math.floor(entry?.contentRect.width ?? 0), height }))
    import('uplot').then(
      ({ default: Drawing }) => {
        if (isGone) return
        const given = { series, max, unit, unitLabel, locale: locales[language], width: element.clientWidth }
        const zone = unit === 'day' ? { tzDate: (seconds: number) => Drawing.tzDate(new Date(seconds * 1_000), 'UTC') } : {}
        const bars = Drawing.paths.bars?.({ size: [0.7, 40] })
        plot = new Drawing({ ...optionsOf(given, bars), ...zone }, [points, ...series.map(({ values }) => values)], element)
        follow.observe(element)
      },
      // The table has the same data.
      (error: unknown) => console.warn(error),
    )
    return () => {
      isGone = true
      follow.disconnect()
      plot?.destroy()
    }
  }, [points, series, max, unit, unitLabel, language])

  return (
    <figure id={id} className="card min-w-0 p-4">
      <figcaption className="mb-2 font-bold">{title}</figcaption>
      <div ref={holder} role="img" aria-label={description} className="min-h-64" />
    </figure>
  )
}

type Given = {
  series: PlotSeries[]
  max: number | undefined
  unit: PlotProps['unit']
  unitLabel: string
  locale: string
  width: number
}

function optionsOf(
  { series, max, unit, unitLabel, locale, width }: Given,
  bars: uPlot.Series.PathBuilder | undefined,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  const format = new Intl.DateTimeFormat(
    locale,
    unit === 'day' ? { day: 'numeric', month: 'short', timeZone: 'UTC' } : { hour: 'numeric', minute: '2-digit' },
  )
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const axis = {
    stroke: color('ink-2'),
    font: `13px ${style.getPropertyValue('--font-sans')}`,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  }
  const nameOf = (seconds: number) => withoutZero(format.format(seconds * 1_000))
  return {
    width,
    height,
    padding: [null, rightEdge, null, null],
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, max ?? Math.max(1, high * 1.1)] } },
    axes: [
      {
        ...axis,
        space: 64,
        incrs:
          unit === 'day'
            ? [1, 2, 7, 14, 30, 61, 122].map((days) => days * 86_400)
            : [1, 2, 5, 10, 15, 30, 60, 120, 180, 360].map((minutes) => minutes * 60),
        values: (_plot, splits) => splits.map(nameOf),
      },
      { ...axis, size: 52, incrs: steps, values: (_plot, splits) => splits.map((value) => number.format(value)) },
    ],
    series: [
      { label: unitLabel, value: (_plot, seconds: number | null) => (seconds === null ? '–' : nameOf(seconds)) },
      ...series.map(({ label, tone, isDashed, isBar }) => ({
        label,
        stroke: color(tone),
        width: 2,
        spanGaps: false,
        points: { show: unit === 'day' && !isBar, size: 5 },
        ...(isBar && bars ? { paths: bars, fill: color(tone) } : {}),
        ...(isDashed ? { dash: [6, 4] } : {}),
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : number.format(value)),
      })),
    ],
  }
}
