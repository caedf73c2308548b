import type { ComponentProps } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { FieldProps } from '#src/ui/forms/field.tsx'
import { Field } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { formTexts } from '../form-texts.ts'
import { messageMax } from '../form-values.ts'

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
  const told = thresholds.find((threshold) => left <= threshold)

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
            {t('used', { used, max: messageMax })}
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
            {told !== undefined && (left < 0 ? t('tooMany', { count: -left }) : t('left', { count: told }))}
          </span>
        </>
      )}
    </Field>
  )
}
