import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { passwordTexts } from '../../users/password-texts.ts'
import { NewPasswordFields } from '../../users/web/new-password-fields.tsx'
import { useNewPassword } from '../../users/web/use-new-password.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { profileTexts } from '../profile-texts.ts'

/** Old password, new password, confirmation. */
export function OwnPasswordForm({ username }: { username: string }) {
  const t = useTexts(profileTexts)
  const p = useTexts(passwordTexts)
  const { revalidate } = useRevalidator()
  const [old, setOld] = useState('')
  const { handleSubmit, busy, outcome, refusal, fields } = useNewPassword({
    isComplete: old !== '',
    send: async (password) => {
      await callApi('PUT', '/api/auth/me/password', { old_password: old, ...password })
      setOld('')
      await revalidate()
    },
    done: t('saved'),
    failed: t('failed'),
  })

  return (
    <Card>
      <h2 className="mb-1 text-xl">{t('password')}</h2>
      <p className="mb-5 text-ink-2">{t('passwordIntro')}</p>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid max-w-md gap-5">
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
        <NewPasswordFields {...fields} />
        <StatusCard status={outcome?.status ?? null}>{outcome?.text}</StatusCard>
        <Button type="submit" busy={busy} className="justify-self-start">
          {t('changePassword')}
        </Button>
      </form>
    </Card>
  )
}
