import { useRight } from '#src/features/content/web/admin-context.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import type { EntryField } from '#src/features/content/web/entry-form.tsx'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { describeWeek } from '#src/lib/time/business-hours.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { ChatSettings } from '../contract.ts'
import type { Route } from './+types/admin-chat-settings-page.ts'
import { settingsTexts } from './settings-texts.ts'
import type { SettingsValues, DayValues } from './settings-values.ts'
import { settingsOf, valuesOf } from './settings-values.ts'
import type { ReactNode } from 'react'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { TextArea, TextField, FieldError } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { locales } from '#src/lib/language/language.ts'
import { Table } from '#src/ui/components/table.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { PlusIcon } from '#src/ui/components/icons.tsx'

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

type SettingsWeekProps = {
  week: DayValues[]
  errorOf: (path: string) => string | undefined
  onChange: (week: DayValues[]) => void
}

/** Hours of each day of the week; a day whose box is empty is closed. */
function SettingsWeek({ week, errorOf, onChange }: SettingsWeekProps) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const name = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  const nameOf = (day: number) => name.format(Date.UTC(2024, 0, day))
  const set = (day: number, changes: Partial<DayValues>) =>
    onChange(week.map((one) => (one.day === day ? { ...one, ...changes } : one)))
  // The server's errors index the days that were sent; closed days were not.
  const sent = week.filter(({ isOpen }) => isOpen)
  const refusalOf = (row: DayValues) => (row.isOpen ? errorOf(`week.${sent.indexOf(row)}`) : undefined)
  const time = (row: DayValues, field: 'opens' | 'closes') => (
    <div className="grid gap-1">
      <input
        type="time"
        className="input"
        aria-label={t(field === 'opens' ? 'opensOn' : 'closesOn', { day: nameOf(row.day) })}
        aria-invalid={refusalOf(row) ? true : undefined}
        aria-describedby={refusalOf(row) ? `week-${row.day}-error` : undefined}
        value={row[field]}
        onChange={(event) => set(row.day, { [field]: event.target.value })}
      />
      {field === 'closes' && refusalOf(row) && <FieldError id={`week-${row.day}-error`}>{refusalOf(row)}</FieldError>}
    </div>
  )

  return (
    <Table
      caption={t('week')}
      rows={week}
      rowKey={(row) => row.day}
      columns={[
        {
          header: t('day'),
          isRowHeader: true,
          cell: (row) => (
            <label className="flex min-h-6 items-center gap-3">
              <input
                type="checkbox"
                className="size-5 flex-none accent-brand"
                aria-label={t('dayOpen', { day: nameOf(row.day) })}
                checked={row.isOpen}
                onChange={(event) => set(row.day, { isOpen: event.target.checked })}
              />
              <span className="inline-block first-letter:uppercase">{nameOf(row.day)}</span>
              {!row.isOpen && <span className="text-sm font-normal text-ink-2">{t('shut')}</span>}
            </label>
          ),
        },
        { header: t('opens'), cell: (row) => row.isOpen && time(row, 'opens') },
        { header: t('closes'), cell: (row) => row.isOpen && time(row, 'closes') },
      ]}
    />
  )
}

type Holiday = ChatSettings['holidays'][number]
type SettingsHolidaysProps = {
  holidays: Holiday[]
  errorOf: (path: string) => string | undefined
  onChange: (holidays: Holiday[]) => void
}

/** Days on which the chat stays closed, by date. */
function SettingsHolidays({ holidays, errorOf, onChange }: SettingsHolidaysProps) {
  const t = useTexts(settingsTexts)
  const rows = holidays.map((holiday, index) => ({
    ...holiday,
    index,
    label: holiday.name || t('holidayNumber', { number: index + 1 }),
  }))
  const refusal = errorOf('holidays')
  const set = (index: number, changes: Partial<Holiday>) =>
    onChange(holidays.map((holiday, at) => (at === index ? { ...holiday, ...changes } : holiday)))
  const input = (
    { index, label, ...holiday }: (typeof rows)[number],
    field: keyof Holiday,
    name: 'dateOf' | 'holidayNameOf' | 'holidayNameEnOf',
  ) => (
    <input
      type={field === 'date' ? 'date' : 'text'}
      className="input"
      lang={field === 'name_en' ? locales.en : undefined}
      aria-label={t(name, { name: label })}
      aria-invalid={errorOf(`holidays.${index}.${field}`) ? true : undefined}
      aria-describedby={refusal ? 'holidays-error' : undefined}
      maxLength={100}
      value={holiday[field]}
      onChange={(event) => set(index, { [field]: event.target.value })}
    />
  )

  return (
    <section aria-label={t('holidays')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 className="text-lg font-bold">{t('holidays')}</h3>
          <p className="field-hint">{t('holidaysHint')}</p>
        </div>
        <Button variant="secondary" size="small" onClick={() => onChange([...holidays, { date: '', name: '', name_en: '' }])}>
          <PlusIcon />
          {t('addHoliday')}
        </Button>
      </div>
      {refusal && <FieldError id="holidays-error">{refusal}</FieldError>}
      {rows.length === 0 ? (
        <p className="text-ink-2">{t('noHolidays')}</p>
      ) : (
        <Table
          caption={t('holidays')}
          rows={rows}
          rowKey={(row) => row.index}
          columns={[
            { header: t('date'), cell: (row) => input(row, 'date', 'dateOf') },
            { header: t('holidayName'), cell: (row) => input(row, 'name', 'holidayNameOf') },
            { header: t('holidayNameEn'), cell: (row) => input(row, 'name_en', 'holidayNameEnOf') },
          ]}
          actions={{
            header: t('removeHoliday'),
            cell: (row) => (
              <Button
                variant="danger"
                size="small"
                aria-label={t('removeHolidayOf', { name: row.label })}
                onClick={() => onChange(holidays.filter((_, at) => at !== row.index))}
              >
                {t('removeHoliday')}
              </Button>
            ),
          }}
        />
      )}
    </section>
  )
}
