import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'

const step = 5

/** The sound being heard and what one does with it, by button or by key. */
export function usePlayer(duration: number) {
  const audio = useRef<HTMLAudioElement>(null)
  const [position, setPosition] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  const play = () => {
    audio.current?.play().catch((error: unknown) => {
      // Refused until the person acts, or cut short by a pause: neither is a failure.
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

  /** Space and arrows work anywhere in the player, but where they have a meaning of their own. */
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
