import { useRevalidator } from 'react-router'
import { company } from '#company/company.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useTexts } from '#src/ui/language.tsx'
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
type Values = Record<Key, string> & { colour: string; version: number }

/** `/admin/entreprise`: the facts of the company, stored over those of `company/company.ts`. */
export default function AdminCompanyPage({ loaderData: settings }: Route.ComponentProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(companyTexts)
  const { revalidate } = useRevalidator()
  const form = useEntryForm<Values, CompanySettings>({
    draftKey: 'company/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as CompanySettings),
    save: (values) => callApi('PUT', path, { ...values, latitude: Number(values.latitude), longitude: Number(values.longitude) }),
    onSaved: (saved) => show(saved),
    required,
  })
  const show = (saved: CompanySettings) => {
    form.restart(valuesOf(saved))
    company.name = saved.name
    void revalidate()
  }
  const { errors } = form
  const { textOf } = useFieldProps(form)
  const reset = async () => show(await callApi<CompanySettings>('DELETE', path))
  return (
    <EntryForm
      title={t('title')}
      subtitle={t('subtitle')}
      form={form}
      fields={[...required.map((key) => ({ key, label: t(key) })), { key: 'colour', label: t('colour') }]}
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
          <TextField
            label={t('colour')}
            hint={t('colourHint')}
            optional
            {...textOf('colour')}
            {...(errors.colour === 'too light to be read' && { error: t('tooLight') })}
            autoComplete="off"
          />
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
            <Button variant="secondary" onClick={() => void reset()}>
              {t('reset')}
            </Button>
          </div>
        )}
      </div>
    </EntryForm>
  )
}

function valuesOf({ is_default: _isDefault, latitude, longitude, ...settings }: CompanySettings): Values {
  return { ...settings, latitude: String(latitude), longitude: String(longitude) }
}
