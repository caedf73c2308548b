import type { FormEvent, ReactNode } from 'react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Language } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading-overlay.tsx'
import type { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { buttonTexts } from '../button-texts.ts'
import { entryTexts } from '../entry-texts.ts'
import { AdminHead } from './admin-head.tsx'
import type { EntryField } from './conflict-dialog.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { PreviewButton } from './preview-dialog.tsx'

export type EntryFormState<Values extends object> = Omit<
  ReturnType<typeof useEntryForm<Values & { version?: number }, unknown>>,
  'values' | 'stored' | 'change' | 'theirs' | 'merged'
> & { values: Values; theirs: Values | null; merged: Values | null }

type EntryFormBodyProps<Values extends object> = {
  form: EntryFormState<Values>
  /** The fields as two versions of an entry are compared by. */
  fields: EntryField<Values>[]
  /** Title and buttons. */
  head: ReactNode
  children: ReactNode
}

/** An edit form and the questions that keep work from being lost; one that leaves its page shares it with `LeaveGuard`. */
export function EntryFormBody<Values extends object>({ form, fields, head, children }: EntryFormBodyProps<Values>) {
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const { pathname } = useLocation()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.saving && !form.theirs) void form.submit()
  }
  return (
    <>
      <form ref={form.element} method="post" noValidate onSubmit={handleSubmit}>
        {head}
        {form.hasDraft && (
          <p
            className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card bg-brand-soft px-5 py-3"
            role="status"
          >
            {e('draftKept')}
            <Button variant="link" onClick={form.dropDraft}>
              {e('version' in form.values ? 'dropDraft' : 'dropNewDraft')}
            </Button>
          </p>
        )}
        <div role="status">
          {form.hasChosenMine && <p className="mb-6 rounded-card bg-brand-soft px-5 py-3 font-bold">{e('keptMine')}</p>}
        </div>
        <div role="alert">
          {form.failure && (
            <div className="mb-6 grid gap-1 rounded-card bg-err-soft px-5 py-4 text-err">
              <p className="font-bold">
                {form.failure !== 'invalid' && `${e(`${form.notice}Failed`)}. `}
                {f(form.failure)}
              </p>
              {form.failure === 'gone' && <p>{e('id' in form.values ? 'goneRemade' : 'goneKept')}</p>}
              {form.failure === 'signedOut' && (
                <p>
                  <Link to="/login" state={{ from: pathname }} className="font-bold underline">
                    {e('signIn')}
                  </Link>
                </p>
              )}
            </div>
          )}
        </div>
        <LoadingOverlay busy={form.saving}>{children}</LoadingOverlay>
      </form>
      <ConflictDialog
        mine={form.values}
        theirs={form.theirs}
        change={form.theirChange}
        merged={form.merged}
        fields={fields}
        onTakeTheirs={form.takeTheirs}
        onKeepMine={form.keepMine}
        onPutOff={form.postponeConflict}
      />
    </>
  )
}

type EntryFormProps<Values extends object> = Omit<EntryFormBodyProps<Values>, 'head'> & {
  title: string
  subtitle?: ReactNode
  /** Where Retour goes; one history step back where it is left out. */
  backTo?: string
  /** The list page, used when there is no history to go back to. */
  home?: string
  /** Label of the save button. */
  saveLabel?: string
  /** The entry as visitors will see it. */
  preview?: (language: Language) => ReactNode
}

/** A page with one edit form: title, Retour, Aperçu, Sauvegarder. */
export function EntryForm<Values extends object>({
  title,
  subtitle,
  backTo,
  home,
  saveLabel,
  preview,
  ...body
}: EntryFormProps<Values>) {
  const t = useTexts(buttonTexts)
  const { form } = body
  useEffect(() => {
    // Ctrl+S, as everywhere else.
    const handleKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!event.repeat) form.element.current?.requestSubmit()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [form.element])
  return (
    <>
      <EntryFormBody
        {...body}
        head={
          <AdminHead
            title={title}
            subtitle={subtitle}
            backTo={backTo}
            home={home}
            sticky
            actions={
              <>
                {preview && <PreviewButton>{preview}</PreviewButton>}
                <Button type="submit" busy={form.saving}>
                  {saveLabel ?? t('save')}
                </Button>
              </>
            }
          />
        }
      />
      <LeaveGuard when={form.isDirty && !form.saving && form.failure !== 'signedOut'} />
    </>
  )
}
