import { useCallback, useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import type { Failure } from './failures.ts'
import { ApiError } from './api.ts'
import { failureOf } from './failures.ts'

type Options<Values extends object, Entity> = {
  /** Where the unsaved values are kept in this tab, e.g. `networks/12`. */
  draftKey: string
  /** What is stored now, or the values of a new entry. */
  initial: Values
  save: (values: Values) => Promise<Entity>
  onSaved: (entity: Entity) => void
  /** Reads the stored entry that a conflict carries. */
  readCurrent?: (current: unknown) => Values
}

/** Values of an edit form that loses nothing: kept in the tab, asked about before leaving, never over another's save. */
export function useEntryForm<Values extends object, Entity>(options: Options<Values, Entity>) {
  const { draftKey, initial, save, onSaved, readCurrent } = options
  const storageKey = `draft:${draftKey}`
  const [values, setValues] = useState<Values>(() => readDraft(storageKey, initial))
  const [isDirty, setDirty] = useState(() => sessionStorage.getItem(storageKey) !== null)
  const [hasDraft, setHasDraft] = useState(isDirty)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [theirs, setTheirs] = useState<Values | null>(null)
  const blocker = useBlocker(useCallback(() => isDirty && !saving, [isDirty, saving]))

  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])

  const change = (next: Partial<Values>) => {
    const changed = { ...values, ...next }
    setValues(changed)
    setDirty(true)
    keepDraft(storageKey, changed)
  }

  const forgetDraft = () => {
    sessionStorage.removeItem(storageKey)
    setDirty(false)
    setHasDraft(false)
  }

  const submit = async () => {
    setSaving(true)
    setFailure(null)
    setErrors({})
    try {
      const entity = await save(values)
      forgetDraft()
      onSaved(entity)
    } catch (error) {
      console.warn(error)
      setFailure(failureOf(error))
      if (error instanceof ApiError) {
        setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
        if (error.status === 409 && readCurrent && error.problem.current) setTheirs(readCurrent(error.problem.current))
      }
    } finally {
      setSaving(false)
    }
  }

  const restart = (from: Values) => {
    setValues(from)
    setTheirs(null)
    setFailure(null)
    setErrors({})
    forgetDraft()
  }

  return {
    values,
    change,
    submit,
    saving,
    failure,
    errors,
    isDirty,
    /** True where the values come from an earlier visit that was not saved. */
    hasDraft,
    dropDraft: () => restart(initial),
    /** What another person saved meanwhile, after a refused save. */
    theirs,
    takeTheirs: () => theirs && restart(theirs),
    /** Goes on with one's own values, now made from the other's version. */
    keepMine: (version: Partial<Values>) => {
      setTheirs(null)
      setFailure(null)
      change(version)
    },
    blocker,
  }
}

function readDraft<Values extends object>(key: string, initial: Values): Values {
  try {
    const kept = sessionStorage.getItem(key)
    return kept ? { ...initial, ...(JSON.parse(kept) as Values) } : initial
  } catch {
    return initial
  }
}

function keepDraft(key: string, values: object) {
  try {
    sessionStorage.setItem(key, JSON.stringify(values))
  } catch (error) {
    // A photo can be too large to keep; the form still holds it.
    console.warn(error)
  }
}
