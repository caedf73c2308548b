import { useEffect, useRef, useState } from 'react'
import { isSame } from '#src/lib/merge.ts'
import { deleteEntryDraft, storeEntryDraft, storeLargeValues, readEntryDraft } from './entry-draft.ts'

/** The values of the form, and the stored values they started from. */
type Edited<Values> = { values: Values; base: Values }

/** Form values stored in the tab until they are saved, with the stored values they started from. */
export function useDraftedValues<Values extends { version?: number }>(
  draftKey: string,
  initial: Values,
  large: readonly (keyof Values & string)[],
) {
  const [draft] = useState(() => readEntryDraft(draftKey))
  const [stored, setStored] = useState(initial)
  const [edited, setEdited] = useState<Edited<Values>>({
    values: { ...initial, ...(draft?.values as Partial<Values> | undefined) },
    base: draft ? (draft.base as Values) : initial,
  })
  // A photo is read asynchronously while the user types: apply each change to the latest values, not to those of the render
  // that started the read.
  const latest = useRef(edited)
  const [hasDraft, setHasDraft] = useState(draft !== null)
  const { values, base } = edited
  const isDirty = Object.keys(values).some((key) => !isSame(values[key as keyof Values], stored[key as keyof Values]))
  useLeaveWarning(isDirty)

  const show = (next: Edited<Values>) => {
    latest.current = next
    setEdited(next)
  }
  const write = (next: Values, from: Values) => {
    show({ values: next, base: from })
    const light = Object.entries(next).filter(([key]) => !isLarge(key))
    storeEntryDraft(draftKey, { values: Object.fromEntries(light), base: { ...from } })
  }
  const change = (next: Partial<Values>) => {
    const changed = { ...latest.current.values, ...next }
    if (Object.keys(next).some(isLarge)) {
      storeLargeValues(draftKey, Object.fromEntries(Object.entries(changed).filter(([key]) => isLarge(key))))
    }
    write(changed, latest.current.base)
  }
  const isLarge = (key: string) => large.includes(key as keyof Values & string)

  return {
    values,
    stored,
    base,
    /** True where the values were restored from a draft. */
    hasDraft,
    isDirty,
    write,
    change,
    setStored,
    startOver(from: Values) {
      setStored(from)
      show({ values: from, base: from })
      setHasDraft(false)
      deleteEntryDraft(draftKey)
    },
  }
}

/** Makes the browser ask before leaving a page with unsaved values. */
function useLeaveWarning(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
}
