import type { Result } from 'lighthouse'
import lighthouse from 'lighthouse'

export type Figures = {
  scores: { performance: number; accessibility: number; bestPractices: number; seo: number }
  /** Milliseconds. */
  lcp: number
  tbt: number
  cls: number
  /** Transferred bytes, without response headers. */
  script: number
  style: number
  font: number
  /** Failed audits, except those of performance. */
  failed: string[]
}

/** Runs Lighthouse once with its mobile settings, in the browser that listens on this port. */
export async function measure(address: string, port: number): Promise<Figures> {
  const lhr = await runLighthouse(address, port)
  const figureOf = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN
  const bytesOf = (kind: string) => sumBytes(lhr, kind)
  return {
    scores: {
      performance: scoreOf(lhr, 'performance'),
      accessibility: scoreOf(lhr, 'accessibility'),
      bestPractices: scoreOf(lhr, 'best-practices'),
      seo: scoreOf(lhr, 'seo'),
    },
    lcp: figureOf('largest-contentful-paint'),
    tbt: figureOf('total-blocking-time'),
    cls: figureOf('cumulative-layout-shift'),
    script: await bytesOf('Script'),
    style: await bytesOf('Stylesheet'),
    font: await bytesOf('Font'),
    failed: ['accessibility', 'best-practices', 'seo'].flatMap((category) => failedOf(lhr, category)),
  }
}

/** The median run by performance, with the median of each time. */
export function medianOf(runs: Figures[]): Figures {
  const [middle] = runs.toSorted((one, other) => one.scores.performance - other.scores.performance).slice(runs.length >> 1)
  if (!middle) throw new Error('no run')
  return { ...middle, lcp: middleOf(runs.map((run) => run.lcp)), tbt: middleOf(runs.map((run) => run.tbt)) }
}

/** A busy machine sometimes loses the trace of a page: the run is repeated. */
async function runLighthouse(address: string, port: number, attempts = 3): Promise<Result> {
  const run = await lighthouse(address, { port, logLevel: 'error', output: 'json' })
  if (run && !run.lhr.runtimeError) return run.lhr
  if (attempts > 1) return runLighthouse(address, port, attempts - 1)
  throw new Error(`Lighthouse did not judge ${address}: ${run?.lhr.runtimeError?.message ?? 'no answer'}`)
}

function middleOf(numbers: number[]) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}

function scoreOf({ categories }: Result, category: string) {
  return Math.round((categories[category]?.score ?? 0) * 100)
}

function failedOf({ audits, categories }: Result, category: string) {
  return (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id)
}

/** Requested again, because Lighthouse's sizes include headers, about a kilobyte per file. */
async function sumBytes({ audits }: Result, kind: string) {
  const details = audits['network-requests']?.details
  const requests = details?.type === 'table' ? details.items.filter((request) => request.resourceType === kind) : []
  const sizes = await Promise.all(
    requests.map(async ({ url }) => {
      const response = await fetch(String(url), { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
      return Number(response.headers.get('content-length'))
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
