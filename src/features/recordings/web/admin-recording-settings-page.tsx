import { useRight } from '#src/features/content/web/admin-context.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
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

const levels = ['read_only', 'read_write', 'administrator'] as const

/** One form for all of it; saving stays on the page. */
function RecordingSettingsForm({ settings }: { settings: RecordingSettings }) {
  const t = useTexts(recordingTexts)
  const form = useEntryForm<RecordingSettings, RecordingSettings>({
    draftKey: 'recordings/settings',
    initial: settings,
    readCurrent: (current) => current as RecordingSettings,
    save: (values) => callApi('PUT', '/api/recordings/settings', values),
    onSaved: (saved): void => form.restart(saved),
  })
  const { values, change } = form
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
      fields={works.map(({ key, label }) => ({ key, label, show: (level: RecordingSettings['play']) => t(level) }))}
    >
      <div className="grid max-w-3xl gap-10">
        <p>
          <span>{t('retentionHint')}</span> <Link to="/admin/privacy#periods">{t('retention')}</Link>
        </p>
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
                onChange={(event) => change({ [key]: event.target.value as RecordingSettings['play'] })}
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
