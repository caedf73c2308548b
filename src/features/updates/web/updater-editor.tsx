import { useState } from 'react'
import { buttonTexts } from '#src/features/content/button-texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/confirm-dialog.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { updaterTexts } from '../texts.ts'
import { UpdaterFields } from './updater-fields.tsx'
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
