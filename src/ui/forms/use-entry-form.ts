import { useState, useEffect, useRef } from 'react'
import { richTextMax } from '#src/lib/text/html-text.ts'
import { mergeChanges } from '#src/lib/merge.ts'
import { ApiError } from '../api.ts'
import { deleteEntryDraft, useDraftedValues } from './entry-draft.ts'
import type { Notice, SavedEntry } from '../components/toast.tsx'
import { hideSavedNotice, showSavedNotice } from '../components/toast.tsx'
import type { Failure } from './failures.ts'
import { failureOf, explainFieldError, fieldErrorTexts } from './failures.ts'
import { useTexts } from '../language.tsx'

type Options<Values extends Versioned, Entity> = {
  /** Storage key of the draft in this tab, e.g. `networks/12`. */
  draftKey: string
  /** The stored values, or the values of a new entry. */
  initial: Values
  save: (values: Values) => Promise<Entity>
  /** Where it returns a promise, such as that of a new read of the entry, the form takes no typing until it ends. */
  onSaved: (entity: Entity) => unknown
  /** Reads the current entry from the 409 response. */
  readCurrent?: (current: unknown) => Values
  /** Fields that must not be blank; the server checks the same. */
  required?: readonly (keyof Values & string)[]
  /** Notice shown after a save. */
  notice?: Notice
  /** What the notice leads back to, where saving leaves the form. */
  savedAs?: (entity: Entity) => SavedEntry
  /** Large fields, such as a photo; stored in the tab where they fit. */
  large?: readonly (keyof Values & string)[]
}

/** State of an edit form: unsaved values are stored in the tab, and a save never overwrites another user's changes. */
export function useEntryForm<Values extends Versioned, Entity>(options: Options<Values, Entity>) {
  const { draftKey, initial, save, onSaved, readCurrent, required = [], notice = 'saved', savedAs, large = [] } = options
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
    refusals.refuseBy(
      error,
      large.some((field) => values[field]),
    )
    if (!(error instanceof ApiError)) return
    // The entry was deleted: the next save creates it again, where this form can create one.
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
    const long = Object.entries(values).filter(([field, value]) => isTooLong(value) && !large.some((one) => one === field))
    if (long.length > 0) {
      const tooLong = (value: unknown) => `too long: ${String(value).length} of ${richTextMax}`
      return refusals.refuse('invalid', Object.fromEntries(long.map(([field, value]) => [field, tooLong(value)])))
    }
    setSaving(true)
    refusals.forgetErrors()
    try {
      const entity = await save(values)
      deleteEntryDraft(draftKey)
      setStored(values)
      showSavedNotice(notice, { entry: savedAs?.(entity) })
      await onSaved(entity)
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
    /** True where the values were restored from a draft. */
    hasDraft: drafted.hasDraft && isDirty,
    dropDraft: () => restart(stored),
    /** Shows why another operation of the form failed. */
    refuse,
    /** Replaces the values, for instance after a deletion. */
    restart,
    /** True where the form can show an entry as the server returns it. */
    readsCurrent: readCurrent !== undefined,
    /** Shows the entry as it is stored now, in place of what the form has. */
    takeCurrent: (current: unknown) => readCurrent && restart(readCurrent(current)),
    /** The version another user saved in the meantime, after a conflict. */
    theirs,
    theirChange: conflict.theirChange,
    loadSavedVersion: () => theirs && restart(theirs),
    merged,
    /** The stored version that both changed. */
    conflictBase: drafted.base,
    /** True after choosing one's own changes, until the next save. */
    keepsOwnChanges: conflict.keepsOwnChanges,
    /** Applies one's own changes to the other version, but takes these fields of it as they are. */
    keepOwnChanges: (taken: readonly (keyof Values & string)[] = []) => {
      if (!theirs || !merged) return
      const chosen = { ...merged, ...Object.fromEntries(taken.map((field) => [field, theirs[field]])) }
      setStored(theirs)
      conflict.settle(true)
      refusals.forgetFailure()
      write(chosen, theirs)
    },
    /** Closes the dialog without a choice; the next save asks again. */
    postponeConflict: conflict.postponeConflict,
  }
}

/** Height in pixels of the bar at the bottom of a phone, with room. */
const bottomBar = 96

/** No text of a form may be longer. */
const isTooLong = (value: unknown) => typeof value === 'string' && value.length > richTextMax

/** Why a save failed, as a whole and by field. After each failure the first invalid field is focused. */
function useRefusals() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const element = useRef<HTMLFormElement>(null)
  const count = useRef(0)

  useEffect(() => {
    // In an effect: the field is then announced with its error.
    if (count.current === 0) return
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) {
      wrong.focus()
      // As in useForm.
      wrong.closest('.field')?.scrollIntoView({ block: 'nearest' })
      // Below a tall field its error would be out of sight.
      const error = wrong.closest('.field')?.querySelector('.field-error')
      if (error && error.getBoundingClientRect().bottom > window.innerHeight - bottomBar)
        error.scrollIntoView({ block: 'center' })
    } else element.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [errors])

  const refuse = (found: Failure, wrong: Record<string, string>) => {
    count.current += 1
    setFailure(found)
    setErrors(wrong)
  }

  return {
    /** The form element. */
    element,
    failure,
    errors,
    refuse,
    refuseBy: (error: unknown, hasFile: boolean) => {
      const wrong = error instanceof ApiError ? error.errors : []
      const found = failureOf(error)
      refuse(
        found === 'tooLarge' && !hasFile ? 'tooLong' : found,
        Object.fromEntries(wrong.map(({ path, message }) => [path, message])),
      )
    },
    forgetFailure: () => setFailure(null),
    forgetErrors: () => setErrors({}),
  }
}

/** `version`: version that the values started from; `id`: the entry, where the form does not know it from its address. */
type Versioned = { version?: number; id?: number | null }

type Change = { at: string; name: string }
/** The user's values, and the stored values they started from. */
type Own<Values> = { values: Values; base: Values }

/** State of an edit conflict: the version of the other user, and whether the user chose their own changes. */
function useEntryConflict<Values extends Versioned>({ values, base }: Own<Values>) {
  const [theirs, setTheirs] = useState<Values | null>(null)
  const [theirChange, setTheirChange] = useState<Change | null>(null)
  const [keepsOwnChanges, setKeepsOwnChanges] = useState(false)

  const merge = (saved: Values): Values => {
    const { version, id } = saved
    return { ...mergeChanges(base, values, saved), version, ...(id === undefined ? {} : { id }) }
  }

  return {
    theirs,
    /** Who saved it, and when. */
    theirChange,
    /** The other version with one's own changes applied. */
    merged: theirs && merge(theirs),
    keepsOwnChanges,
    meet: (saved: Values, change: unknown) => {
      setTheirs(saved)
      setTheirChange((change ?? null) as Change | null)
    },
    settle: (keepsOwn: boolean) => {
      setTheirs(null)
      setKeepsOwnChanges(keepsOwn)
    },
    forgetChoice: () => setKeepsOwnChanges(false),
    postponeConflict: () => setTheirs(null),
  }
}

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
