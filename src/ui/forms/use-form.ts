import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { FormAnswer, FormErrors } from '#src/lib/form-answer.ts'
import { fillDraft, deleteDraft, storeDraft, readValues, setValue } from './form-draft.ts'

/** What is needed only once somebody fills the form, loaded by a dynamic import (form-work.ts). */
export type FormWork = {
  check: (values: Record<string, string>) => FormErrors
  submit: (values: Record<string, string>, sending: Sending) => Promise<FormAnswer>
}

/** A sending under way: the work says that no answer comes, and may be asked to try once more meanwhile. */
export type Sending = { since: number; onSlow: () => void; tryAgain?: () => void }

type Options<Field extends string> = {
  /** Where unsent values are kept in this tab. */
  draftKey: string
  /** Names of the fields that a person fills in. */
  fields: readonly Field[]
  /** Names of hidden fields that are kept with them. */
  owned?: readonly string[]
  loadWork: () => Promise<FormWork>
  /** The form waits while its outcome is in sight. */
  locksWhileAnswered?: boolean
  onSent?: (form: HTMLFormElement) => void
  /** What the server rendered, when the form was posted without JavaScript. */
  initial?: FormAnswer
}

const none: readonly string[] = []
/** Milliseconds that the answer stays in sight, and that a script is waited for. */
const answerTime = 10_000

/**
 * A native form that JavaScript makes better: checked before it is sent, sent without leaving the page, kept in the tab
 * until it arrived. Its fields are the browser's own: what was typed before the script came stays.
 */
export function useForm<Field extends string>(options: Options<Field>) {
  const {
    draftKey,
    fields,
    owned = none,
    loadWork,
    locksWhileAnswered = false,
    onSent,
    initial = { errors: {}, outcome: null },
  } = options
  const form = useRef<HTMLFormElement>(null)
  const work = useRef<Promise<FormWork>>(undefined)
  const [status, setStatus] = useState<'idle' | 'submitting' | 'success' | 'error'>(initial.outcome?.status ?? 'idle')
  const [{ errors, outcome }, setAnswer] = useState(initial)
  const [refusals, setRefusals] = useState(0)
  const [isLive, setLive] = useState(false)
  const [sending, setSending] = useState<Sending>()
  const [isSlow, setSlow] = useState(false)
  const isLocked = status === 'submitting' || (locksWhileAnswered && status !== 'idle')
  const isSentAlready = initial.outcome?.status === 'success'

  useEffect(() => {
    setLive(true)
    const element = form.current
    if (!element) return
    if (isSentAlready) return deleteDraft(draftKey)
    fillDraft(element, draftKey, owned)
    // What was typed before this script came is not in the draft yet.
    const values = readValues(element)
    if (fields.some((field) => values[field])) storeDraft(draftKey, [...fields, ...owned], values)
  }, [isSentAlready, draftKey, fields, owned])

  useEffect(() => {
    // After the errors are in the page, so that the field is announced with its own.
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  useEffect(() => {
    if (!locksWhileAnswered || (status !== 'success' && status !== 'error')) return
    const timer = setTimeout(() => setStatus('idle'), answerTime)
    return () => clearTimeout(timer)
  }, [status, locksWhileAnswered])

  const load = () =>
    (work.current ??= loadWork().catch((error: unknown) => {
      work.current = undefined
      throw error
    }))

  const submit = async (element: HTMLFormElement) => {
    const startedAt: Sending = { since: performance.now(), onSlow: () => setSlow(true) }
    setStatus('submitting')
    setSlow(false)
    setSending(startedAt)
    setAnswer({ errors: {}, outcome: null })
    const late = new Promise<null>((resolve) => setTimeout(resolve, answerTime, null))
    const loaded = await Promise.race([load(), late]).catch(() => null)
    // Without its script the form is what it was: the browser sends it and the server answers with the page.
    if (!loaded) return element.submit()
    const answer = await loaded.submit(readValues(element), startedAt)
    if (answer.outcome?.status === 'success') {
      for (const field of fields) setValue(element, field, '')
      deleteDraft(draftKey)
      onSent?.(element)
    }
    setAnswer(answer)
    setStatus(answer.outcome?.status ?? 'idle')
    if (!answer.outcome) setRefusals((count) => count + 1)
  }

  const handleInput = async (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement
    const values = readValues(event.currentTarget)
    storeDraft(draftKey, [...fields, ...owned], values)
    if (!(name in errors)) return
    const { [name]: error } = (await load()).check(values)
    setAnswer(({ outcome: same, errors: { [name]: _mended, ...others } }) => ({
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
        // Another try after a failure need not wait until its card is gone.
        if (status !== 'submitting' && (status !== 'success' || !isLocked)) void submit(event.currentTarget)
      },
    },
    status,
    errors,
    outcome,
    /** The button waits. Never without JavaScript, which would not give it back. */
    isLocked: isLive && isLocked,
    /** While it is sent; `isSlow` once no answer came for long. */
    sending: status === 'submitting' ? sending : undefined,
    isSlow,
  }
}
