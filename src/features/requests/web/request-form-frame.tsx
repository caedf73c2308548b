import type { ReactNode } from 'react'
import { company } from '#company/company.ts'
import { Button } from '#src/ui/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/link.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import { StatusIcon } from '#src/ui/status-icon.tsx'
import { formTexts } from '../form-texts.ts'
import { RobotTraps } from './robot-traps.tsx'
import type { RequestForm } from './use-request-form.ts'

type RequestFormFrameProps = { form: RequestForm; sendLabel: string; withUsername?: boolean; children: ReactNode }

/** What both public forms have around their fields: traps, what is to correct, the button and the outcome (spec.md 4 and 8). */
export function RequestFormFrame({ form, sendLabel, withUsername, children }: RequestFormFrameProps) {
  const t = useTexts(formTexts)
  const language = useLanguage()
  const { status, outcome } = form
  const refused = Object.keys(form.errors).length
  const shown = status === 'success' || status === 'error' ? status : null
  return (
    <form {...form.formProps} className="grid gap-6">
      <RobotTraps withUsername={withUsername} shownAt={form.shownAt} />
      <div role="alert" className={refused > 0 ? '' : 'hidden'}>
        {refused > 0 && (
          <p className="flex items-center gap-3 rounded-card bg-err-soft px-5 py-3 font-bold text-err">
            <StatusIcon status="ERROR" />
            {t('toCorrect', { count: refused })}
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
        <div className={shown ? 'mt-4 outline-none' : ''} {...(form.opensAtAnswer && { tabIndex: -1, autoFocus: true })}>
          <StatusCard status={shown} onHide={form.settle}>
            {outcome?.lines.map((line, index) => (
              <p key={line.fr} className={index === 0 ? `font-bold ${shown === 'error' ? 'text-err' : 'text-ok'}` : ''}>
                {line[language]}
              </p>
            ))}
            {outcome?.reference && (
              <p className="tabular mt-2 inline-block rounded-field border-2 border-dashed border-ok px-4 py-1 text-lg font-extrabold whitespace-nowrap">
                {outcome.reference}
              </p>
            )}
          </StatusCard>
        </div>
      </div>
    </form>
  )
}
