import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { hideSavedNotice, showSavedNotice } from '#src/ui/components/toast.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useTexts } from '#src/ui/language.tsx'
import { revalidateArea } from '#src/ui/live/live-areas.ts'
import { companyTexts } from '../admin-texts.ts'
import type { CompanySettings } from '../contract.ts'
import type { Route } from './+types/admin-company-page.ts'

const path = '/api/company/settings'

export const clientLoader = () => getJson<CompanySettings>(path)

const groups = {
  identity: ['name', 'legal_name'],
  phones: ['toll_free', 'quebec_phone', 'fax'],
  emails: ['support_email', 'telecom_email', 'hr_email', 'opinion_email'],
  place: ['street', 'city', 'postal_code', 'latitude', 'longitude'],
} as const
const required = Object.values(groups).flat()
type Key = (typeof required)[number]
type Values = Record<Key, string> & { colour: string; logo: string; new_logo?: string; version: number }

/** `/admin/entreprise`: the facts of the company, stored over those of `company/company.ts`. */
export default function AdminCompanyPage({ loaderData: settings }: Route.ComponentProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(companyTexts)
  const { revalidate } = useRevalidator()
  const form = useEntryForm<Values, CompanySettings>({
    draftKey: 'company/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as CompanySettings),
    save: (values) =>
      callApi('PUT', path, { ...values, latitude: degreesOf(values.latitude), longitude: degreesOf(values.longitude) }),
    onSaved: (saved) => show(saved),
    required,
    large: ['new_logo'],
  })
  const show = (saved: CompanySettings) => {
    form.restart(valuesOf(saved))
    void revalidateArea('company', revalidate)
  }
  const { textOf, errorOf } = useFieldProps(form, {
    'a phone number of 10 digits, or one that begins with +': t('notCallable'),
    'too light to be read': t('tooLight'),
    'not usable as a logo': t('logoUnreadable'),
  })
  const [isAsked, setIsAsked] = useState(false)
  const reset = async () => {
    setIsAsked(false)
    hideSavedNotice()
    try {
      show(await callApi<CompanySettings>('DELETE', path))
      showSavedNotice()
    } catch (error) {
      console.warn(error)
      form.refuse(error)
    }
  }
  return (
    <EntryForm
      title={t('title')}
      subtitle={t('subtitle')}
      form={form}
      fields={[
        ...required.map((key) => ({ key, label: t(key) })),
        { key: 'colour', label: t('colour') },
        { key: 'logo', label: t('logo') },
      ]}
    >
      <div className="grid max-w-3xl gap-10">
        {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
          <fieldset key={group} className="grid gap-4 sm:grid-cols-2">
            <legend className="mb-2 text-xl font-bold">{t(group)}</legend>
            {groups[group].map((key) => (
              <TextField key={key} label={t(key)} {...textOf(key)} autoComplete="off" />
            ))}
          </fieldset>
        ))}
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-2 text-xl font-bold">{t('look')}</legend>
          <TextField label={t('colour')} hint={t('colourHint')} optional {...textOf('colour')} autoComplete="off" />
          <LogoField values={form.values} refusal={errorOf('new_logo')} onChange={form.change} />
        </fieldset>
        <section aria-label={t('hours')} className="grid justify-items-start gap-2">
          <h2 className="text-xl">{t('hours')}</h2>
          <p className="text-ink-2">{t('hoursHint')}</p>
          <Link to="/admin/chat/settings" className="font-bold text-brand underline">
            {t('hoursLink')}
          </Link>
        </section>
        {!settings.is_default && (
          <div>
            <Button variant="secondary" onClick={() => setIsAsked(true)}>
              {t('reset')}
            </Button>
            <ConfirmDialog
              open={isAsked}
              title={t('resetTitle')}
              consequence={t(form.isDirty ? 'resetDirty' : 'resetQuestion')}
              confirmLabel={t('resetConfirm')}
              onConfirm={() => void reset()}
              onCancel={() => setIsAsked(false)}
            />
          </div>
        )}
      </div>
    </EntryForm>
  )
}

type LogoFieldProps = { values: Values; refusal: string | undefined; onChange: (next: Partial<Values>) => void }

/** The logo that is shown or chosen, and the file of another one. */
function LogoField({ values: { logo, new_logo: chosen }, refusal, onChange }: LogoFieldProps) {
  const t = useTexts(companyTexts)
  const [problem, setProblem] = useState<'logoWrongType' | 'logoTooLarge' | 'logoUnreadable' | null>(null)
  const shown = chosen ?? logo
  const handleFile = async (file: File | undefined) => {
    if (!file) return
    const isKnown = file.type === 'image/png' || file.type === 'image/svg+xml'
    const found = isKnown ? (file.size > 512 * 1024 ? 'logoTooLarge' : null) : 'logoWrongType'
    setProblem(found)
    if (found) return
    try {
      onChange({ new_logo: await readDataUrl(file) })
    } catch (error) {
      console.warn(error)
      setProblem('logoUnreadable')
    }
  }
  return (
    <div className="grid content-start justify-items-start gap-3">
      <TextField
        type="file"
        label={t('logo')}
        hint={t('logoHint')}
        accept=".png,.svg,image/png,image/svg+xml"
        error={problem ? t(problem) : refusal}
        onChange={(event) => void handleFile(event.target.files?.[0])}
      />
      {shown && <img src={shown} alt={t('logoShown')} className="logo-shown" />}
      <p role="status" className="text-sm empty:hidden">
        {chosen && t('logoChosen')}
      </p>
      {shown && (
        <Button variant="secondary" size="small" onClick={() => onChange({ logo: '', new_logo: undefined })}>
          {t('removeLogo')}
        </Button>
      )}
    </div>
  )
}

const readDataUrl = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })

/** As typed, with the decimal sign of either language; null where it is no number. */
function degreesOf(typed: string) {
  const degrees = Number(typed.trim().replace(',', '.').replace('\u2212', '-'))
  return Number.isFinite(degrees) ? degrees : null
}

function valuesOf({ is_default: _isDefault, latitude, longitude, ...settings }: CompanySettings): Values {
  return { ...settings, latitude: String(latitude), longitude: String(longitude) }
}
