import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfilePanels } from '#src/features/content/web/admin-context.ts'
import { PhotoPicker } from '#src/features/content/web/photo-picker.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { readDevice } from '#src/lib/text/user-agent.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson, ApiError } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { explainFieldError, failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import type { OwnSession, TotpState, Profile } from '../../contract.ts'
import { useProfile, storeProfile } from '../../sign-in/web/session.ts'
import { userTexts } from '../../users/admin-texts.ts'
import { passwordTexts } from '../../sign-in/texts.ts'
import { LanguagesField } from '../../users/web/languages-field.tsx'
import { NewPasswordFields, useNewPassword } from '../../users/web/new-password-fields.tsx'
import { chatColors } from '../../values.ts'
import { profileTexts } from '../profile-texts.ts'
import type { Route } from './+types/profile-page.ts'
import { TotpPanel } from './totp-panel.tsx'

export async function clientLoader() {
  const [totp, sessions] = await Promise.all([
    getJson<TotpState>('/api/auth/me/totp'),
    getJson<OwnSession[]>('/api/auth/me/sessions'),
  ])
  return { totp, sessions }
}

/** The user's own account: details, password, second factor, sessions. */
export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(profileTexts)
  const profile = useProfile()
  const panels = useProfilePanels()
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
        {panels.map((Panel, index) => (
          <Panel key={index} />
        ))}
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
      <h2 id="password" className="mb-1 text-xl">
        {t('password')}
      </h2>
      <p className="mb-5 text-ink-2">{t('passwordIntro')}</p>
      <form method="post" noValidate onSubmit={handleSubmit} aria-labelledby="password" className="grid max-w-md gap-5">
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

type Values = { first_name: string; last_name: string; display_name: string; email: string; color: string; languages: Language[] }
type TextKey = Exclude<keyof Values, 'color' | 'languages'>
type PhotoValues = { photo: string | null; new_photo?: string; new_photo_path?: string }

/** The user's own names, address, photo and color. */
function OwnDetailsForm({ profile }: { profile: Profile }) {
  const t = useTexts(profileTexts)
  const u = useTexts(userTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState<Values>(() => valuesOf(profile))
  const [photo, setPhoto] = useState<PhotoValues>({ photo: profile.image_url })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [outcome, setOutcome] = useState<{ status: 'success' | 'error'; text: string } | null>(null)
  const [busy, setBusy] = useState(false)

  const save = async () => {
    const saved = await callApi<Profile>('PUT', '/api/auth/me', {
      ...values,
      ...(photo.new_photo ? { new_photo: photo.new_photo, new_photo_path: photo.new_photo_path } : {}),
      ...(photo.photo === null && !photo.new_photo && profile.image_url ? { remove_photo: true } : {}),
    })
    storeProfile(saved)
    setPhoto({ photo: saved.image_url })
    setOutcome({ status: 'success', text: t('saved') })
    await revalidate()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setErrors({})
    setOutcome(null)
    setBusy(true)
    save()
      .catch((error: unknown) => {
        console.warn(error)
        if (error instanceof ApiError) setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
        setOutcome({ status: 'error', text: `${t('failed')}. ${f(failureOf(error))}` })
      })
      .finally(() => setBusy(false))
  }
  const control = (field: TextKey) => ({
    name: field,
    value: values[field],
    error: errors[field] ? e(...explainFieldError(errors[field])) : null,
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [field]: event.target.value }),
  })

  return (
    <Card>
      <h2 id="own" className="mb-5 text-xl">
        {t('own')}
      </h2>
      <form
        method="post"
        noValidate
        onSubmit={handleSubmit}
        aria-labelledby="own"
        className="grid gap-6 md:grid-cols-[12rem_minmax(0,1fr)]"
      >
        <PhotoPicker
          name={values.display_name}
          photo={photo.photo}
          newPhoto={photo.new_photo}
          newPhotoPath={photo.new_photo_path}
          onChange={(choice) => setPhoto({ ...photo, ...choice })}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={u('firstName')} optional {...control('first_name')} maxLength={200} autoComplete="given-name" />
          <TextField label={u('lastName')} optional {...control('last_name')} maxLength={200} autoComplete="family-name" />
          <TextField
            label={u('displayName')}
            hint={u('displayNameHint')}
            {...control('display_name')}
            required
            maxLength={200}
            autoComplete="nickname"
          />
          <TextField label={u('email')} type="email" {...control('email')} required maxLength={254} autoComplete="email" />
          <LanguagesField
            className="sm:col-span-2"
            value={values.languages}
            error={errors.languages ? e(...explainFieldError(errors.languages)) : null}
            onChange={(languages) => setValues({ ...values, languages })}
          />
          <ColorChoice
            className="sm:col-span-2"
            colors={[...new Set([...chatColors, values.color])]}
            value={values.color}
            onChange={(color) => setValues({ ...values, color })}
          />
          <div className="grid gap-4 sm:col-span-2">
            <StatusCard status={outcome?.status ?? null} onHide={() => setOutcome(null)}>
              {outcome?.text}
            </StatusCard>
            <Button type="submit" busy={busy} className="justify-self-start">
              {u('save')}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  )
}

function valuesOf({ first_name, last_name, display_name, email, color, languages }: Profile): Values {
  return { first_name, last_name, display_name, email, color, languages }
}

type ColorChoiceProps = { colors: string[]; value: string; onChange: (color: string) => void; className?: string }

/** Radio buttons that show a message bubble in its color. */
function ColorChoice({ colors, value, onChange, className = '' }: ColorChoiceProps) {
  const t = useTexts(profileTexts)
  return (
    <fieldset className={className}>
      <legend className="mb-2 font-bold">{t('color')}</legend>
      <div className="flex flex-wrap gap-4">
        {colors.map((color, index) => (
          <label key={color} className="flex min-h-8 items-center gap-2">
            <input
              type="radio"
              name="color"
              className="size-5 accent-brand"
              checked={value === color}
              onChange={() => onChange(color)}
            />
            <span className="sr-only">{t('colorName', { number: index + 1 })}</span>
            <svg width="34" height="24" viewBox="0 0 34 24" aria-hidden="true">
              <path d="M8 0h18a8 8 0 0 1 8 8v16H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z" fill={color} />
              <path d="M8 9h18M8 15h11" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const sessionsPath = '/api/auth/me/sessions'

/** The user's sessions, each with a button that ends it. */
function OwnSessions({ sessions }: { sessions: OwnSession[] }) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const [failure, setFailure] = useState<string | null>(null)
  /** Path of the pending API call. */
  const [ending, setEnding] = useState<string | null>(null)

  const end = async (path: string) => {
    setFailure(null)
    setEnding(path)
    try {
      await callApi('DELETE', path)
      await revalidate()
    } catch (error) {
      console.warn(error)
      setFailure(f(failureOf(error)))
    } finally {
      setEnding(null)
    }
  }
  const stateOf = (path: string) => ({ busy: ending === path, disabled: ending !== null && ending !== path })
  const deviceOf = (session: OwnSession) => {
    const device = readDevice(session.user_agent)
    if (!device) return t('unknownDevice')
    return device.system ? t('onSystem', { browser: device.browser, system: device.system }) : device.browser
  }

  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-xl">{t('sessions')}</h2>
        {sessions.length > 1 && (
          <Button {...stateOf(sessionsPath)} variant="secondary" size="small" onClick={() => void end(sessionsPath)}>
            {t('endOthers')}
          </Button>
        )}
      </div>
      <p className="text-ink-2">{t('sessionsIntro')}</p>
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      <Table
        caption={t('sessions')}
        rows={sessions}
        rowKey={(session) => session.id_session}
        columns={[
          { header: t('device'), cell: (session) => deviceOf(session), isRowHeader: true },
          { header: t('address'), cell: (session) => session.address },
          { header: t('began'), cell: (session) => <Moment at={session.created_at} /> },
          {
            header: t('lastActivity'),
            cell: (session) => (session.current ? <Badge tone="ok">{t('thisOne')}</Badge> : <Moment at={session.last_seen_at} />),
          },
        ]}
        actions={{
          header: t('end'),
          cell: (session) =>
            !session.current && (
              <Button
                variant="danger"
                size="small"
                {...stateOf(`${sessionsPath}/${session.id_session}`)}
                aria-label={`${t('end')} ${deviceOf(session)}, ${formatDateTime(session.created_at, language)}`}
                onClick={() => void end(`${sessionsPath}/${session.id_session}`)}
              >
                {t('end')}
              </Button>
            ),
        }}
      />
    </section>
  )
}
