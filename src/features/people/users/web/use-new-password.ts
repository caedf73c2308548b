import type { FormEvent } from 'react'
import { useState } from 'react'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { passwordTexts } from '../password-texts.ts'
import type { NewPassword, PasswordRefusal } from './new-password-fields.tsx'
import { refusalOf, refusalOfError } from './new-password-fields.tsx'

const blank: NewPassword = { new_password: '', confirmation: '' }

type Options = {
  send: (password: NewPassword) => Promise<unknown>
  done: string
  failed: string
  /** Whether every other field of the form is filled. */
  isComplete?: boolean
}

/** A form that changes a password: its two fields, checked here and on the server, and what came of it. */
export function useNewPassword({ send, done, failed, isComplete = true }: Options) {
  const p = useTexts(passwordTexts)
  const f = useTexts(failureTexts)
  const [value, setValue] = useState(blank)
  const [refusal, setRefusal] = useState<PasswordRefusal | null>(null)
  const [outcome, setOutcome] = useState<{ status: 'success' | 'error'; text: string } | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    const found = isComplete ? refusalOf(value) : 'allRequired'
    setRefusal(found)
    setOutcome(found === 'allRequired' ? { status: 'error', text: p('allRequired') } : null)
    if (found) return
    setBusy(true)
    try {
      await send(value)
      setValue(blank)
      setOutcome({ status: 'success', text: done })
    } catch (error) {
      const refused = refusalOfError(error)
      setRefusal(refused)
      setOutcome(refused ? null : { status: 'error', text: `${failed}. ${f(failureOf(error))}` })
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return { handleSubmit, busy, outcome, refusal, fields: { value, onChange: setValue, refusal } }
}
