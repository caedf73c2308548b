import { Button } from '#src/ui/button.tsx'
import { failureTexts } from '#src/ui/failures.ts'
import { Lamp } from '#src/ui/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../staff-texts.ts'
import { formatClock } from './console-list.tsx'
import type { ConsoleState } from './console-state.ts'

type ConsoleHeadProps = { state: ConsoleState; canWrite: boolean; onAvailable: (available: boolean) => void }

/** Whether one answers chats now, who else does, and what is wrong with the line. */
export function ConsoleHead({ state, canWrite, onAvailable }: ConsoleHeadProps) {
  const t = useTexts(staffTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const { available, users, link, closingAt } = state
  const online = users.filter((user) => user.available).length
  return (
    <div>
      <div className="console-head">
        <h1 className="text-2xl">{t('title')}</h1>
        <p
          role="status"
          className={`rounded-full px-4 py-1.5 text-sm font-bold ${available ? 'bg-ok-soft text-ok' : 'bg-paper text-ink-2'}`}
        >
          <Lamp on={available}>{available ? t('available') : t('unavailable')}</Lamp>
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
        <p className="ml-auto text-sm">
          {t('online')} <strong className="tabular">{online}</strong>
        </p>
      </div>
      {!canWrite && <p className="bg-brand-soft px-5 py-2 text-sm">{t('readOnly')}</p>}
      <div role="alert">
        {link === 'down' && (
          <p className="bg-warn-soft px-5 py-2 text-sm font-bold text-warn">
            {state.refusal === 'not_connected' ? f('signedOut') : state.refusal === 'forbidden' ? f('forbidden') : t('lost')}
          </p>
        )}
        {closingAt && available && (
          <p className="flex flex-wrap items-center gap-4 bg-lamp px-5 py-2 text-sm text-on-lamp">
            {t('closing', { time: formatClock(language, closingAt) })}
            <Button variant="secondary" size="small" onClick={() => onAvailable(true)}>
              {t('stay')}
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
