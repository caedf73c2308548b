import type { ComponentType, ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import { company } from '#company/company.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { formTexts } from '../form-texts.ts'
import type { RequestForm } from './use-request-form.ts'

/** `isAbove`: the part that stands above the fields. */
export type StateProps = { form: RequestForm; isAbove?: boolean }

type RequestFormFrameProps = { form: RequestForm; sendLabel: string; withUsername?: boolean; children: ReactNode }

// The browser loads it when a form is sent; the server imports it, because it renders the outcome without JavaScript.
const RequestState = import.meta.env.SSR
  ? (await import('./request-state.tsx')).default
  : lazy<ComponentType<StateProps>>(() => import('./request-state.tsx').catch(() => ({ default: OutcomeAlone })))

/** What must not wait for a script that may never come. */
function OutcomeAlone({ form: { outcome } }: StateProps) {
  const language = useLanguage()
  return (
    <p role="status" className="mt-4 font-bold">
      {outcome?.lines.map((line) => line[language]).join(' ')}{' '}
      <span data-reference={outcome?.reference}>{outcome?.reference}</span>
    </p>
  )
}

/** What both public forms have around their fields: traps, what is to correct, the button and the outcome. */
export function RequestFormFrame({ form, sendLabel, withUsername, children }: RequestFormFrameProps) {
  const t = useTexts(formTexts)
  const { status, outcome, sending } = form
  const refused = Object.keys(form.errors).length
  return (
    <form {...form.formProps} className="grid gap-6">
      <RobotTraps withUsername={withUsername} clientId={form.clientId} />
      {form.shownAt && <input type="hidden" name="shown_at" value={form.shownAt} readOnly />}
      <div role="alert" className={refused > 0 ? '' : 'hidden'}>
        {refused > 0 && (
          <p className="flex items-center gap-3 rounded-card bg-err-soft px-5 py-3 font-bold text-err">
            <StatusIcon status="ERROR" />
            <span key={refused}>{t('toCorrect', { count: refused })}</span>
          </p>
        )}
      </div>
      <Suspense fallback={null}>{outcome?.cause === 'cookies' && !sending && <RequestState form={form} isAbove />}</Suspense>
      {children}
      <div>
        <p className="text-sm text-ink-2">
          <span>{t('privacy', { months: company.retention.requestMonths })}</span>{' '}
          <Link to="/about/personal_information" className="inline-block py-0.5 text-brand underline underline-offset-2">
            {t('privacyLink')}
          </Link>
        </p>
        <Button type="submit" busy={status === 'submitting'} disabled={form.isLocked} className="mt-4">
          {sending ? t('sending') : sendLabel}
        </Button>
        <Suspense fallback={<OutcomeAlone form={form} />}>{(sending || outcome) && <RequestState form={form} />}</Suspense>
      </div>
    </form>
  )
}

type RobotTrapsProps = {
  /** The second trap of the service-call form. */
  withUsername?: boolean
  clientId: string
}

/** What 1Password, Bitwarden, LastPass and Dashlane read. */
const leftAlone = { 'data-1p-ignore': '', 'data-bwignore': '', 'data-lpignore': 'true', 'data-form-type': 'other' }

/** The form's id and the honeypot fields: hidden without the style sheet too, and ignored by password managers. */
export function RobotTraps({ withUsername = false, clientId }: RobotTrapsProps) {
  return (
    <div hidden>
      {/* A text field: the browser keeps its value apart from the rendered one, and restores it with the others. */}
      <input type="text" name="client_id" defaultValue={clientId} tabIndex={-1} {...leftAlone} />
      <Trap name="honey" />
      {withUsername && <Trap name="username" />}
    </div>
  )
}

function Trap({ name }: { name: string }) {
  return (
    <label>
      Laissez vide / Leave empty
      <input type="text" name={name} defaultValue="" tabIndex={-1} autoComplete="off" {...leftAlone} />
    </label>
  )
}
