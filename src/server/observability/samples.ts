import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RecordableHistogram } from 'node:perf_hooks'
import type { Sample } from '#src/lib/samples.ts'
import { downsample } from '#src/lib/samples.ts'
import type { App } from '../types.ts'

const everyMs = 15_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const dayStepMs = 300_000

/**
 * Samples of this instance over the last hour and day, in memory: nothing is written, and a restart starts again. Prometheus
 * stores more, for all instances.
 */
export function watchSamples(app: App) {
  const { metrics } = app
  const loop = monitorEventLoopDelay({ resolution: 20 })
  let recent: Sample[] = []
  let older: Sample[] = []
  let last = performance.now()
  let timer: NodeJS.Timeout | undefined

  async function take(now = Date.now()) {
    const seconds = Math.max(0.001, (performance.now() - last) / 1_000)
    last = performance.now()
    const { requests, messages, mailFailures } = metrics.recent
    const measured = {
      requests: requests.count / seconds,
      request_p95: percentile(requests, 95),
      loop_p99: loop.count > 0 ? loop.percentile(99) / 1e6 : null,
      message_p95: percentile(messages, 95),
      mail_failures: mailFailures,
    }
    requests.reset()
    messages.reset()
    loop.reset()
    metrics.recent.mailFailures = 0
    recent.push({
      ...measured,
      at: now,
      sockets: await metrics.readGauge('guichet_sockets'),
      chats_waiting: await metrics.readGauge('guichet_chats_waiting'),
      queue_depth: await metrics.readGauge('guichet_queue_jobs'),
      mails_waiting: await metrics.readGauge('guichet_mails_waiting'),
      memory_mb: process.memoryUsage.rss() / 2 ** 20,
    })
    // Samples older than an hour are merged into the day, five minutes at a time.
    const periodStart = Math.floor((now - hourMs) / dayStepMs) * dayStepMs
    older = [...older, ...downsample(leftBy(recent, periodStart), dayStepMs)].filter(({ at }) => at > now - dayMs)
    recent = recent.filter(({ at }) => at >= periodStart)
  }

  app.addHook('onListen', async () => {
    loop.enable()
    await take()
    timer = setInterval(() => void take(), everyMs)
    timer.unref()
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    loop.disable()
  })

  return {
    take,
    lastHour: (now = Date.now()) => recent.filter(({ at }) => at > now - hourMs),
    lastDay: () => [...older, ...downsample(recent, dayStepMs)],
  }
}

export type Samples = ReturnType<typeof watchSamples>

const leftBy = (samples: readonly Sample[], periodStart: number) => samples.filter(({ at }) => at < periodStart)

const percentile = (histogram: RecordableHistogram, percent: number) =>
  histogram.count > 0 ? histogram.percentile(percent) / 1_000 : null
