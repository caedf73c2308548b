import { useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { buttonTexts } from '#src/features/content/button-texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { EnglishBadge, englishStateOf, FrenchBadge } from '#src/features/content/web/english-badge.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { locales } from '#src/lib/language/language.ts'
import { localTime, parseLocalTime } from '#src/lib/time/zoned-time.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/confirm-dialog.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { UpdateAlert } from '../contract.ts'
import { updaterTexts } from '../texts.ts'
import { defaultDuration, messageMax } from '../values.ts'

type UpdaterEditorProps = {
  form: ReturnType<typeof useUpdaterForm>
  /** Whether there is an alert to change or to take back. */
  isSet: boolean
  canWrite: boolean
  onRemove: () => void
}

export function UpdaterEditor({ form, isSet, canWrite, onRemove }: UpdaterEditorProps) {
  const t = useTexts(updaterTexts)
  const a = useTexts(buttonTexts)
  const [isAsking, setAsking] = useState(false)
  const showYes = (on: boolean) => (on ? t('yes') : t('no'))

  return (
    <>
      <EntryFormBody<UpdaterValues>
        form={form}
        fields={[
          { key: 'next_update', label: t('nextUpdate') },
          { key: 'duration_minutes', label: t('duration') },
          { key: 'message', label: t('message') },
          { key: 'message_en', label: t('messageEn') },
          { key: 'public', label: t('public'), show: showYes },
        ]}
        head={
          <AdminHead
            title={t('title')}
            subtitle={t('section')}
            sticky
            actions={
              canWrite && (
                <>
                  {isSet && (
                    <Button variant="danger" onClick={() => setAsking(true)}>
                      {t('remove')}
                    </Button>
                  )}
                  <Button type="submit" busy={form.saving}>
                    {a('save')}
                  </Button>
                </>
              )
            }
          />
        }
      >
        <div className="grid max-w-5xl gap-6">
          <div className="grid gap-2">
            <Lamp on={isSet} className="text-sm font-bold text-ink-2">
              {t(isSet ? 'set' : 'none')}
            </Lamp>
            <p className="max-w-prose text-ink-2">{canWrite ? t('hint') : t('readOnly')}</p>
          </div>
          <UpdaterFields form={form} disabled={!canWrite} />
        </div>
      </EntryFormBody>
      <LeaveGuard when={form.isDirty && !form.saving && form.failure !== 'signedOut'} />
      <ConfirmDialog
        open={isAsking}
        title={t('confirmTitle')}
        confirmLabel={t('remove')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onRemove()
        }}
      />
    </>
  )
}

type UpdaterFieldsProps = { form: ReturnType<typeof useUpdaterForm>; disabled: boolean }

/** Start, duration, message and audience of the update. */
function UpdaterFields({ form, disabled }: UpdaterFieldsProps) {
  const t = useTexts(updaterTexts)
  const { values, change } = form
  const { textOf } = useFieldProps(form, {
    'no such time': t('noSuchTime'),
    'in the past': t('past'),
    'too far ahead': t('farAhead'),
    duration: t('wrongDuration'),
  })
  const english = englishStateOf({ french: values.message, english: values.message_en }, null, undefined, false)

  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t('nextUpdate')}
          hint={t('nextUpdateHint', { zone: company.hours.timeZone })}
          {...textOf('next_update')}
          disabled={disabled}
        />
        <TextField
          label={t('duration')}
          hint={t('durationHint')}
          inputMode="numeric"
          {...textOf('duration_minutes')}
          disabled={disabled}
        />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <TextArea
          label={t('message')}
          hint={t('messageHint')}
          badge={<FrenchBadge />}
          optional
          lang={locales.fr}
          rows={4}
          maxLength={messageMax}
          {...textOf('message')}
          disabled={disabled}
        />
        <TextArea
          label={t('messageEn')}
          badge={<EnglishBadge state={english} />}
          optional
          lang={locales.en}
          rows={4}
          maxLength={messageMax}
          {...textOf('message_en')}
          disabled={disabled}
        />
      </div>
      <SwitchField
        label={t('public')}
        hint={t('publicHint')}
        checked={values.public}
        disabled={disabled}
        onChange={(isPublic) => change({ public: isPublic })}
      />
    </>
  )
}

export const alertPath = '/api/updates/alert'

/** As it is written in the form: the time on the company's clock. */
type UpdaterValues = {
  next_update: string
  duration_minutes: string
  message: string
  message_en: string
  public: boolean
  version?: number
}

/** The alert as it is edited; saving stays on the page, where everybody's banner shows at once. */
export function useUpdaterForm(alert: UpdateAlert | null, onSaved: (saved: UpdateAlert) => void) {
  const form = useEntryForm<UpdaterValues, UpdateAlert>({
    draftKey: 'updates/alert',
    initial: valuesOf(alert),
    readCurrent: (current) => valuesOf(current as UpdateAlert),
    required: ['next_update', 'duration_minutes'],
    save: (values) => callApi('PUT', alertPath, inputOf(values)),
    onSaved: (saved) => {
      form.restart(valuesOf(saved))
      onSaved(saved)
    },
  })
  const { isDirty, restart, stored } = form
  const latest = valuesOf(alert)
  const isBehind = !isDirty && (stored.version !== latest.version || stored.next_update !== latest.next_update)
  useEffect(() => {
    // A colleague changed it, and nothing of one's own is lost.
    if (isBehind) restart(latest)
  })
  return form
}

function valuesOf(alert: UpdateAlert | null): UpdaterValues {
  return {
    next_update: alert ? localTime(company.hours.timeZone, new Date(alert.next_update)) : '',
    duration_minutes: String(alert?.duration_minutes ?? defaultDuration),
    message: alert?.message ?? '',
    message_en: alert?.message_en ?? '',
    public: alert?.public ?? false,
    version: alert?.version,
  }
}

function inputOf({ next_update: local, duration_minutes: duration, ...rest }: UpdaterValues) {
  const instant = parseLocalTime(company.hours.timeZone, local)
  if (!instant) throw new ApiError(400, { errors: [{ path: 'next_update', message: 'no such time' }] })
  return { ...rest, next_update: instant.toISOString(), duration_minutes: Number(duration) }
}
