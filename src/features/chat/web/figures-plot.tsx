import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { locales } from '#src/lib/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { figuresTexts } from '../figures-texts.ts'
import 'uplot/dist/uPlot.min.css'
import './figures.css'

export type PlotSeries = { label: string; values: (number | null)[]; tone: 'brand' | 'err' | 'ok'; isDashed?: boolean }
type FiguresPlotProps = { title: string; days: string[]; series: PlotSeries[]; max?: number }

const height = 220

/** Lines over the days of a range; who does not see them finds the same figures in the table by day. */
export function FiguresPlot({ title, days, series, max }: FiguresPlotProps) {
  const t = useTexts(figuresTexts)
  const language = useLanguage()
  const holder = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = holder.current
    if (!element) return
    let plot: uPlot | undefined
    let isGone = false
    const follow = new ResizeObserver(([entry]) => plot?.setSize({ width: Math.floor(entry?.contentRect.width ?? 0), height }))
    import('uplot').then(
      ({ default: Plot }) => {
        if (isGone) return
        const options = optionsOf({ series, max, day: t('day'), locale: locales[language], width: element.clientWidth })
        plot = new Plot(
          { ...options, tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1_000), 'UTC') },
          [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000), ...series.map(({ values }) => values)],
          element,
        )
        follow.observe(element)
      },
      // The table holds the same figures.
      (error: unknown) => console.warn(error),
    )
    return () => {
      isGone = true
      follow.disconnect()
      plot?.destroy()
    }
  }, [days, series, max, language, t])

  return (
    <figure className="card min-w-0 p-4">
      <figcaption className="mb-2 font-bold">{title}</figcaption>
      <div ref={holder} role="img" aria-label={t('plotOf', { name: title })} className="min-h-64" />
    </figure>
  )
}

type Given = { series: PlotSeries[]; max: number | undefined; day: string; locale: string; width: number }

function optionsOf({ series, max, day: dayLabel, locale, width }: Given): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const axis = {
    stroke: color('ink-2'),
    font: `13px ${style.getPropertyValue('--font-sans')}`,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  }
  const dayOf = (seconds: number) => day.format(seconds * 1_000)
  return {
    width,
    height,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, max ?? Math.max(1, high * 1.1)] } },
    axes: [
      {
        ...axis,
        space: 64,
        incrs: [1, 2, 7, 14, 30, 61, 122].map((days) => days * 86_400),
        values: (_plot, splits) => splits.map(dayOf),
      },
      { ...axis, size: 44, values: (_plot, splits) => splits.map((value) => number.format(value)) },
    ],
    series: [
      { label: dayLabel, value: (_plot, seconds: number | null) => (seconds === null ? '' : dayOf(seconds)) },
      ...series.map(({ label, tone, isDashed }) => ({
        label,
        stroke: color(tone),
        width: 2,
        spanGaps: false,
        points: { show: true, size: 5 },
        ...(isDashed ? { dash: [6, 4] } : {}),
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : number.format(value)),
      })),
    ],
  }
}
