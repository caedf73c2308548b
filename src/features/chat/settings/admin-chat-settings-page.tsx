import { useRight } from '#src/features/content/web/admin-context.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import type { EntryField } from '#src/features/content/web/conflict-dialog.tsx'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { ChatSettings } from '../contract.ts'
import type { Route } from './+types/admin-chat-settings-page.ts'
import { settingsTexts } from './settings-texts.ts'
import { HolidaysEditor, nameOfDay, WeekEditor } from './hours-editor.tsx'
import type { SettingsValues } from './settings-values.ts'
import { settingsOf, spansOf, valuesOf } from './settings-values.ts'
import type { ReactNode } from 'react'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'

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
  'from 5 to 600 seconds': 'secondsRange',
  'closes when it opens': 'sameTime',
  overlaps: 'overlaps',
  'a time such as 08:00': 'timeWrong',
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
    draftKey: 'chat/settings/hours',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as ChatSettings),
    save: (values) => callApi('PUT', path, settingsOf(values)),
    onSaved: (saved): void => form.restart(valuesOf(saved)),
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
  // In figures: the words of business-hours.ts would be a file of its own for each visitor who opens the chat.
  const showSpans = (day: Parameters<typeof spansOf>[0]) =>
    spansOf(day)
      .map(({ opens, closes }) => `${opens}–${closes}`)
      .join(', ') || t('shut')
  const showWeek = (week: SettingsValues['week']) => (
    <ul>
      {week.map((day) => (
        <li key={day.day}>{`${nameOfDay(day.day, language)} · ${showSpans(day)}`}</li>
      ))}
    </ul>
  )
  const showHolidays = (holidays: SettingsValues['holidays']) => (
    <ul>
      {holidays.map((holiday, index) => (
        <li key={index}>{[holiday.date, holiday.name, holiday.name_en, showSpans(holiday)].filter(Boolean).join(' · ')}</li>
      ))}
    </ul>
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
    { key: 'silence_seconds', label: t('silence') },
    { key: 'release_minutes', label: t('release') },
    { key: 'attachments_enabled', label: t('attachments'), show: showYes },
    { key: 'embed_origins', label: t('origins') },
  ]
}

type PartProps = {
  form: ReturnType<typeof useEntryForm<SettingsValues, ChatSettings>>
  fields: ReturnType<typeof useFieldProps<SettingsValues>>
}

const numeric = { inputMode: 'numeric', autoComplete: 'off' } as const

export function HoursPart({ form: { values, change }, fields: { errorOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('hours')} hint={t('hoursHint')}>
      <WeekEditor week={values.week} errorOf={errorOf} onChange={(week) => change({ week })} />
      <HolidaysEditor holidays={values.holidays} errorOf={errorOf} onChange={(holidays) => change({ holidays })} />
    </Part>
  )
}

export function AnswersPart({ form, fields: { textOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  const marksOf = useBilingual(form, false)
  const message = marksOf('auto_reply_message', 'auto_reply_message_en')
  const wait = marksOf('expected_wait', 'expected_wait_en')
  return (
    <Part title={t('answers')}>
      <SwitchField
        label={t('autoReply')}
        hint={t('autoReplyHint')}
        checked={form.values.auto_reply}
        onChange={(auto_reply) => form.change({ auto_reply })}
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <TextArea label={t('autoReplyMessage')} {...message.french} {...textOf('auto_reply_message')} maxLength={1_000} />
        <TextArea label={t('autoReplyMessageEn')} {...message.english} {...textOf('auto_reply_message_en')} maxLength={1_000} />
        <TextField
          label={t('expectedWait')}
          {...wait.french}
          hint={t('expectedWaitHint')}
          {...textOf('expected_wait')}
          maxLength={200}
        />
        <TextField label={t('expectedWaitEn')} {...wait.english} {...textOf('expected_wait_en')} maxLength={200} />
      </div>
    </Part>
  )
}

export function DelaysPart({ fields: { textOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('delays')}>
      <div className="grid gap-6 lg:grid-cols-3">
        <TextField label={t('noAnswer')} hint={t('noAnswerHint')} {...numeric} {...textOf('no_answer_minutes')} />
        <TextField
          label={t('notification')}
          hint={t('notificationHint')}
          {...numeric}
          {...textOf('escalation_notification_minutes')}
        />
        <TextField label={t('mail')} hint={t('mailHint')} {...numeric} {...textOf('escalation_mail_minutes')} />
        <TextField label={t('silence')} hint={t('silenceHint')} {...numeric} {...textOf('silence_seconds')} />
        <TextField label={t('release')} hint={t('releaseHint')} {...numeric} {...textOf('release_minutes')} />
      </div>
    </Part>
  )
}

export function PrivacyPart({ form: { values, change } }: Pick<PartProps, 'form'>) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('privacy')}>
      <div className="grid gap-6 lg:grid-cols-3">
        <SwitchField
          label={t('attachments')}
          hint={t('attachmentsHint')}
          checked={values.attachments_enabled}
          onChange={(attachments_enabled) => change({ attachments_enabled })}
        />
        <p className="self-center lg:col-span-2">
          <Link to="/admin/privacy#periods">{t('retention')}</Link>
        </p>
      </div>
    </Part>
  )
}

export function EmbeddingPart({ fields: { textOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('embedding')}>
      <div className="grid gap-6 lg:grid-cols-2">
        <TextArea label={t('origins')} hint={t('originsHint')} optional spellCheck={false} {...textOf('embed_origins')} />
        <div className="grid content-start gap-1.5">
          <p className="font-bold">{t('script')}</p>
          <code className="block rounded-field border border-line bg-surface px-4 py-3 text-sm break-all">
            {`<script src="${location.origin}/webchat/embed.js" async></script>`}
          </code>
        </div>
      </div>
    </Part>
  )
}

function Part({ title, hint, children: fields }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid max-w-5xl gap-6">
      <div>
        <h2 className="text-xl">{title}</h2>
        {hint && <p className="text-ink-2">{hint}</p>}
      </div>
      {fields}
    </section>
  )
}
