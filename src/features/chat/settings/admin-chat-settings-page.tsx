import { useRight } from '#src/features/content/web/use-right.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import type { EntryField } from '#src/features/content/web/conflict-dialog.tsx'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { describeWeek } from '#src/lib/time/describe-hours.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import type { ChatSettings } from './settings-contract.ts'
import type { Route } from './+types/admin-chat-settings-page.ts'
import { settingsTexts } from './settings-texts.ts'
import { AnswersPart, DelaysPart, EmbeddingPart, HoursPart, PrivacyPart } from './settings-parts.tsx'
import type { SettingsValues } from './settings-values.ts'
import { settingsOf, valuesOf } from './settings-values.ts'

export async function clientLoader() {
  return { settings: await getJson<ChatSettings>('/api/chat/settings') }
}

/** `/admin/chat/settings`. */
export default function AdminChatSettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  useRight(['chat'], 'administrator')
  return <SettingsForm settings={settings} />
}

const path = '/api/chat/settings'

const refusals: Record<string, keyof (typeof settingsTexts)['fr']> = {
  'from 1 to 240 minutes': 'minutesRange',
  'from 1 to 3650 days': 'daysRange',
  'longer than the policy': 'longerThanPolicy',
  'closes after it opens': 'afterOpening',
  'each date once': 'dateTwice',
  'each site once': 'siteTwice',
  'an address such as https://www.example.com': 'siteAddress',
  'after the notification': 'afterNotification',
  'a date': 'dateWrong',
}

/** One form for all settings; it stays open after a save. */
export function SettingsForm({ settings }: { settings: ChatSettings }) {
  const t = useTexts(settingsTexts)
  const form = useEntryForm<SettingsValues, ChatSettings>({
    draftKey: 'chat/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as ChatSettings),
    save: (values) => callApi('PUT', path, settingsOf(values)),
    onSaved: (saved) => form.restart(valuesOf(saved)),
  })
  const ownErrors = Object.fromEntries(Object.entries(refusals).map(([refusal, key]) => [refusal, t(key)]))
  const part = { form, fields: useFieldProps(form, ownErrors) }
  const compared = useComparedFields()

  return (
    <EntryForm title={t('title')} subtitle={t('section')} backTo="/admin/chat" form={form} fields={compared}>
      <div className="grid gap-10">
        <HoursPart {...part} />
        <AnswersPart {...part} />
        <DelaysPart {...part} />
        <PrivacyPart {...part} />
        <EmbeddingPart {...part} />
      </div>
    </EntryForm>
  )
}

/** The settings as text, to compare two versions. */
function useComparedFields(): EntryField<SettingsValues>[] {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const showYes = (on: boolean) => (on ? t('yes') : t('no'))
  const showWeek = (week: SettingsValues['week']) =>
    describeWeek(
      week.filter(({ isOpen }) => isOpen),
      language,
    )
  return [
    { key: 'week', label: t('week'), show: showWeek },
    { key: 'holidays', label: t('holidays'), show: showHolidays },
    { key: 'auto_reply', label: t('autoReply'), show: showYes },
    { key: 'auto_reply_message', label: t('autoReplyMessage') },
    { key: 'auto_reply_message_en', label: t('autoReplyMessageEn') },
    { key: 'expected_wait', label: t('expectedWait') },
    { key: 'expected_wait_en', label: t('expectedWaitEn') },
    { key: 'no_answer_minutes', label: t('noAnswer') },
    { key: 'escalation_notification_minutes', label: t('notification') },
    { key: 'escalation_mail_minutes', label: t('mail') },
    { key: 'attachments_enabled', label: t('attachments'), show: showYes },
    { key: 'retention_days', label: t('retention') },
    { key: 'embed_origins', label: t('origins') },
  ]
}

function showHolidays(holidays: ChatSettings['holidays']) {
  return (
    <ul>
      {holidays.map(({ date, name, name_en }, index) => (
        <li key={index}>{[date, name, name_en].filter(Boolean).join(' · ')}</li>
      ))}
    </ul>
  )
}
