import { useRight } from '#src/features/content/web/admin-context.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { RecordingSettings } from '../contract.ts'
import { recordingTexts } from '../texts.ts'
import type { Route } from './+types/admin-recording-settings-page.ts'

export async function clientLoader() {
  return { settings: await getJson<RecordingSettings>('/api/recordings/settings') }
}

/** `/admin/recordings/settings`: retention of calls, and the level required for each operation. */
export default function AdminRecordingSettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  useRight(['recordings'], 'administrator')
  return <RecordingSettingsForm settings={settings} />
}

type Values = Omit<RecordingSettings, 'retention_days'> & { retention_days: string }

const levels = ['read_only', 'read_write', 'administrator'] as const

/** One form for all of it; saving stays on the page. */
function RecordingSettingsForm({ settings }: { settings: RecordingSettings }) {
  const t = useTexts(recordingTexts)
  const form = useEntryForm<Values, RecordingSettings>({
    draftKey: 'recordings/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as RecordingSettings),
    save: (values) =>
      callApi('PUT', '/api/recordings/settings', { ...values, retention_days: Number(values.retention_days.trim() || 0) }),
    onSaved: (saved): void => form.restart(valuesOf(saved)),
  })
  const { values, change, errors } = form
  const { textOf } = useFieldProps(form)
  const works = [
    { key: 'play', label: t('playLevel') },
    { key: 'download', label: t('downloadLevel') },
    { key: 'delete', label: t('deleteLevel') },
  ] as const

  return (
    <EntryForm
      title={t('settingsTitle')}
      backTo="/admin/recordings"
      form={form}
      fields={[
        { key: 'retention_days', label: t('retention') },
        ...works.map(({ key, label }) => ({ key, label, show: (level: Values['play']) => t(level) })),
      ]}
    >
      <div className="grid max-w-3xl gap-10">
        <TextField
          label={t('retention')}
          hint={t('retentionHint')}
          {...textOf('retention_days')}
          error={errors.retention_days ? t('daysRange') : null}
          inputMode="numeric"
          autoComplete="off"
        />
        <section aria-label={t('rights')} className="grid gap-6">
          <div>
            <h2 className="text-xl">{t('rights')}</h2>
            <p className="text-ink-2">{t('rightsHint')}</p>
          </div>
          <div className="grid gap-6 sm:grid-cols-3">
            {works.map(({ key, label }) => (
              <SelectField
                key={key}
                label={label}
                value={values[key]}
                onChange={(event) => change({ [key]: event.target.value as Values['play'] })}
              >
                {levels.map((level) => (
                  <option key={level} value={level}>
                    {t(level)}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
        </section>
      </div>
    </EntryForm>
  )
}

const valuesOf = (settings: RecordingSettings): Values => ({ ...settings, retention_days: String(settings.retention_days) })
