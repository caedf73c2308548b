import { useState } from 'react'
import { locales } from '#src/lib/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { alertTexts } from '../../alert-texts.ts'
import type { TestMail } from '../../console-contract.ts'
import { canNotify, notify, playSound } from './alerts.ts'

type Channel = 'tab' | 'sound' | 'notification' | 'mail'
export type Proof = { status: 'OK' | 'WARNING' | 'ERROR'; words: string }

const titleTime = 4_000
const mailChecks = 30

/** Tries the ways a technician is called by, one or all, and keeps what each of them answered. */
export function useChannelTries() {
  const t = useTexts(alertTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const [proofs, setProofs] = useState<Partial<Record<Channel, Proof>>>({})
  const [busy, setBusy] = useState(false)

  const prove = (channel: Channel, status: Proof['status'], words: string) =>
    setProofs((before) => ({ ...before, [channel]: { status, words } }))
  const tries: Record<Channel, () => Promise<void>> = {
    async tab() {
      const before = document.title
      document.title = t('tabTitle')
      setTimeout(() => document.title === t('tabTitle') && (document.title = before), titleTime)
      prove('tab', 'OK', t('tabDone'))
    },
    async sound() {
      const isHeard = await playSound('chat')
      prove('sound', isHeard ? 'OK' : 'ERROR', t(isHeard ? 'soundDone' : 'soundFailed'))
    },
    async notification() {
      if (!('Notification' in globalThis)) return prove('notification', 'WARNING', t('unsupported'))
      if (Notification.permission === 'default') await Notification.requestPermission()
      if (Notification.permission === 'denied') return prove('notification', 'ERROR', t('denied'))
      if (!canNotify()) return prove('notification', 'WARNING', t('notAsked'))
      const isShown = await notify({
        title: t('title'),
        body: t('notificationBody'),
        tag: 'chat-test',
        lang: locales[language],
      })
      prove('notification', isShown ? 'OK' : 'ERROR', t(isShown ? 'notificationDone' : 'notificationFailed'))
    },
    async mail() {
      try {
        let mail = await callApi<TestMail>('POST', '/api/chat/test_mail')
        if (!mail.can_send) return prove('mail', 'WARNING', t('mailKept'))
        prove('mail', 'WARNING', t('mailWaiting', { address: mail.recipient }))
        for (let check = 0; mail.state === 'waiting' && check < mailChecks; check += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1_000))
          mail = await getJson<TestMail>(`/api/chat/test_mail/${mail.id_mail}`)
        }
        const words = { waiting: 'mailWaiting', sent: 'mailSent', failed: 'mailFailed' } as const
        const status = { waiting: 'WARNING', sent: 'OK', failed: 'ERROR' } as const
        prove('mail', status[mail.state], t(words[mail.state], { address: mail.recipient }))
      } catch (error) {
        console.warn(error)
        const failure = failureOf(error)
        prove('mail', 'ERROR', failure === 'invalid' ? t('mailNoAddress') : t('mailRefused', { reason: f(failure) }))
      }
    },
  }
  const tryAll = async () => {
    setBusy(true)
    await tries.tab()
    // The permission is asked for first: it needs the click that is still fresh.
    await tries.notification()
    await tries.sound()
    await tries.mail()
    setBusy(false)
  }

  return { proofs, busy, tries, tryAll }
}
