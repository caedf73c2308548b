import { useProfile } from '../../sign-in/web/use-profile.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { getJson } from '#src/ui/api.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { OwnSession, TotpState } from '../../sign-in/contract.ts'
import { profileTexts } from '../profile-texts.ts'
import type { Route } from './+types/profile-page.ts'
import { OwnDetailsForm } from './own-details-form.tsx'
import { OwnPasswordForm } from './own-password-form.tsx'
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
