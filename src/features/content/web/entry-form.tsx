import type { FormEvent, KeyboardEvent as PressedKey, ReactNode } from 'react'
import { useEffect } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import type { Language } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import type { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { buttonTexts, entryTexts } from '../texts.ts'
import type { VersionedEntry } from '../versions/web/entry-versions.tsx'
import { EntryVersions } from '../versions/web/entry-versions.tsx'
import { keyOfPath } from '../page-names.ts'
import { useRights } from './admin-context.ts'
import { AdminHead } from './admin-head.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { missingEnglishOf, PreviewButton } from './preview.tsx'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import type { Changed, ConflictChoice, EntryField } from './conflict-dialog.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'

export type EntryFormState<Values extends object> = Omit<
  ReturnType<typeof useEntryForm<Values & { version?: number }, unknown>>,
  'values' | 'stored' | 'change' | 'theirs' | 'merged' | 'conflictBase' | 'keepOwnChanges'
> & {
  values: Values
  theirs: Values | null
  merged: Values | null
  conflictBase: Values
  keepOwnChanges: (taken?: readonly (keyof Values & string)[]) => void
}

/** Types of inputs that are buttons. */
const savingInputs = new Set(['submit', 'button', 'image', 'reset', 'file'])

type EntryFormBodyProps<Values extends object> = {
  form: EntryFormState<Values>
  /** Fields by which two versions of an entry are compared. */
  fields: EntryField<Values>[]
  /** Title and buttons. */
  head: ReactNode
  /** The entry of this form, where its page has several. */
  entry?: VersionedEntry | null
  /** Where one's own changes cannot be applied to the other version as they are: what is done with them instead. */
  conflict?: ConflictChoice | undefined
  children: ReactNode
}

/** An edit form with its conflict dialog and draft notice; pages that navigate away combine it with `LeaveGuard`. */
export function EntryFormBody<Values extends object>({
  form,
  fields,
  head,
  entry,
  conflict,
  children,
}: EntryFormBodyProps<Values>) {
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.saving && !form.theirs) void form.submit()
  }
  // Enter in a field would save, and so publish, what is not finished: saving has its button and Ctrl+S.
  const handleKey = (event: PressedKey) => {
    const { target, key } = event
    if (key === 'Enter' && target instanceof HTMLInputElement && !savingInputs.has(target.type)) event.preventDefault()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only keeps Enter from saving */}
      <form ref={form.element} method="post" noValidate onSubmit={handleSubmit} onKeyDown={handleKey}>
        {head}
        {form.hasDraft && (
          <p
            className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card bg-brand-soft px-5 py-3"
            role="status"
          >
            <span>{e('draftRestored')}</span>
            <Button variant="link" onClick={form.dropDraft}>
              {e('version' in form.values ? 'dropDraft' : 'dropNewDraft')}
            </Button>
          </p>
        )}
        <div role="status">
          {form.keepsOwnChanges && <p className="mb-6 rounded-card bg-brand-soft px-5 py-3 font-bold">{e('ownChangesInForm')}</p>}
        </div>
        <div role="alert">
          {form.failure && (
            <div className="mb-6 grid gap-1 rounded-card bg-err-soft px-5 py-4 text-err">
              <p className="font-bold">
                {form.failure !== 'invalid' && <span>{`${e(`${form.notice}Failed`)}. `}</span>}
                <span>{f(form.failure)}</span>
              </p>
              {form.failure === 'gone' && <p>{e('id' in form.values ? 'deletedCreateAgain' : 'deletedTextStored')}</p>}
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
      {form.readsCurrent && (
        <EntryVersions
          entry={entry}
          isDirty={form.isDirty}
          version={(form.values as { version?: number }).version}
          onReused={(current) => {
            form.takeCurrent(current)
            void revalidate()
          }}
        />
      )}
      <ConflictDialog
        entry={entry}
        mine={form.values}
        theirs={form.theirs}
        base={form.conflictBase}
        change={form.theirChange}
        merged={form.merged}
        fields={fields}
        onLoadSavedVersion={form.loadSavedVersion}
        choice={conflict}
        onKeepOwnChanges={(taken) => (conflict ? conflict.onKeep() : form.keepOwnChanges(taken))}
        onPostpone={form.postponeConflict}
      />
    </>
  )
}

type EntryFormProps<Values extends object> = Omit<EntryFormBodyProps<Values>, 'head'> & {
  title: string
  subtitle?: ReactNode
  /** Target of Retour; defaults to one history step back. */
  backTo?: string
  /** The list page, used when there is no history to go back to. */
  home?: string
  /** Label of the save button. */
  saveLabel?: string
  /** Its page of the site, of which search results and shared links may say something else. */
  page?: string | undefined
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
  page,
  ...body
}: EntryFormProps<Values>) {
  const t = useTexts(buttonTexts)
  const { form } = body
  useEffect(() => {
    // Ctrl+S saves.
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
                {preview && <PreviewButton missing={missingEnglishOf(form.values, body.fields)}>{preview}</PreviewButton>}
                <Button type="submit" busy={form.saving}>
                  {saveLabel ?? t('save')}
                </Button>
              </>
            }
          />
        }
      />
      {page && <DescriptionLink page={page} />}
      <LeaveGuard when={form.isDirty && !form.saving && form.failure !== 'signedOut'} />
    </>
  )
}

/** Where title, description and picture of a page are written for search results and shared links. */
function DescriptionLink({ page }: { page: string }) {
  const t = useTexts(buttonTexts)
  if (!hasRight(useRights(), 'company', 'read_write')) return null
  return (
    <p className="mt-8">
      <Link to={`/admin/recherche_partage/${keyOfPath(page)}`} className="text-brand underline">
        {t('searchAndSharing')}
      </Link>
    </p>
  )
}

/** Loads an entry and its last save for an edit form; without an id, the form creates a new entry. */
export async function loadEntry<Entity>(path: string, id: string | undefined) {
  if (!id) return { entry: undefined, lastChange: null }
  const address = `${path}/${encodeURIComponent(id)}`
  const [entry, lastChange] = await Promise.all([getJson<Entity>(address), getJson<Changed | null>(`${address}/last_change`)])
  return { entry, lastChange }
}

/** Author and age of the last save. */
export function LastChange({ section, change }: { section: string; change: Changed | null }) {
  const e = useTexts(entryTexts)
  const language = useLanguage()
  if (!change) return section
  const { at, name } = change
  return (
    <>
      <span>{section}</span>
      <span> · </span>
      <time dateTime={at}>{e('changedBy', { when: formatAgo(new Date(at), new Date(), language), name })}</time>
    </>
  )
}
