import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { OwnSession, TotpState } from '../../contract.ts'
import { useProfile } from '../../sign-in/web/session.ts'
import { passwordTexts } from '../../users/password-texts.ts'
import { NewPasswordFields } from '../../users/web/new-password-fields.tsx'
import { useNewPassword } from '../../users/web/use-new-password.ts'
import { profileTexts } from '../profile-texts.ts'
import type { Route } from './+types/profile-page.ts'
import { OwnDetailsForm } from './own-details-form.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { TotpPanel } from './totp-panel.tsx'

export async function clientLoader() {
  const [totp, sessions] = await Promise.all([
    getJson<TotpState>('/api/auth/me/totp'),
    getJson<OwnSession[]>('/api/auth/me/sessions'),
  ])
  return { totp, sessions }
}

/** One's own account: details, password, second factor, sessions. */
export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(profileTexts)
  const profile = useProfile()
  const { totp, sessions } = loaderData
  return (
    <>
      <AdminHead title={t('title')} subtitle={`${profile.username} · ${profile.group}`} home="/admin/panel" />
      <div className="grid max-w-4xl gap-8">
        {profile.totp_required && <p className="rounded-card bg-warn-soft px-5 py-4 font-bold">{t('totpRequired')}</p>}
        <OwnDetailsForm profile={profile} />
        <OwnPasswordForm username={profile.username} />
        <TotpPanel state={totp} />
        <OwnSessions sessions={sessions} />
      </div>
    </>
  )
}

/** Old password, new password, confirmation. */
function OwnPasswordForm({ username }: { username: string }) {
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
