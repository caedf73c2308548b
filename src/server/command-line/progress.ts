import { styleText } from 'node:util'
import { createLogUpdate } from 'log-update'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Progress } from '../backup/dump.ts'
import { LocalizedError } from '../localized-error.ts'
import { progressTexts } from './progress-texts.ts'

export type Unit = 'entries' | 'rows' | 'events' | 'files' | 'bytes' | 'mails' | 'steps' | 'packages'

type Options = {
  unit: Unit
  language: Language
  stream: NodeJS.WriteStream
  mode: 'json' | 'quiet' | 'text'
  isUnicode: boolean
  signal: AbortSignal
}

/** Ctrl+C: work ends between two entries, and cleans up after itself. */
export class Interrupted extends LocalizedError {
  constructor() {
    super({
      fr: 'Interrompu entre deux entrées. Pour continuer ou recommencer, lancez la même commande.',
      en: 'Stopped between two entries. Run the same command to continue or to start again.',
    })
  }
}

const barWidth = 32
/** Before that, a rate is a guess. */
const leastMeasuredMs = 3_000

/** Shows how far long work is: a bar on a terminal, otherwise a line every 10 s, or with `--json` one a second. */
export function createProgress({ unit, language, stream, mode, isUnicode, signal }: Options): {
  report: Progress
  end: () => void
} {
  const isBar = mode === 'text' && stream.isTTY
  const everyMs = mode === 'json' ? 1_000 : isBar ? 200 : 10_000
  const startedAt = performance.now()
  const update = isBar ? createLogUpdate(stream) : null
  let [done, total, isReported] = [0, null as number | null, false]
  const write = () => {
    if (!isReported) return
    const seconds = (performance.now() - startedAt) / 1_000
    if (mode === 'json') stream.write(`${JSON.stringify({ done, total, unit })}\n`)
    else if (update) update(describeProgress({ done, total, unit, seconds, language, bar: { isUnicode, stream } }))
    else stream.write(`${describeProgress({ done, total, unit, seconds, language })}\n`)
  }
  const timer = mode === 'quiet' ? undefined : setInterval(write, everyMs)
  timer?.unref()
  return {
    report(count, all) {
      ;[done, total, isReported] = [count, all, true]
      if (signal.aborted) throw new Interrupted()
    },
    end() {
      clearInterval(timer)
      update?.clear()
      update?.done()
    },
  }
}

type Measure = {
  done: number
  total: number | null
  unit: Unit
  seconds: number
  language: Language
  bar?: { isUnicode: boolean; stream: NodeJS.WriteStream }
}

/** One line: the bar where there is one, count, rate and the time left. */
export function describeProgress({ done, total, unit, seconds, language, bar }: Measure) {
  const t = translator(progressTexts, language)
  const number = (value: number) => value.toLocaleString(locales[language], { maximumFractionDigits: 0 })
  const rate = done / Math.max(seconds, 0.001)
  const isMeasured = seconds * 1_000 >= leastMeasuredMs && done > 0
  const count = total === null ? number(done) : t('of', { done: number(done), total: number(total) })
  const left = total !== null && isMeasured ? t('left', { time: describeSeconds((total - done) / rate, language) }) : ''
  const parts = [
    bar && total !== null ? drawBar(total === 0 ? 1 : done / total, bar) : '',
    `${count} ${t(unit)}`,
    isMeasured && unit !== 'steps' ? t('rate', { rate: number(rate) }) : '',
    unit === 'steps' ? '' : left,
  ]
  return parts.filter(Boolean).join('   ')
}

function drawBar(share: number, { isUnicode, stream }: NonNullable<Measure['bar']>) {
  const width = Math.min(barWidth, Math.max(8, (stream.columns ?? 80) - 48))
  const full = Math.round(Math.min(1, share) * width)
  const [complete, rest] = isUnicode ? ['█', '░'] : ['#', '-']
  return `${styleText('yellow', complete.repeat(full), { stream })}${styleText('dim', rest.repeat(width - full), { stream })}`
}

export function describeSeconds(seconds: number, language: Language) {
  const t = translator(progressTexts, language)
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 60) return t('seconds', { seconds: whole })
  if (whole < 3_600) return t('minutes', { minutes: Math.floor(whole / 60), seconds: whole % 60 })
  return t('hours', { hours: Math.floor(whole / 3_600), minutes: Math.floor((whole % 3_600) / 60) })
}
