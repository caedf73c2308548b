import type { ComponentType, ReactNode, ComponentProps } from 'react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { readValues } from '#src/ui/forms/form-draft.ts'
import { useForm } from '#src/ui/forms/use-form.ts'
import type { FieldProps } from '#src/ui/forms/field.tsx'
import { Field } from '#src/ui/forms/field.tsx'
import { formTexts } from '../form-texts.ts'
import type { PostedForm } from '../form-values.ts'
import type { FormTarget } from './request-submission.ts'
import { requestFields, messageMax } from '../form-values.ts'

/** `isAbove`: the part that stands above the fields. */
export type StateProps = { form: RequestForm; isAbove?: boolean }

type RequestFormFrameProps = {
  form: RequestForm
  sendLabel: string
  withUsername?: boolean
  /** Where the form sends files. */
  encType?: 'multipart/form-data'
  /** What becomes of what it collects, in place of the sentence about requests. */
  notice?: ReactNode
  children: ReactNode
}

// The browser loads it when a form is sent; the server imports it, because it renders the outcome without JavaScript.
const RequestState = import.meta.env.SSR
  ? (await import('./request-state.tsx')).default
  : lazy<ComponentType<StateProps>>(() => import('./request-state.tsx').catch(() => ({ default: OutcomeAlone })))

/** What must not wait for a script that may never come. */
function OutcomeAlone({ form: { outcome } }: StateProps) {
  const language = useLanguage()
  return (
    <p role="status" className="mt-4 font-bold">
      <span>{outcome?.lines.map((line) => line[language]).join(' ')}</span>{' '}
      <span data-reference={outcome?.reference}>{outcome?.reference}</span>
    </p>
  )
}

/** What the public forms have around their fields: traps, what is to correct, the button and the outcome. */
export function RequestFormFrame({ form, sendLabel, withUsername, encType, notice, children: fields }: RequestFormFrameProps) {
  const t = useTexts(formTexts)
  const language = useLanguage()
  const { status, outcome, sending } = form
  const refused = Object.keys(form.errors).length
  return (
    <form {...form.formProps} encType={encType} className="grid gap-6">
      <RobotTraps withUsername={withUsername} clientId={form.clientId} />
      {form.shownAt && <input type="hidden" name="shown_at" value={form.shownAt} />}
      <div role="alert" className={refused > 0 ? '' : 'hidden'}>
        {refused > 0 && (
          <p className="flex items-center gap-3 rounded-card bg-err-soft px-5 py-3 font-bold text-err">
            <StatusIcon status="ERROR" />
            <span key={refused}>{t('toCorrect', { count: refused })}</span>
          </p>
        )}
      </div>
      <Suspense fallback={null}>{outcome?.cause === 'cookies' && !sending && <RequestState form={form} isAbove />}</Suspense>
      {fields}
      <div>
        <p className="text-sm text-ink-2">
          {notice ?? (
            <>
              {company.periods && <span>{t('privacy', { period: company.periods.requests[language] })}</span>}{' '}
              <Link to="/about/personal_information" className="inline-block py-0.5 text-brand underline underline-offset-2">
                {t('privacyLink')}
              </Link>
            </>
          )}
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
      <span>Laissez vide / Leave empty</span>
      <input type="text" name={name} defaultValue="" tabIndex={-1} autoComplete="off" {...leftAlone} />
    </label>
  )
}

type Kind = keyof typeof requestFields

export type RequestFormProps = {
  /** What became of the form when it was posted without JavaScript. */
  posted: PostedForm | undefined
  /** What the server gave the form of a first load; null after a navigation in the browser, which makes its own. */
  start: { shownAt: string | null; clientId: string | null }
}

/** What a form of another feature brings. */
type OwnForm = { draftKey?: string; loadTarget?: () => Promise<FormTarget> }

const owned = ['client_id']
type Form = ReturnType<typeof useForm<string>>

/** One of the public forms: its state, and what each of its fields needs. */
export function useRequestForm<K extends Kind>(
  kind: K,
  { posted, start, draftKey = `requests/${kind}`, loadTarget }: RequestFormProps & OwnForm,
) {
  const language = useLanguage()
  const shownAt = posted?.shownAt ?? start.shownAt
  const fields: readonly (typeof requestFields)[K][number][] = requestFields[kind]
  const form: Form = useForm({
    draftKey,
    fields,
    owned,
    loadSubmission: async () => {
      const element = form.formProps.ref.current
      // What came with the page or was typed before goes on under the page's id; a new text gets its own.
      const values = element && readValues(element)
      const isNew = fields.every((field) => !values?.[field])
      // Shown as soon as it is sent; what fails here is tried again there.
      void import('./request-state.tsx').catch(() => undefined)
      const { createRequestSubmission } = await import('./request-submission.ts')
      return createRequestSubmission(kind, shownAt, element, isNew, await loadTarget?.())
    },
    locksWhileShown: true,
    initial: posted,
  })

  const firstRefused = fields.find((field) => posted?.errors[field])
  return {
    ...form,
    kind,
    shownAt,
    clientId: posted?.clientId ?? start.clientId ?? '',
    /** The page came with the answer: it opens there, far below the top on a phone. */
    opensAtAnswer: Boolean(posted?.outcome),
    field: (name: (typeof requestFields)[K][number]) => ({
      name,
      required: true,
      defaultValue: posted?.values[name] ?? '',
      error: form.errors[name]?.[language] ?? null,
      autoFocus: name === firstRefused,
    }),
  }
}

export type RequestForm = Omit<ReturnType<typeof useRequestForm>, 'field'>

/** Screen readers are notified at these remaining counts only: announcing each character would cover the typing echo. */
const thresholds = [0, 10, 20, 50, 100]

/** A text area with a character counter; text over the limit is marked, never cut. */
export function CountedTextArea({
  label,
  hint,
  error,
  ...rest
}: Pick<FieldProps, 'label' | 'error'> & { hint?: string } & ComponentProps<'textarea'>) {
  const t = useTexts(formTexts)
  const area = useRef<HTMLTextAreaElement>(null)
  const [used, setUsed] = useState(0)
  const left = messageMax - used
  const announced = thresholds.find((threshold) => left <= threshold)

  // What was typed before the script came, or is shown again.
  useEffect(() => setUsed(area.current?.value.length ?? 0), [])

  return (
    <Field
      label={label}
      error={error}
      hint={
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>{[hint, t('maxHint', { max: messageMax })].filter(Boolean).join(' ')}</span>
          <span aria-hidden="true" className={`needs-script tabular ms-auto ${left < 0 ? 'font-bold text-err' : ''}`}>
            {t('used', { count: used, max: messageMax })}
          </span>
        </span>
      }
    >
      {(attributes) => (
        <>
          <textarea
            ref={area}
            className="input"
            rows={6}
            onInput={(event) => setUsed(event.currentTarget.value.length)}
            {...rest}
            {...attributes}
          />
          <span role="status" className="sr-only">
            {announced !== undefined && (left < 0 ? t('tooMany', { count: -left }) : t('left', { count: announced }))}
          </span>
        </>
      )}
    </Field>
  )
}
