import type { ReactNode } from 'react'
import { EntryForm } from '#src/features/site/web/entry-form.tsx'
import { useBilingual } from '#src/features/site/web/use-bilingual.tsx'
import { describeWeek } from '#src/lib/describe-hours.ts'
import { callApi } from '#src/ui/api.ts'
import { fieldErrorKey, fieldErrorTexts } from '#src/ui/failures.ts'
import { TextArea, TextField } from '#src/ui/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { SwitchField } from '#src/ui/switch-field.tsx'
import { useEntryForm } from '#src/ui/use-entry-form.ts'
import type { ChatSettings } from '../settings-contract.ts'
import { settingsTexts } from '../supervisor-texts.ts'
import { SettingsHolidays } from './settings-holidays.tsx'
import type { NumberField, SettingsValues } from './settings-values.ts'
import { settingsOf, valuesOf } from './settings-values.ts'
import { SettingsWeek } from './settings-week.tsx'

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

/** One form for all of it; saving stays on the page, for the next thing to change. */
export function SettingsForm({ settings }: { settings: ChatSettings }) {
  const t = useTexts(settingsTexts)
  const f = useTexts(fieldErrorTexts)
  const language = useLanguage()
  const form = useEntryForm<SettingsValues, ChatSettings>({
    draftKey: 'chat/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as ChatSettings),
    save: (values) => callApi('PUT', path, settingsOf(values)),
    onSaved: (saved) => form.restart(valuesOf(saved)),
  })
  const { values, change, errors } = form
  const marksOf = useBilingual(form, false)
  const message = marksOf('auto_reply_message', 'auto_reply_message_en')
  const wait = marksOf('expected_wait', 'expected_wait_en')
  const errorOf = (field: string) => {
    const refused = Object.keys(errors).find((key) => key === field || key.startsWith(`${field}.`))
    const told = refused && errors[refused]
    const own = told && refusals[told]
    return own ? t(own) : told && f(fieldErrorKey(told))
  }
  const textOf = (field: 'auto_reply_message' | 'auto_reply_message_en' | 'expected_wait' | 'expected_wait_en', max: number) => ({
    value: values[field],
    error: errorOf(field),
    maxLength: max,
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  const numberOf = (field: NumberField) => ({
    value: values[field],
    error: errorOf(field),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  const showYes = (on: boolean) => (on ? t('yes') : t('no'))

  return (
    <EntryForm
      title={t('title')}
      subtitle={t('section')}
      backTo="/admin/chat"
      form={form}
      fields={[
        {
          key: 'week',
          label: t('week'),
          show: (week: SettingsValues['week']) =>
            describeWeek(
              week.filter(({ isOpen }) => isOpen),
              language,
            ),
        },
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
      ]}
    >
      <div className="grid gap-10">
        <Part title={t('hours')} hint={t('hoursHint')}>
          <SettingsWeek week={values.week} errorOf={errorOf} onChange={(week) => change({ week })} />
          <SettingsHolidays holidays={values.holidays} errorOf={errorOf} onChange={(holidays) => change({ holidays })} />
        </Part>
        <Part title={t('answers')}>
          <SwitchField
            label={t('autoReply')}
            hint={t('autoReplyHint')}
            checked={values.auto_reply}
            onChange={(auto_reply) => change({ auto_reply })}
          />
          <div className="grid gap-6 lg:grid-cols-2">
            <TextArea label={t('autoReplyMessage')} {...message.french} {...textOf('auto_reply_message', 1_000)} />
            <TextArea label={t('autoReplyMessageEn')} {...message.english} {...textOf('auto_reply_message_en', 1_000)} />
            <TextField
              label={t('expectedWait')}
              {...wait.french}
              hint={t('expectedWaitHint')}
              {...textOf('expected_wait', 200)}
            />
            <TextField label={t('expectedWaitEn')} {...wait.english} {...textOf('expected_wait_en', 200)} />
          </div>
        </Part>
        <Part title={t('delays')}>
          <div className="grid gap-6 lg:grid-cols-3">
            <TextField label={t('noAnswer')} hint={t('noAnswerHint')} {...numberOf('no_answer_minutes')} />
            <TextField label={t('notification')} hint={t('notificationHint')} {...numberOf('escalation_notification_minutes')} />
            <TextField label={t('mail')} hint={t('mailHint')} {...numberOf('escalation_mail_minutes')} />
          </div>
        </Part>
        <Part title={t('privacy')}>
          <div className="grid gap-6 lg:grid-cols-3">
            <TextField label={t('retention')} hint={t('retentionHint')} {...numberOf('retention_days')} />
            <div className="lg:col-span-2 lg:pt-8">
              <SwitchField
                label={t('attachments')}
                hint={t('attachmentsHint')}
                checked={values.attachments_enabled}
                onChange={(attachments_enabled) => change({ attachments_enabled })}
              />
            </div>
          </div>
        </Part>
        <Part title={t('embedding')}>
          <div className="grid gap-6 lg:grid-cols-2">
            <TextArea
              label={t('origins')}
              hint={t('originsHint')}
              optional
              spellCheck={false}
              value={values.embed_origins}
              error={errorOf('embed_origins')}
              onChange={(event) => change({ embed_origins: event.target.value })}
            />
            <div className="grid content-start gap-1.5">
              <p className="font-bold">{t('script')}</p>
              <code className="block rounded-field border border-line bg-surface px-4 py-3 text-sm break-all">
                {scriptLine()}
              </code>
            </div>
          </div>
        </Part>
      </div>
    </EntryForm>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid max-w-5xl gap-6">
      <div>
        <h2 className="text-xl">{title}</h2>
        {hint && <p className="text-ink-2">{hint}</p>}
      </div>
      {children}
    </section>
  )
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

const scriptLine = () => `<script src="${location.origin}/webchat/embed.js" async></script>`
