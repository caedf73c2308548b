import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusIcon } from '#src/ui/status-icon.tsx'
import { SwitchField } from '#src/ui/switch-field.tsx'
import { alertTexts } from '../../alert-texts.ts'
import type { ChatSettings } from '../../settings-contract.ts'
import { canNotify, keepAlertChoice, readAlertChoice } from './alerts.ts'
import type { Proof } from './use-channel-tries.ts'
import { useChannelTries } from './use-channel-tries.ts'

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
