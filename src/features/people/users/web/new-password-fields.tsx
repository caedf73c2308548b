import type { FormEvent } from 'react'
import { useState } from 'react'
import { passwordRules } from '#src/lib/passwords.ts'
import { ApiError } from '#src/ui/api.ts'
import { CheckIcon, MinusIcon } from '#src/ui/components/icons.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { passwordTexts } from '../../sign-in/texts.ts'

export type NewPassword = { new_password: string; confirmation: string }
export type PasswordRefusal = 'allRequired' | 'ruleMessage' | 'notMatching' | 'tooEasy' | 'wrong'

type NewPasswordFieldsProps = { value: NewPassword; onChange: (value: NewPassword) => void; refusal: PasswordRefusal | null }

/** The new password and its confirmation, with each rule checked while typing. */
export function NewPasswordFields({ value, onChange, refusal }: NewPasswordFieldsProps) {
  const t = useTexts(passwordTexts)
  const [shown, setShown] = useState(false)
  const type = shown ? 'text' : 'password'
  const isOfNew = refusal === 'ruleMessage' || refusal === 'tooEasy'
  return (
    <>
      <TextField
        label={t('newPassword')}
        name="new_password"
        type={type}
        autoComplete="new-password"
        required
        maxLength={256}
        value={value.new_password}
        error={isOfNew ? t(refusal) : null}
        onChange={(event) => onChange({ ...value, new_password: event.target.value })}
      />
      <ul aria-label={t('rules')} className="grid gap-1 text-sm">
        {passwordRules.map((rule) => {
          const isMet = rule.isMet(value.new_password)
          return (
            <li key={rule.key} className={`flex items-center gap-2 ${isMet ? 'font-bold text-ok' : 'text-ink-2'}`}>
              {isMet ? <CheckIcon size={18} /> : <MinusIcon size={18} />}
              <span>{t(rule.key)}</span>
              <span className="sr-only">{`(${t(isMet ? 'met' : 'notMet')})`}</span>
            </li>
          )
        })}
      </ul>
      <TextField
        label={t('confirmation')}
        name="confirmation"
        type={type}
        autoComplete="new-password"
        required
        maxLength={256}
        value={value.confirmation}
        error={refusal === 'notMatching' ? t('notMatching') : null}
        onChange={(event) => onChange({ ...value, confirmation: event.target.value })}
      />
      <label className="flex min-h-6 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-5 accent-brand"
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
        <span>{t('show')}</span>
      </label>
    </>
  )
}

/** Client-side error of a new password; null where there is none. */
export function refusalOf({ new_password: password, confirmation }: NewPassword): PasswordRefusal | null {
  if (!password || !confirmation) return 'allRequired'
  if (!passwordRules.every((rule) => rule.isMet(password))) return 'ruleMessage'
  return password === confirmation ? null : 'notMatching'
}

/** The same from the server's error; null where it is about another field. */
export function refusalOfError(error: unknown): PasswordRefusal | null {
  if (!(error instanceof ApiError)) return null
  const refusal = error.errors[0]
  if (refusal?.message === 'too easy to guess') return 'tooEasy'
  if (refusal?.message === 'wrong password') return 'wrong'
  if (refusal?.path === 'confirmation') return 'notMatching'
  return refusal?.path === 'new_password' ? 'ruleMessage' : null
}

const blank: NewPassword = { new_password: '', confirmation: '' }

type Options = {
  send: (password: NewPassword) => Promise<unknown>
  done: string
  failed: string
  /** True where all other fields of the form are filled. */
  isComplete?: boolean
}

/** A form that changes a password: two fields, checked here and on the server, and the outcome. */
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
