import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { PhotoPicker } from '#src/features/content/web/photo-picker.tsx'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { explainFieldError, failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Profile } from '../../contract.ts'
import { storeProfile } from '../../sign-in/web/session.ts'
import { userTexts } from '../../users/admin-texts.ts'
import { chatColors } from '../../values.ts'
import { profileTexts } from '../profile-texts.ts'

type Values = { first_name: string; last_name: string; display_name: string; email: string; color: string }
type TextKey = Exclude<keyof Values, 'color'>
type PhotoValues = { photo: string | null; new_photo?: string; new_photo_path?: string }

/** One's own names, address, photo and colour. */
export function OwnDetailsForm({ profile }: { profile: Profile }) {
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
      <h2 className="mb-5 text-xl">{t('own')}</h2>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid gap-6 md:grid-cols-[12rem_minmax(0,1fr)]">
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

function valuesOf({ first_name, last_name, display_name, email, color }: Profile): Values {
  return { first_name, last_name, display_name, email, color }
}

type ColorChoiceProps = { colors: string[]; value: string; onChange: (color: string) => void; className?: string }

/** Radio buttons that show a message bubble in their colour. */
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
            <svg width="34" height="24" viewBox="0 0 34 24" aria-hidden="true">
              <path d="M8 0h18a8 8 0 0 1 8 8v16H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z" fill={color} />
              <path d="M8 9h18M8 15h11" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
            </svg>
            <span className="sr-only">{t('colorName', { number: index + 1 })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
