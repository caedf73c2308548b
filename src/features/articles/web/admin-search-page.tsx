import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { entryTexts } from '#src/features/content/texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
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
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
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
  const handleAdd = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const added = await run(() =>
      callApi('POST', path, { terme: String(values.get('terme')), terme_en: String(values.get('terme_en')) }),
    )
    if (!added) return
    form.reset()
    form.querySelector('input')?.focus()
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
      <ul className="mb-6 grid">
        {pairs.map(({ id_terme, terme, terme_en }) => (
          <li key={id_terme} className="flex flex-wrap items-center gap-4 border-b border-line py-2">
            <span className="flex grow flex-wrap gap-x-2 wrap-anywhere">
              <span lang="fr-CA">{terme}</span>
              <span aria-hidden="true">=</span>
              <span lang="en-US">{terme_en}</span>
            </span>
            {canWrite && (
              <Button
                variant="danger"
                size="small"
                busy={isBusy}
                aria-label={t('removeTerm', { terme })}
                onClick={() => void handleRemove(id_terme)}
              >
                {t('remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="alert" className="mb-4 text-err empty:hidden">
        {problem}
      </p>
      {canWrite && (
        <form className="grid gap-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end" onSubmit={(event) => void handleAdd(event)}>
          <TextField label={t('term')} name="terme" maxLength={100} required autoComplete="off" />
          <TextField label={t('termEn')} name="terme_en" lang="en-US" maxLength={100} required autoComplete="off" />
          <Button type="submit" busy={isBusy}>
            {t('addTerm')}
          </Button>
        </form>
      )}
    </section>
  )
}
