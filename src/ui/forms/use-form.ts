import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { FormResult, FormErrors } from '#src/lib/form-result.ts'
import type { UploadProgress } from '../uploads/upload.ts'
import { fillDraft, deleteDraft, storeDraft, readValues, setValue } from './form-draft.ts'

/** The part that is needed only when a visitor fills in the form; loaded by a dynamic import (form-submission.ts). */
export type FormSubmission = {
  check: (values: Record<string, string>) => FormErrors
  submit: (values: Record<string, string>, sending: Sending) => Promise<FormResult>
}

/**
 * A submission in progress: the work calls `onSlow` when no response comes, and provides `tryAgain`, or where it sends files,
 * how far they are.
 */
export type Sending = {
  since: number
  onSlow: () => void
  tryAgain?: () => void
  upload?: { name: string; progress: UploadProgress; stop: () => void }
}

type Options<Field extends string> = {
  /** Storage key of the draft in this tab. */
  draftKey: string
  /** Names of the visible fields. */
  fields: readonly Field[]
  /** Names of hidden fields that are stored with the draft. */
  owned?: readonly string[]
  loadSubmission: () => Promise<FormSubmission>
  /** Locks the form while its outcome is shown. */
  locksWhileShown?: boolean
  onSent?: (form: HTMLFormElement) => void
  /** Result rendered by the server, when the form was posted without JavaScript. */
  initial?: FormResult
}

const none: readonly string[] = []
/** How long the outcome is shown, and how long to wait for the script, in milliseconds. */
const outcomeTime = 10_000

/**
 * Enhances a native form: validates before submitting, submits without leaving the page, and stores a draft in the tab until
 * the form was received. The fields are uncontrolled, so what was typed before hydration stays.
 */
export function useForm<Field extends string>(options: Options<Field>) {
  const {
    draftKey,
    fields,
    owned = none,
    loadSubmission,
    locksWhileShown = false,
    onSent,
    initial = { errors: {}, outcome: null },
  } = options
  const form = useRef<HTMLFormElement>(null)
  const submission = useRef<Promise<FormSubmission>>(undefined)
  const [status, setStatus] = useState<'idle' | 'submitting' | 'success' | 'error'>(initial.outcome?.status ?? 'idle')
  const [{ errors, outcome }, setResult] = useState(initial)
  const [refusals, setRefusals] = useState(0)
  const [isLive, setLive] = useState(false)
  const [sending, setSending] = useState<Sending>()
  const [isSlow, setSlow] = useState(false)
  const isLocked = status === 'submitting' || (locksWhileShown && status !== 'idle')
  const isSentAlready = initial.outcome?.status === 'success'

  useEffect(() => {
    setLive(true)
    const element = form.current
    if (!element) return
    if (isSentAlready) return deleteDraft(draftKey)
    fillDraft(element, draftKey, owned)
    // What was typed before hydration is not in the draft yet.
    const values = readValues(element)
    if (fields.some((field) => values[field])) storeDraft(draftKey, [...fields, ...owned], values)
  }, [isSentAlready, draftKey, fields, owned])

  useEffect(() => {
    // In an effect: the field is then announced with its error.
    if (refusals === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus()
    // WebKit scrolls to the edge of the focused field: its label, and the message above it, would be out of sight.
    wrong?.closest('.field')?.scrollIntoView({ block: 'nearest' })
  }, [refusals])

  useEffect(() => {
    if (!locksWhileShown || (status !== 'success' && status !== 'error')) return
    const timer = setTimeout(() => setStatus('idle'), outcomeTime)
    return () => clearTimeout(timer)
  }, [status, locksWhileShown])

  const load = () =>
    (submission.current ??= loadSubmission().catch((error: unknown) => {
      submission.current = undefined
      throw error
    }))

  const submit = async (element: HTMLFormElement) => {
    const startedAt: Sending = { since: performance.now(), onSlow: () => setSlow(true) }
    setStatus('submitting')
    setSlow(false)
    setSending(startedAt)
    setResult({ errors: {}, outcome: null })
    const late = new Promise<null>((resolve) => setTimeout(resolve, outcomeTime, null))
    const loaded = await Promise.race([load(), late]).catch(() => null)
    // If the script does not load, submit natively; the server responds with a page.
    if (!loaded) return element.submit()
    const answer = await loaded.submit(readValues(element), startedAt)
    if (answer.outcome?.status === 'success') {
      for (const field of fields) setValue(element, field, '')
      deleteDraft(draftKey)
      onSent?.(element)
    }
    setResult(answer)
    setStatus(answer.outcome?.status ?? 'idle')
    if (!answer.outcome) setRefusals((count) => count + 1)
  }

  const handleInput = async (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement
    const values = readValues(event.currentTarget)
    storeDraft(draftKey, [...fields, ...owned], values)
    if (!(name in errors)) return
    const { [name]: error } = (await load()).check(values)
    setResult(({ outcome: same, errors: { [name]: _mended, ...others } }) => ({
      outcome: same,
      errors: error ? { ...others, [name]: error } : others,
    }))
  }

  return {
    formProps: {
      ref: form,
      method: 'post' as const,
      noValidate: true,
      onFocus: () => void load().catch(() => undefined),
      onInput: (event: FormEvent<HTMLFormElement>) => void handleInput(event),
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        // After a failure the visitor can retry without waiting for the card to disappear.
        if (status !== 'submitting' && (status !== 'success' || !isLocked)) void submit(event.currentTarget)
      },
    },
    status,
    errors,
    outcome,
    /** Disables the button. Not before hydration: without JavaScript nothing would enable it again. */
    isLocked: isLive && isLocked,
    /** While submitting; `isSlow` once no response came for a long time. */
    sending: status === 'submitting' ? sending : undefined,
    isSlow,
  }
}
