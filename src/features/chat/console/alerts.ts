import { useEffect, useMemo, useRef } from 'react'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { locales } from '#src/lib/language/language.ts'
import { deviceStorage } from '#src/ui/storage.ts'
import { alertTexts } from './alert-texts.ts'
import type { StaffAlert } from './staff-session.ts'

const excerptLength = 120

/**
 * Alerts the technician: by sound at once, and by a notification where the page is not focused. For a chat that nobody
 * claims the alerts escalate: the tab's title, then a notification, at last a mail of the server.
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

/** The alerts of this browser, chosen by each technician on each device. */
type AlertChoice = { sound: boolean; notification: boolean }

const storageKey = 'chat_alerts'
const leaderLock = 'chat-alerts'
/** A browser that fires no event for so long did not show the notification. */
const confirmTimeout = 4_000

export function readAlertChoice(): AlertChoice {
  const off = (deviceStorage.read(storageKey) ?? '').split(' ')
  return { sound: !off.includes('no-sound'), notification: !off.includes('no-notification') }
}

export function storeAlertChoice({ sound, notification }: AlertChoice) {
  const off = [!sound && 'no-sound', !notification && 'no-notification'].filter(Boolean)
  deviceStorage.write(storageKey, off.join(' '))
}

let context: AudioContext | undefined
/** Two rising notes for a new chat, one for a message. */
const melodies = { chat: [660, 880], message: [740] }

/** Plays a sound; returns whether the browser really does, which takes a click on the page first. */
export async function playSound(kind: keyof typeof melodies) {
  context ??= new AudioContext()
  // Never resolves before the first click.
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

type NotificationOptions = { title: string; body: string; tag: string; lang: string; onOpen?: () => void }

/** Shows a desktop notification; returns whether the browser confirms it. */
export function notify({ title, body, tag, lang, onOpen }: NotificationOptions) {
  if (!canNotify()) return Promise.resolve(false)
  // One tag per chat: other tabs and later alerts replace the notification.
  const shown = new Notification(title, { body, tag, lang, silent: true })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    onOpen?.()
  })
  return new Promise<boolean>((resolve) => {
    shown.addEventListener('show', () => resolve(true))
    shown.addEventListener('error', () => resolve(false))
    setTimeout(() => resolve(false), confirmTimeout)
  })
}

/**
 * Elects one of a person's tabs to play sounds, by a Web Lock that is released when it closes. A tab that was clicked in
 * steals it: the browser plays nothing in one that was not.
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
