import type { FormEvent } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from './api.ts'
import type { Failure } from './failures.ts'
import { failureOf } from './failures.ts'

/** As much of a contract's schema as a form needs; it comes by a dynamic import. */
type Schema = {
  safeParse: (value: unknown) => { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } }
}
type Values = Record<string, string>
type Errors = Record<string, string>
export type FormStatus = 'idle' | 'submitting' | 'success' | 'error'

type Options<Field extends string, Answer> = {
  /** Where unsent values are kept in this tab. */
  draftKey: string
  /** What a person fills in, in the order of the page. */
  fields: readonly Field[]
  loadSchema: () => Promise<Schema>
  send: (values: Values) => Promise<Answer>
  onSent?: (answer: Answer) => void
  /** The form waits while its answer is in sight (spec.md 4), until `settle`. */
  locksWhileAnswered?: boolean
  /** What the server rendered, when the form was posted without JavaScript. */
  initial?: { status: FormStatus; errors?: Errors; failure?: Failure | null; answer?: Answer | null }
}

/**
 * A native form that JavaScript makes better: checked by the contract's schema before it is sent, sent without leaving
 * the page, kept in the tab until it arrived. Its fields are the browser's own: what was typed before the script came stays.
 */
export function useForm<Field extends string, Answer>(options: Options<Field, Answer>) {
  const { fields, initial, locksWhileAnswered = false } = options
  const storageKey = `draft:${options.draftKey}`
  const form = useRef<HTMLFormElement>(null)
  const schema = useRef<Promise<Schema | null>>(undefined)
  const [status, setStatus] = useState<FormStatus>(initial?.status ?? 'idle')
  const [errors, setErrors] = useState<Errors>(initial?.errors ?? {})
  const [failure, setFailure] = useState<Failure | null>(initial?.failure ?? null)
  const [answer, setAnswer] = useState<Answer | null>(initial?.answer ?? null)
  const [refusals, setRefusals] = useState(0)
  const [isLive, setLive] = useState(false)
  const isBusy = status === 'submitting' || (locksWhileAnswered && status !== 'idle')
  const isSentAlready = initial?.status === 'success'

  useEffect(() => {
    setLive(true)
    if (isSentAlready) sessionStorage.removeItem(storageKey)
    else if (form.current) fill(form.current, readDraft(storageKey))
  }, [isSentAlready, storageKey])

  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    const element = form.current
    if (refusals > 0 && element) element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const loadSchema = () => (schema.current ??= options.loadSchema().catch(() => null))

  const check = async (values: Values) => {
    const result = (await loadSchema())?.safeParse(values)
    return Object.fromEntries((result?.error?.issues ?? []).toReversed().map((issue) => [String(issue.path[0]), issue.message]))
  }

  const refuse = (refused: Errors) => {
    setErrors(refused)
    setStatus('idle')
    setRefusals((count) => count + 1)
  }

  const submit = async (element: HTMLFormElement) => {
    setStatus('submitting')
    setFailure(null)
    const values = readValues(element)
    const refused = await check(values)
    if (fields.some((field) => field in refused)) return refuse(refused)
    setErrors({})
    try {
      const sent = await options.send(values)
      for (const field of fields) setValue(element, field, '')
      sessionStorage.removeItem(storageKey)
      setAnswer(sent)
      setStatus('success')
      options.onSent?.(sent)
    } catch (error) {
      console.warn(error)
      const told = error instanceof ApiError ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message])) : {}
      if (fields.some((field) => field in told)) return refuse(told)
      setFailure(failureOf(error))
      setStatus('error')
    }
  }

  const handleInput = async (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement
    const values = readValues(event.currentTarget)
    keepDraft(storageKey, Object.fromEntries(fields.map((field) => [field, values[field] ?? ''])))
    if (!(name in errors)) return
    const { [name]: error } = await check(values)
    setErrors(({ [name]: _mended, ...others }) => (error === undefined ? others : { ...others, [name]: error }))
  }

  return {
    formProps: {
      ref: form,
      method: 'post' as const,
      noValidate: true,
      onFocus: () => void loadSchema(),
      onInput: (event: FormEvent<HTMLFormElement>) => void handleInput(event),
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (!isBusy) void submit(event.currentTarget)
      },
    },
    status,
    /** The button waits. Never without JavaScript, which would not give it back. */
    isLocked: isLive && isBusy,
    errors,
    failure,
    answer,
    /** The answer has been in sight long enough; the form is ready again. */
    settle: useCallback(() => {
      setStatus('idle')
      setFailure(null)
    }, []),
  }
}

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function fill(form: HTMLFormElement, draft: Values) {
  for (const [field, value] of Object.entries(draft)) {
    const control = form.elements.namedItem(field) as HTMLInputElement | null
    if (control?.value === '' && value) setValue(form, field, value)
  }
}

function setValue(form: HTMLFormElement, field: string, value: string) {
  const control = form.elements.namedItem(field) as HTMLInputElement | null
  if (!control) return
  control.value = value
  // Whoever counts its characters hears of it.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

function readDraft(key: string): Values {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Values
  } catch {
    return {}
  }
}

function keepDraft(key: string, values: Values) {
  try {
    sessionStorage.setItem(key, JSON.stringify(values))
  } catch (error) {
    // A full or forbidden storage must not keep anyone from writing.
    console.warn(error)
  }
}
