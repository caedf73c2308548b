import { useId, useMemo } from 'react'
import { peakCount } from '../values.ts'

const [width, height] = [peakCount, 100]
const bars = 200

type WaveformProps = {
  /** One byte a point, in base64, as the server drew it when the file came. */
  peaks: string
  /** From 0 to 1. */
  progress: number
}

/** The sound as bars, what was heard in the company's colour. It is decoration: the slider over it is what one works with. */
export function Waveform({ peaks, progress }: WaveformProps) {
  const heardId = useId()
  const path = useMemo(() => drawBars(peaks), [peaks])
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden className="waveform">
      <clipPath id={heardId}>
        <rect width={progress * width} height={height} />
      </clipPath>
      <path d={path} className="waveform-bars" />
      <path d={path} className="waveform-heard" clipPath={`url(#${heardId})`} />
    </svg>
  )
}

function drawBars(peaks: string) {
  const levels = Uint8Array.from(atob(peaks), (letter) => letter.charCodeAt(0))
  // Telephone calls are quiet: the loudest moment takes the whole height.
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const step = width / bars
  return Array.from({ length: bars }, (_, at) => {
    const part = levels.subarray(Math.floor((at * levels.length) / bars), Math.ceil(((at + 1) * levels.length) / bars))
    const half = Math.max(1.5, (part.reduce((most, level) => Math.max(most, level), 0) / loudest) * 48)
    return `M${at * step + 0.5} ${height / 2 - half}h${step - 1.2}v${half * 2}h${1.2 - step}z`
  }).join('')
}
