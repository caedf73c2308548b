import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { mergeChanges } from '#src/lib/merge.ts'
import { ApiError } from './api.ts'
import { forgetEntryDraft } from './entry-draft.ts'
import type { Failure } from './failures.ts'
import { failureOf } from './failures.ts'
import type { Notice } from './saved-notice.tsx'
import { forgetSaved, tellSaved } from './saved-notice.tsx'
import { useDraftedValues } from './use-drafted-values.ts'

/** `version`: which state of the entry the values were made from; `id`: of which entry, where the form does not know it beforehand. */
type Versioned = { version?: number; id?: number | null }

type Change = { at: string; name: string }

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
  /** What a save does, as it is told afterwards. */
  notice?: Notice
  /** Values as large as a photo, kept in the tab where they fit. */
  large?: readonly (keyof Values & string)[]
}

/** Values of an edit form that loses nothing: kept in the tab until saved, never put over another person's save. */
export function useEntryForm<Values extends Versioned, Entity>(options: Options<Values, Entity>) {
  const { draftKey, initial, save, onSaved, readCurrent, required = [], notice = 'saved', large = [] } = options
  const drafted = useDraftedValues(draftKey, initial, large)
  const { values, stored, base, isDirty, write, change, setStored, startOver } = drafted
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [theirs, setTheirs] = useState<Values | null>(null)
  const [theirChange, setTheirChange] = useState<Change | null>(null)
  const [hasKeptMine, setHasKeptMine] = useState(false)
  const refusals = useRef(0)
  const element = useRef<HTMLFormElement>(null)

  useWrongFieldFocus(element, errors, refusals)

  const restart = (from: Values) => {
    startOver(from)
    setTheirs(null)
    setFailure(null)
    setErrors({})
    setHasKeptMine(false)
  }

  const merge = (saved: Values): Values => {
    const { version, id } = saved
    return { ...mergeChanges(base, values, saved), version, ...(id === undefined ? {} : { id }) }
  }

  const refuse = (told: Record<string, string>) => {
    refusals.current += 1
    setErrors(told)
  }

  const submit = async () => {
    forgetSaved()
    setFailure(null)
    setHasKeptMine(false)
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
      tellSaved(notice)
      onSaved(entity)
    } catch (error) {
      console.warn(error)
      setFailure(failureOf(error))
      if (!(error instanceof ApiError)) return refuse({})
      refuse(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
      // Somebody deleted it: saving once more makes it anew, where it can be made from here.
      if (error.status === 404 && values.id) change({ id: null, version: undefined } as Partial<Values>)
      if (error.status !== 409 || !readCurrent || !error.problem.current) return
      setTheirs(readCurrent(error.problem.current))
      setTheirChange((error.problem.changed ?? null) as Change | null)
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
    notice,
    errors,
    isRequired: (field: string) => (required as readonly string[]).includes(field),
    isDirty,
    /** True where the values come from an earlier visit that was not saved. */
    hasDraft: drafted.hasDraft && isDirty,
    dropDraft: () => restart(stored),
    /** Starts over from other values, as after a deletion. */
    restart,
    /** What another person saved meanwhile, after a refused save. */
    theirs,
    /** Who saved that, and when. */
    theirChange,
    takeTheirs: () => theirs && restart(theirs),
    /** The other's version with one's own changes on it. */
    merged: theirs && merge(theirs),
    /** True after that choice, until the next save. */
    hasKeptMine,
    /** Goes on with one's own changes, now made to the other's version. */
    keepMine: () => {
      if (!theirs) return
      setStored(theirs)
      setTheirs(null)
      setFailure(null)
      setHasKeptMine(true)
      write(merge(theirs), theirs)
    },
    /** Back to the form as it is; the next save asks again. */
    putOff: () => setTheirs(null),
  }
}

/** After each refusal the first wrong field has the focus. */
function useWrongFieldFocus(form: RefObject<HTMLFormElement | null>, errors: object, refusals: RefObject<number>) {
  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    if (refusals.current === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [form, errors, refusals])
}
