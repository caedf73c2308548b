import { useEffect, useMemo, useRef } from 'react'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { locales } from '#src/lib/language/language.ts'
import { deviceStorage } from '#src/ui/storage.ts'
import type { ConsoleState } from './console-state.ts'
import { nameOf, paneId } from './console-state.ts'
import { consoleTexts } from './console-texts.ts'
import type { StaffAlert } from './staff-session.ts'
import { defineTexts } from '#src/lib/language/texts.ts'

/** Alerts of technicians, and their test. */
export const alertTexts = defineTexts({
  fr: {
    title: 'Tester mes alertes',
    intro:
      'Lorsqu’un visiteur attend, vous êtes avisé dans l’onglet et par un son, puis par une notification après {notification}, puis par courriel après {mail}.',
    minutes: '{count} {count|minute|minutes}',
    tryAll: 'Tester toutes les alertes',
    tryTab: 'Tester l’onglet',
    trySound: 'Tester le son',
    tryNotification: 'Tester la notification',
    tryMail: 'Tester le courriel',
    tab: 'Onglet',
    tabHint: 'Le titre de l’onglet indique le nombre de visiteurs en attente.',
    tabDone: 'Regardez l’onglet : son titre a changé pour quelques secondes.',
    tabTitle: '● Essai d’alerte',
    sound: 'Son',
    soundOn: 'Jouer un son',
    soundDone: 'Le son est joué. Vous n’entendez rien? Vérifiez le volume de l’ordinateur.',
    soundFailed: 'Le navigateur refuse de jouer le son. Cliquez dans la page, puis réessayez.',
    notification: 'Notification',
    notificationOn: 'Afficher les notifications',
    allow: 'Autoriser les notifications',
    notAsked: 'Le navigateur n’est pas encore autorisé à afficher des notifications.',
    denied: 'Le navigateur refuse les notifications de ce site. Permettez-les dans les réglages du site, à gauche de l’adresse.',
    unsupported: 'Ce navigateur n’a pas de notifications.',
    notificationDone: 'La notification est affichée. Vous ne voyez rien? Vérifiez le mode « Ne pas déranger ».',
    notificationFailed: 'La notification n’a pas été affichée. Vérifiez les réglages du navigateur et de l’ordinateur.',
    notificationBody: 'Vos notifications de clavardage fonctionnent.',
    mail: 'Courriel',
    mailHint: 'Envoyé à l’adresse de votre profil, de la même façon que les vraies alertes.',
    mailWaiting: 'Envoi à {address}…',
    mailSent: 'Envoyé à {address}.',
    mailFailed: 'Le serveur de courriel a refusé le message destiné à {address}.',
    mailKept: 'Aucun serveur de courriel n’est configuré : le message est conservé, mais pas envoyé.',
    mailNoAddress: 'Votre profil n’a pas d’adresse de courriel. Ajoutez-la dans votre profil.',
    mailRefused: 'Le courriel de test n’a pas pu être envoyé : {reason}',
    waits: '{name} attend une réponse',
    newMessage: 'Nouveau message de {name}',
    transferred: 'Conversation avec {name} transférée à vous',
    offered: 'Transfert proposé : conversation avec {name}',
    accepted: '{colleague} a accepté la conversation avec {name}.',
    declined: '{colleague} a refusé la conversation avec {name}.',
    expired: '{colleague} n’a pas répondu : la conversation avec {name} n’est plus proposée.',
    open: 'Ouvrir la conversation',
  },
  en: {
    title: 'Test my alerts',
    intro:
      'When a visitor is waiting, you are alerted in the tab and by a sound, then by a notification after {notification}, then by email after {mail}.',
    minutes: '{count} {count|minute|minutes}',
    tryAll: 'Test all alerts',
    tryTab: 'Test tab',
    trySound: 'Test sound',
    tryNotification: 'Test notification',
    tryMail: 'Test email',
    tab: 'Tab',
    tabHint: 'The tab title shows the number of visitors waiting.',
    tabDone: 'Look at the tab: its title changed for a few seconds.',
    tabTitle: '● Alert test',
    sound: 'Sound',
    soundOn: 'Play a sound',
    soundDone: 'The sound is playing. Hear nothing? Check the volume of your computer.',
    soundFailed: 'The browser refuses to play the sound. Click on the page, then try again.',
    notification: 'Notification',
    notificationOn: 'Show notifications',
    allow: 'Allow notifications',
    notAsked: 'The browser is not yet allowed to show notifications.',
    denied: 'The browser refuses the notifications of this site. Allow them in the site settings, left of the address.',
    unsupported: 'This browser has no notifications.',
    notificationDone: 'The notification was shown. See nothing? Check “Do not disturb” mode.',
    notificationFailed: 'The notification was not shown. Check the settings of your browser and computer.',
    notificationBody: 'Your chat notifications work.',
    mail: 'Email',
    mailHint: 'Sent to the address in your profile, the same way as real alerts.',
    mailWaiting: 'Sending to {address}…',
    mailSent: 'Sent to {address}.',
    mailFailed: 'The mail server rejected the message to {address}.',
    mailKept: 'No mail server is configured: the message is stored but not sent.',
    mailNoAddress: 'Your profile has no email address. Add it in your profile.',
    mailRefused: 'The test email could not be sent: {reason}',
    waits: '{name} is waiting for a reply',
    newMessage: 'New message from {name}',
    transferred: 'Conversation with {name} transferred to you',
    offered: 'Transfer offered: conversation with {name}',
    accepted: '{colleague} accepted the conversation with {name}.',
    declined: '{colleague} declined the conversation with {name}.',
    expired: '{colleague} did not respond: the conversation with {name} is no longer offered.',
    open: 'Open the conversation',
  },
})

const excerptLength = 120

/** What a screen reader announces, and the outcome of one's offer, which is shown to everybody. */
export type Announcement = { text: string; outcome: 'success' | 'error' | null }

const alertTitles = {
  chat: 'waits',
  unanswered: 'waits',
  silence: 'waits',
  message: 'newMessage',
  offered: 'offered',
  transferred: 'transferred',
  accepted: 'accepted',
  declined: 'declined',
  expired: 'expired',
} as const

/**
 * Alerts the technician: by sound and by an announcement at once, and by a notification where the page is not focused. For a
 * chat that nobody claims the alerts escalate: the tab's title, then a notification, at last a mail of the server.
 */
export function useAlerts(onOpen: (id: number) => void, announce: (announcement: Announcement) => void) {
  const t = useTexts(alertTexts)
  const c = useTexts(consoleTexts)
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
    () =>
      (alert: StaffAlert, { available, chats }: Pick<ConsoleState, 'available' | 'chats'>) => {
        const { type, chat } = alert
        if (type === 'chat' && !available) return
        const name = nameOf(chat, chats, (id) => c('number', { id }))
        if ('colleague' in alert) {
          const text = t(alert.type, { name, colleague: alert.colleague })
          return announce({ text, outcome: type === 'accepted' ? 'success' : 'error' })
        }
        const title = t(alertTitles[type], { name })
        // The log of a conversation that is open announces its messages.
        if (type !== 'message' || !document.getElementById(paneId(chat.id))) announce({ text: title, outcome: null })
        const choice = readAlertChoice()
        if (choice.sound && isLeader.current()) {
          playSound(type === 'message' || type === 'silence' ? type : 'chat').catch((error: unknown) => console.warn(error))
        }
        const isInFront = document.visibilityState === 'visible' && document.hasFocus()
        if (!choice.notification || isInFront || type === 'chat') return
        const body = type === 'message' ? alert.message.message.slice(0, excerptLength) : t('open')
        void notify({ title, body, tag: `chat-${chat.id}`, lang: locales[language], onOpen: () => open.current(chat.id) })
      },
    [t, c, language, announce],
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
/** Two rising notes for a new chat, one for a message, a bell for a visitor who waits for one's answer. */
const melodies = { chat: [660, 880], message: [740], silence: [1_175, 1_175] }

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

/** The person refused them for this site: only the settings of the browser change that. */
export const isNotificationDenied = () => 'Notification' in globalThis && Notification.permission === 'denied'

export const canNotify = () => 'Notification' in globalThis && Notification.permission === 'granted'

type NotificationOptions = { title: string; body: string; tag: string; lang: string; onOpen?: () => void }

/** Shows a desktop notification; returns whether the browser confirms it. */
export function notify({ title, body, tag, lang, onOpen }: NotificationOptions) {
  if (!canNotify()) return Promise.resolve(false)
  // One tag per chat: other tabs and later alerts replace the notification.
  const shown = showNotification(title, { body, tag, lang, silent: true })
  if (!shown) return showByWorker(title, { body, tag, lang, silent: true, data: { chat: Number(tag.split('-').at(-1)) } })
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

/** Null where the browser takes notifications from a service worker alone, as on Android. */
function showNotification(title: string, options: globalThis.NotificationOptions) {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}

async function showByWorker(title: string, options: globalThis.NotificationOptions) {
  try {
    await (await navigator.serviceWorker.getRegistration('/admin/'))?.showNotification(title, options)
    return true
  } catch (error) {
    console.warn(error)
    return false
  }
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
