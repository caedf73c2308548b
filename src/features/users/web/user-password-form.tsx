import type { FormEvent } from 'react'
import { useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Disclosure } from '#src/ui/disclosure.tsx'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import { userTexts } from '../admin-texts.ts'
import type { User } from '../contract.ts'
import { passwordTexts } from '../password-texts.ts'
import type { NewPassword, PasswordRefusal } from './new-password-fields.tsx'
import { NewPasswordFields, refusalOf, refusalOfError } from './new-password-fields.tsx'

const blank: NewPassword = { new_password: '', confirmation: '' }

/** Gives another person a password; their sessions end. */
export function UserPasswordForm({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const p = useTexts(passwordTexts)
  const f = useTexts(failureTexts)
  const [value, setValue] = useState(blank)
  const [refusal, setRefusal] = useState<PasswordRefusal | null>(null)
  const [outcome, setOutcome] = useState<{ status: 'success' | 'error'; text: string } | null>(null)
  const [busy, setBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const found = refusalOf(value)
    setRefusal(found)
    setOutcome(found === 'allRequired' ? { status: 'error', text: p('allRequired') } : null)
    if (found) return
    setBusy(true)
    try {
      await callApi('PUT', `/api/users/users/${user.id_user}/password`, value)
      setValue(blank)
      setOutcome({ status: 'success', text: t('done') })
    } catch (error) {
      setRefusal(refusalOfError(error))
      setOutcome(refusalOfError(error) ? null : { status: 'error', text: `${t('failed')}. ${f(failureOf(error))}` })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Disclosure title={t('changePassword')}>
      <form method="post" noValidate onSubmit={(event) => void handleSubmit(event)} className="grid max-w-md gap-5 text-ink">
        <NewPasswordFields value={value} onChange={setValue} refusal={refusal} />
        <StatusCard status={outcome?.status ?? null}>{outcome?.text}</StatusCard>
        <Button type="submit" busy={busy} className="justify-self-start">
          {t('changePassword')}
        </Button>
      </form>
    </Disclosure>
  )
}
