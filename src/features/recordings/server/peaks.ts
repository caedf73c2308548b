import { peakCount } from '../values.ts'

/**
 * The loudest moments of a sound of unknown length, in bounded memory: when there are too many points,
 * each two become one and the following are twice as long.
 */
export function createPeaks() {
  let points: number[] = []
  let samplesPerPoint = 32
  let loudest = 0
  let filled = 0

  const halve = () => {
    points = Array.from({ length: points.length / 2 }, (_, at) => Math.max(points[at * 2] ?? 0, points[at * 2 + 1] ?? 0))
    samplesPerPoint *= 2
  }

  return {
    add(samples: Float32Array) {
      for (let at = 0; at < samples.length; at++) {
        const level = Math.abs(samples[at] ?? 0)
        if (level > loudest) loudest = level
        filled += 1
        if (filled < samplesPerPoint) continue
        points.push(loudest)
        loudest = 0
        filled = 0
        if (points.length === peakCount * 4) halve()
      }
    },
    /** At most `peakCount` points, one byte each, in base64. */
    finish() {
      const all = filled > 0 ? [...points, loudest] : points
      const count = Math.min(peakCount, all.length)
      const bytes = Uint8Array.from({ length: count }, (_, at) => {
        const part = all.slice(Math.floor((at * all.length) / count), Math.floor(((at + 1) * all.length) / count))
        return Math.round(Math.min(1, Math.max(...part)) * 255)
      })
      return Buffer.from(bytes).toString('base64')
    },
  }
}
