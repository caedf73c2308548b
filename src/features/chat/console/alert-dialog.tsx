import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { getJson, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { locales } from '#src/lib/language/language.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { alertTexts } from './alert-texts.ts'
import type { ChatSettings } from '../settings/settings-contract.ts'
import { canNotify, keepAlertChoice, readAlertChoice, notify, playSound } from './alerts.ts'
import type { TestMail } from '../contract.ts'

/** Each channel is tried for good, and says what the browser or the mail server answered. */
export function AlertDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const [choice, setChoice] = useState(readAlertChoice)
  const { proofs, busy, tries, tryAll } = useChannelTries()
  const times = useEscalation(open)

  const choose = (next: typeof choice) => {
    keepAlertChoice(next)
    setChoice(next)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('title')}
      actions={
        <Button busy={busy} onClick={() => void tryAll()}>
          {t('tryAll')}
        </Button>
      }
    >
      {times && (
        <p className="mb-4 text-ink-2">
          {t('intro', {
            notification: t('minutes', { count: times.escalation_notification_minutes }),
            mail: t('minutes', { count: times.escalation_mail_minutes }),
          })}
        </p>
      )}
      <ChannelRow name={t('tab')} action={t('tryTab')} proof={proofs.tab} onTry={tries.tab}>
        <p className="text-sm text-ink-2">{t('tabHint')}</p>
      </ChannelRow>
      <ChannelRow name={t('sound')} action={t('trySound')} proof={proofs.sound} onTry={tries.sound}>
        <SwitchField label={t('soundOn')} checked={choice.sound} onChange={(sound) => choose({ ...choice, sound })} />
      </ChannelRow>
      <ChannelRow
        name={t('notification')}
        action={canNotify() ? t('tryNotification') : t('allow')}
        proof={proofs.notification}
        onTry={tries.notification}
      >
        <SwitchField
          label={t('notificationOn')}
          checked={choice.notification}
          onChange={(notification) => choose({ ...choice, notification })}
        />
      </ChannelRow>
      <ChannelRow name={t('mail')} action={t('tryMail')} proof={proofs.mail} onTry={tries.mail}>
        <p className="text-sm text-ink-2">{t('mailHint')}</p>
      </ChannelRow>
    </Dialog>
  )
}

type ChannelRowProps = {
  name: string
  action: string
  proof: Proof | undefined
  onTry: () => Promise<void>
  children: ReactNode
}

function ChannelRow({ name, action, proof, onTry, children }: ChannelRowProps) {
  return (
    <section className="border-t border-line py-3" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-base">{name}</h3>
        <Button variant="secondary" size="small" onClick={() => void onTry()}>
          {action}
        </Button>
      </div>
      {children}
      <div role="status">
        {proof && (
          <p className="mt-2 flex gap-2 text-sm">
            <StatusIcon status={proof.status} size={20} />
            {proof.words}
          </p>
        )}
      </div>
    </section>
  )
}

function useEscalation(isWanted: boolean) {
  const [settings, setSettings] = useState<ChatSettings | null>(null)
  useEffect(() => {
    if (!isWanted) return
    getJson<ChatSettings>('/api/chat/settings').then(setSettings, (error: unknown) => console.warn(error))
  }, [isWanted])
  return settings
}

type Channel = 'tab' | 'sound' | 'notification' | 'mail'
type Proof = { status: 'OK' | 'WARNING' | 'ERROR'; words: string }

const titleTime = 4_000
const mailChecks = 30

/** Tries the ways a technician is called by, one or all, and keeps what each of them answered. */
function useChannelTries() {
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
