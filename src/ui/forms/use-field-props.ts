import { explainFieldError, fieldErrorTexts } from './failures.ts'
import { useTexts } from '../language.tsx'

type Form<Values> = {
  values: Values
  /** The error of each field, by field name. */
  errors: Record<string, string>
  isRequired: (field: string) => boolean
  change: (next: Partial<Values>) => void
}
type ChangeEvent = { target: { value: string } }
type FieldOf<Values, Type> = { [Key in keyof Values & string]-?: Values[Key] extends Type ? Key : never }[keyof Values & string]

/** Returns props that connect fields to the values of an edit form. `ownErrors`: texts for errors that only this form knows. */
export function useFieldProps<Values extends object>(form: Form<Values>, ownErrors: Partial<Record<string, string>> = {}) {
  const f = useTexts(fieldErrorTexts)
  const { values, errors, isRequired } = form
  const change = (field: keyof Values, value: string | null) => form.change({ [field]: value } as Partial<Values>)

  const errorOf = (field: string) => {
    // For a list, the first entry with an error.
    const refused = Object.keys(errors).find((key) => key === field || key.startsWith(`${field}.`))
    const refusal = refused && errors[refused]
    return refusal && (ownErrors[refusal] ?? f(...explainFieldError(refusal)))
  }
  const propsOf = (field: keyof Values & string) => ({
    name: field,
    value: String(values[field] ?? ''),
    error: errorOf(field),
    required: isRequired(field),
  })
  return {
    errorOf,
    textOf: (field: FieldOf<Values, string | undefined>) => ({
      ...propsOf(field),
      onChange: (event: ChangeEvent) => change(field, event.target.value),
    }),
    /** A day (YYYY-MM-DD), null while none is chosen. */
    dayOf: (field: FieldOf<Values, string | null | undefined>) => ({
      ...propsOf(field),
      type: 'date',
      onChange: (event: ChangeEvent) => change(field, event.target.value || null),
    }),
    richTextOf: (field: FieldOf<Values, string | undefined>) => ({
      value: String(values[field] ?? ''),
      error: errorOf(field),
      onChange: (html: string) => change(field, html),
    }),
  }
}
