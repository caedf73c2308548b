import { useRight } from '#src/features/content/web/use-right.ts'
import { getJson } from '#src/ui/api.ts'
import type { ChatSettings } from '../../settings-contract.ts'
import type { Route } from './+types/admin-chat-settings-page.ts'
import { SettingsForm } from './settings-form.tsx'

export async function clientLoader() {
  return { settings: await getJson<ChatSettings>('/api/chat/settings') }
}

/** What the supervisor of the chat decides. */
export default function AdminChatSettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  useRight(['chat'], 'administrator')
  return <SettingsForm settings={settings} />
}
