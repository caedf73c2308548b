import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { buttonTexts, entryTexts } from '#src/features/content/texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { confirmTexts } from '#src/ui/components/dialog.tsx'
import { hideSavedNotice, showSavedNotice } from '#src/ui/components/toast.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { adminSearchTexts } from '../admin-texts.ts'
import type { GlossaryPair, SearchMiss } from '../contract.ts'
import type { Route } from './+types/admin-search-page.ts'

const path = '/api/articles/glossary'

export async function clientLoader() {
  const [pairs, misses] = await Promise.all([
    getJson<GlossaryPair[]>(path),
    // Readers see the glossary alone.
    getJson<SearchMiss[]>('/api/articles/searches').catch(() => []),
  ])
  return { pairs, misses }
}

/** `/admin/articles/search`: what was searched in vain, and the terms that mean the same in both languages. */
export default function AdminSearchPage({ loaderData: { pairs, misses } }: Route.ComponentProps) {
  useRight(['articles'], 'read_only')
  const t = useTexts(adminSearchTexts)
  const canWrite = hasRight(useRights(), 'articles', 'read_write')
  return (
    <>
      <AdminHead title={t('title')} backTo="/admin/articles" />
      <Misses misses={misses} canWrite={canWrite} />
      <Glossary pairs={pairs} canWrite={canWrite} />
    </>
  )
}

function Misses({ misses, canWrite }: { misses: SearchMiss[]; canWrite: boolean }) {
  const t = useTexts(adminSearchTexts)
  const language = useLanguage()
  return (
    <section aria-labelledby="misses" className="mb-12">
      <h2 id="misses" className="mb-1 text-xl">
        {t('misses')}
      </h2>
      <p className="mb-4 text-ink-2">{t('missesHint')}</p>
      {misses.length === 0 ? (
        <p>{t('noMisses')}</p>
      ) : (
        <ul className="grid max-w-3xl">
          {misses.map(({ words, language: spoken, count, last }) => (
            <li key={`${spoken} ${words}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
              <span className="grow font-bold wrap-anywhere">{words}</span>
              <span className="text-sm text-ink-2">
                {t('missCount', { count, language: t(spoken), when: formatAgo(new Date(last), new Date(), language) })}
              </span>
              {canWrite && (
                <ButtonLink
                  to={`/admin/articles/new?${String(new URLSearchParams({ [spoken === 'fr' ? 'titre' : 'titre_en']: words }))}`}
                  variant="secondary"
                  size="small"
                >
                  {t('writeArticle')}
                </ButtonLink>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Glossary({ pairs, canWrite }: { pairs: GlossaryPair[]; canWrite: boolean }) {
  const t = useTexts(adminSearchTexts)
  const b = useTexts(buttonTexts)
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [edited, setEdited] = useState<number | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      await revalidate()
      return true
    } catch (error) {
      console.error(error)
      setProblem(f(failureOf(error)))
      return false
    } finally {
      setBusy(false)
    }
  }
  const handleAdd = async (form: HTMLFormElement) => {
    if (!(await run(() => callApi('POST', path, termsOf(form))))) return
    form.reset()
    form.querySelector('input')?.focus()
  }
  const handleSave = async (form: HTMLFormElement, { id_terme, version }: GlossaryPair) => {
    if (!(await run(() => callApi('PUT', `${path}/${id_terme}`, { ...termsOf(form), version })))) return
    setEdited(null)
    showSavedNotice('saved')
  }
  const handleRemove = async (id: number) => {
    if (!(await run(() => callApi('DELETE', `${path}/${id}`)))) return
    showSavedNotice('deleted', {
      action: (
        <Button variant="link" onClick={() => void handleUndo(id)}>
          {e('undoDeletion')}
        </Button>
      ),
    })
  }
  const handleUndo = async (id: number) => {
    hideSavedNotice()
    if (await run(() => callApi('POST', `${path}/${id}/undo`))) showSavedNotice('restored')
  }
  return (
    <section aria-labelledby="glossary" className="max-w-3xl">
      <h2 id="glossary" className="mb-1 text-xl">
        {t('glossary')}
      </h2>
      <p className="mb-4 text-ink-2">{t('glossaryHint')}</p>
      {pairs.length === 0 && <p>{t('noTerms')}</p>}
      {pairs.length > 0 && (
        <ul className="mb-6 grid">
          {pairs.map((pair) =>
            pair.id_terme === edited ? (
              <li key={pair.id_terme} className="border-b border-line py-4">
                <TermForm pair={pair} busy={isBusy} onSubmit={handleSave} onCancel={() => setEdited(null)} />
              </li>
            ) : (
              <li key={pair.id_terme} className="flex flex-wrap items-center gap-4 border-b border-line py-2">
                <span className="flex grow flex-wrap gap-x-2 wrap-anywhere">
                  <span lang="fr-CA">{pair.terme}</span>
                  <span aria-hidden="true">=</span>
                  <span lang="en-US">{pair.terme_en}</span>
                </span>
                {canWrite && (
                  <span className="flex gap-2">
                    <Button
                      variant="secondary"
                      size="small"
                      aria-label={t('editTerm', { terme: pair.terme })}
                      onClick={() => setEdited(pair.id_terme)}
                    >
                      {b('edit')}
                    </Button>
                    <Button
                      variant="danger"
                      size="small"
                      busy={isBusy}
                      aria-label={t('removeTerm', { terme: pair.terme })}
                      onClick={() => void handleRemove(pair.id_terme)}
                    >
                      {b('remove')}
                    </Button>
                  </span>
                )}
              </li>
            ),
          )}
        </ul>
      )}
      <p role="alert" className="mb-4 text-err empty:hidden">
        {problem}
      </p>
      {canWrite && <TermForm busy={isBusy} onSubmit={handleAdd} />}
    </section>
  )
}

function termsOf(form: HTMLFormElement) {
  const values = new FormData(form)
  return { terme: String(values.get('terme')), terme_en: String(values.get('terme_en')) }
}

type TermFormProps =
  | { pair?: undefined; busy: boolean; onSubmit: (form: HTMLFormElement) => Promise<unknown>; onCancel?: undefined }
  | {
      pair: GlossaryPair
      busy: boolean
      onSubmit: (form: HTMLFormElement, pair: GlossaryPair) => Promise<unknown>
      onCancel: () => void
    }

/** The two terms of a new pair, or of one that is changed. */
function TermForm({ pair, busy, onSubmit, onCancel }: TermFormProps) {
  const t = useTexts(adminSearchTexts)
  const b = useTexts(buttonTexts)
  const d = useTexts(confirmTexts)
  const form = useRef<HTMLFormElement>(null)
  const isEditing = pair !== undefined
  // What is changed is where the press was.
  useEffect(() => {
    if (isEditing) form.current?.querySelector('input')?.focus()
  }, [isEditing])
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void (pair ? onSubmit(event.currentTarget, pair) : onSubmit(event.currentTarget))
  }
  const field = { maxLength: 100, required: true, autoComplete: 'off' } as const
  return (
    <form ref={form} className="grid gap-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end" onSubmit={handleSubmit}>
      <TextField {...field} label={t('term')} name="terme" defaultValue={pair?.terme} />
      <TextField {...field} label={t('termEn')} name="terme_en" lang="en-US" defaultValue={pair?.terme_en} />
      <span className="flex gap-2">
        <Button type="submit" busy={busy}>
          {pair ? b('save') : t('addTerm')}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            {d('cancel')}
          </Button>
        )}
      </span>
    </form>
  )
}
