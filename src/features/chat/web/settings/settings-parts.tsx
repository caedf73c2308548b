import type { ReactNode } from 'react'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { TextArea, TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { SwitchField } from '#src/ui/switch-field.tsx'
import type { useEntryForm } from '#src/ui/use-entry-form.ts'
import type { useFieldProps } from '#src/ui/use-field-props.ts'
import type { ChatSettings } from '../../settings-contract.ts'
import { settingsTexts } from '../../supervisor-texts.ts'
import { SettingsHolidays } from './settings-holidays.tsx'
import type { SettingsValues } from './settings-values.ts'
import { SettingsWeek } from './settings-week.tsx'

type PartProps = {
  form: ReturnType<typeof useEntryForm<SettingsValues, ChatSettings>>
  fields: ReturnType<typeof useFieldProps<SettingsValues>>
}

const numeric = { inputMode: 'numeric', autoComplete: 'off' } as const

export function HoursPart({ form: { values, change }, fields: { errorOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('hours')} hint={t('hoursHint')}>
      <SettingsWeek week={values.week} errorOf={errorOf} onChange={(week) => change({ week })} />
      <SettingsHolidays holidays={values.holidays} errorOf={errorOf} onChange={(holidays) => change({ holidays })} />
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
      </div>
    </Part>
  )
}

export function PrivacyPart({ form: { values, change }, fields: { textOf } }: PartProps) {
  const t = useTexts(settingsTexts)
  return (
    <Part title={t('privacy')}>
      <div className="grid gap-6 lg:grid-cols-3">
        <TextField label={t('retention')} hint={t('retentionHint')} {...numeric} {...textOf('retention_days')} />
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
