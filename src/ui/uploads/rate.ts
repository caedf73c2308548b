import type { UploadProgress } from './upload.ts'

const windowMs = 15_000
/** No time left before so long: the first bytes fill buffers. */
const shortestMs = 2_000

/** Estimates the time left by the speed of the last seconds. */
export function createRate(now = () => Date.now()) {
  let samples: { at: number; sent: number }[] = []
  return {
    secondsLeft({ state, sent, total }: UploadProgress): number | null {
      if (state !== 'sending') {
        samples = []
        return null
      }
      const at = now()
      samples = [...samples.filter((one) => one.at > at - windowMs && one.sent <= sent), { at, sent }]
      const [first = { at, sent }] = samples
      const [ms, bytes] = [at - first.at, sent - first.sent]
      return ms < shortestMs || bytes === 0 ? null : ((total - sent) / bytes) * (ms / 1_000)
    },
  }
}
