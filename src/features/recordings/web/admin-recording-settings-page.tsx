import { useRight } from '#src/features/content/web/use-right.ts'
import { getJson } from '#src/ui/api.ts'
import type { RecordingSettings } from '../contract.ts'
import type { Route } from './+types/admin-recording-settings-page.ts'
import { RecordingSettingsForm } from './recording-settings-form.tsx'

export async function clientLoader() {
  return { settings: await getJson<RecordingSettings>('/api/recordings/settings') }
}

/** `/admin/recordings/settings`: retention of calls, and the level required for each operation. */
export default function AdminRecordingSettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  useRight(['recordings'], 'administrator')
  return <RecordingSettingsForm settings={settings} />
}
