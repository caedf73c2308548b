import { useEffect, useMemo, useRef } from 'react'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { locales } from '#src/lib/language/language.ts'
import { deviceStorage } from '#src/ui/storage.ts'
import { alertTexts } from './alert-texts.ts'
import type { StaffAlert } from './staff-session.ts'

const excerptLength = 120

/**
 * Calls the technician: by sound at once, by a notification where the page is not in front of them. A visitor nobody
 * takes calls louder with time: the title of the tab first, then a notification, and the server writes at last.
 */
export function useAlerts(onOpen: (id: number) => void) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const isLeader = useRef<() => boolean>(() => false)
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  }, [onOpen])
  useEffect(() => {
    const ending = new AbortController()
    isLeader.current = becomeLeader(ending.signal)
    return () => ending.abort()
  }, [])

  return useMemo(
    () => (alert: StaffAlert, isAvailable: boolean) => {
      const { type, chat } = alert
      if (type === 'chat' && !isAvailable) return
      const choice = readAlertChoice()
      if (choice.sound && isLeader.current()) {
        playSound(type === 'message' ? 'message' : 'chat').catch((error: unknown) => console.warn(error))
      }
      const isInFront = document.visibilityState === 'visible' && document.hasFocus()
      if (!choice.notification || isInFront || type === 'chat') return
      const name = chat.client_business || chat.client_name
      const body = type === 'message' ? alert.message.message.slice(0, excerptLength) : t('open')
      const title = t(type === 'message' ? 'says' : type === 'transferred' ? 'handed' : 'waits', { name })
      void notify({ title, body, tag: `chat-${chat.id}`, lang: locales[language], onOpen: () => open.current(chat.id) })
    },
    [t, language],
  )
}

/** What this browser does when a visitor calls; chosen by each technician, on each of their computers. */
type AlertChoice = { sound: boolean; notification: boolean }

const storageKey = 'chat_alerts'
const leaderLock = 'chat-alerts'
/** A browser that says nothing for so long did not show what it was given. */
const proofTime = 4_000

export function readAlertChoice(): AlertChoice {
  const off = (deviceStorage.read(storageKey) ?? '').split(' ')
  return { sound: !off.includes('no-sound'), notification: !off.includes('no-notification') }
}

export function keepAlertChoice({ sound, notification }: AlertChoice) {
  const off = [!sound && 'no-sound', !notification && 'no-notification'].filter(Boolean)
  deviceStorage.write(storageKey, off.join(' '))
}

let context: AudioContext | undefined
/** Two notes rise for a visitor who arrives, one for a message. */
const melodies = { chat: [660, 880], message: [740] }

/** Plays a sound and answers whether the browser really plays it; without a click on the page first it does not. */
export async function playSound(kind: keyof typeof melodies) {
  context ??= new AudioContext()
  // Waits for ever where no click allows it yet.
  void context.resume()
  const { destination, currentTime } = context
  for (const [index, frequency] of melodies[kind].entries()) {
    const start = currentTime + 0.05 + index * 0.18
    const note = new OscillatorNode(context, { frequency })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(0.25, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4)
    note.connect(volume).connect(destination)
    note.start(start)
    note.stop(start + 0.45)
  }
  return until(() => context?.state === 'running' && context.currentTime > currentTime)
}

export const canNotify = () => 'Notification' in globalThis && Notification.permission === 'granted'

type Note = { title: string; body: string; tag: string; lang: string; onOpen?: () => void }

/** Shows a desktop notification and answers whether the browser says that it did. */
export function notify({ title, body, tag, lang, onOpen }: Note) {
  if (!canNotify()) return Promise.resolve(false)
  // One tag a chat: several tabs, or a second call, replace the notification instead of piling them up.
  const shown = new Notification(title, { body, tag, lang, silent: true })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    onOpen?.()
  })
  return new Promise<boolean>((resolve) => {
    shown.addEventListener('show', () => resolve(true))
    shown.addEventListener('error', () => resolve(false))
    setTimeout(() => resolve(false), proofTime)
  })
}

/**
 * Of a person's several tabs one makes the noise; it hands over when it closes. A tab that was clicked in takes it from
 * the others: the browser plays nothing in one that was not.
 */
function becomeLeader(signal: AbortSignal) {
  let isLeader = !('locks' in navigator)
  if ('locks' in navigator) {
    const hold = (options: LockOptions) => {
      const holding = navigator.locks.request(leaderLock, options, () => {
        isLeader = true
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      })
      holding.catch((error: unknown) => {
        if (signal.aborted) return
        if (!isLeader) return console.warn(error)
        isLeader = false
        hold({ signal })
      })
    }
    const take = () => {
      if (!isLeader) hold({ steal: true })
    }
    hold({ signal })
    addEventListener('pointerdown', take, { once: true, signal })
    addEventListener('keydown', take, { once: true, signal })
  }
  return () => isLeader
}

async function until(isTrue: () => boolean) {
  const end = Date.now() + 1_500
  while (!isTrue()) {
    if (Date.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}
