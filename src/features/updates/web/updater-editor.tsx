import { useState } from 'react'
import { company } from '#company/company.ts'
import { adminTexts } from '#src/features/site/admin-texts.ts'
import { AdminHead } from '#src/features/site/web/admin-head.tsx'
import { EnglishBadge, englishStateOf, FrenchBadge } from '#src/features/site/web/english-badge.tsx'
import { EntryFormBody } from '#src/features/site/web/entry-form.tsx'
import { LeaveGuard } from '#src/features/site/web/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { TextArea, TextField } from '#src/ui/field.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { SwitchField } from '#src/ui/switch-field.tsx'
import { useFieldProps } from '#src/ui/use-field-props.ts'
import { updaterTexts } from '../texts.ts'
import { messageMax } from '../values.ts'
import type { UpdaterValues, useUpdaterForm } from './updater-form.ts'

type UpdaterEditorProps = {
  form: ReturnType<typeof useUpdaterForm>
  /** Whether there is an alert to change or to take back. */
  isSet: boolean
  canWrite: boolean
  onRemove: () => void
}

export function UpdaterEditor({ form, isSet, canWrite, onRemove }: UpdaterEditorProps) {
  const t = useTexts(updaterTexts)
  const a = useTexts(adminTexts)
  const [isAsking, setAsking] = useState(false)
  const { values, change } = form
  const { textOf } = useFieldProps(form, {
    'no such time': t('noSuchTime'),
    'in the past': t('past'),
    'too far ahead': t('farAhead'),
    duration: t('wrongDuration'),
  })
  const english = englishStateOf({ french: values.message, english: values.message_en }, null, undefined, false)
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
          <div className="grid gap-6 sm:grid-cols-2">
            <TextField
              type="datetime-local"
              label={t('nextUpdate')}
              hint={t('nextUpdateHint', { zone: company.hours.timeZone })}
              {...textOf('next_update')}
              disabled={!canWrite}
            />
            <TextField
              label={t('duration')}
              hint={t('durationHint')}
              inputMode="numeric"
              {...textOf('duration_minutes')}
              disabled={!canWrite}
            />
          </div>
          <div className="grid gap-6 lg:grid-cols-2">
            <TextArea
              label={t('message')}
              hint={t('messageHint')}
              badge={<FrenchBadge />}
              optional
              lang="fr-CA"
              rows={4}
              maxLength={messageMax}
              {...textOf('message')}
              disabled={!canWrite}
            />
            <TextArea
              label={t('messageEn')}
              badge={<EnglishBadge state={english} />}
              optional
              lang="en-CA"
              rows={4}
              maxLength={messageMax}
              {...textOf('message_en')}
              disabled={!canWrite}
            />
          </div>
          <SwitchField
            label={t('public')}
            hint={t('publicHint')}
            checked={values.public}
            disabled={!canWrite}
            onChange={(isPublic) => change({ public: isPublic })}
          />
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
