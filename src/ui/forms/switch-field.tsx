import { useId } from 'react'

type SwitchFieldProps = {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A switch with a label and a hint. */
export function SwitchField({ label, hint, checked, disabled = false, onChange }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-5 flex-none accent-brand"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className="block font-bold">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
