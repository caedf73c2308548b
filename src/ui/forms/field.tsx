import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'
import { ChevronIcon } from '../components/icons.tsx'
import { useTexts } from '../language.tsx'
import { StatusIcon } from '../components/status-icon.tsx'
import { texts } from '../texts.ts'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | null
  /** Shown beside the label, for instance the language of a text. */
  badge?: ReactNode
  /** Marks the field as optional; the others are required. */
  optional?: boolean
  className?: string
}

type ControlAttributes = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

type FieldFrameProps = FieldProps & {
  id?: string
  /** Whether a `label` element can name the control; otherwise the control names itself. */
  isLabelable?: boolean
  children: (attributes: ControlAttributes) => ReactNode
}

/** Label, hint and error of a control, linked for assistive technology. */
export function Field({
  label,
  hint,
  error,
  badge,
  optional = false,
  className = '',
  id,
  isLabelable = true,
  children,
}: FieldFrameProps) {
  const t = useTexts(texts)
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = `${controlId}-hint`
  const errorId = `${controlId}-error`
  const markId = `${controlId}-mark`
  const hasMark = optional || Boolean(badge)
  const described = [error && errorId, hasMark && markId, hint && hintId].filter(Boolean).join(' ')
  return (
    <div className={`field ${className}`}>
      <div className="field-label">
        {isLabelable ? <label htmlFor={controlId}>{label}</label> : <span>{label}</span>}
        {hasMark && (
          <span id={markId} className="contents">
            {optional && <span className="font-normal text-ink-2">{`(${t('optional')})`}</span>}
            {badge}
          </span>
        )}
      </div>
      {children({ id: controlId, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Error text under a field; `id` links it by `aria-describedby`. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  const t = useTexts(texts)
  return (
    <p id={id} className="field-error">
      <StatusIcon status="ERROR" size={18} label={t('error')} className="mt-0.5" />
      <span>{children}</span>
    </p>
  )
}

export function TextField(props: FieldProps & ComponentProps<'input'>) {
  const [field, control] = split(props)
  return <Field {...field}>{(attributes) => <input type="text" className="input" {...control} {...attributes} />}</Field>
}

export function TextArea(props: FieldProps & ComponentProps<'textarea'>) {
  const [field, control] = split(props)
  return <Field {...field}>{(attributes) => <textarea className="input" {...control} {...attributes} />}</Field>
}

/** A native `select`; its children are `option` elements. */
export function SelectField(props: FieldProps & ComponentProps<'select'>) {
  const [field, control] = split(props)
  return (
    <Field {...field}>
      {(attributes) => (
        <div className="select">
          <select className="input" {...control} {...attributes} />
          <ChevronIcon />
        </div>
      )}
    </Field>
  )
}

/** Separates the props of the frame from those of the control. */
function split<Props extends FieldProps & { id?: string | undefined }>(props: Props) {
  const { label, hint, error, badge, optional, className, id, ...control } = props
  return [{ label, hint, error, badge, optional, className, id }, control] as const
}
