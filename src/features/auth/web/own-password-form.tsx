import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { passwordTexts } from '#src/features/users/password-texts.ts'
import type { NewPassword, PasswordRefusal } from '#src/features/users/web/new-password-fields.tsx'
import { NewPasswordFields, refusalOf, refusalOfError } from '#src/features/users/web/new-password-fields.tsx'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import { profileTexts } from '../profile-texts.ts'

const blank: NewPassword = { new_password: '', confirmation: '' }

/** Old password, new password, confirmation (spec.md 3 and 5). */
export function OwnPasswordForm({ username }: { username: string }) {
  const t = useTexts(profileTexts)
  const p = useTexts(passwordTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [old, setOld] = useState('')
  const [value, setValue] = useState(blank)
  const [refusal, setRefusal] = useState<PasswordRefusal | null>(null)
  const [outcome, setOutcome] = useState<{ status: 'success' | 'error'; text: string } | null>(null)
  const [busy, setBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const found = old ? refusalOf(value) : 'allRequired'
    setRefusal(found)
    setOutcome(found === 'allRequired' ? { status: 'error', text: p('allRequired') } : null)
    if (found) return
    setBusy(true)
    try {
      await callApi('PUT', '/api/auth/me/password', { old_password: old, ...value })
      setOld('')
      setValue(blank)
      setOutcome({ status: 'success', text: t('saved') })
      await revalidate()
    } catch (error) {
      setRefusal(refusalOfError(error))
      setOutcome(refusalOfError(error) ? null : { status: 'error', text: `${t('failed')}. ${f(failureOf(error))}` })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card>
      <h2 className="mb-1 text-xl">{t('password')}</h2>
      <p className="mb-5 text-ink-2">{t('passwordIntro')}</p>
      <form method="post" noValidate onSubmit={(event) => void handleSubmit(event)} className="grid max-w-md gap-5">
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={p('oldPassword')}
          name="old_password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={256}
          value={old}
          error={refusal === 'wrong' ? p('wrong') : null}
          onChange={(event) => setOld(event.target.value)}
        />
        <NewPasswordFields value={value} onChange={setValue} refusal={refusal} />
        <StatusCard status={outcome?.status ?? null}>{outcome?.text}</StatusCard>
        <Button type="submit" busy={busy} className="justify-self-start">
          {t('changePassword')}
        </Button>
      </form>
    </Card>
  )
}
