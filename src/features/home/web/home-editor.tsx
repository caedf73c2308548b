import type { ReactNode } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { buttonTexts } from '#src/features/content/button-texts.ts'
import type { EntryField } from '#src/features/content/web/conflict-dialog.tsx'
import type { EntryFormState } from '#src/features/content/web/entry-form.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { PreviewButton } from '#src/features/content/web/preview-dialog.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/confirm-dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { LoadingOverlay } from '#src/ui/components/loading-overlay.tsx'
import { hideSavedNotice } from '#src/ui/components/saved-notice.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { adminHomeTexts } from '../admin-texts.ts'
import { HomeHeading } from './home-heading.tsx'

type HomeEditorProps<Values extends object> = {
  /** Tells the headings of one page apart. */
  name: string
  title: string
  hint: string
  form: EntryFormState<Values> & { restart: (values: Values) => void }
  isShown: boolean
  /** Null where there is nothing to delete yet. */
  remove: (() => Promise<unknown>) | null
  saveLabel: string
  confirmTitle: string
  blank: Values
  preview: (language: Language) => ReactNode
  fields: EntryField<Values>[]
  children: ReactNode
}

/** One of the two things there is at most one of on the home page: Sauvegarder and Supprimer. */
export function HomeEditor<Values extends object>(props: HomeEditorProps<Values>) {
  const { name, title, hint, form, isShown, remove, saveLabel, confirmTitle, blank, preview, fields, children } = props
  const t = useTexts(adminHomeTexts)
  const a = useTexts(buttonTexts)
  const { revalidate } = useRevalidator()
  const [isAsking, setAsking] = useState(false)
  const { busy: isRemoving, run, toast } = useAction()

  const handleRemove = async () => {
    setAsking(false)
    hideSavedNotice()
    await remove?.()
    form.restart(blank)
    await revalidate()
  }

  return (
    <section aria-labelledby={`home-${name}`}>
      <EntryFormBody
        form={form}
        fields={fields}
        head={
          <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
            <HomeHeading id={`home-${name}`} title={title} hint={hint} isShown={isShown} />
            <div className="flex flex-wrap gap-3">
              <PreviewButton>{preview}</PreviewButton>
              <Button variant="danger" disabled={!remove} busy={isRemoving} onClick={() => setAsking(true)}>
                {t('remove')}
              </Button>
              <Button type="submit" busy={form.saving}>
                {saveLabel}
              </Button>
            </div>
          </div>
        }
      >
        <LoadingOverlay busy={isRemoving}>
          <div className="grid gap-6 xl:grid-cols-2">{children}</div>
        </LoadingOverlay>
      </EntryFormBody>
      <ConfirmDialog
        open={isAsking}
        title={confirmTitle}
        confirmLabel={t('remove')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void run(handleRemove, { done: a('deleted') })}
      />
      <Toast {...toast} />
    </section>
  )
}
