import type { FormEvent, ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { failureTexts } from '#src/ui/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { LoadingOverlay } from '#src/ui/loading-overlay.tsx'
import type { useEntryForm } from '#src/ui/use-entry-form.ts'
import { adminTexts } from '../admin-texts.ts'
import { entryTexts } from '../entry-texts.ts'
import { AdminHead } from './admin-head.tsx'

type Form = Pick<
  ReturnType<typeof useEntryForm<object, unknown>>,
  'submit' | 'saving' | 'failure' | 'hasDraft' | 'dropDraft' | 'theirs' | 'takeTheirs' | 'blocker'
>

type EntryFormProps = {
  title: string
  subtitle?: ReactNode
  backTo?: string
  form: Form
  /** Buttons beside Sauvegarder. */
  actions?: ReactNode
  /** Shows what another person saved, for the question of a conflict. */
  describeTheirs?: ReactNode
  onKeepMine?: () => void
  children: ReactNode
}

/** Frame of every edit form: title, Retour, Sauvegarder, and the questions that keep work from being lost. */
export function EntryForm({ title, subtitle, backTo, form, actions, describeTheirs, onKeepMine, children }: EntryFormProps) {
  const t = useTexts(adminTexts)
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void form.submit()
  }
  return (
    <form method="post" onSubmit={handleSubmit}>
      <AdminHead
        title={title}
        subtitle={subtitle}
        backTo={backTo}
        actions={
          <>
            {actions}
            <Button type="submit" busy={form.saving}>
              {t('save')}
            </Button>
          </>
        }
      />
      {form.hasDraft && (
        <p className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card bg-brand-soft px-5 py-3" role="status">
          {e('draftKept')}
          <Button variant="link" onClick={form.dropDraft}>
            {e('dropDraft')}
          </Button>
        </p>
      )}
      <div role="alert">
        {form.failure && <p className="mb-6 rounded-card bg-err-soft px-5 py-4 font-bold text-err">{f(form.failure)}</p>}
      </div>
      <LoadingOverlay busy={form.saving}>{children}</LoadingOverlay>
      <Dialog
        open={form.blocker.state === 'blocked'}
        onClose={() => form.blocker.reset?.()}
        role="alertdialog"
        title={e('leaveTitle')}
        actions={
          <>
            <Button variant="secondary" onClick={() => form.blocker.proceed?.()}>
              {e('leave')}
            </Button>
            <Button onClick={() => form.blocker.reset?.()}>{e('stay')}</Button>
          </>
        }
      >
        <p>{e('leaveQuestion')}</p>
      </Dialog>
      <Dialog
        open={form.theirs !== null}
        onClose={() => form.takeTheirs()}
        role="alertdialog"
        title={e('conflictTitle')}
        actions={
          <>
            <Button variant="secondary" onClick={() => form.takeTheirs()}>
              {e('takeTheirs')}
            </Button>
            <Button onClick={onKeepMine}>{e('keepMine')}</Button>
          </>
        }
      >
        <p className="mb-4">{e('conflictQuestion')}</p>
        {describeTheirs}
      </Dialog>
    </form>
  )
}
