import { formatBytes } from '#src/lib/text/numbers.ts'
import { Button } from '../components/button.tsx'
import { useLanguage, useTexts } from '../language.tsx'
import { uploadTexts } from './upload-texts.ts'
import type { ShownProgress } from './use-upload.ts'

type UploadBarProps = { name: string; progress: ShownProgress; onStop: () => void }

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
