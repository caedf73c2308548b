import { useEffect, useState } from 'react'
import { isSame } from '#src/lib/merge.ts'
import { forgetEntryDraft, keepEntryDraft, keepLargeValues, readEntryDraft } from './entry-draft.ts'

/** Values that are kept in the tab until they are saved, with the stored ones that they were made from. */
export function useDraftedValues<Values extends { version?: number }>(
  draftKey: string,
  initial: Values,
  large: readonly (keyof Values & string)[],
) {
  const [draft] = useState(() => readEntryDraft(draftKey))
  const [stored, setStored] = useState(initial)
  const [base, setBase] = useState<Values>(draft ? (draft.base as Values) : initial)
  const [values, setValues] = useState<Values>({ ...initial, ...(draft?.values as Partial<Values> | undefined) })
  const [hasDraft, setHasDraft] = useState(draft !== null)
  const isDirty = Object.keys(values).some((key) => !isSame(values[key as keyof Values], stored[key as keyof Values]))
  useLeaveWarning(isDirty)

  const write = (next: Values, from: Values) => {
    setValues(next)
    setBase(from)
    const light = Object.entries(next).filter(([key]) => !isLarge(key))
    keepEntryDraft(draftKey, { values: Object.fromEntries(light), base: { ...from } })
  }
  const change = (next: Partial<Values>) => {
    const changed = { ...values, ...next }
    if (Object.keys(next).some(isLarge)) {
      keepLargeValues(draftKey, Object.fromEntries(Object.entries(changed).filter(([key]) => isLarge(key))))
    }
    write(changed, base)
  }
  const isLarge = (key: string) => large.includes(key as keyof Values & string)

  return {
    values,
    stored,
    base,
    /** True where the values come from an earlier visit. */
    hasDraft,
    isDirty,
    write,
    change,
    setStored,
    startOver(from: Values) {
      setStored(from)
      setBase(from)
      setValues(from)
      setHasDraft(false)
      forgetEntryDraft(draftKey)
    },
  }
}

/** The browser asks before what is unsaved is left. */
function useLeaveWarning(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
}
