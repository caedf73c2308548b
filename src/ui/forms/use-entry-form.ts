import { useState, useEffect, useRef } from 'react'
import { mergeChanges } from '#src/lib/merge.ts'
import { ApiError } from '../api.ts'
import { deleteEntryDraft } from './entry-draft.ts'
import type { Notice } from '../components/saved-notice.tsx'
import { hideSavedNotice, showSavedNotice } from '../components/saved-notice.tsx'
import { useDraftedValues } from './use-drafted-values.ts'
import type { Failure } from './failures.ts'
import { failureOf } from './failures.ts'

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
  const { values, stored, isDirty, write, change, setStored, startOver } = drafted
  const [saving, setSaving] = useState(false)
  const refusals = useRefusals()
  const conflict = useEntryConflict(drafted)
  const { theirs, merged } = conflict

  const restart = (from: Values) => {
    startOver(from)
    conflict.settle(false)
    refusals.forgetFailure()
    refusals.forgetErrors()
  }

  const refuse = (error: unknown) => {
    refusals.refuseBy(error)
    if (!(error instanceof ApiError)) return
    // Somebody deleted it: saving once more makes it anew, where it can be made from here.
    if (error.status === 404 && values.id) change({ id: null, version: undefined } as Partial<Values>)
    if (error.status !== 409 || !readCurrent || !error.problem.current) return
    conflict.meet(readCurrent(error.problem.current), error.problem.changed)
  }

  const submit = async () => {
    hideSavedNotice()
    refusals.forgetFailure()
    conflict.forgetChoice()
    const blank = required.filter((field) => String(values[field] ?? '').trim() === '')
    if (blank.length > 0) return refusals.refuse('invalid', Object.fromEntries(blank.map((field) => [field, 'required'])))
    setSaving(true)
    refusals.forgetErrors()
    try {
      const entity = await save(values)
      deleteEntryDraft(draftKey)
      setStored(values)
      showSavedNotice(notice)
      onSaved(entity)
    } catch (error) {
      console.warn(error)
      refuse(error)
    } finally {
      setSaving(false)
    }
  }

  return {
    element: refusals.element,
    values,
    stored,
    change,
    submit,
    saving,
    failure: refusals.failure,
    notice,
    errors: refusals.errors,
    isRequired: (field: string) => (required as readonly string[]).includes(field),
    isDirty,
    /** True where the values come from an earlier visit that was not saved. */
    hasDraft: drafted.hasDraft && isDirty,
    dropDraft: () => restart(stored),
    /** Starts over from other values, as after a deletion. */
    restart,
    /** What another person saved meanwhile, after a refused save. */
    theirs,
    theirChange: conflict.theirChange,
    takeTheirs: () => theirs && restart(theirs),
    merged,
    /** True after that choice, until the next save. */
    hasChosenMine: conflict.hasChosenMine,
    /** Goes on with one's own changes, now made to the other's version. */
    keepMine: () => {
      if (!theirs || !merged) return
      setStored(theirs)
      conflict.settle(true)
      refusals.forgetFailure()
      write(merged, theirs)
    },
    /** Back to the form as it is; the next save asks again. */
    postponeConflict: conflict.postponeConflict,
  }
}

/** Why a save was refused, as a whole and by field. After each refusal the first wrong field has the focus. */
function useRefusals() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const element = useRef<HTMLFormElement>(null)
  const count = useRef(0)

  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    if (count.current === 0) return
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else element.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [errors])

  const refuse = (found: Failure, wrong: Record<string, string>) => {
    count.current += 1
    setFailure(found)
    setErrors(wrong)
  }

  return {
    /** The form, for the focus. */
    element,
    failure,
    errors,
    refuse,
    refuseBy: (error: unknown) => {
      const wrong = error instanceof ApiError ? error.errors : []
      refuse(failureOf(error), Object.fromEntries(wrong.map(({ path, message }) => [path, message])))
    },
    forgetFailure: () => setFailure(null),
    forgetErrors: () => setErrors({}),
  }
}

/** `version`: which state of the entry the values were made from; `id`: of which entry, where the form does not know it beforehand. */
type Versioned = { version?: number; id?: number | null }

type Change = { at: string; name: string }
/** One's own values, and the stored ones that they were made from. */
type Own<Values> = { values: Values; base: Values }

/** What another person saved meanwhile, and whether one went on with one's own changes to it. */
function useEntryConflict<Values extends Versioned>({ values, base }: Own<Values>) {
  const [theirs, setTheirs] = useState<Values | null>(null)
  const [theirChange, setTheirChange] = useState<Change | null>(null)
  const [hasChosenMine, setHasKeptMine] = useState(false)

  const merge = (saved: Values): Values => {
    const { version, id } = saved
    return { ...mergeChanges(base, values, saved), version, ...(id === undefined ? {} : { id }) }
  }

  return {
    theirs,
    /** Who saved that, and when. */
    theirChange,
    /** The other's version with one's own changes on it. */
    merged: theirs && merge(theirs),
    hasChosenMine,
    meet: (saved: Values, change: unknown) => {
      setTheirs(saved)
      setTheirChange((change ?? null) as Change | null)
    },
    settle: (isMineChosen: boolean) => {
      setTheirs(null)
      setHasKeptMine(isMineChosen)
    },
    forgetChoice: () => setHasKeptMine(false),
    postponeConflict: () => setTheirs(null),
  }
}
