import type { FormEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { userTexts } from '../../users/admin-texts.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { failureOf, failureTexts, explainFieldError, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { showSavedNotice } from '#src/ui/components/toast.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { deviceStorage } from '#src/ui/storage.ts'
import type { Profile } from '../../contract.ts'
import { profileTexts } from '../profile-texts.ts'
import { storeProfile } from '../../sign-in/web/session.ts'

const storageKey = 'email_notice_until'
const postponedMs = 7 * 86_400_000

/** Asks users without an email for one; it can be dismissed for a week. */
export function EmailNotice({ profile }: { profile: Profile }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => setDue(isNoticeDue()), [])
  if (profile.email !== '' || !isDue) return null
  const postpone = () => {
    setDue(false)
    deviceStorage.write(storageKey, String(Date.now() + postponedMs))
  }
  return <EmailForm profile={profile} onPostpone={postpone} />
}

const isNoticeDue = () => Date.now() >= Number(deviceStorage.read(storageKey) ?? 0)

/** Asks for a password of one's own until it was changed. */
export function PasswordNotice({ profile }: { profile: Profile }) {
  const t = useTexts(profileTexts)
  const titleId = useId()
  if (!profile.password_set_by_admin) return null
  return (
    <section aria-labelledby={titleId} className="rounded-card bg-warn-soft px-5 py-5">
      <h2 id={titleId} className="text-xl">
        {t('passwordGivenTitle')}
      </h2>
      <p className="mt-1 mb-4 max-w-prose">{t('passwordGiven')}</p>
      <ButtonLink to="/admin/profile#password">{t('changePassword')}</ButtonLink>
    </section>
  )
}

function EmailForm({ profile, onPostpone }: { profile: Profile; onPostpone: () => void }) {
  const t = useTexts(profileTexts)
  const u = useTexts(userTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const { revalidate } = useRevalidator()
  const titleId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const save = async () => {
    const { first_name, last_name, display_name } = profile
    setError(null)
    setFailure(null)
    setBusy(true)
    try {
      storeProfile(await callApi<Profile>('PUT', '/api/auth/me', { first_name, last_name, display_name, email: email.trim() }))
      showSavedNotice('saved')
      await revalidate()
    } catch (refused) {
      console.warn(refused)
      const wrong = refused instanceof ApiError ? refused.errors.find(({ path }) => path === 'email') : undefined
      if (wrong) {
        setError(e(...explainFieldError(wrong.message)))
        field.current?.focus()
      } else setFailure(f(failureOf(refused)))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void save()
  }

  return (
    <section aria-labelledby={titleId} className="rounded-card bg-brand-soft px-5 py-5">
      <h2 id={titleId} className="text-xl">
        {t('emailTitle')}
      </h2>
      <p className="mt-1 mb-4 max-w-prose">{t('emailIntro')}</p>
      <form method="post" noValidate onSubmit={handleSubmit} className="flex flex-wrap items-end gap-4">
        <TextField
          className="grow basis-60 sm:max-w-md"
          ref={field}
          label={u('email')}
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          value={email}
          error={error}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy}>
            {t('saveEmail')}
          </Button>
          <Button variant="secondary" onClick={onPostpone}>
            {t('later')}
          </Button>
        </div>
      </form>
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
    </section>
  )
}
