import { useState, useEffect } from 'react'
import type { FocusEvent, ReactNode } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { failureTexts, failureOf } from '#src/ui/forms/failures.ts'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { closeOnEscape } from '#src/ui/components/close-on-escape.ts'
import { alertTexts, canNotify, isNotificationDenied, storeAlertChoice, readAlertChoice, notify, playSound } from './alerts.ts'
import { consoleTexts } from './console-texts.ts'
import type { ConsoleState } from './console-state.ts'
import { medianWait, operationKey } from './console-state.ts'
import { formatClock, formatWait, serverNow } from './times.ts'
import { ClosingNotice } from './staff-chat.tsx'
import { getJson, callApi } from '#src/ui/api.ts'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { UnstoredNotice } from '#src/ui/forms/unstored-notice.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { locales } from '#src/lib/language/language.ts'
import type { ChatSettings, TestMail } from '../contract.ts'

type ConsoleHeadProps = {
  state: ConsoleState
  canWrite: boolean
  onAvailable: (available: boolean) => void
}

/** One's own availability, and the colleagues who are online. */
export function ConsoleHead({ state, canWrite, onAvailable }: ConsoleHeadProps) {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const { until, link } = state
  // Without the server the availability is unknown, so none is shown.
  const isUp = link === 'up' && state.isListed
  const available = isUp && state.available
  return (
    <div className="console-head">
      <h1 className="text-xl">{t('title')}</h1>
      <p role="status" translate="no" className={`console-status ${available ? 'bg-ok-soft text-ok' : 'bg-paper text-ink-2'}`}>
        <Lamp on={available}>
          {!isUp
            ? t(link === 'lost' || link === 'offline' ? 'cutOff' : 'joining')
            : !available
              ? t('unavailable')
              : until
                ? t('availableUntil', { time: formatClock(language, until) })
                : t('available')}
        </Lamp>
      </p>
      {canWrite && (
        <Button
          variant={available ? 'secondary' : 'primary'}
          size="small"
          translate="no"
          disabled={!isUp}
          busy={state.pending.includes(operationKey('availability'))}
          onClick={() => onAvailable(!available)}
        >
          <span key={String(available)}>{available ? t('leave') : t('become')}</span>
        </Button>
      )}
      <PresenceList state={state} canWrite={canWrite} />
    </div>
  )
}

export function ConsoleNotices({ state: { link, refusal, isUnstored }, canWrite }: Omit<ConsoleHeadProps, 'onAvailable'>) {
  const t = useTexts(consoleTexts)
  const f = useTexts(failureTexts)
  return (
    <>
      {!canWrite && <p className="bg-brand-soft px-5 py-2 text-sm">{t('readOnly')}</p>}
      <div role="alert">
        {(link === 'lost' || link === 'offline') && (
          <p className="bg-warn-soft px-5 py-2 text-sm font-bold text-warn">
            {refusal === 'not_connected' ? f('signedOut') : refusal === 'forbidden' ? f('forbidden') : t('lost')}
          </p>
        )}
        <ClosingNotice />
      </div>
      <UnstoredNotice isUnstored={isUnstored} />
    </>
  )
}

/** Colleagues who are online, their availability and number of chats; today's wait, and whether one's own alerts work. */
function PresenceList({ state, canWrite }: Omit<ConsoleHeadProps, 'onAvailable'>) {
  const t = useTexts(consoleTexts)
  const a = useTexts(alertTexts)
  const language = useLanguage()
  const [isTesting, setTesting] = useState(false)
  const users = state.link === 'up' && state.isListed ? state.users : []
  const available = users.filter((user) => user.available).length
  const wait = medianWait(state.chats, new Date(serverNow()))
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
  }
  return (
    <>
      <details className="console-presence" onBlur={handleBlur} onKeyDown={closeOnEscape}>
        <summary>
          <span>{t('online')}</span> <strong className="tabular">{available}</strong>
        </summary>
        <div className="console-presence-panel">
          <ul>
            {users.map((user) => (
              <li key={user.id_user} className="flex items-baseline justify-between gap-6">
                <Lamp on={user.available}>
                  <span>{user.user_name}</span>
                  <span className="sr-only">{` (${t(user.available ? 'available' : 'unavailable')})`}</span>
                </Lamp>
                <span className="tabular text-sm whitespace-nowrap text-ink-2">
                  {user.can_answer ? t('chats', { count: user.chats }) : t('reads')}
                </span>
              </li>
            ))}
          </ul>
          {wait !== null && (
            <p>
              <span>{t('medianWait')}</span> <strong className="tabular">{formatWait(wait, language)}</strong>
            </p>
          )}
          {canWrite && (
            <Button variant="secondary" size="small" onClick={() => setTesting(true)}>
              {a('title')}
            </Button>
          )}
        </div>
      </details>
      <AlertDialog open={isTesting} onClose={() => setTesting(false)} />
    </>
  )
}

/** Tests each alert channel and shows the result of the browser or the mail server. */
export function AlertDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const [choice, setChoice] = useState(readAlertChoice)
  const { results, busy, tests, testAll } = useChannelTests()
  const times = useEscalation(open)

  const choose = (next: typeof choice) => {
    storeAlertChoice(next)
    setChoice(next)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('title')}
      actions={
        <Button busy={busy} onClick={() => void testAll()}>
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
      <ChannelRow name={t('tab')} action={t('tryTab')} result={results.tab} onTest={tests.tab}>
        <p className="text-sm text-ink-2">{t('tabHint')}</p>
      </ChannelRow>
      <ChannelRow name={t('sound')} action={t('trySound')} result={results.sound} onTest={tests.sound}>
        <SwitchField label={t('soundOn')} checked={choice.sound} onChange={(sound) => choose({ ...choice, sound })} />
      </ChannelRow>
      <ChannelRow
        name={t('notification')}
        action={isNotificationDenied() ? null : canNotify() ? t('tryNotification') : t('allow')}
        result={results.notification}
        onTest={tests.notification}
      >
        <SwitchField
          label={t('notificationOn')}
          checked={choice.notification}
          onChange={(notification) => choose({ ...choice, notification })}
        />
      </ChannelRow>
      <ChannelRow name={t('mail')} action={t('tryMail')} result={results.mail} onTest={tests.mail}>
        <p className="text-sm text-ink-2">{t('mailHint')}</p>
      </ChannelRow>
    </Dialog>
  )
}

type ChannelRowProps = {
  name: string
  /** Null where there is nothing to press. */
  action: string | null
  result: TestResult | undefined
  onTest: () => Promise<void>
  children: ReactNode
}

function ChannelRow({ name, action, result, onTest, children: details }: ChannelRowProps) {
  const t = useTexts(alertTexts)
  return (
    <section className="border-t border-line py-3" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-base">{name}</h3>
        {action && (
          <Button variant="secondary" size="small" onClick={() => void onTest()}>
            {action}
          </Button>
        )}
      </div>
      {!action && <p className="text-sm text-ink-2">{t('denied')}</p>}
      {details}
      <div role="status">
        {result && (
          <p className="mt-2 flex gap-2 text-sm">
            <StatusIcon status={result.status} size={20} />
            <span>{result.text}</span>
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
type TestResult = { status: 'OK' | 'WARNING' | 'ERROR'; text: string }

const titleTime = 4_000
const mailChecks = 30

/** Tests the alert channels, one or all, and stores each result. */
function useChannelTests() {
  const t = useTexts(alertTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const [results, setResults] = useState<Partial<Record<Channel, TestResult>>>({})
  const [busy, setBusy] = useState(false)

  const report = (channel: Channel, status: TestResult['status'], text: string) =>
    setResults((before) => ({ ...before, [channel]: { status, text } }))
  const tests: Record<Channel, () => Promise<void>> = {
    async tab() {
      const before = document.title
      document.title = t('tabTitle')
      setTimeout(() => document.title === t('tabTitle') && (document.title = before), titleTime)
      report('tab', 'OK', t('tabDone'))
    },
    async sound() {
      const isHeard = await playSound('chat')
      report('sound', isHeard ? 'OK' : 'ERROR', t(isHeard ? 'soundDone' : 'soundFailed'))
    },
    async notification() {
      if (!('Notification' in globalThis)) return report('notification', 'WARNING', t('unsupported'))
      if (Notification.permission === 'default') await Notification.requestPermission()
      if (Notification.permission === 'denied') return report('notification', 'ERROR', t('denied'))
      if (!canNotify()) return report('notification', 'WARNING', t('notAsked'))
      const isShown = await notify({
        title: t('title'),
        body: t('notificationBody'),
        tag: 'chat-test',
        lang: locales[language],
      })
      report('notification', isShown ? 'OK' : 'ERROR', t(isShown ? 'notificationDone' : 'notificationFailed'))
    },
    async mail() {
      try {
        let mail = await callApi<TestMail>('POST', '/api/chat/test_mail')
        if (!mail.can_send) return report('mail', 'WARNING', t('mailKept'))
        report('mail', 'WARNING', t('mailWaiting', { address: mail.recipient }))
        for (let check = 0; mail.state === 'waiting' && check < mailChecks; check += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1_000))
          mail = await getJson<TestMail>(`/api/chat/test_mail/${mail.id_mail}`)
        }
        const text = { waiting: 'mailWaiting', sent: 'mailSent', failed: 'mailFailed' } as const
        const status = { waiting: 'WARNING', sent: 'OK', failed: 'ERROR' } as const
        report('mail', status[mail.state], t(text[mail.state], { address: mail.recipient }))
      } catch (error) {
        console.warn(error)
        const failure = failureOf(error)
        report('mail', 'ERROR', failure === 'invalid' ? t('mailNoAddress') : t('mailRefused', { reason: f(failure) }))
      }
    },
  }
  const testAll = async () => {
    setBusy(true)
    await tests.tab()
    // First, because the permission prompt needs a recent click.
    await tests.notification()
    await tests.sound()
    await tests.mail()
    setBusy(false)
  }

  return { results, busy, tests, testAll }
}
