import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { company } from '#company/company.ts'
import { Button } from '#src/ui/button.tsx'
import { failureTexts } from '#src/ui/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import { StatusIcon } from '#src/ui/status-icon.tsx'
import { formTexts } from '../texts.ts'
import { RobotTraps } from './robot-traps.tsx'
import type { RequestForm } from './use-request-form.ts'

type RequestFormFrameProps = {
  form: RequestForm
  label: string
  sendLabel: string
  /** What is said when it arrived. */
  sentText: string
  withUsername?: boolean
  children: ReactNode
}

/** What both public forms have around their fields: traps, what is to correct, the button and the answer (spec.md 4 and 8). */
export function RequestFormFrame({ form, label, sendLabel, sentText, withUsername, children }: RequestFormFrameProps) {
  const t = useTexts(formTexts)
  const f = useTexts(failureTexts)
  const { status, failure, answer, refusedCount } = form
  const shown = status === 'success' || status === 'error' ? status : null
  return (
    <form {...form.formProps} aria-label={label} className="grid gap-6">
      <RobotTraps withUsername={withUsername} shownAt={form.shownAt} />
      <div role="alert" className={refusedCount > 0 ? '' : 'hidden'}>
        {refusedCount > 0 && (
          <p className="flex items-center gap-3 rounded-card bg-err-soft px-5 py-3 font-bold text-err">
            <StatusIcon status="ERROR" />
            {t('toCorrect', { count: refusedCount })}
          </p>
        )}
      </div>
      {children}
      <div>
        <p className="text-sm text-ink-2">
          {t('privacy', { months: company.retention.requestMonths })}{' '}
          <Link to="/about/personal_information" className="inline-block py-0.5 text-brand underline underline-offset-2">
            {t('privacyLink')}
          </Link>
        </p>
        <Button type="submit" busy={status === 'submitting'} disabled={form.isLocked} className="mt-4">
          {sendLabel}
        </Button>
        <div className={shown ? 'mt-4' : ''}>
          <StatusCard status={shown} onHide={form.settle}>
            {status === 'success' ? (
              <>
                <p className="font-bold text-ok">{sentText}</p>
                {answer && <p className="tabular text-lg font-extrabold">{t('reference', { reference: answer.reference })}</p>}
                <p className="text-sm text-ink-2">{t('referenceHint')}</p>
              </>
            ) : (
              <>
                <p className="font-bold text-err">{t('failure')}</p>
                {failure && <p>{f(failure === 'forbidden' ? 'broken' : failure)}</p>}
              </>
            )}
          </StatusCard>
        </div>
      </div>
    </form>
  )
}
