import type { KeyboardEvent } from 'react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { CloseIcon, PauseIcon, PlayIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Recording, RecordingDetail } from '../contract.ts'
import { recordingTexts } from '../texts.ts'
import { peakCount } from '../values.ts'
import { formatDuration, formatPhoneNumber } from './recording-table.tsx'
import './recordings.css'

const speeds = [0.75, 1, 1.25, 1.5, 2]

type RecordingPlayerProps = { recording: Recording; call: string; onClose: () => void }

/** Player above the list, which keeps its position and marks the playing call. */
export function RecordingPlayer({ recording, call, onClose }: RecordingPlayerProps) {
  const t = useTexts(recordingTexts)
  const numbers = new Intl.NumberFormat(locales[useLanguage()])
  const slider = useRef<HTMLInputElement>(null)
  const { duration, id_recording: id } = recording
  const player = usePlayer(duration)
  const peaks = usePeaks(id)
  const { position, isPlaying } = player
  const positionText = t('positionOf', { position: formatDuration(position), duration: formatDuration(duration) })

  useEffect(() => slider.current?.focus({ preventScroll: true }), [])

  const parties = [formatPhoneNumber(recording.caller) || t('unknown'), formatPhoneNumber(recording.callee)]
  return (
    <section aria-label={t('player')} className="player card" onKeyDown={player.handleKeys}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a call has no captions */}
      <audio src={apiAddress(`/api/recordings/recordings/${id}/audio`)} preload="auto" {...player.audioProps} />
      <div className="flex items-center gap-3">
        <IconButton
          label={isPlaying ? t('pause') : t('play')}
          icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
          className="player-toggle"
          onClick={player.toggle}
        />
        <p className="grow text-sm">
          <span className="font-bold">{t('playing', { call })}</span>{' '}
          <span className="text-ink-2">{parties.filter(Boolean).join(' → ')}</span>
        </p>
        <IconButton label={t('close')} icon={<CloseIcon />} onClick={onClose} />
      </div>
      {player.hasFailed && (
        <p role="alert" className="text-err">
          {t('notPlayable')}
        </p>
      )}
      <div className="player-track">
        <Waveform peaks={peaks} progress={duration > 0 ? position / duration : 0} />
        <input
          ref={slider}
          type="range"
          aria-label={t('position')}
          aria-valuetext={positionText}
          min={0}
          max={duration}
          step="any"
          value={position}
          onChange={(event) => player.seek(Number(event.target.value))}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 text-sm">
        <p className="tabular" aria-hidden>
          {`${formatDuration(position)} / ${formatDuration(duration)}`}
        </p>
        <p className="text-ink-2 max-sm:hidden">{t('keys')}</p>
        <label className="flex items-center gap-2">
          <span>{t('speed')}</span>
          <select
            className="input player-speed"
            defaultValue="1"
            onChange={(event) => player.setSpeed(Number(event.target.value))}
          >
            {speeds.map((speed) => (
              <option key={speed} value={speed}>
                {t('times', { speed: numbers.format(speed) })}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  )
}

/** Loads the waveform after the audio, so that playback does not wait for it. */
function usePeaks(id: number) {
  const [peaks, setPeaks] = useState('')
  useEffect(() => {
    const ending = new AbortController()
    getJson<RecordingDetail>(`/api/recordings/recordings/${id}`, ending.signal).then(
      (detail) => setPeaks(detail.peaks),
      (error: unknown) => {
        if (!ending.signal.aborted) console.warn(error)
      },
    )
    return () => ending.abort()
  }, [id])
  return peaks
}

const [width, height] = [peakCount, 100]
const bars = 200

type WaveformProps = {
  /** One byte per point, in base64, as computed at import. */
  peaks: string
  /** From 0 to 1. */
  progress: number
}

/** The waveform as bars, played part in the brand color. Decorative: the slider on top is the control. */
function Waveform({ peaks, progress }: WaveformProps) {
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
  // Phone calls are quiet, so the peak is scaled to the full height.
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const step = width / bars
  return Array.from({ length: bars }, (_, at) => {
    const part = levels.subarray(Math.floor((at * levels.length) / bars), Math.ceil(((at + 1) * levels.length) / bars))
    const half = Math.max(1.5, (part.reduce((most, level) => Math.max(most, level), 0) / loudest) * 48)
    return `M${at * step + 0.5} ${height / 2 - half}h${step - 1.2}v${half * 2}h${1.2 - step}z`
  }).join('')
}

const step = 5

/** The playing audio, controlled by buttons or keys. */
function usePlayer(duration: number) {
  const audio = useRef<HTMLAudioElement>(null)
  const [position, setPosition] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  const play = () => {
    audio.current?.play().catch((error: unknown) => {
      // Autoplay blocked, or interrupted by a pause: neither is a failure.
      if (!(error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name))) setFailed(true)
    })
  }
  const toggle = () => {
    if (audio.current?.paused) play()
    else audio.current?.pause()
  }
  const seek = (seconds: number) => {
    if (!audio.current) return
    audio.current.currentTime = Math.min(Math.max(0, seconds), duration)
    setPosition(audio.current.currentTime)
  }

  useEffect(() => play(), [])

  /** Space and arrow keys work anywhere in the player, except in controls that use them. */
  const handleKeys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLSelectElement || event.altKey || event.ctrlKey || event.metaKey) return
    const isOnButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement
    if (event.key === ' ' && !isOnButton) toggle()
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') seek(position - step)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') seek(position + step)
    else if (event.key === 'Home') seek(0)
    else if (event.key === 'End') seek(duration)
    else return
    event.preventDefault()
  }

  return {
    position,
    isPlaying,
    hasFailed,
    toggle,
    seek,
    handleKeys,
    setSpeed: (speed: number) => {
      if (audio.current) audio.current.playbackRate = speed
    },
    audioProps: {
      ref: audio,
      onTimeUpdate: () => setPosition(audio.current?.currentTime ?? 0),
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onError: () => setFailed(true),
    },
  }
}
