import { tabStorage } from '../storage.ts'
import { useEffect, useRef, useState } from 'react'
import { isSame } from '#src/lib/merge.ts'

/** Unsaved values of an edit form in this tab (`values`), and the saved values they started from (`base`). */
export type EntryDraft = { values: Record<string, unknown>; base: Record<string, unknown> }

let owner = ''

/** Sets the user whose drafts these are: another user who signs in to the same tab does not see them. */
export function setDraftOwner(id: number) {
  owner = String(id)
}

export function readEntryDraft(key: string): EntryDraft | null {
  const draft = read(storageKey(key)) as Partial<EntryDraft> | null
  if (!draft?.values || !draft.base) return null
  const large = read(largeKey(key)) as Record<string, unknown> | null
  return { values: { ...draft.values, ...large }, base: draft.base }
}

export function storeEntryDraft(key: string, draft: EntryDraft) {
  storeJson(storageKey(key), draft)
}

/** Large values, such as a photo, are stored separately, so that they are not written again at each keystroke. */
export function storeLargeValues(key: string, values: object) {
  storeJson(largeKey(key), values)
}

export function deleteEntryDraft(key: string) {
  tabStorage.write(storageKey(key), null)
  tabStorage.write(largeKey(key), null)
}

function read(key: string): unknown {
  try {
    return JSON.parse(tabStorage.read(key) ?? 'null')
  } catch {
    return null
  }
}

function storeJson(key: string, value: object) {
  tabStorage.write(key, JSON.stringify(value))
}

const storageKey = (key: string) => `draft:${owner}:${key}`
const largeKey = (key: string) => `${storageKey(key)}:large`

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
