import { useEffect, useState } from 'react'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { Button } from '../components/button.tsx'
import { useLanguage, useTexts } from '../language.tsx'
import { uploadTexts } from './upload-texts.ts'
import type { Upload, UploadProgress } from './upload.ts'

type UploadBarProps = { name: string; progress: UploadProgress; onStop: () => void }

/** How far an upload is, and its stop. */
export function UploadBar({ name, progress: { state, sent, total, secondsLeft }, onStop }: UploadBarProps) {
  const t = useTexts(uploadTexts)
  const language = useLanguage()
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0
  return (
    <div className="grid gap-2">
      <ProgressBar label={t('sending', { name })} value={state === 'checking' ? null : percent} max={100} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="text-sm">
          <p className="tabular">{t('amount', { percent, size: formatBytes(total, language) })}</p>
          <p className={state === 'waiting' ? 'font-bold text-warn' : 'text-ink-2'}>
            {state === 'sending' ? secondsLeft !== null && <TimeLeft seconds={secondsLeft} /> : t(state)}
          </p>
        </div>
        <Button variant="secondary" size="small" onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
      {/* Announced by the tenth alone. */}
      <p role="status" className="sr-only">
        {state === 'sending' ? t('percent', { percent: Math.floor(percent / 10) * 10 }) : t(state)}
      </p>
    </div>
  )
}

type StoppedUploadProps = { upload: Pick<Upload, 'hasPieces'>; onResume: () => void }

/** An upload that was stopped, and the way on. */
export function StoppedUpload({ upload, onResume }: StoppedUploadProps) {
  const t = useTexts(uploadTexts)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p role="status">{t(upload.hasPieces ? 'stopped' : 'stoppedShort')}</p>
      <Button variant="secondary" size="small" onClick={onResume}>
        {t('resume')}
      </Button>
    </div>
  )
}

export function TimeLeft({ seconds }: { seconds: number }) {
  const t = useTexts(uploadTexts)
  return <span>{seconds < 60 ? t('lessThanMinute') : t('minutes', { minutes: Math.ceil(seconds / 60) })}</span>
}

type ProgressBarProps = { label: string; /** Null where nobody knows. */ value: number | null; max: number }

export function ProgressBar({ label, value, max }: ProgressBarProps) {
  const share = max > 0 && value !== null ? Math.min(100, (value / max) * 100) : 100
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value ?? undefined}
      className="h-4 overflow-hidden rounded-full border-2 border-dashed border-ink-2"
    >
      <div className={`h-full bg-ink ${value === null ? 'skeleton' : ''}`} style={{ width: `${share}%` }} />
    </div>
  )
}

/** True once something has lasted for so long. */
export function useLonger(isRunning: boolean, afterMs: number) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setLong(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isRunning, afterMs])
  return isLong
}
