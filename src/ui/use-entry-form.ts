import { useEffect, useRef, useState } from 'react'
import { ApiError } from './api.ts'
import { forgetEntryDraft, keepEntryDraft, readEntryDraft } from './entry-draft.ts'
import type { Failure } from './failures.ts'
import { failureOf } from './failures.ts'
import { forgetSaved, tellSaved } from './saved-notice.tsx'

/** `version`: which state of the entry the values were made from; `id`: of which entry, where the form does not know it beforehand. */
type Versioned = { version?: number; id?: number | null }

type Options<Values extends Versioned, Entity> = {
  /** Where the unsaved values are kept in this tab, e.g. `networks/12`. */
  draftKey: string
  /** What is stored now, or the values of a new entry. */
  initial: Values
  save: (values: Values) => Promise<Entity>
  onSaved: (entity: Entity) => void
  /** Reads the stored entry that a conflict carries. */
  readCurrent?: (current: unknown) => Values
  /** Fields that must not be blank; the server says the same, later. */
  required?: readonly (keyof Values & string)[]
  /** Values too large to be kept in the tab. */
  unkept?: readonly (keyof Values & string)[]
}

/** Values of an edit form that loses nothing: kept in the tab until saved, never put over another person's save. */
export function useEntryForm<Values extends Versioned, Entity>(options: Options<Values, Entity>) {
  const { draftKey, initial, save, onSaved, readCurrent, required = [], unkept = [] } = options
  const [draft] = useState(() => readEntryDraft(draftKey))
  const [stored, setStored] = useState(initial)
  const [values, setValues] = useState<Values>({ ...initial, ...(draft as Partial<Values>) })
  const [hasDraft, setHasDraft] = useState(draft !== null)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [theirs, setTheirs] = useState<Values | null>(null)
  const refusals = useRef(0)
  const element = useRef<HTMLFormElement>(null)
  const isDirty = Object.keys(values).some((key) => !isSame(values[key as keyof Values], stored[key as keyof Values]))

  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])

  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    if (refusals.current > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const change = (next: Partial<Values>) => {
    const changed = { ...values, ...next }
    setValues(changed)
    const kept = Object.fromEntries(Object.entries(changed).filter(([key]) => !unkept.includes(key as keyof Values & string)))
    keepEntryDraft(draftKey, kept)
  }

  const restart = (from: Values) => {
    setStored(from)
    setValues(from)
    setTheirs(null)
    setFailure(null)
    setErrors({})
    setHasDraft(false)
    forgetEntryDraft(draftKey)
  }

  const refuse = (told: Record<string, string>) => {
    refusals.current += 1
    setErrors(told)
  }

  const submit = async () => {
    forgetSaved()
    setFailure(null)
    const blank = required.filter((field) => String(values[field] ?? '').trim() === '')
    if (blank.length > 0) {
      setFailure('invalid')
      return refuse(Object.fromEntries(blank.map((field) => [field, 'required'])))
    }
    setSaving(true)
    setErrors({})
    try {
      const entity = await save(values)
      forgetEntryDraft(draftKey)
      setStored(values)
      tellSaved()
      onSaved(entity)
    } catch (error) {
      console.warn(error)
      setFailure(failureOf(error))
      if (!(error instanceof ApiError)) return
      refuse(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
      if (error.status === 409 && readCurrent && error.problem.current) setTheirs(readCurrent(error.problem.current))
    } finally {
      setSaving(false)
    }
  }

  return {
    element,
    values,
    stored,
    change,
    submit,
    saving,
    failure,
    errors,
    isDirty,
    /** True where the values come from an earlier visit that was not saved. */
    hasDraft: hasDraft && isDirty,
    dropDraft: () => restart(stored),
    /** Starts over from other values, as after a deletion. */
    restart,
    /** What another person saved meanwhile, after a refused save. */
    theirs,
    takeTheirs: () => theirs && restart(theirs),
    /** Goes on with one's own values, now made from the other's version. */
    keepMine: () => {
      if (!theirs) return
      setStored(theirs)
      setTheirs(null)
      setFailure(null)
      const { version, id } = theirs
      change({ version, ...(id === undefined ? {} : { id }) } as Partial<Values>)
    },
  }
}

function isSame(one: unknown, other: unknown) {
  return Object.is(one, other) || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}
