import { useState } from 'react'
import type { FocusEvent } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { failureTexts } from '#src/ui/forms/failures.ts'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { closeOnEscape } from '#src/ui/components/close-on-escape.ts'
import { alertTexts } from './alerts.ts'
import { consoleTexts } from './console-texts.ts'
import { AlertDialog } from './alert-dialog.tsx'
import type { ConsoleState } from './console-state.ts'
import { medianWait } from './console-state.ts'
import { formatClock, formatWait } from './times.ts'
import { ClosingNotice } from './staff-chat.tsx'
import type { StaffPresence } from '../protocol.ts'

type ConsoleHeadProps = {
  state: ConsoleState
  canWrite: boolean
  onAvailable: (available: boolean) => void
}

/** One's own availability, colleagues, median wait, and the state of the connection. */
export function ConsoleHead({ state, canWrite, onAvailable }: ConsoleHeadProps) {
  const t = useTexts(consoleTexts)
  const a = useTexts(alertTexts)
  const language = useLanguage()
  const [isTesting, setTesting] = useState(false)
  const { available, until, link } = state
  const wait = medianWait(state.chats, new Date())
  return (
    <div>
      <div className="console-head">
        <h1 className="text-2xl">{t('title')}</h1>
        <p
          role="status"
          className={`console-status rounded-full px-4 py-1.5 text-sm font-bold ${available ? 'bg-ok-soft text-ok' : 'bg-paper text-ink-2'}`}
        >
          <Lamp on={available}>
            {!available ? t('unavailable') : until ? t('availableUntil', { time: formatClock(language, until) }) : t('available')}
          </Lamp>
        </p>
        {canWrite && (
          <Button
            variant={available ? 'secondary' : 'primary'}
            size="small"
            disabled={link !== 'up'}
            onClick={() => onAvailable(!available)}
          >
            {available ? t('leave') : t('become')}
          </Button>
        )}
        <div className="console-tools">
          {wait !== null && (
            <p className="text-sm whitespace-nowrap">
              {t('medianWait')} <strong className="tabular">{formatWait(wait, language)}</strong>
            </p>
          )}
          <PresenceList users={state.users} />
          {canWrite && (
            <Button variant="secondary" size="small" onClick={() => setTesting(true)}>
              {a('title')}
            </Button>
          )}
        </div>
      </div>
      <ConsoleNotices state={state} canWrite={canWrite} />
      <AlertDialog open={isTesting} onClose={() => setTesting(false)} />
    </div>
  )
}

function ConsoleNotices({ state: { link, refusal }, canWrite }: { state: ConsoleState; canWrite: boolean }) {
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
    </>
  )
}

/** Colleagues who are online, their availability and number of chats. */
function PresenceList({ users }: { users: StaffPresence[] }) {
  const t = useTexts(consoleTexts)
  const available = users.filter((user) => user.available).length
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
  }
  return (
    <details className="console-presence" onBlur={handleBlur} onKeyDown={closeOnEscape}>
      <summary>
        {t('online')} <strong className="tabular">{available}</strong>
      </summary>
      <ul>
        {users.map((user) => (
          <li key={user.id_user} className="flex items-baseline justify-between gap-6">
            <Lamp on={user.available}>
              {user.user_name}
              <span className="sr-only"> ({t(user.available ? 'available' : 'unavailable')})</span>
            </Lamp>
            <span className="tabular text-sm whitespace-nowrap text-ink-2">
              {user.can_answer ? t('chats', { count: user.chats }) : t('reads')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
