import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { withCount } from '#src/lib/text/counted-title.ts'
import type { ChatMessage } from '../protocol.ts'

type Alerts = {
  messages: readonly ChatMessage[]
  /** Messages that arrive while it is open are new. */
  isOpen: boolean
  isSmall: boolean
  isMuted: boolean
  onUnread: (count: number) => void
  onRead: (seq: number) => void
}

/** Counts what arrives while nobody looks, announces it by a sound and in the tab's title, and marks as read what is visible. */
export function useVisitorAlerts({ messages, isOpen, isSmall, isMuted, onUnread, onRead }: Alerts) {
  const [unread, setUnread] = useState(0)
  const seen = useRef(0)
  const heard = useRef<number | null>(null)

  useEffect(() => {
    const look = () => {
      if (!isSmall && document.visibilityState === 'visible') {
        seen.current = messages.at(-1)?.seq ?? 0
        onRead(messages.findLast((one) => one.bz_staff)?.seq ?? 0)
      }
      const count = messages.filter((one) => one.bz_staff && one.seq > seen.current).length
      setUnread(count)
      onUnread(count)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [messages, isOpen, isSmall, onUnread, onRead])

  useEffect(() => {
    const last = messages.findLast((one) => one.bz_staff)?.seq ?? 0
    const isNew = isOpen && heard.current !== null && last > heard.current
    heard.current = isOpen ? last : null
    if (isNew && !isMuted && (isSmall || !document.hasFocus())) playNewMessage()
  }, [messages, isOpen, isSmall, isMuted])

  useTitle(unread)
}

/** `(2) Company`: prefixes the page's title, also after a navigation. */
function useTitle(unread: number) {
  const { key } = useLocation()
  useEffect(() => {
    document.title = withCount(unread, document.title)
  }, [unread, key])
}

let context: AudioContext | undefined

/** Two soft notes; silent where the browser requires a gesture first. */
function playNewMessage() {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume().catch(() => undefined)
    ring(context, 660, 0)
    ring(context, 880, 0.14)
  } catch {
    return
  }
}

function ring(audio: AudioContext, frequency: number, after: number) {
  const start = audio.currentTime + after
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0.0001, start)
  volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 0.32)
}
